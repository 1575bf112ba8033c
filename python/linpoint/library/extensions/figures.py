"""The figures of the paper in Python.

Zomer, Golan-Gueta, Ramalingam & Sagiv, "Checking Linearizability of Encapsulated Extended Operations" (ESOP 2014).
"""

from __future__ import annotations

from typing import Any

from linpoint.extend import extension
from linpoint.library.extensions.bases import ConcurrentMap, Counter, Register


def square(key: int) -> int:
    """The pure computation that the paper has in mind."""
    return key * key


@extension(base="map")
def compute_if_absent(squares: ConcurrentMap, key: int) -> Any:
    """Figure 1: the value of a key, computed by whoever comes first. Linearizable."""
    value = squares.get(key)
    if value is None:
        computed = square(key)
        value = squares.put_if_absent(key, computed)
        if value is None:
            value = computed
    return value


@extension(base="map")
def inc(counts: ConcurrentMap, key: Any) -> None:
    """Figure 2, OpenJDK 7, ThrowingTasks: counts, and tries again if somebody else did meanwhile. Linearizable."""
    while True:
        count = counts.get(key)
        if count is None:
            if counts.put_if_absent(key, 1) is None:
                return
        elif counts.replace(key, count, count + 1):
            return


@extension(base="register", operations=("read", "write"), values=(False, True))
def read_and_write_true(flag: Register) -> Any:
    """Figure 4: a test-and-set that is none. Not linearizable, but that takes two calls of it: nobody else could notice."""
    before = flag.read()
    if not before:
        flag.write(True)
    return before


@extension(base="counter")
def optimistic_is_even(counter: Counter) -> bool:
    """Figure 6: twice the same odd number is odd; else it was even in between, when another thread counted. Linearizable."""
    first = counter.read()
    if first % 2 == 0:
        return True
    second = counter.read()
    return first != second
