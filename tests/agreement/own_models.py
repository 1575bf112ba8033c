"""Random models of a user's, which look at any field of an operation, against a brute force that remembers nothing.

A model here is a random function of the state, the operation and those fields that it happens to read: which fields, depends on
the state, so some are read late or never. Next to these random tables stand the models that people write: owner locks, leases,
rate limiters, sessions. The oracle tries every order of the operations of `linpoint.History`, one by one, straight
from the definition: it knows no kinds, no memo, no parts.

`.venv/bin/python -m tests.agreement.own_models 0 100000` compares on as many as you like; one number replays one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import linpoint as lp
from linpoint.history import Operation
from tests.agreement.seeds import try_seeds

Record = dict[str, Any]

WAYS: list[dict[str, Any]] = [
    {},
    {"method": "depth-first"},
    {"method": "breadth-first"},
    {"method": "wgl"},
    {"partition": False},
    {"certify": False},
]

LOOKS: list[Callable[[Operation], object]] = [
    lambda op: op.process,
    lambda op: op.call % 3,
    lambda op: None if op.ret is None else op.ret % 3,
    lambda op: op.index % 2,
    lambda op: 0 if op.line is None else op.line % 2,
    lambda op: op.extra.get("x"),
    lambda op: replace(op, value=None).process,
    lambda op: op.to_record().get("x"),
    lambda op: repr(op)[-1],
    lambda op: op.type,
    lambda _: None,
    lambda _: None,
]


def table(seed: int) -> lp.Model:
    """A random model with a handful of states."""
    dice = random.Random(seed)
    states = dice.randint(2, 4)
    looks = [dice.sample(LOOKS, dice.choice([0, 1, 1, 2])) for _ in range(states)]
    apart = dice.random() < 0.25
    share = dice.choice([0.15, 0.3, 0.45])

    class Table(lp.Model):
        initial = 0

        def step(self, state: int, op: Operation) -> Iterator[int]:
            seen = (state, op.f, op.value, op.pending or op.result, *(look(op) for look in looks[state]))
            chance = random.Random(f"{seed} {seen}")
            if chance.random() > share or op.pending:
                yield chance.randrange(states)
                if chance.random() < 0.2:
                    yield chance.randrange(states)

        def partition(self, op: Operation) -> object:
            return op.process if apart else None

    return Table()


class OwnerLock(lp.Model):
    initial = None

    def step(self, holder: object, op: Operation) -> list[object]:
        if op.f == "a":
            return [(op.process,)] if holder is None else []
        return [None] if holder == (op.process,) else []


class Lease(lp.Model):
    initial = -9

    def step(self, until: float, op: Operation) -> list[float]:
        if op.f == "b":
            return [until] if op.pending or op.result == (op.call < until) else []
        return [op.call + 3] if op.call >= until else []


class Limiter(lp.Model):
    initial = -9

    def step(self, last: float, op: Operation) -> list[float]:
        free = op.call - last >= 2
        return [op.call if free else last] if op.pending or op.result == free else []


class Sessions(lp.Model):
    """Each process counts for itself; what it counts is in an extra field."""

    initial = 0

    def step(self, count: int, op: Operation) -> list[int]:
        if op.f == "a":
            return [count + 1]
        return [count] if op.pending or op.extra.get("x", 0) <= count else []

    def partition(self, op: Operation) -> object:
        return op.process


class Last(lp.Model):
    """Holds the last operation itself."""

    initial = None

    def step(self, last: Operation | None, op: Operation) -> list[Operation | None]:
        if op.f == "a":
            return [op]
        return [last] if last is None or last.process != op.process or last.index < op.index else []


class Increasing(lp.Model):
    """Only what stands later in the file may come later, apart from what returned at an odd time."""

    initial = -1

    def step(self, last: int, op: Operation) -> list[int]:
        if op.ret is not None and op.ret % 2:
            return [last]
        return [op.index] if op.index > last else []


WRITTEN: list[type[lp.Model]] = [OwnerLock, Lease, Limiter, Sessions, Last, Increasing]


def model_of(seed: int) -> lp.Model:
    """Every other model is a table."""
    return table(seed) if seed % 2 else WRITTEN[seed // 2 % len(WRITTEN)]()


def history_of(seed: int) -> lp.History:
    """Up to six operations of up to three processes; few names and values, so that many are equal but for who and when."""
    dice = random.Random(f"history {seed}")
    now = dict.fromkeys(range(dice.randint(1, 3)), 0)
    next_process = len(now)
    records: list[Record] = []
    for _ in range(dice.randint(2, 6)):
        process = min(now, key=lambda one: (now[one], dice.random()))
        call = now[process] + dice.randint(0, 2)
        record: Record = {
            "process": process,
            "f": dice.choice("ab"),
            "value": dice.choice([None, None, 1]),
            "call": call,
        }
        if dice.random() < 0.4:
            record["x"] = dice.randint(0, 2)
        if dice.random() < 0.15:
            now[next_process] = now.pop(process) + 1  # the successor of a crashed process has a new name
            next_process += 1
        else:
            record |= {"result": dice.choice([True, True, False]), "return": call + dice.randint(1, 4)}
            now[process] = record["return"] + 1
            if dice.random() < 0.05:
                record["type"] = "fail"
        records.append(record)
    return lp.History.from_jsonl("".join(json.dumps(record) + "\n" for record in records))


def linearizable(model: lp.Model, operations: Sequence[Operation], state: Any) -> bool:
    """Can these operations take effect one after the other, from this state? Tries everything, remembers nothing."""
    if all(op.pending for op in operations):
        return True
    for op in operations:
        rest = [other for other in operations if other is not op]
        if any(not other.pending and other.ret is not None and other.ret < op.call for other in rest):
            continue  # something returned before it was called, and has not taken effect yet
        if any(linearizable(model, rest, after) for after in model.step(state, op)):
            return True
    return False


def expected(model: lp.Model, history: lp.History) -> bool:
    """What the oracle says: each part has an order."""
    parts: dict[object, list[Operation]] = {}
    for op in history:
        if op.type != "fail":
            parts.setdefault(model.partition(op), []).append(op)
    return all(linearizable(model, part, model.initial) for part in parts.values())


def complaint(seed: int) -> tuple[bool, str]:
    """(what the oracle says, what is wrong with linpoint's answer, empty if nothing is)."""
    model, history, way = model_of(seed), history_of(seed), WAYS[seed // 12 % len(WAYS)]
    right = expected(model_of(seed), history)
    try:
        result = lp.check(history, model, **way)
    except Exception as error:  # any exception is a finding here
        return right, report(seed, f"raised {type(error).__name__}: {error}")
    if result.verdict is not (lp.Verdict.LINEARIZABLE if right else lp.Verdict.VIOLATION):
        return right, report(seed, f"says {result.verdict.name}")
    if right and not (result.certified or not way.get("certify", True)):
        return right, report(seed, "did not certify its witness")
    return right, ""


def report(seed: int, words: str) -> str:
    way = WAYS[seed // 12 % len(WAYS)]
    return (
        f"seed {seed}, {type(model_of(seed)).__name__}, {way}: linpoint {words}\n{history_of(seed).to_jsonl()}"
        f"replay: .venv/bin/python -m tests.agreement.own_models {seed}\n"
    )


if __name__ == "__main__":
    try_seeds(complaint)
