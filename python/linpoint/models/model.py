"""What is allowed: write your own specification as plain, executable Python.

    class Account(Model):
        initial = 0                                      # the state before the first operation

        def deposit(self, balance, amount):              # one method per operation:
            return balance + amount, None                # (state, value) -> (next state, result)

        def withdraw(self, balance, amount):
            return (balance - amount, True) if amount <= balance else (balance, False)

The checker runs the method and compares its result with the recorded one; a pending operation may return
anything. Return a *list* of pairs (or yield them) when several outcomes are possible, an empty list when the operation
is not possible in this state, and `ANY` as result when whatever was recorded is fine. States should be hashable (tuples,
frozensets, frozen dataclasses): others are told apart by all that they hold, which takes longer.

Or write one low-level method, `step(state, op) -> next states`, and look at `op.f`, `op.value`, `op.result`, `op.pending`
yourself, and at `op.process`, `op.call` or any other field if you need it (`fields.py`). Your code runs once per distinct (state,
operation), not once per search step, so it must be pure: the same answer for the same state and operation, and no state changed
in place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.operation import index_of, with_result
from linpoint.history.values import FrozenDict, brief, complaint, same, tag

State: TypeAlias = Any
Outcome: TypeAlias = tuple[State, Any]
"""(next state, result)."""

MOST_OUTCOMES = 100_000
"""A step with more outcomes than this is taken for one that never ends."""


class Sentinel:
    """A value with a meaning of its own, told apart by identity: `ANY`, `ALL`, `EMPTY`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def __copy__(self) -> Sentinel:
        return self

    def __deepcopy__(self, _: object) -> Sentinel:
        return self

    def __reduce__(self) -> str:
        return self._name  # a name of this module: the very same word comes back


ANY: Final = Sentinel("ANY")
"""A result that agrees with whatever was recorded: `return new_state, ANY`."""

ALL: Final = Sentinel("ALL")
"""What `partition` returns for an operation on the whole object, such as the size of a map: then nothing is split."""


class Several(tuple[Hashable, ...]):
    """What `partition` returns for an operation on several keys at once: `Several(["x", "y"])`; they stay together."""

    __slots__ = ()


