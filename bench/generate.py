"""Where do the synthetic histories come from, and are they the same on every machine?

A small simulation of concurrent clients on one object. Every client repeats: call, wait Exp(mean 1), take
effect in one instant, wait Exp(mean 1), return, think Exp(mean 0.5). The order of events gives the ranks 0, 1,
2, ... that stand for time, so no two are equal. An `ok` history is linearizable because the effects are an
order that proves it. A `bad` history is the `ok` one with one or two results changed near 90 % of its length,
so that a checker has to work before it finds out.

A name says everything about a file, its seed too, and Python's generator of random numbers gives the same
numbers on every machine, so two people who run the benchmarks check the same bytes. The digests in
generated.md5 hold us to that:

    reg_c20_n10000_bad       CAS register, 20 clients, 10,000 operations
    set_k24_t4_n280000_ok    set of 24 keys, 4 clients
    queue_t4_n1000_ok        queue, 4 clients; stack_... likewise
    ..._s2025_ok             another seed than the family's own

    python bench/generate.py DIRECTORY NAME...
"""

from __future__ import annotations

import hashlib
import heapq
import json
import random
import re
import sys
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Op = dict[str, Any]
DIGESTS = Path(__file__).with_name("generated.md5")
MISFIT = 7  # a value that no client ever writes: the registers hold 0..4


