"""When are two objects in the same state? When a copy of either would be built from the same parts.

An ordinary class has no equality that could be trusted: most have none, and one that compares names only would merge states
that answer differently. So the state is read as `copy` and `pickle` read it (`__reduce_ex__`: attributes, slots, the items of
lists and maps), all the way down, into a flat sequence of tokens that can be compared and hashed. Nothing is left out: the order
of a dict or a set counts, and so does aliasing:

    a = b = []          and          a, b = [], []          print alike, and differ after a.append(1).

Every object that was met before is named by its number. What means itself (classes, functions, `object()` as a marker) is
compared by identity and kept alive; an `object()` that belongs to the object itself (`self.empty = object()`) is compared by its
place. What a hook of the class (`__getstate__`, `__reduce__`) leaves out of a copy is read all the same: it may matter. What
cannot be read (a lock, a socket, a generator, a closure that may hold anything) raises `Unreadable`: the caller then tells states
apart by the calls that led to them. Linear in the size of the state; no recursion.
"""

from __future__ import annotations

import copyreg
import types
from collections.abc import Callable, Container, Hashable, Iterable
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
_HOOKS: Final = ("__reduce_ex__", "__reduce__", "__getstate__")
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


class Own(Same):
    """Stands for an `object()` that belongs to the object in which it is: its place says all."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return hash(Own)


def fingerprint(
    thing: Any,
    own: Container[int] = (),
    *,
    loosely: bool = False,
    most: int | None = None,
    sorted_sets: bool = False,
) -> tuple[Hashable, ...]:
    """What a state holds: equal for two objects exactly if they hold the same in the same shape. Unreadable if none can say.

    own      the ids of those `object()`s that belong to the object
    loosely  what cannot be read means itself: to compare one object with itself, before and after
    most     more parts than this are too many to be read
    sorted_sets  sets of plain values are equal in any order: for states that are values, where nobody may look at the order
    """
    return read(thing, own, loosely=loosely, most=most, sorted_sets=sorted_sets)[0]


def read(
    thing: Any,
    own: Container[int] = (),
    *,
    loosely: bool = False,
    most: int | None = None,
    sorted_sets: bool = False,
) -> tuple[tuple[Hashable, ...], list[Any]]:
    """The fingerprint of an object, and all parts that were met."""
    tokens: list[Hashable] = []
    numbers: dict[int, int] = {}
    kept: list[Any] = []  # temporary parts: as long as they live, no other object gets their id
    todo = [thing]
    while todo:
        if most is not None and len(tokens) > most:
            raise Unreadable(f"more than {most:,} parts")
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
            tokens.append(Own(part) if kind is object and id(part) in own else _by_identity(part))
            continue
        try:
            inside = _inside(part, kind)
        except Unreadable:
            if not loosely:
                raise
            tokens.append(Same(part))
            continue
        if sorted_sets and isinstance(part, (set, frozenset)) and all(type(one) in _BY_VALUE for one in inside):
            inside.sort(key=lambda one: (type(one).__name__, repr(one)))
        tokens.append((Same(kind), len(inside)))
        todo += reversed(inside)
    return tuple(tokens), kept


def _by_identity(part: Any) -> Hashable:
    """A marker by itself; a function by its code, which `lambda: 0` has in common with itself, made again."""
    if isinstance(part, types.FunctionType):
        return ("function", Same(part.__code__), Same(part.__globals__))
    return Same(part)


def means_itself(part: Any) -> bool:
    """Is this a marker, equal to itself only? A function that may hold something is not."""
    if type(part) is object or isinstance(part, _MARKERS):
        return True
    if isinstance(part, types.BuiltinFunctionType):
        return part.__self__ is None or isinstance(part.__self__, (types.ModuleType, type))
    return isinstance(part, types.FunctionType) and not (
        part.__closure__ or part.__defaults__ or part.__kwdefaults__ or part.__dict__
    )


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
    return [_items(one) if place in (3, 4) else one for place, one in enumerate(made)] + _left_out(part, kind, made)


def attributes(thing: Any) -> dict[str, Any]:
    """The attributes of an object, in a `__dict__` or in slots."""
    found = dict(getattr(thing, "__dict__", {}))
    for base in type(thing).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(thing, name):
                found[name] = getattr(thing, name)
    return found


def _left_out(part: Any, kind: type, made: tuple[Any, ...]) -> list[Any]:
    """Attributes that a hook of the class leaves out, or gives otherwise; a lock among them is no state."""
    if not any(isinstance(getattr(kind, hook, None), types.FunctionType) for hook in _HOOKS):
        return []
    state = made[2] if len(made) > 2 else None
    states = state if isinstance(state, tuple) else (state,)
    given = {name: value for one in states if isinstance(one, dict) for name, value in one.items()}
    found: list[Any] = []
    for name, value in attributes(part).items():
        kind = type(value)
        if name in given and given[name] is value:
            continue
        try:
            if not (kind in _BY_VALUE or kind in _PLAIN or means_itself(value)):
                _inside(value, kind)
        except Unreadable:
            continue
        found += (name, value)
    return found


def _items(items: Iterable[Any] | None) -> list[Any] | None:
    """The items of a list or a map, which `__reduce_ex__` gives one by one."""
    return None if items is None else list(items)
