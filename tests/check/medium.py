"""Medium histories: 20 to 60 operations by some clients, with crashes, ties, repeated values and up to three wrong answers.

Each happened one operation after the other, with an interval around each moment, so without its wrong answers it is linearizable.
Half of the models have a generator here, the others that of `tests/agreement` at a larger scale.
`medium("stack", 7)` is the same on every machine.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any

from tests.agreement.generate import Scale, history

Record = dict[str, Any]

ENDS: dict[str, dict[str, tuple[str, str]]] = {
    "stack": {"push": ("add", "back"), "pop": ("remove", "back"), "peek": ("peek", "back")},
    "queue": {"enqueue": ("add", "back"), "dequeue": ("remove", "front"), "peek": ("peek", "front")},
    "deque": {
        f"{f}_{end}": (what, end)
        for f, what in (("push", "add"), ("pop", "remove"), ("peek", "peek"))
        for end in ("front", "back")
    },
}
"""What each operation of a container does, and at which end."""

HERE = ["cas-register", "semaphore", *ENDS]
LEFT_OUT: dict[str, set[str]] = {
    "register": set(),
    "map": {"size"},
    "array": set(),
    "kv": {"append"},
    "multi-register": {"txn"},
    "append-list": set(),
    "set": {"read", "size"},
    "priority-queue": set(),
    "bag": {"remove_value"},
    "mutex": set(),
}
"""The models whose histories are those of `tests/agreement`, and their operations that no theory covers beside the others."""
MEDIUM = [*HERE, *LEFT_OUT]


def grown(model: str) -> Scale:
    """Histories of `tests/agreement`, but of this size; elements of lists rarely repeat."""
    values = 1000 if model == "append-list" else 0
    return Scale((20, 60), (3, 7), (0, 0.03, 0.06), frozenset(LEFT_OUT[model]), values)


def semaphore(rng: random.Random) -> tuple[str, Callable[[], Record]]:
    """Two permits; now and then somebody acquires or releases one more than there can be."""
    held, bold = 0, rng.choice([0, 0, 0.02, 0.05])

    def step() -> Record:
        nonlocal held
        acquires = held == 0 or (held == 1 and rng.random() < 0.5)
        if rng.random() < bold:
            return {"f": "release" if acquires else "acquire", "result": None}
        held += 1 if acquires else -1
        return {"f": "acquire" if acquires else "release", "result": None}

    return "semaphore:permits=2,bounded=true", step


def register(rng: random.Random) -> tuple[str, Callable[[], Record]]:
    """A CAS register over few values."""
    held: int | None = None
    values = rng.randint(2, 6)

    def step() -> Record:
        nonlocal held
        f, value = rng.choice(["read", "write", "write", "cas", "swap"]), rng.randrange(values)
        if f == "read":
            return {"f": f, "result": held}
        if f == "cas":
            change = [rng.choice([held, value]), rng.randrange(values)]
            done = change[0] == held
            held = change[1] if done else held
            return {"f": f, "value": change, "result": done}
        before, held = held, value
        return {"f": f, "value": value, "result": before if f == "swap" else None}

    return "cas-register", step


def container(model: str, rng: random.Random) -> tuple[str, Callable[[], Record]]:
    """A line of elements; mostly short, so that it is often empty."""
    values = rng.choice([2, 3, 5, 100])
    first = [rng.randrange(values) for _ in range(rng.choice([0, 0, 0, 1, 3]))]
    items, most = deque(first), rng.randint(1, 8)

    def step() -> Record:
        wanted = rng.choice(
            ["add", "remove", "remove", "peek"] if len(items) > most else ["add", "add", "remove", "peek"]
        )
        f, end = rng.choice([(f, end) for f, (what, end) in ENDS[model].items() if what == wanted])
        if wanted == "add":
            value = rng.randrange(values)
            items.append(value) if end == "back" else items.appendleft(value)
            return {"f": f, "value": value, "result": None}
        found = items[-1 if end == "back" else 0] if items else None
        if items and wanted == "remove":
            items.pop() if end == "back" else items.popleft()
        return {"f": f, "result": found}

    return f"{model}:initial={first}".replace(" ", "") if first else model, step


def medium(model: str, seed: int) -> tuple[str, list[Record]]:
    """A model with options and a history for it."""
    if model in LEFT_OUT:
        return history(model, seed, grown(model))
    rng = random.Random(f"{model}/{seed}")
    clients, count, reach = rng.randint(3, 9), rng.randint(20, 60), rng.randint(4, 12)
    crashes = rng.choice([0, 0.03, 0.06])
    alone = {"cas-register": register, "semaphore": semaphore}
    spec, step = alone[model](rng) if model in alone else container(model, rng)
    free = [0] * clients
    records: list[Record] = []
    for time in range(0, 4 * count, 4):
        process = min(range(clients), key=free.__getitem__)
        call = max(free[process], time - rng.randint(0, reach))
        record = {"process": process, "value": None, "call": call, **step()}
        free[process] = record["return"] = max(call + 1, time + rng.randint(1, reach))
        if rng.random() < crashes:
            record |= {"process": 100 + len(records), "type": "info", "result": None}
            del record["return"]
        records.append(record)
    told = [record for record in records if "type" not in record and record["value"] is None]
    for wrong in rng.sample(told, min(len(told), rng.randint(0, 3))):
        wrong["result"] = rng.choice(told)["result"]
    return spec, records
