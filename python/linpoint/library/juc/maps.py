"""From keys to values: `java.util.concurrent.ConcurrentMap`, and the sorted map, which also answers about the order of its keys.

A hash map shows its entries in the order of its buckets. For small whole numbers that is their own order: each has its bucket.
"""

from __future__ import annotations

from linpoint.library.juc.exceptions import NoSuchElementException


class ConcurrentHashMap:
    """Keys are whole numbers from 0 to 15."""

    def __init__(self) -> None:
        self.values: dict[int, int] = {}

    def get(self, key: int) -> int | None:
        return self.values.get(key)

    def getOrDefault(self, key: int, default: int) -> int:
        return self.values.get(key, default)

    def containsKey(self, key: int) -> bool:
        return key in self.values

    def containsValue(self, value: int) -> bool:
        return value in self.values.values()

    def isEmpty(self) -> bool:
        return not self.values

    def size(self) -> int:
        return len(self.values)

    def put(self, key: int, value: int) -> int | None:
        """The value before, if any."""
        before = self.values.get(key)
        self._store({**self.values, key: value})
        return before

    def putAll(self, entries: list[tuple[int, int]]) -> None:
        for key, value in entries:
            self.put(key, value)

    def putIfAbsent(self, key: int, value: int) -> int | None:
        return self.values[key] if key in self.values else self.put(key, value)

    def remove(self, key: int, *value: int) -> int | bool | None:
        """`remove(k)` gives the value, `remove(k, v)` says whether k had the value v."""
        if not value:
            return self.values.pop(key, None)
        if self.values.get(key) != value[0]:
            return False
        del self.values[key]
        return True

    def replace(self, key: int, *values: int) -> int | bool | None:
        """`replace(k, v)` gives the value before, `replace(k, old, new)` says whether k had the value old."""
        if len(values) == 1:
            return self.put(key, values[0]) if key in self.values else None
        if self.values.get(key) != values[0]:
            return False
        self.put(key, values[1])
        return True

    def clear(self) -> None:
        self.values.clear()

    def toString(self) -> str:
        return "{" + ", ".join(f"{key}={value}" for key, value in self.values.items()) + "}"

    def _store(self, values: dict[int, int]) -> None:
        """Keeps the keys in order."""
        self.values = dict(sorted(values.items()))

    def __repr__(self) -> str:
        return self.toString()


class ConcurrentSkipListMap(ConcurrentHashMap):
    """Sorted by key; the keys may be any whole numbers."""

    def firstKey(self) -> int:
        if not self.values:
            raise NoSuchElementException
        return min(self.values)

    def lastKey(self) -> int:
        if not self.values:
            raise NoSuchElementException
        return max(self.values)

    def firstEntry(self) -> str | None:
        return self._entry(min(self.values, default=None))

    def lastEntry(self) -> str | None:
        return self._entry(max(self.values, default=None))

    def pollFirstEntry(self) -> str | None:
        return self._taken(self.firstEntry(), min(self.values, default=None))

    def pollLastEntry(self) -> str | None:
        return self._taken(self.lastEntry(), max(self.values, default=None))

    def ceilingKey(self, bound: int) -> int | None:
        return min((key for key in self.values if key >= bound), default=None)

    def floorKey(self, bound: int) -> int | None:
        return max((key for key in self.values if key <= bound), default=None)

    def higherKey(self, bound: int) -> int | None:
        return min((key for key in self.values if key > bound), default=None)

    def lowerKey(self, bound: int) -> int | None:
        return max((key for key in self.values if key < bound), default=None)

    def _entry(self, key: int | None) -> str | None:
        return None if key is None else f"{key}={self.values[key]}"

    def _taken(self, entry: str | None, key: int | None) -> str | None:
        if key is not None:
            del self.values[key]
        return entry
