"""Histories from a seed: mostly nearly linearizable, since those are the ones a checker gets wrong.

`witnessed` lets a sequential object answer at random points and draws an interval around each; then one mutation changes a
result, an interval or an operation. `dense` is two to seven operations with answers from nowhere in particular. Both write
records of linpoint's JSONL. Clocks are fine, coarse (many ties, also within a process) or odd (fractions, nanoseconds).
"""

import copy
import random
from dataclasses import dataclass
from typing import Any

from tests.independent.brute import System
from tests.independent.objects import EMPTY, IGNORED, AnyOf, Optional
from tests.independent.shelf import KEYED, Sequential
from tests.independent.vocabulary import Vocabulary

Record = dict[str, Any]

#: How many of the histories are tiny and dense; the others are long and nearly linearizable, and cost ten times as much.
DENSE = 0.85


@dataclass
class Case:
    """A history to be judged."""

    seed: str
    object: Any
    records: list[Record]
    partition: bool
    method: str = "auto"
    shape: str = ""


def thaw(value: Any) -> Any:
    """Undoes `freeze`."""
    if isinstance(value, tuple):
        if value[0] == "bool":
            return value[1]
        if value[0] == "list":
            return [thaw(item) for item in value[1:]]
        return {key: thaw(item) for key, item in value[1]}
    return value


def written(answer: Any, rng: random.Random) -> Any:
    """An answer as a client might record it."""
    if answer is IGNORED:
        return None
    if answer is EMPTY:
        return rng.choice([None, "empty"])
    if isinstance(answer, Optional):
        return rng.choice([None, thaw(answer.answer), thaw(answer.answer)])
    if isinstance(answer, AnyOf):
        return thaw(rng.choice(answer.answers))
    return thaw(answer)


class Clock:
    """Draws intervals for a few sequential processes."""

    def __init__(self, rng: random.Random, processes: int) -> None:
        self.rng = rng
        self.coarse = rng.random() < 0.4
        self.overlap = rng.choice([1, 3, 8])
        self.retired = 0
        self.free = {self.name(rng, place): 0 for place in range(processes)}

    @staticmethod
    def name(rng: random.Random, place: int) -> Any:
        return place if rng.random() < 0.9 else f"client {place}"

    def interval(self) -> tuple[Any, int, int, int]:
        """Process, call, moment of effect, return."""
        rng = self.rng
        process = min(self.free, key=lambda name: (self.free[name] + rng.randint(0, 2), rng.random()))
        gap, width = (
            (rng.randint(0, 1), rng.randint(0, 2))
            if self.coarse
            else (rng.randint(1, 6), rng.randint(1, 4 * self.overlap))
        )
        call = self.free[process] + gap
        end = call + width
        self.free[process] = end
        return process, call, rng.randint(call, end), end

    def retire(self, process: Any) -> None:
        """A process that had no answer does not call again: another takes its place."""
        at = self.free.pop(process)
        self.retired += 1
        self.free[100 + self.retired] = at


def canonical(object_: Sequential, record: Record) -> tuple[str, Any, Any]:
    """Name, value and object of a record, as `System` sees them."""
    op = System([{**record, "process": 0, "call": 0, "return": 1}], object_).ops[0]
    return op.f, op.value, None if object_.name in KEYED else repr(record.get("key"))


def witnessed(rng: random.Random, name: str) -> tuple[Sequential, list[Record]]:
    """A linearizable history of 12 to 40 operations."""
    words = Vocabulary(name, rng)
    object_ = words.object()
    clock = Clock(rng, rng.randint(2, 5))
    pending, failed = rng.choice([0, 0, 0.05, 0.12]), rng.choice([0, 0, 0.08])
    drafts = []
    for _ in range(rng.randint(12, 40)):
        process, call, moment, end = clock.interval()
        record = {"process": process, **words.call(), "call": call, "return": end}
        fate = rng.random()
        if fate < pending:
            clock.retire(process)
        drafts.append(
            (moment, rng.random(), record, "pending" if fate < pending else "fail" if fate < pending + failed else "ok")
        )
    states: dict[Any, Any] = {}
    kept = []
    for _, _, record, fate in sorted(drafts, key=lambda draft: draft[:2]):
        if answer(rng, object_, states, record, fate):
            kept.append(record)
    return object_, in_file_order(rng, kept)


