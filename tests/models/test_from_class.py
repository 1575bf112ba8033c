"""An ordinary class is its own specification: copied or replayed, with its exceptions, its arguments and its faults."""

import copy
import heapq
import itertools
import random
import socket
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator

import pytest

import linpoint as lp
from linpoint.models import from_class

EMPTY = object()


def run(*calls, overlap=False):
    """A history of calls (f, value, result), one after the other or all at once."""
    return lp.History(
        [
            {
                "process": i,
                "f": f,
                "value": value,
                "result": result,
                "call": 0 if overlap else 2 * i,
                "return": 2 * i + 1,
            }
            for i, (f, value, result) in enumerate(calls)
        ]
    )


def verdict(model, *calls, overlap=False):
    return lp.check(run(*calls, overlap=overlap), model).verdict.name


class Heap:
    def __init__(self):
        self.items = []

    def push(self, item):
        heapq.heappush(self.items, item)

    def pop(self):
        return heapq.heappop(self.items)

    def each(self):
        yield from self.items

    def extend(self, items):
        self.items = self.items + items
        heapq.heapify(self.items)

    def put(self, key, value):
        self.items.append((key, value))
        return len(self.items)

    def seen(self):
        return {*self.items}

    def me(self):
        return self


class Slot:
    """One place, with slots and a marker; `is` must hold in a copy."""

    __slots__ = ("value",)

    def __init__(self):
        self.value = EMPTY

    def put(self, value):
        if self.value is not EMPTY:
            raise OverflowError
        self.value = value

    def take(self):
        if self.value is EMPTY:
            raise LookupError
        value, self.value = self.value, EMPTY
        return value


class Locked:
    made = 0

    def __init__(self):
        self.lock, self.n = threading.Lock(), 0

    def inc(self):
        with self.lock:
            self.n += 1
            return self.n

    def read(self):
        return self.n


class Wired:
    def __init__(self):
        self.ends = socket.socketpair()

    def send(self, text):
        self.ends[0].send(text.encode())

    def receive(self):
        return self.ends[1].recv(1).decode()

    def __del__(self):
        for end in self.ends:
            end.close()


class Tickets:
    def __init__(self):
        self.numbers = (n for n in itertools.count(1))

    def next(self):
        return next(self.numbers)


class Dice:
    def roll(self):
        return random.random()


class Clock:
    def __init__(self):
        self.n = 0

    def now(self):
        self.n += 1
        return time.perf_counter_ns()


class SharedDefault:
    def __init__(self, items=[]):  # noqa: B006
        self.items = items

    def add(self, item):
        self.items.append(item)
        return len(self.items)


class ClassList:
    items = []  # noqa: RUF012
    limits = {"most": 3}  # noqa: RUF012

    def add(self, item):
        self.items.append(item)

    def most(self):
        return self.limits["most"]


class ClassCounter:
    total = 0

    def add(self):
        type(self).total += 1


class BadCopy:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)

    def size(self):
        return len(self.items)

    def __deepcopy__(self, _):
        return copy.copy(self)  # shares the list


class Endless:
    def spin(self):
        while True:
            pass


# Results, arguments and names.


def test_a_deque_is_a_queue() -> None:
    names = {"append": ["enqueue"], "popleft": ["dequeue"], "__len__": ["size"]}
    model = from_class(deque, synonyms=names)
    calls = [("enqueue", 1, None), ("enqueue", 2, None), ("size", None, 2), ("dequeue", None, 1), ("dequeue", None, 2)]
    assert verdict(model, *calls, ("dequeue", None, {"raised": "IndexError"})) == "LINEARIZABLE"
    assert verdict(model, *calls, ("dequeue", None, {"raised": "KeyError"})) == "VIOLATION"
    assert verdict(model, *calls, ("dequeue", None, None)) == "VIOLATION"


