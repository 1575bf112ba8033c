"""Which values are equal? Exactly those that are equal in JSON, which is not what Python thinks.

In Python `True == 1` and `[1] != (1,)`; in a history `true` and `1` are different answers and a
list is a list. So values are frozen when they enter (`freeze`: lists become tuples, maps become
`FrozenDict`, everything is hashable), compared with `same`, and used as keys through `tag`.
What JSON lacks is a value, too: a `datetime` is its text in ISO 8601, a `Decimal` the number that it equals (and itself where no
float says it exactly), bytes are bytes. In files these are `{"#decimal": "0.1…"}` and `{"#bytes": "00ff"}`.
The rules are those of the core (`crates/history/src/value.rs`): numbers compare by value, a bool
is not a number. All of it is linear in the size of the value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from linpoint.text import printable


class FrozenDict(Mapping[Any, Any]):
    """An immutable, hashable mapping. Keys are told apart as values of a history are: `True` is not `1`."""

    __slots__ = ("_entries", "_hash")

    def __init__(self, entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> None:
        pairs = entries.items() if isinstance(entries, Mapping) else entries
        self._entries: dict[Hashable, tuple[Any, Any]] = {tag(key): (key, value) for key, value in pairs}
        self._hash: int | None = None

    def __getitem__(self, key: Any) -> Any:
        try:
            return self._entries[tag(key)][1]
        except KeyError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tag(self))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            return tag(self) == tag(other)
        return NotImplemented

    def __repr__(self) -> str:
        return repr(dict(self._entries.values()))

    def set(self, key: Any, value: Any) -> FrozenDict:
        """A copy in which `key` has `value`."""
        copy = FrozenDict()
        copy._entries = {**self._entries, tag(key): (key, value)}
        return copy

    def drop(self, key: Any) -> FrozenDict:
        """A copy without `key`; the mapping itself when it is not there."""
        gone = tag(key)
        if gone not in self._entries:
            return self
        copy = FrozenDict()
        copy._entries = {known: entry for known, entry in self._entries.items() if known != gone}
        return copy


_PLAIN = frozenset({int, str, bool, float, type(None)})
"""Most values: nothing to be done."""


BYTES, DECIMAL = "#bytes", "#decimal"
"""How JSON says bytes and decimals: `{"#bytes": "00ff"}`, `{"#decimal": "0.12345678901234567890"}`."""


def simplest(value: Any) -> Any:
    """A number for a Decimal that equals one, a text for a date or a time, bytes for what holds bytes; else the value itself."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            return value
        if value == value.to_integral_value():
            return int(value)
        number = float(value)
        return number if math.isfinite(number) and Decimal(repr(number)) == value else value.normalize()
    if isinstance(value, date):  # every datetime is one
        return _iso(value)
    return bytes(value) if isinstance(value, (bytearray, memoryview)) else value


def _iso(when: date) -> str:
    """A date, or a time as ISO 8601: in UTC if it names a zone, without zeros at the end. Equal times are equal texts."""
    if not isinstance(when, datetime):
        return when.isoformat()
    zone = "" if when.tzinfo is None else "Z"
    text = (when.astimezone(UTC).replace(tzinfo=None) if zone else when).isoformat()
    return (text.rstrip("0") if "." in text else text) + zone


def freeze(value: Any) -> Any:
    """The value with lists as tuples, maps as `FrozenDict` and sets as frozensets, all the way down."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return tuple(map(freeze, value))
    if isinstance(value, Mapping):
        return FrozenDict((key, freeze(item)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return frozenset(map(freeze, value))
    return simplest(value)


def thaw(value: Any) -> Any:
    """The value as lists and dicts; a map with other keys than texts stays a `FrozenDict`: a dict confuses `1` and `True`."""
    if isinstance(value, (list, tuple)):
        return list(map(thaw, value))
    if isinstance(value, Mapping):
        pairs = [(key, thaw(item)) for key, item in value.items()]
        return dict(pairs) if _is_plain(value) else FrozenDict(pairs)
    if isinstance(value, (set, frozenset)):
        return [thaw(item) for item in sorted(value, key=show)]
    return value


MAP = "#map"
"""How JSON says a map whose keys are not all texts: `{"#map": [[key, value], …]}`."""


def to_json(value: Any) -> Any:
    """The value as JSON holds it, losslessly: `from_json` gives it back. A plain dict `{"#map": …}` is left as it is."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return list(map(to_json, value))
    if isinstance(value, (set, frozenset)):
        return [to_json(item) for item in sorted(value, key=show)]
    if isinstance(value, Mapping):
        if not _is_plain(value) and not (type(value) is dict and value.keys() == {MAP}):
            return {MAP: [[to_json(key), to_json(item)] for key, item in value.items()]}
        return {key: to_json(item) for key, item in value.items()}
    value = simplest(value)
    if isinstance(value, bytes):
        return {BYTES: value.hex()}
    return {DECIMAL: str(value)} if isinstance(value, Decimal) and value.is_finite() else value