def answer(rng: random.Random, object_: Sequential, states: dict[Any, Any], record: Record, fate: str) -> bool:
    """Lets the operation happen. False if the object does not allow it now (acquire of a mutex that is held)."""
    f, value, home = canonical(object_, record)
    outcomes = object_.step(states.get(home, object_.initial), f, value, None)
    if fate == "ok":
        if not outcomes:
            return False
        states[home], said = rng.choice(outcomes)
        record["result"] = written(said, rng)
        return True
    if fate == "pending":
        if outcomes and rng.random() < 0.6:
            states[home] = rng.choice(outcomes)[0]
        if rng.random() < 0.5:
            record["type"] = "info"
        if record.get("type") is None or rng.random() < 0.5:
            del record["return"]
        if rng.random() < 0.3 and "type" in record:
            record["result"] = rng.choice([7, "what", None])
        return True
    record["type"] = "fail"
    return True


def in_file_order(rng: random.Random, records: list[Record]) -> list[Record]:
    """By call, as a recorder writes them; or by return; within a process always in the order of the process."""
    by_return = rng.random() < 0.15
    open_ = {id(record): record.get("return") is None or record.get("type") == "info" for record in records}
    place = {id(record): (record["call"], open_[id(record)], record.get("return", 0)) for record in records}
    if by_return:
        last = max((record["call"] for record in records), default=0) + 1000
        place = {id(r): (r.get("return", last), open_[id(r)], r["call"]) for r in records}
    return sorted(records, key=lambda record: place[id(record)])


# --- mutations ---------------------------------------------------------------------------------------------------------------


def mutate(rng: random.Random, object_: Sequential, records: list[Record]) -> list[Record]:
    """The same history with one lie in it."""
    records = copy.deepcopy(records)
    if not records:
        return records
    for _ in range(8):
        change = rng.choice([other_result, other_result, other_result, exchange, move, drop, double, complete, revalue])
        if change(rng, object_, records):
            return records
    return records


def ok(records: list[Record]) -> list[Record]:
    return [record for record in records if "return" in record and record.get("type", "ok") == "ok"]


