"""Runs a model on behalf of a checker: states become small numbers, faults in a model become ModelErrors.

States are told apart as values are (`True` is not `1`, see `linpoint.history.values`), so a state that holds
what was written is never mistaken for another. One dictionary look-up per state; nothing is ever forgotten. A state that
cannot be hashed (a list, a dataclass that is not frozen) is told apart by all that it holds (`fingerprint.py`), read anew for
every step.

What a step answers is remembered by the checkers, so a model must be pure: the same state and operation give the same states, and
no state is changed in place. A verdict on a model that is not pure means nothing, so the purity of a user's model is looked at
where that is cheap (`purity.py`): the hash of a state that could be changed is compared after each step; the first steps, and
some of the later ones, are taken twice. A model at fault gets a ModelError that names the method. The shipped models are pure;
a test sees to that.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Any

from linpoint import _core
from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.operation import index_of
from linpoint.history.values import brief, complaint, show, tag
from linpoint.models.catalog import is_native
from linpoint.models.fields import Kinds
from linpoint.models.fingerprint import Unreadable, fingerprint
from linpoint.models.model import Model, State, collected
from linpoint.models.purity import contents, hashed_by_identity, is_sealed
from linpoint.models.weigh import Scale

STEPS_TAKEN_TWICE = 32
"""So many steps are taken twice, to see whether the model answers the same; later one in so many."""

LONGEST_DESCRIPTION = 10_000
"""A longer description of a state is cut off: a timeline shows one line, a report a few."""


class Runner:
    """A model with numbered states. Safe to use from several threads.

    Give it the `kinds` if operations of one kind are taken for each other: then a look at a new field raises `NewField`. Give it
    `memory` if the states may not weigh more than so many bytes: then `_core.Halted("memory")` is raised when they do.
    """

    def __init__(self, model: Model, kinds: Kinds | None = None, memory: int | None = None) -> None:
        self.model = model
        self._scale = Scale(memory)
        self._kinds = kinds
        self._states: list[State] = []
        self._numbers: dict[Hashable, int] = {}
        self._hashes: dict[int, int] = {}
        """The hashes of those states that could be changed in place."""
        self._faceless: set[int] = set()
        """Those hashed by identity: no step may be taken from them."""
        self.impure: ModelError | None = None
        """How the model was found not to be pure, if it was: nothing that it says can be believed."""
        self.unhashable = False
        """Was there a state that cannot be hashed?"""
        self._is_watched = not (is_native(model) or model._opaque)  # an opaque one looks after itself (`from_class.py`)
        self._taken = 0
        self._lock = threading.Lock()

    def initial(self) -> int:
        """The number of the initial state."""
        try:
            state = self.model.initial
        except AttributeError as error:
            if error.name != "initial":
                raise self._fault("initial", error) from error
            raise ModelError(f"{self._name} has no initial state: give the class an attribute `initial`") from None
        except ModelError:
            raise
        except Exception as error:
            raise self._fault("initial", error) from error
        if callable(state):
            raise ModelError(f"`initial` of {self._name} is a value, not a method; make it a @property to compute it")
        return self.number(state, None)

    def named(self) -> None:
        """Results are headed by the name of the model, so it must have one: better to know before the search."""
        try:
            name = str(self.model)
        except Exception as error:
            raise self._fault("__str__", error) from error
        if not name.strip():
            raise ModelError(f"{self._name}.__str__ returns nothing")

    def step(self, state: int, op: Operation) -> list[int]:
        """The numbers of the states `op` may lead to, without repetition."""
        before = self._states[state]
        self._taken += 1
        twice = self._is_watched and (self._taken <= STEPS_TAKEN_TWICE or not self._taken % STEPS_TAKEN_TWICE)
        closely = twice or state in self._faceless
        held = contents(before) if closely and not is_sealed(before) else None
        reached = self._run(before, op)
        if state in self._hashes:
            self._must_be_unchanged(state, op)
        if held is not None and held != contents(before):
            raise self._changed(op)
        if state in self._faceless:
            raise self._hashed_by_identity(before, None)
        numbers = list(dict.fromkeys([self.number(after, op, before) for after in reached]))
        if twice:
            self._must_be_the_same(numbers, before, op)
        if self._kinds is not None:
            self._kinds.settled()
        return numbers

    def number(self, state: State, op: Operation | None, before: State = None) -> int:
        """The number of a state, new or known; `op` led to it from the state before."""
        is_hashable = True
        try:
            hash(state)  # a list would do for `tag`, but what it holds must be watched
            name = tag(state)
        except TypeError as error:
            is_hashable, self.unhashable = False, True
            name = self._held(state, op, error)
        except Exception as error:  # a __hash__ or __eq__ of the user's
            raise self._at(f"{self._led(op)} cannot be hashed: {complaint(error)}", op) from error
        try:
            with self._lock:
                number = self._numbers.setdefault(name, len(self._states))
                if number < len(self._states):
                    return number
                self._states.append(state)
        except Exception as error:
            raise self._at(f"{self._led(op)} cannot be compared: {complaint(error)}", op) from error
        self._scale.add((state, name), before)
        if self._scale.exceeded():
            raise _core.Halted("memory")
        if not is_hashable:
            self._hashes[number] = hash(name)
        elif not is_sealed(state):
            self._hashes[number] = hash(state)
            if hashed_by_identity(state) is not None:
                if op is not None:
                    raise self._hashed_by_identity(state, op)
                self._faceless.add(number)
        return number

    def _held(self, state: State, op: Operation | None, error: TypeError | None) -> Hashable:
        """A name for a state that cannot be hashed: all that it holds."""
        try:
            return ("holds", fingerprint(state, sorted_sets=True))
        except Unreadable as reason:
            advice = "a tuple for a list, a frozenset for a set, linpoint.FrozenDict for a dict"
            raise self._at(
                f"{self._led(op)} can neither be hashed ({error}) nor told apart by what it holds, since it holds {reason}:"
                f" {brief(state)}. Use immutable states: {advice}",
                op,
            ) from error

    @property
    def bytes(self) -> int:
        """What the states weigh."""
        return self._scale.bytes

    def is_heavy(self) -> bool:
        """Do the states weigh more than a quarter of the memory already?"""
        return self._scale.limit is not None and 4 * self._scale.bytes > self._scale.limit

    def state(self, number: int) -> State:
        """The state behind a number."""
        return self._states[number]

    def show(self, number: int) -> str:
        """The state in words. A fault in `describe` never loses a verdict: it stands in place of the words."""
        try:
            words = self.model.describe(self._states[number])
            if not isinstance(words, str):
                words = f"({self._name}.describe returned {brief(words)}, which is no text)"
        except Exception as error:
            words = f"({self._name}.describe failed: {complaint(error)})"
        if self._kinds is not None:
            self._kinds.settled()
        return words if len(words) <= LONGEST_DESCRIPTION else words[: LONGEST_DESCRIPTION - 1] + "…"

    def outcomes(self, number: int, op: Operation) -> list[tuple[int, Any]] | None:
        """(Next state, result) of everything `op` may do in this state; None if the model cannot tell (it has only `step`)."""
        before = self._states[number]
        try:
            outcomes = self.model._outcomes(before, op)
        except ModelError:
            raise
        except Exception as error:
            raise self._at(self._failed(before, op, error), op) from error
        return None if outcomes is None else [(self.number(after, op, before), result) for after, result in outcomes]

    def answers(self, number: int, op: Operation) -> list[str] | None:
        """What `op` would have answered in this state, in words; None if the model cannot tell (it has only `step`)."""
        outcomes = self.model._outcomes(self._states[number], op)
        recorded = getattr(self.model, "as_recorded", None) or (lambda _, result: result)
        return None if outcomes is None else list(dict.fromkeys(show(recorded(*outcome)) for outcome in outcomes))

    def _run(self, before: State, op: Operation) -> list[State]:
        """One step of the model; whatever goes wrong is its fault."""
        try:
            reached = self.model.step(before, op)
            return reached if type(reached) is list else collected(reached, self.method(op))
        except ModelError as error:
            raise self._at(error.message, op, error) from error.__cause__
        except (KeyboardInterrupt, _core.Halted):
            raise
        except BaseException as error:  # a model does not end the program
            raise self._at(self._failed(before, op, error), op) from error

    def _failed(self, before: State, op: Operation, error: BaseException) -> str:
        advice = self.model._signature(op) if isinstance(error, TypeError) else ""
        return f"{self._name} failed on {op} in state {brief(before)}: {complaint(error)}{advice}"

    def method(self, op: Operation) -> str:
        """The method that answers for an operation: `Account.deposit`, or `Lock.step`."""
        return self.model._answering(op)

    # Purity.

    def _must_be_unchanged(self, state: int, op: Operation) -> None:
        before = self._states[state]
        try:
            now = hash(before)
        except TypeError as error:
            now = hash(self._held(before, op, error))
        except Exception as error:
            raise self._at(f"a state of {self._name} cannot be hashed: {complaint(error)}", op) from error
        if now != self._hashes[state]:
            raise self._changed(op)

    def _must_be_the_same(self, numbers: list[int], before: State, op: Operation) -> None:
        again = [self.number(after, op) for after in self._run(before, op)]
        if set(again) != set(numbers):
            one, other = (
                " or ".join(brief(self._states[number]) for number in found[:3]) or "nothing"
                for found in (numbers, again)
            )
            raise self._impure(
                f"{self.method(op)} answers differently when it is run again: {op} in state {brief(before)}"
                f" leads to {one}, then to {other}. A model is asked once and its answer is kept",
                op,
            )

    def _changed(self, op: Operation) -> ModelError:
        return self._impure(
            f"{self.method(op)} changed the state that it was given, in place, on {op}:"
            " return a new state, and leave the old one as it is",
            op,
        )

    def _hashed_by_identity(self, state: State, op: Operation | None) -> ModelError:
        kind = type(hashed_by_identity(state)).__name__
        return self._impure(
            f"{self._led(op)} holds a {kind}, which is told apart by identity: two that are equal look different, and one that"
            f" was changed looks the same. Give {kind} an __eq__ and a __hash__, as a frozen dataclass has, or use a tuple",
            op,
        )

    def _led(self, op: Operation | None) -> str:
        """Which state it is, and who is answerable for it."""
        if op is None:
            return f"the initial state of {self._name}"
        return f"the state after {op}, from {self.method(op)},"

    def _impure(self, message: str, op: Operation | None) -> ModelError:
        self.impure = self._at(message, op)
        return self.impure

    def _at(self, message: str, op: Operation | None, error: ModelError | None = None) -> ModelError:
        """A ModelError that blames this operation, unless the error blames another already."""
        if error is not None and error.operation is not None:
            return error
        return ModelError(message, None if op is None or index_of(op) < 0 else index_of(op))

    def _fault(self, name: str, error: Exception) -> ModelError:
        return ModelError(f"{self._name}.{name} failed: {complaint(error)}")

    @property
    def _name(self) -> str:
        return type(self.model).__name__
