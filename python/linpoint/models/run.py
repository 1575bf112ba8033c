"""Runs a model on behalf of a checker: states become small numbers, faults in a model become ModelErrors.

States are told apart as values are (`True` is not `1`, see `linpoint.history.values`), so a state that holds
what was written is never mistaken for another. One dictionary look-up a state; nothing is ever forgotten.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.values import show, tag
from linpoint.models.model import Model, State


class Runner:
    """A model with numbered states. Safe to use from several threads."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._states: list[State] = []
        self._numbers: dict[Hashable, int] = {}
        self._lock = threading.Lock()

    def initial(self) -> int:
        """The number of the initial state."""
        try:
            state = self.model.initial
        except AttributeError:
            raise ModelError(f"{self.model} has no initial state: give the class an attribute `initial`") from None
        if callable(state):
            raise ModelError(f"`initial` of {self.model} is a value, not a method; make it a @property to compute it")
        return self.number(state, None)

    def step(self, state: int, op: Operation) -> list[int]:
        """The numbers of the states `op` may lead to, without repetition."""
        before = self._states[state]
        try:
            after = self.model.step(before, op)
            reached = list(after)
        except ModelError as error:
            if error.operation is None and op.index >= 0:
                raise ModelError(error.message, op.index) from error.__cause__
            raise
        except Exception as error:
            raise ModelError(self._blame(error, op, before), op.index if op.index >= 0 else None) from error
        return list(dict.fromkeys(self.number(next_state, op) for next_state in reached))

    def number(self, state: State, op: Operation | None) -> int:
        """The number of a state, new or known; `op` led to it."""
        try:
            hash(state)  # a list would do for `tag`, but a model could change it behind our back
            name = tag(state)
        except TypeError as error:
            led = "the initial state" if op is None else f"the state after {op}"
            advice = "a tuple for a list, a frozenset for a set, linpoint.FrozenDict for a dict"
            raise ModelError(
                f"{led} of {self.model} cannot be hashed ({error}): {state!r}. Use immutable states: {advice}"
            ) from error
        with self._lock:
            number = self._numbers.setdefault(name, len(self._states))
            if number == len(self._states):
                self._states.append(state)
            return number

    def state(self, number: int) -> State:
        """The state behind a number."""
        return self._states[number]

    def show(self, number: int) -> str:
        """The state in words."""
        return self.model.describe(self._states[number])

    def answers(self, number: int, op: Operation) -> list[str] | None:
        """What `op` would have answered in this state, in words; None if the model cannot tell (it has only `step`)."""
        outcomes = self.model._outcomes(self._states[number], op)
        return None if outcomes is None else list(dict.fromkeys(show(result) for _, result in outcomes))

    def _blame(self, error: Exception, op: Operation, before: State) -> str:
        return f"{self.model} failed on {op} in state {before!r}: {type(error).__name__}: {error}"
