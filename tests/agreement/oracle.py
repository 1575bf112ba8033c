"""Is a small history linearizable? Straight from the definition, with nothing borrowed from linpoint.

A history is linearizable if some of its pending operations can be dropped and the others, with all completed
ones, put in an order that (1) keeps an operation that returned before another was called in front of it and
(2) a sequential object could have given. Operations that failed did not happen.

`naive` is that sentence: all subsets, all permutations, replay. `linearizable` places one operation after the
other and gives up early; it remembers dead ends. tests/agreement/test_oracle.py holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

from tests.agreement import answers
from tests.agreement import sequential as plain
from tests.agreement.vocabulary import OBJECTS, parse, understand

Record = dict[str, Any]
World = dict[Any, plain.Sequential]
"""The objects of a history by name."""


UNKNOWN = object()
"""The result of a pending operation."""


class Operation(NamedTuple):
    index: int
    name: Any
    f: str
    value: Any
    result: Any
    call: float
    ret: float

    @property
    def pending(self) -> bool:
        return self.ret == float("inf")

    def precedes(self, other: Operation) -> bool:
        return self.ret < other.call  # closed intervals: a tie is an overlap


def operations(model: str, records: Sequence[Record]) -> list[Operation]:
    """What happened or may have happened."""
    happened = []
    for index, record in enumerate(records):
        if record.get("type") == "fail":
            continue
        pending = record.get("type") == "info" or record.get("return") is None
        name, f, value = understand(model, record)
        result = UNKNOWN if pending else answers.freeze(record.get("result"))
        ret = float("inf") if pending else record["return"]
        happened.append(Operation(index, name, f, value, result, record["call"], ret))
    return happened


def beginning(spec: str, ops: Sequence[Operation]) -> World:
    model, options = parse(spec)
    return {op.name: OBJECTS[model](**options) for op in ops}


def outcomes(world: World, op: Operation) -> Iterator[World]:
    """Every world that `op` with its recorded result can lead to."""
    for way in range(world[op.name].ways(op.f)):
        after = world[op.name].twin()
        try:
            answer = after.do(op.f, op.value, way)
        except answers.Illegal:
            continue
        if op.result is UNKNOWN or answers.fits(op.result, answer):
            yield world | {op.name: after}


def naive(spec: str, records: Sequence[Record]) -> bool:
    """The definition, word by word."""
    ops = operations(parse(spec)[0], records)
    completed = [op for op in ops if not op.pending]
    pending = [op for op in ops if op.pending]
    return any(
        explains(spec, ops, order)
        for size in range(len(pending) + 1)
        for chosen in combinations(pending, size)
        for order in permutations([*completed, *chosen])
    )


def explains(spec: str, ops: Sequence[Operation], order: Sequence[Operation]) -> bool:
    """Is this order of operations in real-time order and possible for a sequential object?"""
    for place, op in enumerate(order):
        if any(later.precedes(op) for later in order[place + 1 :]):
            return False
    worlds = [beginning(spec, ops)]
    for op in order:
        worlds = [after for world in worlds for after in outcomes(world, op)]
    return bool(worlds)


def is_witness(spec: str, records: Sequence[Record], indices: Sequence[int]) -> bool:
    """Do these operations, in this order, show that the history is linearizable?"""
    return orders(spec, operations(parse(spec)[0], records), indices)


def orders(spec: str, ops: Sequence[Operation], indices: Sequence[int]) -> bool:
    """Is this an order of all completed operations and perhaps some pending ones that explains every result?"""
    known = {op.index: op for op in ops}
    if len(set(indices)) != len(indices) or not set(indices) <= set(known):
        return False
    if any(not op.pending and op.index not in indices for op in ops):
        return False
    return explains(spec, ops, [known[index] for index in indices])


def linearizable(spec: str, records: Sequence[Record]) -> bool:
    """The same answer sooner."""
    return has_order(spec, operations(parse(spec)[0], records))


def has_order(spec: str, ops: Sequence[Operation]) -> bool:
    """Places one operation after the other and remembers what led nowhere."""
    needed = sum(1 << i for i, op in enumerate(ops) if not op.pending)
    before = [sum(1 << j for j, other in enumerate(ops) if other.precedes(op)) for op in ops]
    dead_ends = set()

    def completes(placed: int, world: World) -> bool:
        if needed & ~placed == 0:
            return True
        here = (placed, *[thing.state() for thing in world.values()])
        if here in dead_ends:
            return False
        for i, op in enumerate(ops):
            if placed >> i & 1 or before[i] & ~placed:
                continue
            if any(completes(placed | 1 << i, after) for after in outcomes(world, op)):
                return True
        dead_ends.add(here)
        return False

    return completes(0, beginning(spec, ops))


def as_it_stood(spec: str, records: Sequence[Record], last: int, returned: bool) -> list[Operation]:
    """The operations just before or just after operation `last` returned.

    What was called later is left out. What was open may have taken effect or not, but if it did, with the
    result that it returned in the end. Returns at the same time come in the order of the history.
    """
    moment = records[last]["return"]
    stood = []
    for op in operations(parse(spec)[0], records):
        if op.call <= moment:
            over = (op.ret, op.index) < (moment, last) or (returned and op.index == last)
            stood.append(op if over else op._replace(ret=float("inf")))
    return stood


def explained(spec: str, records: Sequence[Record], last: int, returned: bool) -> bool:
    """Is there an order for the history as it stood then?"""
    return has_order(spec, as_it_stood(spec, records, last, returned))


def is_candidate(spec: str, records: Sequence[Record], last: int, indices: Sequence[int]) -> bool:
    """Does this order explain the history as it stood just before operation `last` returned?"""
    return orders(spec, as_it_stood(spec, records, last, returned=False), indices)
