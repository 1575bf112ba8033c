"""Is there an order? The definition of linearizability, tried out in full.

`System` turns the records of a file into operations of a sequential object. `search` walks through the events in the order of
time (on a tie calls come before returns) and keeps every configuration: which of the open operations have taken effect, and the
state they left. An operation takes effect at the latest when it returns.

*Any subset of the others added back* needs no loop over subsets: an operation that may be left out takes effect between its call
and its return with its recorded result, or it is not there at all. `search(required, optional)` therefore finds an order of the
required operations together with SOME subset of the optional ones, or shows that no subset has one. (test_self.py compares this
with the loop.) Cost: exponential in the number of open operations; meant for up to 40 operations by a handful of processes.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.independent.objects import agrees, freeze
from tests.independent.shelf import KEYED, Sequential

NEVER = math.inf

#: How many configurations one search may hold before it says `TooMany`.
CEILING = 4_000


class TooMany(Exception):
    """The history is too wide for a brute force."""


@dataclass
class Op:
    """One operation, as the file says it."""

    number: int
    record: dict[str, Any]
    f: str
    value: Any
    result: Any
    call: Fraction | int
    end: Any
    status: str  # ok, pending, fail
    where: int  # which object
    kind: int = 0  # operations of one kind do the same to a state

    def before(self, other: "Op") -> bool:
        return bool(self.end < other.call)


@dataclass
class Found:
    """What a search found: an order, or the return where all orders end."""

    order: tuple[int, ...] | None
    stuck: int | None = None
    states: list[Any] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.order is not None


def status(record: dict[str, Any]) -> str:
    type_ = record.get("type") or ("ok" if record.get("return") is not None else "info")
    return {"ok": "ok", "fail": "fail", "info": "pending"}[type_]


def with_key(name: str, f: str, value: Any, key: Any) -> Any:
    """The value with the key inside, as the table of models shows it."""
    if key is None or f == "size" or (name, f) == ("set", "read"):
        return value
    if name == "set" or f in ("get", "read", "remove", "delete", "contains"):
        return key
    if f in ("cas", "replace_if"):
        return ("list", key, *value[1:])
    return ("list", key, value)


class System:
    """Operations and the objects they are on, with a memo of steps."""

    def __init__(self, records: list[dict[str, Any]], object_: Sequential) -> None:
        self.object = object_
        self.ops: list[Op] = []
        self.memo: dict[tuple[Any, int], list[Any]] = {}
        self.found: dict[Any, Found] = {}
        homes: dict[Any, int] = {}
        kinds: dict[Any, int] = {}
        for number, record in enumerate(records):
            f = object_.plain.get(record["f"], record["f"])
            key = freeze(record.get("key"))
            value = freeze(record.get("value"))
            if object_.name in KEYED:
                value, key = with_key(object_.name, f, value, key), None
            where = homes.setdefault(key, len(homes))
            state = status(record)
            end = NEVER if state == "pending" else record.get("return", NEVER)
            op = Op(number, record, f, value, freeze(record.get("result")), record["call"], end, state, where)
            op.kind = kinds.setdefault((f, value, op.result if state == "ok" else state, where), len(kinds))
            self.ops.append(op)
        self.initial = tuple(object_.initial for _ in homes) or (object_.initial,)

    def step(self, state: Any, op: Op) -> list[Any]:
        """The states in which the object may be after this operation; none if its result is impossible."""
        known = self.memo.get((state, op.kind))
        if known is None:
            known = self.memo[state, op.kind] = self.compute(state, op)
        return known

    def compute(self, state: Any, op: Op) -> list[Any]:
        pending = op.status == "pending"
        outcomes = self.object.step(state[op.where], op.f, op.value, None if pending else op.result)
        after = [next_ for next_, answer in outcomes if pending or agrees(answer, op.result)]
        return [(*state[: op.where], next_, *state[op.where + 1 :]) for next_ in after]

    def replay(self, order: Iterable[int]) -> list[Any]:
        """The states after these operations in this order; none if it is impossible."""
        states = [self.initial]
        for number in order:
            states = list(dict.fromkeys(after for state in states for after in self.step(state, self.ops[number])))
        return states

    def in_time(self, order: list[int] | tuple[int, ...]) -> bool:
        """Does nothing stand behind an operation that was called after its return?"""
        latest: Any = -NEVER
        for number in order:
            op = self.ops[number]
            if op.end < latest:
                return False
            latest = max(latest, op.call)
        return True

    @property
    def happened(self) -> list[int]:
        """Operations that are not `fail`."""
        return [op.number for op in self.ops if op.status != "fail"]


def search(system: System, required: Iterable[int], optional: Iterable[int] = (), until: Any = NEVER) -> Found:
    """An order of all of `required` and some of `optional`; operations that return after `until` count as pending."""
    needed = frozenset(required)
    homes = {system.ops[number].where for number in needed}
    others = frozenset(number for number in optional if system.ops[number].where in homes) - needed
    known = system.found.get((needed, others, until))
    if known is None:
        known = system.found[needed, others, until] = anew(system, needed, others, until)
    return known


def anew(system: System, needed: frozenset[int], others: frozenset[int], until: Any) -> Found:
    """The search itself."""
    events = timeline(system, sorted(needed | others), until)
    configurations: dict[tuple[int, Any], tuple[int, ...]] = {(0, system.initial): ()}
    open_: dict[int, Op] = {}
    for _, leaves, number in events:
        op = system.ops[number]
        if not leaves:
            open_[number] = op
            continue
        after = fire(system, configurations, open_, op, needed)
        del open_[number]
        if number not in needed:
            for (mask, state), order in configurations.items():
                if not mask >> number & 1:
                    after.setdefault((mask, state), order)
        if not after:
            return Found(None, number, [state for _, state in configurations])
        configurations = after
    return Found(next(iter(configurations.values())))


def timeline(system: System, chosen: list[int], until: Any) -> list[tuple[Any, bool, int]]:
    events = []
    for number in chosen:
        op = system.ops[number]
        if op.status == "fail" or op.call > until:
            continue
        events.append((op.call, False, number))
        if op.end <= until and op.end != NEVER:
            events.append((op.end, True, number))
    return sorted(events)


def fire(
    system: System,
    configurations: dict[tuple[int, Any], tuple[int, ...]],
    open_: dict[int, Op],
    last: Op,
    needed: frozenset[int],
) -> dict[tuple[int, Any], tuple[int, ...]]:
    """All configurations in which `last` has taken effect, with others before it only if that was needed."""
    bit = 1 << last.number
    after: dict[tuple[int, Any], tuple[int, ...]] = {}
    seen = set(configurations)
    todo = list(configurations.items())
    while todo:
        (mask, state), order = todo.pop()
        if mask & bit:
            after.setdefault((mask ^ bit, state), order)
            continue
        tried = set()
        for number, op in open_.items():
            if mask >> number & 1 or (op.end, op.kind) in tried:
                continue  # of several that do the same and have the same deadline, one is enough
            if op.end == NEVER:
                tried.add((op.end, op.kind))
            free = op.end == NEVER or number not in needed
            for next_ in system.step(state, op):
                if free and next_ == state:
                    continue  # what need not happen and changes nothing is no help
                if number == last.number:
                    after.setdefault((mask, next_), (*order, number))
                    continue
                configuration = (mask | 1 << number, next_)
                if configuration not in seen:
                    seen.add(configuration)
                    todo.append((configuration, (*order, number)))
        if len(seen) > CEILING:
            raise TooMany
    return after


def configurations_at(system: System, gone: list[int], open_: list[Op]) -> set[tuple[frozenset[int], Any]]:
    """Where every order can stand when `gone` have returned and `open_` are open: which of these took effect, and the state.

    An open operation takes effect only where a return needs it; whatever else it may do, it may also do later.
    """
    needed = frozenset(gone)
    events = timeline(
        system, sorted([*gone, *(op.number for op in open_)]), max(system.ops[number].end for number in gone)
    )
    configurations: dict[tuple[int, Any], tuple[int, ...]] = {(0, system.initial): ()}
    now: dict[int, Op] = {}
    for _, leaves, number in events:
        if not leaves:
            now[number] = system.ops[number]
        elif number in needed:
            configurations = fire(system, configurations, now, system.ops[number], needed)
            del now[number]
    return {(frozenset(op.number for op in open_ if mask >> op.number & 1), state) for mask, state in configurations}


def fired(system: System, state: Any, numbers: frozenset[int]) -> set[Any]:
    """The states after these operations took effect, in any order."""
    if not numbers:
        return {state}
    return {
        last
        for number in numbers
        for after in system.step(state, system.ops[number])
        for last in fired(system, after, numbers - {number})
    }


def part_of(system: System, number: int) -> set[int]:
    """The operations that have something in common with this one, directly or through others."""
    touched = {op.number: cells(system.object.name, op) for op in system.ops if op.status != "fail"}
    part, known = {number}, touched[number]
    while True:
        more = {
            other
            for other, keys in touched.items()
            if other not in part and (keys is None or known is None or keys & known)
        }
        if not more:
            return part
        part |= more
        for other in more:
            keys = touched[other]
            known = None if known is None or keys is None else known | keys


def cells(name: str, op: Op) -> set[Any] | None:
    """Which cells or objects an operation is about; None for all."""
    if name not in KEYED:
        return {op.where}
    if op.f == "size" or (name, op.f) == ("set", "read"):
        return None
    if op.f == "txn":
        return {step[2] for step in op.value[1:]}
    single = name == "set" or op.f in ("get", "read", "remove", "delete", "contains")
    return {op.value if single else op.value[1]}
