"""Where do the histories come from on which a search has no answer? The families of the suite `frontier`.

The clients and their timing are those of generate.py, but for the pause between two operations, which is a
fortieth of an operation: of 50 clients nearly all are open at any moment. A name says which family, how long, and what
was changed afterwards:

    frontier_register-50_c50_n2000_ok      linearizable: the effects of the simulation are an order that proves it
    frontier_register-50_c50_n2000_stale   at 90 % one read gives a value that was surely overwritten before its call
    frontier_register-50_c50_n2000_air     at 90 % one operation gives a value that no client ever wrote

The seed is that of the family; generated.md5 has the digests.

    python bench/frontier.py DIRECTORY NAME...
"""

from __future__ import annotations

import random
import re
import sys
from bisect import bisect_left, insort
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for `python bench/frontier.py`

from bench.generate import Container, Op, Register, Stack, main, simulate

THIN_AIR = 999_999_999  # what no client writes
IDLE = 0.05


class PlainRegister:
    """Reads and writes in equal parts, over so many values."""

    def __init__(self, rng: random.Random, values: int) -> None:
        self.rng, self.values, self.held = rng, values, None

    def choose(self) -> tuple[str, Any]:
        return ("read", None) if self.rng.random() < 0.5 else ("write", self.value())

    def value(self) -> int:
        return self.rng.randrange(self.values)

    def apply(self, f: str, value: Any) -> Any:
        if f == "read":
            return self.held
        self.held = value
        return None


class OneRepeated(PlainRegister):
    """Every write has a value of its own, but that one in a hundred writes 0."""

    def value(self) -> int:
        self.values += 1
        return 0 if self.rng.random() < 0.01 else self.values


class UniqueCas(OneRepeated):
    """Reads, writes and CAS of unique values; most CAS fail, and say no more than that."""

    def value(self) -> int:
        self.values += 1
        return self.values

    def choose(self) -> tuple[str, Any]:
        return super().choose() if self.rng.random() < 0.7 else ("cas", [self.held, self.value()])

    def apply(self, f: str, value: Any) -> Any:
        if f != "cas":
            return super().apply(f, value)
        if self.held != value[0]:
            return False
        self.held = value[1]
        return True


class OneKey(PlainRegister):
    """One key of a map: get, put, replace_if (which succeeds more often than by chance) and remove."""

    def choose(self) -> tuple[str, Any]:
        die = self.rng.random()
        if die < 0.3:
            return "get", "k"
        if die < 0.6:
            return "put", ["k", self.value()]
        if die < 0.8:
            return "replace_if", ["k", self.held if die < 0.7 else self.value(), self.value()]
        return "remove", "k"

    def apply(self, f: str, value: Any) -> Any:
        before = self.held
        if f == "put":
            self.held = value[1]
            return None
        if f == "replace_if":
            if before == value[1]:
                self.held = value[2]
            return before == value[1]
        if f == "remove":
            self.held = None
        return before


class Few(Container):
    """A queue whose elements are drawn from so many values; 0 stands for as many as there are operations."""

    def __init__(self, rng: random.Random, values: int) -> None:
        super().__init__(rng)
        self.values = values

    def choose(self) -> tuple[str, Any]:
        f, value = super().choose()
        return f, self.rng.randrange(self.values) if self.values and value is not None else value


class FewStack(Few, Stack):
    pass


class FewPriorities(Few):
    put, take = "insert", "poll"

    def leave(self) -> int:
        highest = max(self.content)
        self.content.remove(highest)
        return highest


class FewBag(Few):
    put, take = "add", "take"

    def leave(self) -> int:
        some = self.content[self.rng.randrange(len(self.content))]
        self.content.remove(some)
        return some


class Deque(Few):
    """Both ends alike."""

    def choose(self) -> tuple[str, Any]:
        f, value = super().choose()
        return ("push" if f == self.put else "pop") + ("_front" if self.rng.random() < 0.5 else "_back"), value

    def apply(self, f: str, value: Any) -> Any:
        if f == "push_front":
            self.content.appendleft(value)
        elif f == "push_back":
            self.content.append(value)
        elif self.content:
            return self.content.popleft() if f == "pop_front" else self.content.pop()
        return None


class AppendList:
    """One key of a key-value store: append a text of its own, or get all of them, in equal parts."""

    def __init__(self, rng: random.Random, last: int) -> None:
        self.rng, self.last, self.text = rng, last, ""

    def choose(self) -> tuple[str, Any]:
        if self.rng.random() < 0.5:
            return "get", "k"
        self.last += 1
        return "append", ["k", f"{self.last:x} "]

    def apply(self, f: str, value: Any) -> Any:
        if f == "get":
            return self.text
        self.text += value[1]
        return None


