"""Histories for the pictures: made from a seed, with a stale read, faults and fields of a source where wanted."""

from __future__ import annotations

import heapq
import json
import random

from linpoint.history import History

PARTITIONED = ("start-partition", "stop-partition")


def registers(
    size: int, processes: int = 12, keys: int = 6, stale: int | None = None, faults: int = 0, seed: int = 7
) -> History:
    """Reads and writes of several registers, as a correct store would answer; from operation `stale` on one read is stale."""
    chance = random.Random(seed)
    ready = [(chance.randrange(60), process) for process in range(processes)]
    heapq.heapify(ready)
    calls: list[tuple[int, int, int, float]] = []
    while len(calls) < size:
        now, process = heapq.heappop(ready)
        lasts = chance.randint(8, 60)
        calls.append((now, process, lasts, now + chance.random() * lasts))  # the last is when it takes effect
        heapq.heappush(ready, (now + lasts + chance.randint(1, 25), process))
    held: dict[int, list[int]] = {key: [0] for key in range(keys)}
    records: list[dict[str, object]] = [{} for _ in calls]
    for number in sorted(range(size), key=lambda index: calls[index][3]):
        now, process, lasts, _ = calls[number]
        key = chance.randrange(keys)
        record: dict[str, object] = {"process": process, "key": f"x{key}", "call": now, "return": now + lasts}
        if chance.random() < 0.4:
            held[key].append(number)
            record |= {"f": "write", "value": number}
        else:
            old = stale is not None and number >= stale and len(held[key]) > 6
            record |= {"f": "read", "result": held[key][-4 if old else -1]}
            stale = None if old else stale
        records[number] = {**record, "node": f"n{process % 5 + 1}", "request": 1000 + number}
    lines = [json.dumps(record) for record in records]
    for fault in range(2 * faults):
        after = (2 * fault + 1) * size // (2 * faults)
        note = {"process": "nemesis", "f": PARTITIONED[fault % 2], "value": ["n1", "n2"] if fault % 2 == 0 else None}
        lines.append(json.dumps({"annotation": note, "after": after}))
    return History.from_jsonl("\n".join(lines))