def _is_plain(value: Mapping[Any, Any]) -> bool:
    """Can plain JSON say this map? Its keys are texts, and it does not look like `{"#map": …}`."""
    return all(isinstance(key, str) and (len(value) > 1 or not key.startswith("#")) for key in value)


def from_json(value: Any) -> Any:
    """The value, frozen, that JSON of the native format holds."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return tuple(map(from_json, value))
    if isinstance(value, dict):
        if len(value) == 1 and MAP in value:
            return _special(FrozenDict((from_json(key), from_json(item)) for key, item in value[MAP]))
        return _special(FrozenDict((key, from_json(item)) for key, item in value.items()))
    return freeze(value)


def _special(value: FrozenDict) -> Any:
    """The bytes or the decimal that a map with one entry says, or the map."""
    if len(value) != 1:
        return value
    [(name, said)] = value.items()
    try:
        return bytes.fromhex(said) if name == BYTES else Decimal(said) if name == DECIMAL else value
    except (TypeError, ValueError, ArithmeticError):  # a map that only looks like it
        return value


def tag(value: Any) -> Hashable:
    """A hashable stand-in: two values have equal tags exactly when they are the same. TypeError if it cannot be hashed."""
    kind = type(value)
    if kind is int or kind is str or value is None:
        return value  # type: ignore[no-any-return]
    if kind is bool:
        return ("bool", "true" if value else "false")
    if isinstance(value, float):  # the core stores a whole one as the integer it equals, however large
        return int(value) if value.is_integer() else ("float", repr(float(value)))
    if isinstance(value, (tuple, list)):
        return ("list", *map(tag, value))
    if isinstance(value, Mapping):
        return ("map", frozenset((tag(key), tag(item)) for key, item in value.items()))
    if isinstance(value, (set, frozenset)):
        return ("set", frozenset(map(tag, value)))
    if (simple := simplest(value)) is not value:
        return tag(simple) if type(simple) is not type(value) else ("decimal", str(simple))
    hash(value)
    return value  # type: ignore[no-any-return]


def same(one: Any, other: Any) -> bool:
    """Are these the same value? `True` is not `1`, but `1` is `1.0` and a tuple is a list."""
    if one is other:
        return True
    if type(one) is type(other) and type(one) in (int, str):
        return bool(one == other)
    return tag(one) == tag(other)


def show(value: Any) -> str:
    """The value in one printable line: JSON where it is JSON, `{1: 2}` for other maps, `repr` for what is neither."""
    try:
        try:
            words = json.dumps(thaw(value), ensure_ascii=False, default=_odd)
        except TypeError:
            words = _line(value)
        return printable(words)
    except Exception:
        return brief(value, None)


def _odd(value: Any) -> Any:
    """What JSON lacks, within a value that is shown."""
    simple = simplest(value)
    if isinstance(simple, (bytes, Decimal)):
        return repr(simple) if isinstance(simple, bytes) else str(simple)
    if type(simple) in _PLAIN:
        return simple
    raise TypeError


def show_key(key: Any) -> str:
    """A key in words: a text without its quotes, unless it could then be taken for another value (`"1"`, `"null"`)."""
    plain = isinstance(key, str) and key[:1].isalpha() and key not in _JSON_WORDS
    return printable(key) if plain else show(key)


def show_process(process: Any) -> str:
    """The name of a process: `p3` for process 3; its own name, in quotes if it could be taken for the name of another."""
    if not isinstance(process, str):
        return f"p{show(process)}"
    like_another = process[:1] == "p" and (not process[1:2].isalpha() or process[1:] in _JSON_WORDS)
    return show(process) if like_another or process[:1] in ("", '"') else printable(process)


_JSON_WORDS = frozenset({"null", "true", "false"})


def _line(value: Any) -> str:
    """The value like JSON, except that keys may be any values; TypeError for what is no value."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_line(key)}: {_line(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_line, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "[" + ", ".join(sorted(map(_line, value))) + "]"
    return json.dumps(value, ensure_ascii=False)


def brief(value: Any, longest: int | None = 200) -> str:
    """The `repr` of any object, whatever its class does, cut off if it is long."""
    try:
        words = printable(repr(value))
    except Exception as error:
        words = f"<{type(value).__name__} whose repr failed: {type(error).__name__}>"
    return words if longest is None or len(words) <= longest else words[: longest - 1] + "…"


def complaint(error: BaseException) -> str:
    """An exception in words, whatever its class does."""
    try:
        words = printable(str(error))
    except Exception:
        words = "(its message cannot be shown)"
    return f"{type(error).__name__}: {words[:2000]}" if words else type(error).__name__
