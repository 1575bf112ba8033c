"""A map. A state maps keys to values; a key without value and a key with the value null are the same thing."""

from __future__ import annotations

from typing import Any, ClassVar

from linpoint.history import FrozenDict
from linpoint.history.values import same
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, boolean, compared, optional_boolean, whole, with_default


class Map(Shipped):
    """Values by key, with the conditional operations of a concurrent map."""

    name = "map"
    table: ClassVar[dict[str, Op]] = {
        "get": Op("read lookup", takes="key", gives=compared, reads=True),
        "put": Op("set write store", takes="key value"),
        "swap": Op("get_and_put getAndPut exchange", takes="key value", gives=compared),
        "remove": Op(takes="key", gives=compared, reads=lambda _, result: result is None),
        "delete": Op("discard", takes="key", gives=optional_boolean, reads=lambda _, result: result is False),
        "put_if_absent": Op("putIfAbsent put-if-absent", takes="key value", gives=compared),
        "replace": Op(takes="key value", gives=compared, reads=lambda _, result: result is None),
        "replace_if": Op(
            "compare_and_set cas", takes="key old new", gives=boolean, reads=lambda _, result: result is False
        ),
        "remove_if": Op("compare_and_remove", takes="key old", gives=boolean, reads=lambda _, result: result is False),
        "contains": Op("containsKey contains_key has", takes="key", gives=boolean, reads=True),
        "size": Op("len count", gives=whole, reads=True),
    }

    def __init__(self) -> None:
        super().__init__()
        self.initial = FrozenDict()

    def get(self, entries: FrozenDict, key: Any) -> Outcome:
        """The value, or null."""
        return entries, entries.get(key)

    def put(self, entries: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Set the value."""
        return _with(entries, *value), ANY

    def swap(self, entries: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Set the value; the old one, or null."""
        return _with(entries, *value), entries.get(value[0])

    def remove(self, entries: FrozenDict, key: Any) -> Outcome:
        """Take the key out; its value, or null."""
        return entries.drop(key), entries.get(key)

    def delete(self, entries: FrozenDict, key: Any) -> Outcome:
        """Take the key out; was it there?"""
        return entries.drop(key), key in entries

    def put_if_absent(self, entries: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Set the value if there is none; the value that was there, or null."""
        key, new = value
        return entries if key in entries else _with(entries, key, new), entries.get(key)

    def replace(self, entries: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Set the value if there is one; the old one, or null."""
        key, new = value
        return _with(entries, key, new) if key in entries else entries, entries.get(key)

    def replace_if(self, entries: FrozenDict, value: tuple[Any, Any, Any]) -> Outcome:
        """Set the value if it is `old` (null: absent); was it?"""
        key, old, new = value
        return (_with(entries, key, new), True) if same(entries.get(key), old) else (entries, False)

    def remove_if(self, entries: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Take the key out if its value is `old`; was it?"""
        key, old = value
        return (entries.drop(key), True) if same(entries.get(key), old) else (entries, False)

    def contains(self, entries: FrozenDict, key: Any) -> Outcome:
        """Does the key have a value?"""
        return entries, key in entries

    def size(self, entries: FrozenDict, _: None) -> Outcome:
        """The number of keys with a value."""
        return entries, len(entries)


def _with(entries: FrozenDict, key: Any, value: Any) -> FrozenDict:
    return with_default(entries, key, value, None)
