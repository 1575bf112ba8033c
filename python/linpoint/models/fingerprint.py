"""When are two objects in the same state? When a copy of either would be built from the same parts.

An ordinary class has no equality that could be trusted: most have none, and one that compares names only would merge states
that answer differently. So the state is read as `copy` and `pickle` read it (`__reduce_ex__`: attributes, slots, the items of
lists and maps), all the way down, into a flat sequence of tokens that can be compared and hashed. Nothing is left out: the order
of a dict or a set counts, and so does aliasing:

    a = b = []          and          a, b = [], []          print alike, and differ after a.append(1).

Every object that was met before is named by its number. What means itself (classes, functions, `object()` as a marker) is
compared by identity and kept alive. What cannot be read (a lock, a socket, a generator, a closure that may hold anything) raises
`Unreadable`: the caller then tells states apart by the calls that led to them. Linear in the size of the state; no recursion.
"""

from __future__ import annotations

import copyreg
import types
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

from linpoint.models.model import Sentinel

_BY_VALUE: Final = frozenset({int, str, type(None)})
_PLAIN: Final[dict[type, Callable[[Any], Hashable]]] = {
    bool: lambda value: ("bool", "true" if value else "false"),  # True == 1
    float: lambda value: ("float", repr(value)),  # 0.0 == -0.0, and NaN differs from itself
    complex: lambda value: ("complex", repr(value)),
    bytes: lambda value: ("bytes", value),
    range: lambda value: ("range", value.start, value.stop, value.step),
}
_MARKERS: Final = (type, types.ModuleType, Sentinel, type(Ellipsis), type(NotImplemented), types.CodeType)


class Unreadable(Exception):
    """A part of a state that cannot be read; says which."""


class Same:
    """Stands for an object that means itself."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)


def fingerprint(thing: Any) -> tuple[Hashable, ...]:
    """What a state holds: equal for two objects exactly if they hold the same in the same shape. Unreadable if none can say."""
    tokens: list[Hashable] = []
    numbers: dict[int, int] = {}
    kept: list[Any] = []  # temporary parts: as long as they live, no other object gets their id
    todo = [thing]
    while todo:
        part = todo.pop()
        kind = type(part)
        if kind in _BY_VALUE:
            tokens.append(part)
            continue
        if (plain := _PLAIN.get(kind)) is not None:
            tokens.append(plain(part))
            continue
        if (number := numbers.get(id(part))) is not None:
            tokens.append(("met", number))
            continue
        numbers[id(part)] = len(numbers)
        kept.append(part)
        if means_itself(part):
            tokens.append(Same(part))
            continue
        inside = _inside(part, kind)
        tokens.append((Same(kind), len(inside)))
        todo += reversed(inside)
    return tuple(tokens)


def means_itself(part: Any) -> bool:
    """Is this a marker, equal to itself only? A function that may hold something is not."""
    if type(part) is object or isinstance(part, _MARKERS):
        return True
    if isinstance(part, types.BuiltinFunctionType):
        return part.__self__ is None or isinstance(part.__self__, (types.ModuleType, type))
    return isinstance(part, types.FunctionType) and not (part.__closure__ or part.__defaults__ or part.__kwdefaults__)


def markers(tokens: Iterable[Hashable]) -> list[object]:
    """The bare `object()`s of a state. A copy must hold the very same ones, or `slot is EMPTY` is false in it."""
    return [token.thing for token in tokens if isinstance(token, Same) and type(token.thing) is object]


def _inside(part: Any, kind: type) -> list[Any]:
    """The parts that an object is built from, in order."""
    if kind is list or kind is tuple or kind is set or kind is frozenset:
        return list(part)
    if kind is dict:
        return [one for pair in part.items() for one in pair]
    if isinstance(part, (types.FunctionType, types.BuiltinFunctionType)):  # deepcopy does not copy what they hold
        raise Unreadable(f"a function that may hold something ({part.__qualname__})")
    try:
        reducer = copyreg.dispatch_table.get(kind)
        made = part.__reduce_ex__(4) if reducer is None else reducer(part)
    except Exception as error:
        raise Unreadable(f"a {kind.__name__}") from error
    if isinstance(made, str):
        raise Unreadable(f"a {kind.__name__} that is known by its name only")
    return [_items(one) if place in (3, 4) else one for place, one in enumerate(made)]


def _items(items: Iterable[Any] | None) -> list[Any] | None:
    """The items of a list or a map, which `__reduce_ex__` gives one by one."""
    return None if items is None else list(items)