class Model:
    """The base of every specification: give it `initial` and one method per operation.

    A method takes (state, value) and returns (next state, result), or a list of such pairs if several outcomes are possible
    (none: not possible in this state). The result is compared with the recorded one; `ANY` agrees with everything.

        class Account(Model):
            initial = 0
            def deposit(self, balance, amount):
                return balance + amount, None
            def balance(self, balance, _):
                return balance, balance
    """

    initial: State
    """The state before the first operation."""

    readonly: Callable[[Operation], bool] | Collection[str] = ()
    """Optional: names of operations that never change the state, or a method op → bool. Makes checks much faster
    where linpoint does not find out by itself, that is where the operations can lead to many different states."""

    synonyms: Mapping[str, Sequence[str]] = MappingProxyType({})
    """Optional: other names of an operation, `{"enqueue": ["enq", "offer"]}`."""

    _opaque: bool = False
    """Can it only be run (`from_class`)?"""

    def step(self, state: State, op: Operation) -> Iterable[State]:
        """The states that `op` may lead to, as a list or one by one; none when its recorded result is impossible in `state`.

        As it stands it calls the method named like the operation. Override it to do everything yourself.
        """
        outcomes = self._outcomes(state, op)
        return [after for after, result in outcomes or () if op.pending or fits(result, op.result)]

    def partition(self, op: Operation) -> Hashable:
        """The part of the object that `op` is about: operations on different parts are independent (P-compositionality).

        A hashable key, or `ALL`, or `Several(keys)`; every part starts in `initial`. As it stands a history with keys is
        split by key (a method cannot see the key, so each key is an object of its own), unless you override `step`.
        """
        return op.key if type(self).step is Model.step else None

    def describe(self, state: State) -> str:
        """The state in words, for explanations."""
        return str(state)

    def _outcomes(self, state: State, op: Operation) -> list[Outcome] | None:
        """What the operation may do and answer in `state`, whatever was recorded; None if only `step` knows."""
        if type(self).step is not Model.step:
            return None
        method: Callable[[State, Any], object] = getattr(self, self._method(op.f))
        return listed(method(state, op.value), op)

    def _method(self, f: str) -> str:
        """The name of the method for operations called `f`."""
        name = f.replace("-", "_").replace(" ", "_")
        if not _is_operation(type(self), name):
            name = next((own for own, others in self.synonyms.items() if f in others), name)
        if not _is_operation(type(self), name):
            name = alike(f, operations_of(type(self)), self.synonyms, type(self).__name__) or name
        if not _is_operation(type(self), name):
            known = ", ".join(operations_of(type(self)))
            raise ModelError(
                f"{type(self).__name__} has no operation {f!r}; it has {known or 'none'}{mapping(f, known)}"
            )
        return name

    def _answering(self, op: Operation) -> str:
        """The method that answers for an operation, for complaints: `Account.deposit`, or `Lock.step`."""
        return f"{type(self).__name__}.{self._method(op.f) if type(self).step is Model.step else 'step'}"

    def _signature(self, op: Operation) -> str:
        """What the method of an operation takes, for complaints, if it does not take that."""
        if type(self).step is not Model.step:
            return ""
        try:
            inspect.signature(getattr(self, self._method(op.f))).bind(None, None)
        except TypeError:
            return "; every operation takes (self, state, value)"
        except (ModelError, ValueError):  # no such method, or one of C, whose parameters Python does not know
            return ""
        return ""

    def __str__(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def is_readonly(model: Model, op: Operation) -> bool:
    """Is `op` declared readonly? `readonly` is a method or a collection of names.

    A pending operation has no result, and may have had any. A method that decides by the result (`not op.result`: a withdrawal
    that was refused) is right about operations that returned, and must not be believed about a pending one, which would be left
    out of the search. So it is asked for either answer, too, and what it cannot say of a pending operation is no.
    """
    declared = model.readonly
    if callable(declared):
        try:
            answers = (op, with_result(op, True), with_result(op, False)) if op.pending else (op,)
            return all(declared(asked) for asked in answers)
        except ModelError:
            raise
        except Exception as error:
            if op.pending:
                return False
            message = f"{type(model).__name__}.readonly failed on {op}: {complaint(error)}"
            raise ModelError(message, index_of(op)) from error
    if isinstance(declared, str):
        raise ModelError(f"readonly of {model} is a text; make it a tuple of names: readonly = ({declared!r},)")
    return op.f in declared


def squashed(name: str) -> str:
    """A name without what makes no difference in it: upper case, `-`, `_` and spaces."""
    return "".join(c.lower() if c.isascii() else c for c in name if c not in "-_ ")


def alike(f: str, names: Iterable[str], synonyms: Mapping[str, Sequence[str]], model: str) -> str | None:
    """The one operation that `f` names if upper case, `-` and `_` are not looked at; ModelError if there are several."""
    plain = squashed(f)
    found = dict.fromkeys(name for name in names if squashed(name) == plain)
    found |= dict.fromkeys(own for own, others in synonyms.items() if plain in map(squashed, others))
    if len(found) > 1:
        raise ModelError(f"{model} has {' and '.join(found)}, and {f!r} may be either: write it like one of them")
    return next(iter(found), None)


def mapping(f: str, known: str) -> str:
    """How to say that an unknown name is another name for one of those that are known."""
    return (
        f". If it is another name for one of these, say so: --map {f}={known.split(', ', maxsplit=1)[0]}"
        if known
        else ""
    )


def operations_of(cls: type[Model]) -> list[str]:
    """The names of the methods that are operations: public, and not words of `Model` itself."""
    own = {name: None for base in reversed(cls.__mro__) for name in vars(base)}
    return [name for name in own if _is_operation(cls, name)]


def _is_operation(cls: type[Model], name: str) -> bool:
    if name.startswith("_") or name == "initial" or hasattr(Model, name):
        return False
    return inspect.isroutine(getattr(cls, name, None))


def listed(outcome: object, op: Operation) -> list[Outcome]:
    """What a method returned, as a list of pairs; a ModelError if it is neither a pair nor a list of pairs."""
    outcomes: list[Any]
    if isinstance(outcome, list):
        outcomes = outcome
    elif isinstance(outcome, (tuple, str, bytes, Mapping)) or not isinstance(outcome, Iterable):
        outcomes = [outcome]
    else:
        outcomes = bounded(outcome, op.f)
    for pair in outcomes:
        if not isinstance(pair, tuple) or len(pair) != 2:
            wanted = "a pair (next state, result), or a list of such pairs if several outcomes are possible"
            raise ModelError(f"{op.f} must return {wanted}, not {brief(pair)}")
    return outcomes


def collected(states: object, method: str) -> list[State]:
    """What `step` returned, as a list of states; a ModelError if it cannot be one."""
    if isinstance(states, (str, bytes, Mapping)) or not isinstance(states, Iterable):
        raise ModelError(f"{method} must return a list of next states (empty: not possible here), not {brief(states)}")
    return bounded(states, method)


def bounded(outcomes: Iterable[Any], method: str, what: str = "outcomes") -> list[Any]:
    """All outcomes, or items of a result, from a generator perhaps; a ModelError if there is no end of them."""
    found = list(islice(outcomes, MOST_OUTCOMES + 1))
    if len(found) > MOST_OUTCOMES:
        verb = "has" if what == "outcomes" else "returns"
        raise ModelError(f"{method} {verb} more than {MOST_OUTCOMES:,} {what}, perhaps endlessly many")
    return found


def fits(result: Any, recorded: Any) -> bool:
    """Does a model's result agree with the recorded one? A set, also within it, agrees with its elements in any order."""
    if result is ANY or recorded is ANY or same(result, recorded):
        return True
    if isinstance(result, (set, frozenset)) and isinstance(recorded, tuple):
        return len(result) == len(recorded) and {tag(item) for item in result} == {tag(item) for item in recorded}
    if isinstance(result, tuple) and isinstance(recorded, tuple):
        return len(result) == len(recorded) and all(map(fits, result, recorded))
    if isinstance(result, FrozenDict) and isinstance(recorded, FrozenDict) and len(result) == len(recorded):
        found = {tag(key): item for key, item in recorded.items()}
        return all(tag(key) in found and fits(item, found[tag(key)]) for key, item in result.items())
    return False
