"""Not linearizable, but perhaps nearly so? Whether a small history is at least sequentially consistent.

Sequential consistency (Lamport 1979) asks for one order that explains every result and keeps each process's own
order, but lets operations of different processes move past each other in time. Deciding it is NP-hard (Gibbons &
Korach 1997), so only small histories are tried: memoised search over (how far each process is, state).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from linpoint.history import History, Operation
from linpoint.history.values import tag
from linpoint.models import Model, Runner

MOST_OPERATIONS = 24
MOST_NODES = 20_000


def sequential_order(history: History, model: Model, operations: Sequence[int]) -> tuple[int, ...] | None:
    """An order that makes these operations sequentially consistent, as indices; None if there is none or they are too many.

    None, too, where no process calls twice: then every order keeps every process's own, and the word means nothing.
    """
    if len(operations) > MOST_OPERATIONS:
        return None
    lanes: dict[Hashable, list[Operation]] = {}
    calls, _ = history.columns.ranks()
    for index in sorted(operations, key=lambda index: calls[index]):
        op = history[index]
        if op.type != "fail":
            lanes.setdefault(tag(op.process), []).append(op)
    if all(len(lane) < 2 for lane in lanes.values()):
        return None
    return _search(model, list(lanes.values()))


def _search(model: Model, lanes: list[list[Operation]]) -> tuple[int, ...] | None:
    runner = Runner(model)
    start = (tuple(0 for _ in lanes), runner.initial())
    seen = {start}
    stack: list[tuple[tuple[int, ...], int, tuple[int, ...]]] = [(*start, ())]
    while stack and len(seen) < MOST_NODES:
        places, state, order = stack.pop()
        if all(place == len(lane) or lane[place].pending for place, lane in zip(places, lanes, strict=True)):
            return order
        for which, (place, lane) in enumerate(zip(places, lanes, strict=True)):
            if place == len(lane):
                continue
            moved = (*places[:which], place + 1, *places[which + 1 :])
            for after in runner.step(state, lane[place]):
                if (moved, after) not in seen:
                    seen.add((moved, after))
                    stack.append((moved, after, (*order, lane[place].index)))
    return None
