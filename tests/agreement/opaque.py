"""Ordinary classes as specifications, against a brute force that runs every order on a new object, and against shipped models.

The histories come from simulated runs of the class itself: each operation takes effect somewhere between its call and its return,
some crash; then a result is replaced by another in most of them. The oracle knows no copies, no fingerprints, no states: it
runs whole orders from the start, straight from the definition.

`.venv/bin/python -m tests.agreement.opaque 0 10000` compares on as many as you like; one number replays one.
"""

from __future__ import annotations

import heapq
import random
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import linpoint as lp
from tests.agreement.seeds import try_seeds

Record = dict[str, Any]


class Fifo:
    """Answers null when it is empty, as the shipped queue does."""

    def __init__(self) -> None:
        self.items: deque[int] = deque()

    def enqueue(self, item: int) -> None:
        self.items.append(item)

    def dequeue(self) -> int | None:
        return self.items.popleft() if self.items else None


class Lifo:
    """With slots, and a linked list."""

    __slots__ = ("top",)

    def __init__(self) -> None:
        self.top: tuple[Any, Any] | None = None

    def push(self, item: int) -> None:
        self.top = (item, self.top)

    def pop(self) -> int | None:
        if self.top is None:
            return None
        item, self.top = self.top
        return item


class Heap:
    """Raises when it is empty."""

    def __init__(self) -> None:
        self.heap: list[int] = []

    def insert(self, item: int) -> int:
        heapq.heappush(self.heap, item)
        return len(self.heap)

    def least(self) -> int:
        return heapq.heappop(self.heap)

    def items(self) -> Iterator[int]:
        yield from self.heap


class Recent(OrderedDict[int, int]):
    """Forgets what was used longest ago: the order of the entries is part of the state."""

    def use(self, key: int) -> list[int]:
        self[key] = self.pop(key, 0) + 1
        if len(self) > 2:
            self.popitem(last=False)
        return list(self)

    def count(self, key: int) -> int:
        return self[key]


class Locked:
    """Cannot be copied."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.balance = 0

    def deposit(self, amount: int) -> None:
        with self.lock:
            self.balance += amount

    def withdraw(self, amount: int) -> int:
        with self.lock:
            if amount > self.balance:
                raise ValueError(amount)
            self.balance -= amount
            return self.balance


class Kind(NamedTuple):
    cls: Callable[[], Any]
    calls: list[tuple[str, bool]]
    """(method, with a value?)"""
    shipped: str | None = None


KINDS = [
    Kind(Fifo, [("enqueue", True), ("enqueue", True), ("dequeue", False)], "queue"),
    Kind(Lifo, [("push", True), ("push", True), ("pop", False)], "stack"),
    Kind(Heap, [("insert", True), ("insert", True), ("least", False), ("items", False)]),
    Kind(Recent, [("use", True), ("use", True), ("count", True)]),
    Kind(Locked, [("deposit", True), ("withdraw", True)]),
]

WAYS: list[dict[str, Any]] = [
    {},
    {"method": "depth-first"},
    {"method": "breadth-first"},
    {"method": "wgl"},
    {"method": "hitting"},
]


def answer(thing: Any, f: str, value: Any) -> Any:
    """What the class answers, as a history holds it."""
    try:
        result = getattr(thing, f)(*([] if value is None else [value]))
    except Exception as error:
        return {"raised": type(error).__name__}
    return list(result) if isinstance(result, Iterator) else result


def records_of(seed: int) -> list[Record]:
    """Up to seven operations, each by a process of its own; the i-th takes effect at 10 i."""
    dice = random.Random(f"opaque {seed}")
    kind = KINDS[seed % len(KINDS)]
    thing, records = kind.cls(), []
    for i in range(dice.randint(2, 7)):
        f, with_value = dice.choice(kind.calls)
        record: Record = {"process": i, "f": f, "value": dice.randint(1, 3) if with_value else None}
        record["call"] = 10 * i - dice.randint(1, 25)
        records.append(record)
        crashed = dice.random() < 0.1
        if crashed and dice.random() < 0.5:
            continue  # it never took effect
        result = answer(thing, f, record["value"])
        if not crashed:
            record |= {"result": result, "return": 10 * i + dice.randint(1, 25)}
    if dice.random() < 0.6:
        spoilt = dice.choice(records)
        if "result" not in spoilt or (kind.shipped and spoilt["value"] is not None):
            return records  # what an enqueue answers means nothing to the shipped queue
        others = [record["result"] for record in records if "result" in record]
        spoilt["result"] = dice.choice([*others, 1, 2, {"raised": "KeyError"}])
    return records


def linearizable(cls: Callable[[], Any], records: list[Record]) -> bool:
    """Is there an order? Every one is run from the start on a new object."""

    def runs(order: list[Record]) -> bool:
        thing = cls()
        for record in order:
            given = answer(thing, record["f"], record["value"])
            if "result" in record and (given != record["result"] or type(given) is not type(record["result"])):
                return False
        return True

    def extend(order: list[Record], rest: list[Record]) -> bool:
        if not runs(order):
            return False
        if all("return" not in record for record in rest):
            return True
        for record in rest:
            others = [other for other in rest if other is not record]
            if all(other.get("return", record["call"]) >= record["call"] for other in others) and extend(
                [*order, record], others
            ):
                return True
        return False

    return extend([], records)


def complaint(seed: int) -> tuple[bool, str]:
    """(what the oracle says, what is wrong with linpoint's answers, empty if nothing is)."""
    kind, records, way = KINDS[seed % len(KINDS)], records_of(seed), WAYS[seed // len(KINDS) % len(WAYS)]
    right = linearizable(kind.cls, records)
    wanted = lp.Verdict.LINEARIZABLE if right else lp.Verdict.VIOLATION
    models: list[Any] = [lp.models.from_class(kind.cls), lp.models.from_class(kind.cls, copy=None)]
    models += [kind.shipped] if kind.shipped else []
    for model in models:
        result = lp.check(lp.History(records), model, **way)
        if result.verdict is not wanted or not (result.certified if right else result.confirmed):
            return right, f"seed {seed}, {model}, {way}: {result}, not {wanted.name}\n{lp.History(records).to_jsonl()}"
    return right, ""


if __name__ == "__main__":
    try_seeds(complaint)
