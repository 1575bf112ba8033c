"""A priority queue. A state maps each element to how many copies of it are in.

The priority of an element is itself, or its first item if it is a list. null < false < true < numbers by value <
texts by code point < lists item by item < maps (all equal). Elements of equal priority come out in any order.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import FrozenDict
from linpoint.history.values import show, tag
from linpoint.models.bag import counted, without
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import EMPTY, Op, Replay, Shipped, element, elements

Rank = tuple[Any, ...]


def rank(value: Any) -> Rank:
    """A sort key for any value."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, (int, float)):
        return (2, value)
    if isinstance(value, str):
        return (3, value)
    if isinstance(value, tuple):
        return (4, tuple(map(rank, value)))
    return (5,) if isinstance(value, Mapping) else (6, repr(value))


def priority(value: Any) -> Rank:
    """The priority of an element."""
    return rank(value[0] if isinstance(value, tuple) and value else value)


class PriorityQueue(Shipped):
    """Highest priority first (or lowest, with `order="min"`): insert, poll, peek."""

    name = "priority-queue"
    table: ClassVar[dict[str, Op]] = {
        "insert": Op("add offer push put enqueue enq", takes="element"),
        "poll": Op(
            "remove pop take delete_max delete_min extract dequeue deq",
            gives=element,
            reads=lambda _, result: result is EMPTY,
        ),
        "peek": Op("top max min find_max find_min first", gives=element, reads=True),
    }

    def __init__(self, order: str = "max", initial: Sequence[Any] = ()) -> None:
        super().__init__(order=order, initial=initial)
        if order not in ("max", "min"):
            raise ModelError(f"the order of a priority queue is max or min, not {order!r}")
        self.initial = counted(elements(initial))
        self._best = max if order == "max" else min

    def insert(self, copies: FrozenDict, new: Any) -> Outcome:
        """Put it in."""
        return copies.set(new, copies.get(new, 0) + 1), ANY

    def poll(self, copies: FrozenDict, _: None) -> list[Outcome]:
        """Take an element of the highest priority out."""
        return [(without(copies, one), one) for one in self._first(copies)] or [(copies, EMPTY)]

    def peek(self, copies: FrozenDict, _: None) -> list[Outcome]:
        """An element of the highest priority."""
        return [(copies, one) for one in self._first(copies)] or [(copies, EMPTY)]

    def _first(self, copies: FrozenDict) -> list[Any]:
        """The elements that may come out next."""
        best = self._best(map(priority, copies), default=None)
        return [one for one in copies if priority(one) == best]

    def describe(self, state: FrozenDict) -> str:
        """The elements, the next one first."""
        inside = [one for one, count in state.items() for _ in range(count)]
        return show(tuple(sorted(inside, key=priority, reverse=self._best is max)))

    def sequential(self) -> _Replay:
        """Quick replay; a pending poll is guessed to take any of the next elements."""
        return _Replay(self, self._best is max)


class _Replay(Replay):
    """The queue as a heap of priorities, each with its elements, changed in place."""

    def __init__(self, model: PriorityQueue, highest: bool) -> None:
        self._highest = highest
        self._heap: list[_Entry] = []
        self._classes: dict[Rank, dict[Hashable, int]] = {}
        for one, count in model.initial.items():
            for _ in range(count):
                self._in(one)

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation; False if its result is impossible here."""
        if name == "insert":
            self._in(value)
            return True
        while self._heap and not self._classes[self._heap[0].rank]:
            del self._classes[heapq.heappop(self._heap).rank]
        if not self._heap:
            return expected is EMPTY or expected is ANY
        if expected is EMPTY:
            return False
        first = self._classes[self._heap[0].rank]
        chosen = next(iter(first)) if expected is ANY else tag(expected)
        if chosen not in first:
            return False
        if name == "poll":
            first[chosen] -= 1
            if not first[chosen]:
                del first[chosen]
        return True

    def _in(self, one: Any) -> None:
        level = priority(one)
        if level not in self._classes:
            self._classes[level] = {}
            heapq.heappush(self._heap, _Entry(level, self._highest))
        inside = self._classes[level]
        inside[tag(one)] = inside.get(tag(one), 0) + 1


class _Entry:
    """A priority in the heap, the first to come out smallest."""

    __slots__ = ("highest", "rank")

    def __init__(self, rank: Rank, highest: bool) -> None:
        self.rank = rank
        self.highest = highest

    def __lt__(self, other: _Entry) -> bool:
        return other.rank < self.rank if self.highest else self.rank < other.rank