class Register:
    """read, write and cas in equal parts over five values; nil at first."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.value = rng, None

    def choose(self) -> tuple[str, Any]:
        die = 3 * self.rng.random()
        if die < 1:
            return "read", None
        if die < 2:
            return "write", self.rng.randrange(5)
        old = self.rng.randrange(5)
        return "cas", [old, self.rng.randrange(5)]

    def apply(self, f: str, value: Any) -> Any:
        if f == "read":
            return self.value
        if f == "write":
            self.value = value
            return None
        swapped = self.value == value[0]
        if swapped:
            self.value = value[1]
        return swapped


class KeySet:
    """30 % add, 30 % remove, 40 % contains, keys drawn evenly."""

    def __init__(self, rng: random.Random, keys: int = 24) -> None:
        self.rng, self.inside = rng, [False] * keys

    def choose(self) -> tuple[str, Any]:
        die = self.rng.random()
        key = self.rng.randrange(len(self.inside))
        return "add" if die < 0.3 else "remove" if die < 0.6 else "contains", key

    def apply(self, f: str, key: int) -> bool:
        was = self.inside[key]
        if f == "contains":
            return was
        self.inside[key] = f == "add"
        return was != self.inside[key]


class Container:
    """As many puts, of the values 1, 2, 3, ..., as takes; taking from nothing gives nil."""

    put, take = "enq", "deq"

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.content, self.last = rng, deque[int](), 0

    def choose(self) -> tuple[str, Any]:
        if self.rng.random() < 0.5:
            self.last += 1
            return self.put, self.last
        return self.take, None

    def apply(self, f: str, value: Any) -> Any:
        if f == self.put:
            self.content.append(value)
            return None
        return self.leave() if self.content else None

    def leave(self) -> int:
        return self.content.popleft()


class Stack(Container):
    put, take = "push", "pop"

    def leave(self) -> int:
        return self.content.pop()


def simulate(
    kind: Callable[..., Any],
    clients: int,
    length: int,
    seed: int,
    *shape: int,
    idle: float = 0.5,
    crashed: float = 0.0,
) -> list[Op]:
    """The history of `length` operations, in the order of their calls.

    Of the `crashed` share of the operations none returns, and half take effect, five times later than the others; the
    client goes on under another number.
    """
    rng = random.Random(seed)
    subject = kind(rng, *shape)
    ops: list[Op] = []
    lost: set[int] = set()  # the calls of crashed operations
    processes = iter(range(clients, clients + length))
    ranks = iter(range(2 * length))
    # (moment, client, its open operation or None, has it taken effect): the next thing each client does
    agenda: list[tuple[float, int, Op | None, bool]] = [
        (rng.expovariate(1 / idle), client, None, False) for client in range(clients)
    ]
    heapq.heapify(agenda)
    later: tuple[float, int, Op | None, bool]
    while agenda:
        now, client, op, effective = heapq.heappop(agenda)
        if op is None:
            if len(ops) == length:
                continue
            f, value = subject.choose()
            op = {"process": client, "f": f, "value": value, "result": None, "call": next(ranks), "return": None}
            ops.append(op)
            if crashed and rng.random() < crashed:
                lost.add(op["call"])
                if rng.random() < 0.5:
                    heapq.heappush(agenda, (now + rng.expovariate(0.2), client, op, False))
                later = (now + rng.expovariate(1), next(processes), None, False)
            else:
                later = (now + rng.expovariate(1), client, op, False)
        elif not effective:
            result = subject.apply(op["f"], op["value"])
            if op["call"] in lost:
                continue
            op["result"] = result
            later = (now + rng.expovariate(1), client, op, True)
        else:
            op["return"] = next(ranks)
            later = (now + rng.expovariate(1 / idle), client, None, False)
        heapq.heappush(agenda, later)
    return ops


def spoil_register(ops: list[Op], start: int) -> None:
    """The first read in the last tenth sees a value that nobody ever wrote."""
    next(op for op in ops[start:] if op["f"] == "read")["result"] = MISFIT


def spoil_set(ops: list[Op], start: int) -> None:
    """The first contains that overlaps nothing on its key says the opposite."""
    for at in range(start, len(ops)):
        op = ops[at]
        near = ops[max(0, at - 400) : at + 400]
        rivals = (o for o in near if o is not op and o["value"] == op["value"])
        if op["f"] == "contains" and not any(overlap(op, rival) for rival in rivals):
            op["result"] = not op["result"]
            return
    raise ValueError("no contains stands alone: take a longer history")


def overlap(a: Op, b: Op) -> bool:
    return bool(a["call"] < b["return"] and b["call"] < a["return"])


def spoil_container(ops: list[Op], start: int) -> None:
    """Two takes, far apart, exchange their values although the order of the puts forbids it."""
    puts = {op["value"]: op for op in ops if op["value"] is not None}
    takes = [op for op in ops[start:] if op["value"] is None and op["result"] is not None]
    fifo = takes[0]["f"] == Container.take
    for early, late in far_apart(takes):
        of_early, of_late = puts[early["result"]], puts[late["result"]]
        below, above = (of_early, of_late) if fifo else (of_late, of_early)  # `below` was put strictly before `above`
        if below["return"] < above["call"] and above["return"] < early["call"]:
            early["result"], late["result"] = late["result"], early["result"]
            return
    raise ValueError("no two takes can be exchanged: take a longer history")


def far_apart(takes: list[Op]) -> Iterator[tuple[Op, Op]]:
    """Pairs of takes with more than 20 events between the return of the one and the call of the other."""
    calls = [op["call"] for op in takes]
    for early in takes:
        for late in takes[bisect_left(calls, early["return"] + 21) :]:
            yield early, late


NAME = re.compile(r"(reg|set|queue|stack)(?:_k(\d+))?_[ct](\d+)_n(\d+)(?:_s(\d+))?_(ok|bad)")
FAMILIES: dict[str, tuple[Callable[..., Any], Callable[[list[Op], int], None], Callable[[int], int]]] = {
    "reg": (Register, spoil_register, lambda clients: 1000 + clients),
    "set": (KeySet, spoil_set, lambda _: 2024),
    "queue": (Container, spoil_container, lambda _: 3000),
    "stack": (Stack, spoil_container, lambda _: 4000),
}


def history(name: str) -> list[Op]:
    parts = NAME.fullmatch(name)
    if parts is None:
        raise SystemExit(f"generate.py: {name!r} is no name of a history; see the top of the file")
    family, keys, clients, length, seed, label = parts.groups()
    kind, spoil, usual_seed = FAMILIES[family]
    ops = simulate(
        kind, int(clients), int(length), int(seed or usual_seed(int(clients))), *([int(keys)] if keys else [])
    )
    if label == "bad":
        spoil(ops, int(0.9 * len(ops)))
    return ops


def known_digests() -> dict[str, str]:
    lines = DIGESTS.read_text().splitlines() if DIGESTS.exists() else []
    return {name: digest for digest, name in (line.split() for line in lines)}


def write(directory: Path, name: str, make: Callable[[str], list[Op]]) -> str:
    """Writes NAME.jsonl, complete or not at all, and gives its digest."""
    text = "".join(json.dumps(op, separators=(",", ":")) + "\n" for op in make(name))
    digest = hashlib.md5(text.encode()).hexdigest()
    if known_digests().get(f"{name}.jsonl", digest) != digest:
        raise SystemExit(f"generate.py: {name} came out with other bytes ({digest}) than generated.md5 records")
    target = directory / f"{name}.jsonl"
    partial = target.with_suffix(".partial")
    partial.write_text(text)
    partial.replace(target)
    return digest


def main(make: Callable[[str], list[Op]]) -> None:
    """DIRECTORY NAME... of the command line: writes the histories and prints their digests."""
    if len(sys.argv) < 3:
        raise SystemExit(f"usage: python {sys.argv[0]} DIRECTORY NAME...")
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    for wanted in sys.argv[2:]:
        print(write(Path(sys.argv[1]), wanted, make), f"{wanted}.jsonl", flush=True)


if __name__ == "__main__":
    main(history)