def other_result(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    """What the object would have answered in some other state."""
    victims = ok(records)
    if not victims:
        return False
    victim = rng.choice(victims)
    f, value, home = canonical(object_, victim)
    state = object_.initial
    for record in rng.sample(records, rng.randint(0, min(6, len(records)))):
        other, argument, place = canonical(object_, record)
        if place == home:
            outcomes = object_.step(state, other, argument, None)
            state = rng.choice(outcomes)[0] if outcomes else state
    outcomes = object_.step(state, f, value, None)
    if not outcomes:
        return False
    said = written(rng.choice(outcomes)[1], rng)
    if (
        isinstance(said, int)
        and not isinstance(said, bool)
        and (object_.name, f) != ("height-stack", "pop")
        and rng.random() < 0.3
    ):
        said += rng.choice([-1, 1])
    if repr(said) == repr(victim.get("result")):
        return False
    victim["result"] = said
    return True


def exchange(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    """Two operations of the same name answer for each other."""
    victims = ok(records)
    rng.shuffle(victims)
    for first in victims:
        for second in victims:
            plain = first["f"] == second["f"] and first["f"] not in ("txn", "transaction")
            if plain and repr(first.get("result")) != repr(second.get("result")):
                first["result"], second["result"] = second.get("result"), first.get("result")
                return True
    return False


def alone(rng: random.Random, records: list[Record], record: Record) -> None:
    """A process of its own, so that any interval is possible."""
    record["process"] = 1000 + len(records) + rng.randint(0, 10**6)


def move(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    """Earlier, later or shorter."""
    victims = ok(records)
    if not victims:
        return False
    victim = rng.choice(victims)
    alone(rng, records, victim)
    by = rng.choice([-12, -6, -3, 3, 6, 12])
    width = rng.choice([0, 1, victim["return"] - victim["call"]])
    victim["call"] = max(0, victim["call"] + by)
    victim["return"] = victim["call"] + width
    return True


def drop(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    records.pop(rng.randrange(len(records)))
    return True


def double(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    twin = copy.deepcopy(rng.choice(records))
    alone(rng, records, twin)
    records.insert(rng.randint(0, len(records)), twin)
    return True


def complete(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    """A pending operation returns after all, or one that returned does not."""
    victims = [record for record in ok(records) if record.get("result") is not False]
    if not victims:
        return False
    victim = rng.choice(victims)
    victim["type"] = rng.choice(["fail", "info"])
    if victim["type"] == "info":
        alone(rng, records, victim)
    return True


def revalue(rng: random.Random, object_: Sequential, records: list[Record]) -> bool:
    """One operation takes the argument of another."""
    first, second = rng.choice(records), rng.choice(records)
    same = (
        first["f"] == second["f"]
        and repr(first.get("value")) != repr(second.get("value"))
        and first["f"] not in ("txn", "transaction")
    )
    if not same or ("key" in first) != ("key" in second):
        return False
    first["value"] = second.get("value")
    return True


def dense(rng: random.Random, name: str) -> tuple[Sequential, list[Record]]:
    """Two to seven operations, each with an answer that is possible somewhere."""
    words = Vocabulary(name, rng)
    object_ = words.object()
    clock = Clock(rng, rng.randint(1, 4))
    records: list[Record] = []
    calls = []
    for _ in range(rng.randint(2, 7)):
        process, call, _, end = clock.interval()
        record = {"process": process, **words.call(), "call": call, "return": end}
        calls.append(record)
        if rng.random() < 0.06:
            clock.retire(process)
            record["type"] = "info"
    for record in calls:
        if record.get("type") == "info":
            record["result"] = rng.choice([None, 3])
            records.append(record)
            continue
        state = object_.initial
        f, value, home = canonical(object_, record)
        for other in rng.sample(calls, rng.randint(0, len(calls))):
            g, argument, place = canonical(object_, other)
            outcomes = object_.step(state, g, argument, None) if place == home else []
            state = rng.choice(outcomes)[0] if outcomes else state
        outcomes = object_.step(state, f, value, None) or object_.step(object_.initial, f, value, None)
        if not outcomes:
            record["result"] = None  # acquire, release: never possible where this seed looked
        else:
            record["result"] = written(rng.choice(outcomes)[1], rng)
        records.append(record)
    return object_, in_file_order(rng, records)


def retime(rng: random.Random, records: list[Record]) -> None:
    """Other numbers in the same order: nanoseconds since 1970, halves, negative ones."""
    choice = rng.random()
    if choice < 0.7:
        return
    change = (
        (lambda t: 1_700_000_000_000_000_000 + t)
        if choice < 0.8
        else (lambda t: t / 4)
        if choice < 0.9
        else (lambda t: t - 20)
    )
    for record in records:
        for field in ("call", "return"):
            if record.get(field) is not None:
                record[field] = change(record[field])


def case(seed: str, names: list[str]) -> Case:
    """The history of this seed."""
    rng = random.Random(seed)
    name = rng.choice(names)
    if rng.random() < DENSE:
        object_, records = dense(rng, name)
        shape = "dense"
    else:
        object_, records = witnessed(rng, name)
        records = mutate(rng, object_, records)
        shape = "mutated"
    retime(rng, records)
    method = rng.choice(["auto"] * 7 + ["depth-first", "breadth-first", "wgl"])
    return Case(seed, object_, records, rng.random() < 0.7, method, shape)