def test_the_order_of_an_ordered_dict_is_part_of_its_state() -> None:
    model = from_class(OrderedDict, synonyms={"__setitem__": ["put"]})
    puts = [("put", ["a", 1], None), ("put", ["b", 2], None)]
    assert verdict(model, *puts, ("popitem", None, ["b", 2])) == "LINEARIZABLE"
    assert verdict(model, *puts, ("popitem", None, ["a", 1])) == "VIOLATION"
    either = [*puts, ("popitem", None, ["a", 1])]
    assert verdict(model, *either, overlap=True) == "LINEARIZABLE"


def test_generators_are_lists_and_sets_have_no_order() -> None:
    model = from_class(Heap)
    pushes = [("push", 3, None), ("push", 1, None)]
    assert verdict(model, *pushes, ("each", None, [1, 3]), ("seen", None, [3, 1])) == "LINEARIZABLE"
    assert verdict(model, *pushes, ("each", None, [3, 1])) == "VIOLATION"


def test_a_list_is_several_arguments_unless_the_method_has_one_parameter() -> None:
    model = from_class(Heap)
    assert verdict(model, ("extend", [2, 1], None), ("pop", None, 1)) == "LINEARIZABLE"
    assert verdict(model, ("put", [2, 1], 1), ("each", None, [[2, 1]])) == "LINEARIZABLE"


def test_null_is_an_argument_where_one_is_demanded() -> None:
    assert verdict(from_class(Slot), ("put", None, None), ("take", None, None)) == "LINEARIZABLE"


def test_true_is_not_one() -> None:
    assert verdict(from_class(Slot), ("put", True, None), ("take", None, 1)) == "VIOLATION"


def test_a_marker_stays_itself_in_a_copy() -> None:
    model = from_class(Slot)
    calls = [("take", None, {"raised": "LookupError"}), ("put", 1, None), ("put", 2, {"raised": "OverflowError"})]
    assert verdict(model, *calls, ("take", None, 1)) == "LINEARIZABLE"
    searched = lp.check(run(*calls), model, method="depth-first")
    assert searched.states == "copied by copy.deepcopy, told apart by what they hold"


def test_hitting_keeps_no_states() -> None:
    calls = [("inc", None, 2), ("inc", None, 1)]
    result = lp.check(run(*calls, overlap=True), from_class(Locked), method="hitting")
    assert result.states == "not kept: schedules were run from the start"
    slot = lp.check(run(("put", 1, None)), from_class(Slot), method="hitting")
    assert slot.states == "not kept: schedules were run from the start, or from a copy"


@pytest.mark.parametrize("value", [None, [1], [1, 2, 3], 1])
def test_arguments_that_do_not_fit_are_no_verdict(value) -> None:
    with pytest.raises(lp.ModelError, match=r"Heap\.put\(key, value\) cannot be called with"):
        verdict(from_class(Heap), ("put", value, 1))


def test_a_misfit_of_a_method_in_c_is_no_verdict() -> None:
    model = from_class(dict, synonyms={"__setitem__": ["put"]})
    with pytest.raises(lp.ModelError, match=r"dict\.__setitem__ cannot be called so"):
        verdict(model, ("put", [[1, 2], 3], None))
    assert verdict(model, ("put", [[1, 2], 3], {"raised": "TypeError"})) == "LINEARIZABLE"
    tuples = from_class(dict, synonyms={"__setitem__": ["put"]}, arguments=lambda op: op.value)
    assert verdict(tuples, ("put", [[1, 2], 3], None)) == "LINEARIZABLE"


def test_a_result_that_no_history_can_hold() -> None:
    with pytest.raises(lp.ModelError, match=r"Heap\.me returned .* which no history can hold"):
        verdict(from_class(Heap), ("me", None, None))
    assert verdict(from_class(Heap, result=lambda result: None), ("me", None, None)) == "LINEARIZABLE"


@pytest.mark.parametrize("f", ["sort", "_items", "__init__", "items"])
def test_what_is_no_method(f) -> None:
    with pytest.raises(lp.ModelError, match=r"Heap has no method .* it has each, extend, me, pop, push, put, seen"):
        verdict(from_class(Heap), (f, None, None))


