"""Random small histories of every model, aimed at the corners where checkers go wrong.

A history comes from a simulated run: a few processes call, each operation takes effect on a plain sequential
object somewhere between its call and its return, some crash, some fail. So it is linearizable, until
`corrupt` spoils a result or squeezes an interval, which it does to most; about half end up as violations.

The corners: pending operations that took effect, later or never; ties in times; values written twice; empties;
peeks that overlap the add and the remove; several objects; values that are almost equal (1, true, "1", 1.0).

Everything follows from (model, seed): `history("queue", 7)` is the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.agreement import answers
from tests.agreement.vocabulary import ALONE, KEYED, OBJECTS, SYNONYMS, parse, understand

Record = dict[str, Any]

SPECS: dict[str, list[str]] = {
    "register": ["register", "register", "register:initial=1"],
    "cas-register": ["cas-register", "cas-register", "cas-register:initial=1"],
    "multi-register": ["multi-register", "multi-register:initial=1", 'multi-register:initial={"x":1}'],
    "kv": ["kv", "kv", "kv:initial=a"],
    "append-list": ["append-list"],
    "map": ["map"],
    "set": ["set", "set", "set:initial=[1,2]"],
    "array": ["array", "array:initial=1"],
    "counter": ["counter", "counter", "counter:initial=-2"],
    "mutex": ["mutex"],
    "semaphore": ["semaphore", "semaphore:permits=2", "semaphore:permits=2,bounded=true", "semaphore:permits=3"],
    "queue": ["queue", "queue", "queue:initial=[1,2]"],
    "stack": ["stack", "stack", "stack:initial=[1,2]"],
    "height-stack": ["height-stack"],
    "deque": ["deque", "deque", "deque:initial=[1,2]"],
    "priority-queue": ["priority-queue", "priority-queue:order=min", "priority-queue:initial=[2,1]"],
    "bag": ["bag", "bag", "bag:initial=[1,1]"],
}
MODELS = list(SPECS)

PALETTES: list[list[Any]] = [
    [1, 2],
    [1, 2, 3],
    [1, True, "1"],
    [0, False, ""],
    [None, 1, "empty"],
    [1.0, 1, 1.5],
    [2**70, -(2**70), "é"],
    [[1], [1, 2], [2]],
    [[], 1, [[1], 2]],
    [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}],
]


class Scale(NamedTuple):
    """How many operations and processes there are, and how many of them crash.

    Operations may be left out; and there may be more values than those of a palette.
    """

    operations: tuple[int, int] = (3, 8)
    processes: tuple[int, int] = (2, 4)
    crashes: tuple[float, ...] = (0, 0.15, 0.3)
    left_out: frozenset[str] = frozenset()
    values: int = 0


SMALL = Scale()


class Draw:
    """The dice of one history, and the few values it plays with."""

    def __init__(self, model: str, seed: int, scale: Scale = SMALL) -> None:
        dice = self.dice = random.Random(f"{model}/{seed}")
        self.model = model
        self.calls = [call for call in CALLS[model] if call.f not in scale.left_out]
        self.palette = PALETTES[0] if dice.random() < 0.5 else dice.choice(PALETTES)
        if scale.values:
            self.palette = list(range(scale.values))
        self.unique = dice.random() < 0.4
        self.last = 10
        self.keys = ["x", "y"] if dice.random() < 0.8 else ["x", 1, True]
        self.objects: list[Any] = [None] if dice.random() < 0.75 else [None, "a"]

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def value(self) -> Any:
        return self.dice.choice(self.palette)

    def element(self) -> Any:
        """Something to put into a container; often a value that was never there before."""
        if not self.unique:
            return self.value()
        self.last += 1
        return self.last

    def known(self) -> Any:
        """Something that may be in a container."""
        if self.unique and self.last > 10:
            return self.dice.randint(11, self.last)
        return self.value()

    def key(self) -> Any:
        return self.dice.choice(self.keys)

    def count(self) -> Any:
        return self.dice.choice([None, 1, 1, 2])


def nothing(_: Draw) -> None:
    return None


def pair(draw: Draw) -> Any:
    return [draw.value(), draw.value()]


def text(draw: Draw) -> str:
    return draw.dice.choice(["a", "b", "ab"])


def transaction(draw: Draw) -> Any:
    long = draw.chance(0.5)
    steps: list[Any] = []
    for _ in range(draw.dice.randint(1, 3)):
        if draw.chance(0.5):
            steps.append(["read" if long else "r", draw.key(), None])
        else:
            steps.append(["write" if long else "w", draw.key(), draw.value()])
    return steps


def one_step(draw: Draw) -> Any:
    if draw.chance(0.5):
        return [["append", draw.key(), draw.value()]]
    return [["read" if draw.chance(0.5) else "r", draw.key(), None]]


def wrong_value(draw: Draw, _: Record) -> Any:
    return draw.dice.choice([None, *draw.palette])


def wrong_truth(draw: Draw, record: Record) -> Any:
    return not record["result"]


def wrong_element(draw: Draw, _: Record) -> Any:
    return draw.dice.choice([None, "empty"]) if draw.chance(0.3) else draw.known()


def wrong_number(draw: Draw, record: Record) -> Any:
    return record["result"] + draw.dice.choice([-1, 1, 1, 2])


def wrong_text(draw: Draw, record: Record) -> Any:
    return draw.dice.choice(["a", "b", "ab", "ba", "aa", "", None])


def wrong_list(draw: Draw, record: Record) -> Any:
    return [value for value in [*draw.palette, *record["result"]] if draw.chance(0.5)]


def wrong_elements(draw: Draw, record: Record) -> Any:
    """Fewer, more, or the same in another order."""
    shown = record["result"] or []
    some = [value for value in [*shown, *draw.palette] if draw.chance(0.6)]
    return draw.dice.sample(shown, len(shown)) if draw.chance(0.3) else some


def wrong_shown(draw: Draw, record: Record) -> Any:
    """Another list, where one was read."""
    if record["result"] is None or record["value"][0][0] == "append":
        return record["result"]
    [[kind, key, shown]] = record["result"]
    return [[kind, key, wrong_elements(draw, {"result": shown})]]


def wrong_reads(draw: Draw, record: Record) -> Any:
    steps = record["result"] or record["value"]
    return [[kind, name, draw.value() if kind[0] == "r" else value] for kind, name, value in steps]


def wrong_pop(draw: Draw, _: Record) -> Any:
    return draw.dice.choice([0, [0, None], None, [draw.dice.randint(1, 3), draw.known()], [1, draw.known()]])


class Call(NamedTuple):
    """One kind of operation: how often, its argument (without the key), and a result that may be false."""

    f: str
    weight: int
    argument: Callable[[Draw], Any] = nothing
    wrong: Callable[[Draw, Record], Any] | None = None


READ = Call("read", 3, nothing, wrong_value)
WRITE = Call("write", 3, Draw.value)
CALLS: dict[str, list[Call]] = {
    "register": [READ, WRITE],
    "cas-register": [READ, WRITE, Call("cas", 3, pair, wrong_truth), Call("swap", 1, Draw.value, wrong_value)],
    "multi-register": [Call("txn", 3, transaction, wrong_reads), READ, WRITE],
    "kv": [Call("get", 3, nothing, wrong_text), Call("put", 1, text), Call("append", 3, text)],
    "append-list": [
        Call("append", 4, Draw.value),
        Call("read", 3, nothing, wrong_elements),
        Call("txn", 3, one_step, wrong_shown),
    ],
    "map": [
        Call("get", 3, nothing, wrong_value),
        Call("put", 3, Draw.value),
        Call("swap", 1, Draw.value, wrong_value),
        Call("remove", 2, nothing, wrong_value),
        Call("delete", 1, nothing, wrong_truth),
        Call("put_if_absent", 2, Draw.value, wrong_value),
        Call("replace", 1, Draw.value, wrong_value),
        Call("replace_if", 2, lambda draw: [wrong_value(draw, {}), wrong_value(draw, {})], wrong_truth),
        Call("remove_if", 1, Draw.value, wrong_truth),
        Call("contains", 1, nothing, wrong_truth),
        Call("size", 1, nothing, wrong_number),
    ],
    "set": [
        Call("add", 3, nothing, wrong_truth),
        Call("remove", 3, nothing, wrong_truth),
        Call("contains", 3, nothing, wrong_truth),
        Call("read", 1, nothing, wrong_list),
        Call("size", 1, nothing, wrong_number),
    ],
    "array": [READ, WRITE, Call("cas", 3, pair, wrong_truth)],
    "counter": [
        Call("add", 2, Draw.count),
        Call("sub", 1, Draw.count),
        Call("fetch_add", 1, Draw.count, wrong_number),
        Call("add_and_get", 1, Draw.count, wrong_number),
        Call("read", 3, nothing, wrong_number),
    ],
    "mutex": [Call("acquire", 3), Call("release", 3), Call("try_acquire", 2, nothing, wrong_truth)],
    "semaphore": [
        Call("acquire", 3, Draw.count),
        Call("release", 2, Draw.count),
        Call("try_acquire", 3, Draw.count, wrong_truth),
    ],
    "queue": [
        Call("enqueue", 4, Draw.element),
        Call("dequeue", 4, nothing, wrong_element),
        Call("peek", 2, nothing, wrong_element),
    ],
    "stack": [
        Call("push", 4, Draw.element),
        Call("pop", 4, nothing, wrong_element),
        Call("peek", 2, nothing, wrong_element),
    ],
    "height-stack": [Call("push", 3, Draw.element, wrong_number), Call("pop", 3, nothing, wrong_pop)],
    "deque": [
        Call("push_front", 2, Draw.element),
        Call("push_back", 2, Draw.element),
        Call("pop_front", 2, nothing, wrong_element),
        Call("pop_back", 2, nothing, wrong_element),
        Call("peek_front", 1, nothing, wrong_element),
        Call("peek_back", 1, nothing, wrong_element),
    ],
    "priority-queue": [
        Call("insert", 4, Draw.element),
        Call("poll", 4, nothing, wrong_element),
        Call("peek", 2, nothing, wrong_element),
    ],
    "bag": [
        Call("add", 4, Draw.element),
        Call("take", 3, nothing, wrong_element),
        Call("remove_value", 1, Draw.known, wrong_truth),
        Call("contains", 2, Draw.known, wrong_truth),
    ],
}
WRONG = {model: {call.f: call.wrong for call in calls if call.wrong} for model, calls in CALLS.items()}
ALL_KEYS = {"set": {"read", "size"}}
NESTED = {"cas", "replace_if"}
LOCKS = {"mutex", "semaphore"}


def called(draw: Draw) -> Record:
    """What a process calls: f under one of its names, value, and perhaps a key."""
    call = draw.dice.choices(draw.calls, [call.weight for call in draw.calls])[0]
    argument = call.argument(draw)
    f = call.f
    if draw.chance(0.2):
        f = draw.dice.choice([f, *SYNONYMS[draw.model][f].split()])
    record: Record = {"f": f, "value": argument}
    if draw.model not in KEYED:
        name = draw.dice.choice(draw.objects)
        return record if name is None else record | {"key": name}
    if call.f in ALL_KEYS.get(draw.model, ALONE):
        return record
    key = draw.value() if draw.model == "set" else draw.key()
    if draw.chance(0.5):
        return record | {"key": key}
    if call.argument is nothing:
        return record | {"value": key}
    return record | {"value": [key, *argument] if call.f in NESTED else [key, argument]}


def recorded(draw: Draw, answer: Any) -> Any:
    """The result that is written down for an answer of the sequential object."""
    if answer is answers.ANYTHING:
        others = [value for value in draw.palette if value is not False]  # which is refused: did it happen?
        return None if draw.chance(0.8) else draw.dice.choice(["ok", 0, True, *others])
    if isinstance(answer, answers.Element):
        return answers.thaw(answer.element)
    if isinstance(answer, answers.Answer):
        return answers.thaw(draw.dice.choice(answer.allowed))
    if isinstance(answer, answers.AnyOrder):
        return [answers.thaw(item) for item in draw.dice.sample(answer.items, len(answer.items))]
    return answers.thaw(answer)


class Run:
    """A simulated run: processes call and return at random, effects happen in between."""

    def __init__(self, draw: Draw, spec: str, scale: Scale) -> None:
        self.draw = draw
        self.records: list[Record] = []
        self.open: list[Record] = []
        self.waiting: list[Record] = []
        model, options = parse(spec)
        self.world = {name: OBJECTS[model](**options) for name in [None, "a"]}
        dice = draw.dice
        self.size = dice.randint(*scale.operations)
        self.free = list(range(dice.randint(*scale.processes)))
        self.ties = dice.choice([0, 0, 0.3])
        self.crashes = dice.choice(scale.crashes)
        self.fails = dice.choice([0, 0, 0.15])
        self.calm = dice.choice([0.3, 0.5, 0.7])
        self.next_process = len(self.free)
        self.now = 0

    def run(self) -> list[Record]:
        draw = self.draw
        while len(self.records) < self.size or self.open:
            if not draw.chance(self.ties):
                self.now += 1
            while self.waiting and draw.chance(0.5):
                self.take_effect(draw.dice.choice(self.waiting))
            can_call = self.free and len(self.records) < self.size
            if can_call and (not self.open or draw.chance(self.calm)):
                self.call()
            else:
                self.end(draw.dice.choice(self.open))
        return self.records

    def call(self) -> None:
        record = called(self.draw)
        while self.draw.model in LOCKS and self.draw.chance(0.9) and not self.possible(record):
            record = called(self.draw)
        process = self.free.pop(self.draw.dice.randrange(len(self.free)))
        record = {"process": process, **record, "result": None, "call": self.now}
        self.records.append(record)
        self.open.append(record)
        self.waiting.append(record)

    def possible(self, record: Record) -> bool:
        """Could it happen now? Without this look most calls on a lock would block."""
        name, f, value = understand(self.draw.model, record)
        try:
            self.world[name].twin().do(f, value)
        except answers.Illegal:
            return False
        return True

    def take_effect(self, record: Record) -> bool:
        """Lets the operation happen now, if it can."""
        name, f, value = understand(self.draw.model, record)
        thing = self.world[name].twin()
        try:
            answer = thing.do(f, value, self.draw.dice.randrange(thing.ways(f)))
        except answers.Illegal:
            return False
        self.world[name] = thing
        record["result"] = recorded(self.draw, answer)
        self.waiting.remove(record)
        return True

    def end(self, record: Record) -> None:
        self.open.remove(record)
        idle = record in self.waiting
        if idle and self.draw.chance(self.fails):
            self.fail(record)
        elif self.draw.chance(self.crashes):
            self.crash(record)
        elif not idle or self.take_effect(record):
            record["return"] = self.now
            self.free.append(record["process"])
        elif self.draw.chance(0.7):
            self.fail(record)
        else:
            self.crash(record)

    def fail(self, record: Record) -> None:
        self.waiting.remove(record)
        record.update({"type": "fail", "return": self.now})
        self.free.append(record["process"])

    def crash(self, record: Record) -> None:
        self.free.append(self.next_process)  # the successor of a crashed process has a new name
        self.next_process += 1
        if self.draw.chance(0.3):
            record.update({"type": "info", "return": self.now})


def corrupt(draw: Draw, records: list[Record]) -> None:
    """Makes a violation likely: a false result, two exchanged, an effect denied or claimed, or less time for it."""
    done = [record for record in records if "return" in record and "type" not in record]
    telling = [r for r in done if understand(draw.model, r)[1] in WRONG[draw.model]]
    crashed = [r for r in records if "return" not in r and understand(draw.model, r)[1] not in WRONG[draw.model]]
    kind = draw.dice.random()
    if kind < 0.15 and crashed:
        draw.dice.choice(crashed)["return"] = max(r.get("return", r["call"]) for r in records) + 1
    elif kind < 0.55 and telling:
        record = draw.dice.choice(telling)
        f = understand(draw.model, record)[1]
        record["result"] = WRONG[draw.model][f](draw, record)
    elif kind < 0.65 and len(telling) > 1:
        one, other = draw.dice.sample(telling, 2)
        what = understand(draw.model, one)[:2]
        if what == understand(draw.model, other)[:2] and what[1] != "txn":
            one["result"], other["result"] = other["result"], one["result"]
    elif kind < 0.8 and done:
        draw.dice.choice(done)["type"] = "fail"
    elif done:
        for _ in range(2):
            record = draw.dice.choice(done)
            moment = draw.dice.randint(record["call"], record["return"])
            record[draw.dice.choice(["call", "return"])] = moment


def history(model: str, seed: int, scale: Scale = SMALL) -> tuple[str, list[Record]]:
    """A model with options and a history for it."""
    draw = Draw(model, seed, scale)
    spec = draw.dice.choice(SPECS[model])
    run = Run(draw, spec, scale)
    records = run.run()
    for record in records:
        if "return" not in record or "type" in record:
            record["result"] = draw.value() if draw.chance(0.1) and "type" in record else None
    for _ in range(draw.dice.choice([0, 2, 3, 4])):
        corrupt(draw, records)
    if run.ties == 0 and draw.chance(0.1):
        draw.dice.shuffle(records)
    return spec, records
