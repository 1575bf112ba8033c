"""What may an extension call? The base objects: a Python dict, a concurrent map, a register, a counter, or a finite one of yours.

A map is looked at one key at a time: a *cell* holds a value or `ABSENT`. An operation is a function from a cell and
arguments to a cell and a result, or an exception; it only asks whether values are equal, so it works alike on
symbolic and on concrete values.

A dict and a map differ in two things that decide verdicts. A dict can hold None, so `get` cannot tell "absent" from
"None", while a concurrent map, like Java's, refuses None. And `d[k] = v` gives no old value, so a dict is no generic
register (Zomer, Golan-Gueta, Ramalingam & Sagiv, section 4.2): nobody can overwrite a value and see it in one step.
`put` of a map can.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from linpoint.errors import UsageError


class _Absent:
    """A key without a value."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


class Raised(Exception):
    """An exception of a base operation, or of an extension: a result by its name, nothing more."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


Cell: TypeAlias = Any
Effect: TypeAlias = tuple[Cell, Any]
"""(cell afterwards, result)."""
Operation: TypeAlias = Callable[..., Effect]
"""From the content of a cell and arguments. One that compares values takes a function for it first, see `_COMPARING`."""
Equality: TypeAlias = Callable[[Any, Any], bool]
Operations: TypeAlias = Mapping[str, tuple[Operation, int, int]]
"""From its name to an operation, and the fewest and most arguments in a program; the key counts."""


def _get(cell: Cell, default: Any = None) -> Effect:
    return cell, default if cell is ABSENT else cell


def _peek(cell: Cell) -> Effect:
    return cell, cell


def _getitem(cell: Cell) -> Effect:
    if cell is ABSENT:
        raise Raised("KeyError")
    return cell, cell


def _setitem(_: Cell, value: Any) -> Effect:
    return value, None


def _delitem(cell: Cell) -> Effect:
    if cell is ABSENT:
        raise Raised("KeyError")
    return ABSENT, None


def _contains(cell: Cell) -> Effect:
    return cell, cell is not ABSENT


def _setdefault(cell: Cell, value: Any = None) -> Effect:
    return (value, value) if cell is ABSENT else (cell, cell)


def _pop(cell: Cell, *default: Any) -> Effect:
    if cell is ABSENT and not default:
        raise Raised("KeyError")
    return ABSENT, default[0] if cell is ABSENT else cell


def _never_none(change: Operation) -> Operation:
    """A concurrent map refuses None, whatever it holds."""

    def refusing(equal: Equality, cell: Cell, *arguments: Any) -> Effect:
        if any(equal(argument, None) for argument in arguments):
            raise Raised("ValueError")
        return change(equal, cell, *arguments) if change is _replace else change(cell, *arguments)

    return refusing


def _put(cell: Cell, value: Any) -> Effect:
    return value, None if cell is ABSENT else cell


def _put_if_absent(cell: Cell, value: Any) -> Effect:
    return (value, None) if cell is ABSENT else (cell, cell)


def _replace(equal: Equality, cell: Cell, *values: Any) -> Effect:
    if len(values) == 1:
        return (ABSENT, None) if cell is ABSENT else (values[0], cell)
    return (values[1], True) if cell is not ABSENT and equal(cell, values[0]) else (cell, False)


def _remove(equal: Equality, cell: Cell, *value: Any) -> Effect:
    if not value:
        return ABSENT, None if cell is ABSENT else cell
    return (ABSENT, True) if cell is not ABSENT and equal(cell, value[0]) else (cell, False)


def _swap(cell: Cell, value: Any) -> Effect:
    return value, cell


def _compare_and_swap(equal: Equality, cell: Cell, old: Any, new: Any) -> Effect:
    return (new if equal(cell, old) else cell), cell


def _compare_and_set(equal: Equality, cell: Cell, old: Any, new: Any) -> Effect:
    return (new, True) if equal(cell, old) else (cell, False)


def _add(amount: int) -> Operation:
    return lambda cell: (cell + amount, None)


_OF_DICTS: Final[Operations] = {
    "get": (_get, 1, 2),
    "getitem": (_getitem, 1, 1),
    "setitem": (_setitem, 2, 2),
    "delitem": (_delitem, 1, 1),
    "contains": (_contains, 1, 1),
    "setdefault": (_setdefault, 1, 2),
    "pop": (_pop, 1, 2),
}
_OF_MAPS: Final[Operations] = {
    "get": (_get, 1, 2),
    "getitem": (_getitem, 1, 1),
    "setitem": (_never_none(_setitem), 2, 2),
    "delitem": (_delitem, 1, 1),
    "contains": (_contains, 1, 1),
    "setdefault": (_never_none(_setdefault), 2, 2),
    "pop": (_pop, 1, 2),
    "put": (_never_none(_put), 2, 2),
    "put_if_absent": (_never_none(_put_if_absent), 2, 2),
    "replace": (_never_none(_replace), 2, 3),
    "remove": (_remove, 1, 2),
}
_OF_REGISTERS: Final[Operations] = {
    "read": (_peek, 0, 0),
    "write": (_setitem, 1, 1),
    "swap": (_swap, 1, 1),
    "compare_and_swap": (_compare_and_swap, 2, 2),
    "compare_and_set": (_compare_and_set, 2, 2),
}
_OF_COUNTERS: Final[Operations] = {
    "read": (_peek, 0, 0),
    "increase": (_add(1), 0, 0),
}
_COMPARING: Final = frozenset(
    act
    for act, _, _ in (*_OF_MAPS.values(), *_OF_REGISTERS.values())
    if act in (_replace, _remove, _compare_and_swap, _compare_and_set) or act.__name__ == "refusing"
)
"""The operations that ask whether two values are equal."""

SYNONYMS: Final = {
    "__getitem__": "getitem",
    "__setitem__": "setitem",
    "__delitem__": "delitem",
    "__contains__": "contains",
    "has_key": "contains",
    "contains_key": "contains",
    "containsKey": "contains",
    "putIfAbsent": "put_if_absent",
    "getOrDefault": "get",
    "get_or_default": "get",
    "compareAndSwap": "compare_and_swap",
    "cas": "compare_and_swap",
    "compareAndSet": "compare_and_set",
    "load": "read",
    "store": "write",
    "exchange": "swap",
    "increment": "increase",
}
"""Other names of the operations."""

WHOLE: Final = frozenset(
    {
        "clear",
        "copy",
        "fromkeys",
        "items",
        "keys",
        "values",
        "popitem",
        "update",
        "size",
        "isEmpty",
        "is_empty",
        "__len__",
    }
    | {"__iter__", "putAll", "put_all", "keySet", "entrySet"}
)
"""Operations on every key at once."""


@dataclass(frozen=True)
class Base:
    """A base object, cell by cell."""

    name: str
    operations: Operations
    environment: tuple[tuple[str, int], ...]
    """What other threads do in the Theorem 1 driver, with the number of values each takes: every other operation sees no more and
    changes nothing else than one of these."""
    keyed: bool = True
    """Has it keys?"""
    may_be_absent: bool = True
    holds_none: bool = False
    """May a cell hold None?"""
    swaps: bool = False
    """Can somebody overwrite a value and see it in one step? Then a cell is a generic register (Lemma 2)."""
    values: tuple[Hashable, ...] = ()
    """All the values there are; empty: any."""
    whole_numbers: bool = False
    """Is it a counter?"""
    states: tuple[Hashable, ...] = ()
    """All the states of a finite object of a user's; then the cell is the state."""
    arguments: Mapping[str, tuple[tuple[Hashable, ...], ...]] = field(default_factory=dict)
    """The arguments that each operation of a finite object may have."""

    def operate(self, name: str, cell: Cell, arguments: Iterable[Any], equal: Equality = operator.eq) -> Effect:
        """One operation; `Raised` if it raises."""
        act = self.operations[name][0]
        return act(equal, cell, *arguments) if act in _COMPARING else act(cell, *arguments)

    def restricted(self, names: Iterable[str] | None, values: Iterable[Hashable] | None) -> Base:
        """The same with these operations only, and with these values only."""
        found = self
        if names is not None:
            chosen = {SYNONYMS.get(name, name) for name in names}
            unknown = sorted(chosen - set(self.operations))
            if unknown:
                raise UsageError(f"a {self.name} has no operation {unknown[0]!r}: it has {', '.join(self.operations)}")
            own = 1 if self.keyed else 0
            environment = tuple(
                (name, number - own)
                for name, (_, fewest, most) in self.operations.items()
                if name in chosen
                for number in range(fewest, most + 1)
            )
            found = Base(
                self.name,
                {name: self.operations[name] for name in self.operations if name in chosen},
                environment,
                self.keyed,
                self.may_be_absent,
                self.holds_none,
                self.swaps and bool(chosen & {"swap", "put"}),
                self.values,
                self.whole_numbers,
            )
        if values is not None:
            found = Base(**{**vars(found), "values": tuple(dict.fromkeys(values))})
        return found