def test_what_is_no_class() -> None:
    with pytest.raises(lp.ModelError, match="is not a class"):
        from_class(3)
    with pytest.raises(lp.ModelError, match="is a model already"):
        from_class(lp.models.Queue)
    with pytest.raises(lp.ModelError, match="from_class"):
        lp.check(run(("pop", None, 1)), Heap)


def test_a_function_that_makes_objects() -> None:
    model = from_class(lambda: deque([7], maxlen=1), synonyms={"popleft": ["dequeue"]})
    assert verdict(model, ("append", 8, None), ("dequeue", None, 8)) == "LINEARIZABLE"
    assert str(model) == "deque"


def test_each_key_is_an_object() -> None:
    records = [
        {"process": i, "f": "put", "value": i, "key": key, "call": 2 * i, "return": 2 * i + 1}
        for i, key in enumerate("ab")
    ]
    assert lp.check(records, from_class(Slot)).ok
    assert lp.check(records, from_class(Slot), partition=False).ok
    assert not lp.check([record | {"key": "a"} for record in records], from_class(Slot)).ok


def test_a_pending_operation_may_have_raised() -> None:
    pending = {"process": 9, "f": "take", "call": 0}
    assert lp.check([pending, *map(lp.Operation.to_record, run(("put", 1, None)))], from_class(Slot)).ok


# States.


@pytest.mark.parametrize(
    ("cls", "call", "results", "what"),
    [
        (Locked, "inc", [2, 1, 3], "a lock"),
        (Tickets, "next", [3, 1, 2], "a generator"),
        (Wired, "send", [], "a socket"),
    ],
)
def test_what_cannot_be_copied_is_replayed(cls, call, results, what) -> None:
    model = from_class(cls)
    calls = [(call, None, result) for result in results] or [("send", "x", None), ("send", "y", None)]
    result = lp.check(run(*calls, overlap=True), model, method="depth-first")
    assert result.ok
    assert result.certified
    assert result.states == f"replayed from the start, since it holds {what}, told apart by the calls that led to them"
    if results:
        wrong = lp.check(run(*calls[:-1], (call, None, results[0]), overlap=True), model)
        assert wrong.verdict is lp.Verdict.VIOLATION
        assert wrong.confirmed


def test_a_lock_that_comes_later_changes_the_way() -> None:
    class Late:
        def __init__(self):
            self.n = 0

        def inc(self):
            if self.n == 2:
                self.lock = threading.Lock()
            self.n += 1
            return self.n

    calls = [("inc", None, n) for n in (3, 1, 4, 2)]
    result = lp.check(run(*calls, overlap=True), from_class(Late), method="depth-first")
    assert result.ok
    assert "it holds a lock" in result.states
    assert not lp.check(run(*[("inc", None, n) for n in (3, 1, 4, 4)], overlap=True), from_class(Late)).ok


def test_reads_keep_a_replay_short() -> None:
    calls = [("read", None, 0)] * 9 + [("inc", None, 1), ("read", None, 5)]
    result = lp.check(run(*calls, overlap=True), from_class(Locked, readonly=("read",)), timeout=60)
    assert result.verdict is lp.Verdict.VIOLATION


def test_a_given_copy_and_a_given_state() -> None:
    def twin(one):
        other = Locked()
        other.n = one.n
        return other

    model = from_class(Locked, copy=twin, state=lambda one: one.n)
    result = lp.check(run(*[("inc", None, n) for n in (3, 1, 2)], overlap=True), model, method="depth-first")
    assert result.ok
    assert result.states == "copied by the given copy=, told apart by the given state="


def test_the_words_for_a_state() -> None:
    result = lp.check(run(("inc", None, 1), ("inc", None, 1)), from_class(Locked))
    assert "Locked(lock=<unlocked _thread.lock object>, n=1)" in str(result)
    assert "inc would answer 2" in str(lp.explain(result))
    result = lp.check(run(("inc", None, 1), ("inc", None, 1)), from_class(Locked, describe=lambda one: f"n is {one.n}"))
    assert "n is 1" in str(result)


def test_the_whole_explanation() -> None:
    history = run(("put", 1, None), ("take", None, 1), ("put", 2, None), ("take", None, 1))
    explanation = lp.explain(lp.check(history, from_class(Slot), method="depth-first"))
    assert explanation.minimal
    assert explanation.confirmed
    assert "states copied by copy.deepcopy" in explanation.footer


