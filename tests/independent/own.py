"""Models of one's own that look at every field of an operation, and histories for them.

An own model is the definition of what is allowed, so the brute force asks the same `outcomes`; what is independent is the search.
Each model looks at another field: the process (a lock with an owner), the time of the call (a lease, a rate limiter), the time of
the return (a read that may be stale for so long), a field of its own (a session), the index (a log), the key (accounts that are
judged together), nothing but the value (the usual form).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import linpoint as lp
from tests.independent import brute
from tests.independent.generate import Case, Clock, Record, in_file_order, move, retime

Outcomes = list[tuple[Any, Any]]


class Own(lp.Model):
    """The low-level form: `outcomes` says what an operation may do, `step` keeps what was recorded."""

    initial: Any = None

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        raise NotImplementedError

    def step(self, state: Any, op: Any) -> list[Any]:
        return [after for after, answer in self.outcomes(state, op) if op.pending or op.result == answer]


class OwnerLock(Own):
    """Only who holds it may release it: reads `process`."""

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        if op.f == "acquire":
            return [(op.process, True)] if state is None else [(state, False)]
        return [(None, True)] if state == op.process else [(state, False)]


class Lease(Own):
    """A lock that ends by itself 6 after it was asked for: reads `call`."""

    initial = (None, -1000)

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        holder, until = state
        if op.f == "holder":
            return [(state, holder if op.call <= until else None)]
        free = op.call > until or holder == op.value
        return [((op.value, op.call + 6), True)] if free else [(state, False)]


class RateLimiter(Own):
    """At most two in 8: reads `call`."""

    initial: Any = ()

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        recent = tuple(sorted(at for at in state if at > op.call - 8))
        return [((*recent, op.call), True)] if len(recent) < 2 else [(recent, False)]


class BoundedStale(Own):
    """A read may answer an old value if it took long: reads `ret`."""

    initial = (0, 0)

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        old, new = state
        if op.f == "write":
            return [((new, op.value), None)]
        slow = op.ret is not None and op.ret - op.call > 4
        return [(state, new), (state, old)] if slow else [(state, new)]


class Sessions(Own):
    """A session never reads an older version than it wrote: reads `extra`."""

    initial: Any = (0, ())

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        version, seen = state
        session = op.extra["session"]
        known = dict(seen)
        if op.f == "write":
            known[session] = version + 1
            return [((version + 1, tuple(sorted(known.items()))), version + 1)]
        return [(state, answer) for answer in range(known.get(session, 0), version + 1)]


class Log(Own):
    """Entries come in the order of the file: reads `index`."""

    initial = -1

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        if op.f == "last":
            return [(state, state % 3)]
        return [(op.index, True)] if op.index > state else [(state, False)]


class Together(Own):
    """Accounts that share a limit: reads `key`, judged together."""

    initial: Any = ()

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        held = dict(state)
        if op.f == "total":
            return [(state, sum(held.values()))]
        after = {**held, op.key: held.get(op.key, 0) + op.value}
        if sum(after.values()) > 5 or after[op.key] < 0:
            return [(state, False)]
        return [(tuple(sorted(after.items())), True)]


class Apart(Own):
    """A balance per key: reads `key` in `partition`, and judged apart."""

    initial = 0

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        if op.f == "balance":
            return [(state, state)]
        return [(state + op.value, True)] if 0 <= state + op.value <= 5 else [(state, False)]

    def partition(self, op: Any) -> Any:
        return op.key


class Tenants(Own):
    """A limit per tenant that very important callers may pass: looks into `extra` only in some states."""

    initial: Any = ()

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        if op.f == "free":
            return [(state[1:], bool(state))]
        if not state:
            return [((op.extra.get("tenant"),), True)]
        full = state.count(op.extra.get("tenant")) >= 1 and "vip" not in op.extra
        return [(state, False)] if full or len(state) > 2 else [((*state, op.extra.get("tenant")), True)]


class Bank(Own):
    """Transfers name two accounts, the total names all: parts are joined by what operations have in common."""

    initial: Any = ()

    def outcomes(self, state: Any, op: Any) -> Outcomes:
        held = dict(state)
        match op.f:
            case "total":
                return [(state, sum(held.values()))]
            case "balance":
                return [(state, held.get(op.key, 0))]
            case "deposit":
                return [(self.changed(held, {op.key: op.value}), None)]
        source, target = op.value
        if held.get(source, 0) < 1:
            return [(state, False)]
        return [(self.changed(held, {source: -1, target: 1} if source != target else {}), True)]

    @staticmethod
    def changed(held: dict[str, int], by: dict[str, int]) -> Any:
        after = {name: held.get(name, 0) + by.get(name, 0) for name in held.keys() | by.keys()}
        return tuple(sorted((name, amount) for name, amount in after.items() if amount))

    def partition(self, op: Any) -> Any:
        return lp.ALL if op.f == "total" else lp.Several(tuple(op.value)) if op.f == "transfer" else op.key

    def readonly(self, op: Any) -> bool:
        return op.f in ("total", "balance") or (op.f == "transfer" and op.ok and op.result is False)


class Methods(lp.Model):
    """One method per operation, several outcomes, one that cannot happen, a result that is not compared."""

    initial = 0

    def put(self, state: int, value: int) -> Any:
        return value, lp.ANY

    def roll(self, state: int, value: int) -> Any:
        yield state + 1, state
        yield state, state

    def spend(self, state: int, value: int) -> Any:
        return [(state - value, True)] if state >= value else []

    def look(self, state: int, value: Any) -> Any:
        return state, state


@dataclass(frozen=True)
class Kind:
    """An own model and the calls its clients make."""

    model: type[lp.Model]
    calls: Callable[[random.Random], Record]


def bank_call(rng: random.Random) -> Record:
    f = rng.choice(["deposit", "balance", "transfer", "transfer", *(["total"] if rng.random() < 0.3 else [])])
    if f == "transfer":
        return {"f": f, "value": [rng.choice("vwxyz"), rng.choice("vwxyz")]}
    return (
        {"f": f}
        if f == "total"
        else {"f": f, "key": rng.choice("vwxyz"), "value": rng.randint(1, 2) if f == "deposit" else None}
    )


KINDS: dict[str, Kind] = {
    "OwnerLock": Kind(OwnerLock, lambda rng: {"f": rng.choice(["acquire", "release"])}),
    "Lease": Kind(Lease, lambda rng: {"f": rng.choice(["take", "take", "holder"]), "value": rng.choice("ab")}),
    "RateLimiter": Kind(RateLimiter, lambda rng: {"f": "ask"}),
    "BoundedStale": Kind(BoundedStale, lambda rng: {"f": rng.choice(["write", "read"]), "value": rng.randint(1, 3)}),
    "Sessions": Kind(Sessions, lambda rng: {"f": rng.choice(["write", "read", "read"]), "session": rng.choice("st")}),
    "Log": Kind(Log, lambda rng: {"f": rng.choice(["append", "last"])}),
    "Together": Kind(
        Together,
        lambda rng: {"f": rng.choice(["move", "move", "total"]), "value": rng.randint(-2, 3), "key": rng.choice("xy")},
    ),
    "Apart": Kind(
        Apart, lambda rng: {"f": rng.choice(["move", "balance"]), "value": rng.randint(-2, 3), "key": rng.choice("xyz")}
    ),
    "Tenants": Kind(
        Tenants,
        lambda rng: {
            "f": rng.choice(["ask", "ask", "free"]),
            **rng.choice([{"tenant": "s"}, {"tenant": "t"}, {}, {"tenant": "s", "vip": None}]),
        },
    ),
    "Bank": Kind(Bank, bank_call),
    "Methods": Kind(
        Methods, lambda rng: {"f": rng.choice(["put", "roll", "spend", "look"]), "value": rng.randint(1, 3)}
    ),
}


@dataclass
class OwnObject:
    """What stands where a shipped model has its name and object."""

    name: str
    model: lp.Model
    plain: dict[str, str]

    @property
    def spec(self) -> lp.Model:
        return self.model

    @property
    def initial(self) -> Any:
        return self.model.initial


KNOWN = {"process", "f", "value", "result", "call", "return", "type", "key"}


def as_operation(record: Record, index: int) -> SimpleNamespace:
    """The documented fields of `lp.Operation`, made without linpoint."""
    state = brute.status(record)
    return SimpleNamespace(
        process=record["process"],
        f=record["f"],
        value=record.get("value"),
        result=record.get("result"),
        call=record["call"],
        ret=record.get("return"),
        type={"ok": "ok", "pending": "info", "fail": "fail"}[state],
        key=record.get("key"),
        extra={name: value for name, value in record.items() if name not in KNOWN},
        index=index,
        line=None,
        ok=state == "ok",
        pending=state == "pending",
    )


class OwnSystem(brute.System):
    """Steps are what the model says; objects are what `partition` says."""

    def __init__(self, records: list[Record], object_: OwnObject) -> None:
        super().__init__(records, object_)  # type: ignore[arg-type]
        self.model = object_.model
        self.views = [as_operation(record, number) for number, record in enumerate(records)]
        apart = isinstance(self.model, Apart)
        homes: dict[Any, int] = {}
        for op in self.ops:
            op.kind = op.number
            op.where = homes.setdefault(op.record.get("key") if apart else None, len(homes))
        self.initial = tuple(self.model.initial for _ in homes) or (self.model.initial,)

    def compute(self, state: Any, op: brute.Op) -> list[Any]:
        view = self.views[op.number]
        after = [
            next_
            for next_, answer in outcomes(self.model, state[op.where], view)
            if view.pending or agrees(answer, view.result)
        ]
        return [(*state[: op.where], next_, *state[op.where + 1 :]) for next_ in after]


def agrees(answer: Any, recorded: Any) -> bool:
    return answer is lp.ANY or (answer == recorded and isinstance(answer, bool) == isinstance(recorded, bool))


def outcomes(model: Any, state: Any, op: Any) -> Outcomes:
    """(next state, answer), from either form of a model."""
    if isinstance(model, Own):
        return model.outcomes(state, op)
    given = getattr(model, op.f)(state, op.value)
    return [given] if isinstance(given, tuple) else list(given)


def case(seed: str, names: list[str]) -> Case:
    """The history of this seed for one of the own models."""
    rng = random.Random(seed)
    name = rng.choice(names)
    kind = KINDS[name]
    model = kind.model()
    small = rng.random() < 0.5
    clock = Clock(rng, rng.randint(1, 4))
    drafts = []
    for _ in range(rng.randint(2, 7) if small else rng.randint(8, 24)):
        process, call, moment, end = clock.interval()
        record = {"process": process, **kind.calls(rng), "call": call, "return": end}
        if rng.random() < 0.06:
            clock.retire(process)
            record["type"] = "info"
        drafts.append((moment, rng.random(), record))
    records = in_file_order(rng, [draft[2] for draft in drafts])
    index = {id(record): place for place, record in enumerate(records)}
    states: dict[Any, Any] = {}
    for _, _, record in sorted(drafts, key=lambda draft: draft[:2]):
        home = record.get("key") if isinstance(model, Apart) else None
        possible = outcomes(model, states.get(home, model.initial), as_operation(record, index[id(record)]))
        if not possible:
            record["type"] = "fail"
            continue
        if record.get("type") == "info" and rng.random() < 0.5:
            continue
        states[home], answer = rng.choice(possible)
        record["result"] = None if answer is lp.ANY else answer
    lie(rng, model, records, many=small)
    retime(rng, records)
    partition = True if isinstance(model, Apart) else rng.random() < 0.7
    return Case(seed, OwnObject(name, model, {}), records, partition, shape="own")


def lie(rng: random.Random, model: Any, records: list[Record], *, many: bool) -> None:
    """One result is another's, or one interval moves."""
    done = [record for record in records if record.get("type", "ok") == "ok"]
    for _ in range(rng.randint(1, 3) if many else 1):
        if not done:
            return
        victim = rng.choice(done)
        if rng.random() < 0.25:
            move(rng, model, records)
        elif isinstance(victim.get("result"), bool) and rng.random() < 0.8:
            victim["result"] = not victim["result"]
        else:
            victim["result"] = rng.choice([record.get("result") for record in done if record["f"] == victim["f"]])
            if isinstance(victim["result"], int) and not isinstance(victim["result"], bool) and rng.random() < 0.4:
                victim["result"] += rng.choice([-1, 1])