class GrowOnlySet:
    """Add an element of its own, or read the whole set, in equal parts."""

    def __init__(self, rng: random.Random, last: int) -> None:
        self.rng, self.last, self.inside = rng, last, list[int]()

    def choose(self) -> tuple[str, Any]:
        if self.rng.random() < 0.5:
            return "read", None
        self.last += 1
        return "add", self.last

    def apply(self, f: str, value: Any) -> Any:
        if f == "read":
            return list(self.inside)
        insort(self.inside, value)
        return None


class Transactions:
    """Two steps each, on two of so many registers; every write has a value of its own."""

    def __init__(self, rng: random.Random, registers: int) -> None:
        self.rng, self.held, self.last = rng, [None] * registers, 0

    def choose(self) -> tuple[str, Any]:
        return "txn", [self.step(name) for name in self.rng.sample(range(len(self.held)), 2)]

    def step(self, name: int) -> list[Any]:
        if self.rng.random() < 0.5:
            return ["r", name, None]
        self.last += 1
        return ["w", name, self.last]

    def apply(self, _: str, steps: list[list[Any]]) -> Any:
        done = [[kind, name, self.held[name] if kind == "r" else value] for kind, name, value in steps]
        for kind, name, value in steps:
            if kind == "w":
                self.held[name] = value
        return done


def thin_air(ops: list[Op], start: int) -> None:
    """The first operation after `start` that gives a value gives another one."""
    for op in ops[start:]:
        result = op["result"]
        if isinstance(result, bool) or result is None or result == []:
            continue
        if isinstance(result, str):
            op["result"] = result + "thin air "
        elif op["f"] == "txn":
            reads = [step for step in result if step[0] == "r"]
            if not reads:
                continue
            reads[0][2] = THIN_AIR
        elif isinstance(result, list):
            op["result"] = [*result, THIN_AIR]
        else:
            op["result"] = THIN_AIR
        return
    raise ValueError("no operation gives a value: take a longer history")


def stale(ops: list[Op], start: int) -> None:
    """The first read that can gives a value of which every write was followed by another one before the read was called."""
    writes = sorted((op for op in ops if op["f"] == "write"), key=lambda op: op["call"])
    calls = [op["call"] for op in writes]
    first_return = [0] * (len(writes) + 1)  # of the writes called from here on
    first_return[-1] = sys.maxsize
    for at in reversed(range(len(writes))):
        first_return[at] = min(first_return[at + 1], writes[at]["return"])
    for read in (op for op in ops[start:] if op["f"] == "read"):
        reached = writes[: bisect_left(calls, read["return"])]
        over = {
            op["value"]: first_return[bisect_left(calls, op["return"])] < read["call"]
            for op in sorted(reached, key=lambda op: op["return"])
        }  # of each value its last write to return decides
        if values := sorted(value for value, is_over in over.items() if is_over):
            read["result"] = values[len(values) // 2]
            return
    raise ValueError("no read can be stale: take a longer history")


@dataclass(frozen=True)
class Family:
    kind: Callable[..., Any]
    seed: int
    shape: int
    crashed: float = 0.0


FAMILIES = {
    "register-repeat": Family(OneRepeated, 5000, 0),
    "register-50": Family(PlainRegister, 5100, 50),
    "register-200": Family(PlainRegister, 5200, 200),
    "register-1000": Family(PlainRegister, 5300, 1000),
    "register-cas": Family(UniqueCas, 5400, 0),
    "register-crashed": Family(lambda rng, _: Register(rng), 5500, 5, 0.1),
    "register-crashed-30": Family(lambda rng, _: Register(rng), 5600, 5, 0.3),
    "map-one-key": Family(OneKey, 5700, 20),
    "stack-pending": Family(FewStack, 6000, 0, 0.01),
    "stack-5": Family(FewStack, 6100, 5),
    "queue-5": Family(Few, 6200, 5),
    "bag-5": Family(FewBag, 6300, 5),
    "priority-5": Family(FewPriorities, 6400, 5),
    "deque": Family(Deque, 6500, 0),
    "append-list": Family(AppendList, 7000, 0),
    "grow-only-set": Family(GrowOnlySet, 7100, 0, 0.05),
    "transactions": Family(Transactions, 7200, 100),
}
CHANGES: dict[str, Callable[[list[Op], int], None]] = {"ok": lambda *_: None, "stale": stale, "air": thin_air}
NAME = re.compile(rf"frontier_({'|'.join(FAMILIES)})_c(\d+)_n(\d+)_({'|'.join(CHANGES)})")


def history(name: str) -> list[Op]:
    parts = NAME.fullmatch(name)
    if parts is None:
        raise SystemExit(f"frontier.py: {name!r} is no name of a history; see the top of the file")
    family, clients, length, change = FAMILIES[parts[1]], int(parts[2]), int(parts[3]), CHANGES[parts[4]]
    ops = simulate(family.kind, clients, length, family.seed, family.shape, idle=IDLE, crashed=family.crashed)
    change(ops, int(0.9 * len(ops)))
    return ops


if __name__ == "__main__":
    main(history)