DICT: Final = Base("dict", _OF_DICTS, (("get", 0), ("setitem", 1), ("setdefault", 1), ("pop", 0)), holds_none=True)
MAP: Final = Base("map", _OF_MAPS, (("get", 0), ("put", 1), ("remove", 0)), swaps=True)
REGISTER: Final = Base("register", _OF_REGISTERS, (("read", 0), ("swap", 1)), False, False, holds_none=True, swaps=True)
COUNTER: Final = Base("counter", _OF_COUNTERS, (("read", 0), ("increase", 0)), False, False, whole_numbers=True)

BASES: Final = {base.name: base for base in (DICT, MAP, REGISTER, COUNTER)}


def finite_base(
    states: Iterable[Hashable],
    operations: Mapping[str, Callable[..., tuple[Hashable, Any]]],
    arguments: Mapping[str, Iterable[tuple[Hashable, ...]]] | None = None,
    name: str = "finite",
) -> Base:
    """A base object of your own: every state it may be in, and its operations, from (state, arguments) to (state, result).

    arguments   for each operation that takes some: all the argument lists it may be called with
    """
    every = tuple(dict.fromkeys(states))
    lists = {key: tuple(tuple(each) for each in value) for key, value in (arguments or {}).items()}
    if not every or not operations:
        raise UsageError("a finite base object has at least one state and one operation")
    for key, operation in operations.items():
        for state in every:
            for each in lists.get(key, ((),)):
                after, _ = operation(state, *each)
                if after not in every:
                    raise UsageError(f"{key}{each} leads from {state!r} to {after!r}, which is not among the states")
    counts = {key: len(lists.get(key, ((),))[0]) for key in operations}
    return Base(
        name,
        {key: (operation, counts[key], counts[key]) for key, operation in operations.items()},
        tuple((key, counts[key]) for key in operations),
        False,
        False,
        holds_none=True,
        states=every,
        arguments=lists,
    )
