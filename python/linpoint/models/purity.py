"""May this object be a state? A state is a value: never changed in place, equal to every other that means the same.

Python cannot promise that, so it is looked at: is the state built from immutable parts only (then nothing needs to be watched),
what does it hold (to see whether a step changed it), and is a part of it hashed by identity? An object that has neither `__eq__`
nor `__hash__` is equal to itself only, whatever happens to it:

    box = Box(0)        p0  |-inc-| |-inc-|      `inc` adds 1 to box.n and returns the box: the same state as before,
                                                 says its hash. Every order of operations is then explained, or none.

Markers are fine: enum members, functions, classes, and objects that hold nothing, such as `EMPTY = object()`.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from linpoint.history import FrozenDict
from linpoint.models.model import Sentinel
from linpoint.models.snapshots import Snapshot

MOST_PARTS = 2_000
"""How many parts of a state are looked at."""

DEEPEST = 50
"""How deep."""

_IMMUTABLE = (
    int,
    str,
    bytes,
    float,
    complex,
    bool,
    type(None),
    Fraction,
    Decimal,
    enum.Enum,
    range,
    Sentinel,
    Snapshot,
)
_PLAIN = frozenset(_IMMUTABLE)
_MARKERS = (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType, Sentinel)


class _Empty:
    """Holds nothing: how large such objects are."""


def is_sealed(state: Any) -> bool:
    """Is the state built from immutable parts only?"""
    if type(state) in _PLAIN:
        return True
    parts = [state]
    for part in parts:  # grows; no recursion, since a linked list is deep
        if isinstance(part, (tuple, frozenset)):
            parts += [inside for inside in part if type(inside) not in _PLAIN]
        elif type(part) is FrozenDict:
            parts += [inside for pair in part.items() for inside in pair if type(inside) not in _PLAIN]
        elif not isinstance(part, _IMMUTABLE):
            return False
    return True


def hashed_by_identity(state: Any) -> Any | None:
    """The first part of a state that holds something and is nevertheless equal to itself only; None if there is none."""
    for part in _parts(state):
        kind: Any = type(part)
        by_identity = kind.__hash__ is object.__hash__ and kind.__eq__ is object.__eq__
        if by_identity and not isinstance(part, _MARKERS) and _holds_something(part):
            return part
    return None


def _parts(state: Any) -> Iterator[Any]:
    """The state, what it is built from, and so on."""
    parts = [state]
    for part in parts:
        yield part
        if len(parts) > MOST_PARTS or type(part) in _PLAIN:
            continue
        if isinstance(part, (tuple, frozenset)):
            parts += part
        elif isinstance(part, Mapping):
            parts += [*part.keys(), *part.values()]
        elif is_dataclass(part) and not isinstance(part, type):
            parts += [getattr(part, field.name, None) for field in fields(part) if field.compare]


def _holds_something(part: Any) -> bool:
    if type(part) is object:
        return False
    slots = any(vars(base).get("__slots__") for base in type(part).__mro__)
    return slots or bool(getattr(part, "__dict__", None)) or type(part).__basicsize__ > _Empty.__basicsize__


def contents(state: Any) -> Hashable:
    """What a state holds, all the way down, so that two looks at it can be compared; the size is bounded."""
    return _contents(state, [MOST_PARTS], ())


def _contents(value: Any, room: list[int], above: tuple[int, ...]) -> Hashable:
    kind = type(value)
    room[0] -= 1
    if kind in _PLAIN:
        return kind, value
    if room[0] < 0 or len(above) > DEEPEST or id(value) in above:
        return kind, id(value)
    above = (*above, id(value))
    if isinstance(value, (tuple, list)):
        return kind, tuple(_contents(part, room, above) for part in value)
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(_contents(part, room, above) for part in value)
    if isinstance(value, Mapping):
        pairs = ((_contents(key, room, above), _contents(part, room, above)) for key, part in value.items())
        return kind, frozenset(pairs)
    inside: dict[str, Any] = dict(getattr(value, "__dict__", {}))
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            inside[name] = getattr(value, name, None)
    if not inside:
        return kind, id(value)
    return kind, tuple((name, _contents(part, room, above)) for name, part in inside.items())
