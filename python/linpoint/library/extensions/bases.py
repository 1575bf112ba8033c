"""Base objects that threads can really share: what `linpoint extend` calls a map, a register and a counter.

Each operation holds one lock, so it is atomic. A map refuses None, as Java's `ConcurrentMap` does.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Any


class ConcurrentMap:
    """Keys to values; no value is None, and None as an answer means that there is none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[Hashable, Any] = {}

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value, or the default."""
        with self._lock:
            return self._values.get(key, default)

    def contains(self, key: Hashable) -> bool:
        """Has the key a value?"""
        with self._lock:
            return key in self._values

    __contains__ = contains

    def put(self, key: Hashable, value: Any) -> Any:
        """Stores the value; the one before, if any."""
        with self._lock:
            before = self._values.get(key)
            self._values[key] = _something(value)
            return before

    def put_if_absent(self, key: Hashable, value: Any) -> Any:
        """Stores the value if there is none; the one that is there, or None if this one is it."""
        with self._lock:
            before = self._values.get(key)
            if before is None:
                self._values[key] = _something(value)
            return before

    def replace(self, key: Hashable, old: Any, new: Any) -> bool:
        """Stores `new` if the value is `old`; was it?"""
        with self._lock:
            matches = bool(self._values.get(key) == _something(old))
            if matches:
                self._values[key] = _something(new)
            return matches

    def remove(self, key: Hashable) -> Any:
        """Takes the value away; the one that was there, if any."""
        with self._lock:
            return self._values.pop(key, None)


class Register:
    """One value."""

    def __init__(self, value: Any = None) -> None:
        self._lock = threading.Lock()
        self._value = value

    def read(self) -> Any:
        """The value."""
        with self._lock:
            return self._value

    def write(self, value: Any) -> None:
        """Overwrites it."""
        with self._lock:
            self._value = value

    def swap(self, value: Any) -> Any:
        """Overwrites it; the one before."""
        with self._lock:
            before, self._value = self._value, value
            return before

    def compare_and_swap(self, old: Any, new: Any) -> Any:
        """Overwrites it if it is `old`; the one before."""
        with self._lock:
            before = self._value
            if before == old:
                self._value = new
            return before

    def compare_and_set(self, old: Any, new: Any) -> bool:
        """Overwrites it if it is `old`; was it?"""
        with self._lock:
            matches = bool(self._value == old)
            if matches:
                self._value = new
            return matches


class Counter:
    """A number that only grows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0

    def read(self) -> int:
        """The number."""
        with self._lock:
            return self._number

    def increase(self) -> None:
        """Adds one."""
        with self._lock:
            self._number += 1


def _something(value: Any) -> Any:
    if value is None:
        raise ValueError("a map does not hold None")
    return value