# Faults.


@pytest.mark.parametrize(
    ("cls", "calls", "words"),
    [
        (Dice, [("roll", None, 1)], r"Dice\.roll answers differently when the same calls are run again"),
        (Clock, [("now", None, 1)], r"Clock\.now answers differently"),
        (SharedDefault, [("add", 1, 1), ("add", 2, 2)], r"SharedDefault\.(add|__init__) "),
        (ClassList, [("add", 1, None)], r"ClassList\.add changes an attribute of the class"),
        (ClassCounter, [("add", None, None)], r"ClassCounter\.add changes an attribute of the class"),
    ],
)
@pytest.mark.parametrize("method", ["auto", "depth-first"])
def test_a_class_that_cannot_be_a_specification(cls, calls, words, method) -> None:
    with pytest.raises(lp.ModelError, match=words):
        lp.check(run(*calls, overlap=True), from_class(cls), method=method)


@pytest.mark.parametrize(
    ("cls", "calls", "words"),
    [
        (
            BadCopy,
            [("add", 1, None), ("add", 2, None), ("size", None, 2)],
            r"BadCopy\.\w+ (on one object changed another one|answers differently)",
        ),
    ],
)
def test_a_copy_that_is_none(cls, calls, words) -> None:
    with pytest.raises(lp.ModelError, match=words):
        lp.check(run(*calls, overlap=True), from_class(cls), method="depth-first")


def test_constants_of_a_class_are_fine() -> None:
    assert verdict(from_class(ClassList), ("most", None, 3)) == "LINEARIZABLE"


def test_a_class_that_cannot_be_made() -> None:
    class Needy:
        def __init__(self, what):
            self.what = what

    with pytest.raises(lp.ModelError, match=r"Needy cannot be made: TypeError"):
        verdict(from_class(Needy), ("go", None, None))


def test_a_method_that_does_not_end_ends_with_the_budget() -> None:
    result = lp.check(run(("spin", None, None)), from_class(Endless), timeout=0.2)
    assert (result.verdict, result.cause) == (lp.Verdict.UNKNOWN, lp.Cause.TIME)


def test_memory_is_counted() -> None:
    class Hoard:
        def __init__(self):
            self.items = []

        def add(self, n):
            self.items.append(bytes([n]) * 1_000_000)

    calls = [("add", n, None) for n in range(16)]
    result = lp.check(run(*calls, ("add", 99, 1), overlap=True), from_class(Hoard), memory="60MiB", timeout=60)
    assert (result.verdict, result.cause) == (lp.Verdict.UNKNOWN, lp.Cause.MEMORY)


@pytest.mark.parametrize(("made", "recorded"), [({"a": {1, 2}}, {"a": [2, 1]}), ([{1, 2}, 3], [[2, 1], 3])])
def test_a_set_within_a_result_agrees_in_any_order(made: object, recorded: object) -> None:
    class Holding:
        def get(self) -> object:
            return made

    def verdict(result: object) -> lp.Verdict:
        rows = [{"process": 0, "f": "get", "result": result, "call": 0, "return": 1}]
        return lp.check(rows, from_class(Holding)).verdict

    assert verdict(recorded) is lp.Verdict.LINEARIZABLE
    assert verdict([[1, 3], 3]) is lp.Verdict.VIOLATION


@pytest.mark.parametrize("method", ["auto", "hitting", "depth-first"])
def test_a_result_that_cannot_be_read_is_a_model_error(method: str) -> None:
    class Odd:
        def endless(self) -> list[object]:
            itself: list[object] = []
            itself.append(itself)
            return itself

        def broken(self) -> Iterator[int]:
            yield 1
            raise ValueError("no more")

    for name in ("endless", "broken"):
        rows = [{"process": 0, "f": name, "result": [1], "call": 0, "return": 1}]
        with pytest.raises(lp.ModelError, match=f"Odd.{name}"):
            lp.check(rows, from_class(Odd), method=method)
