"""The same class runs as ordinary Python: atomic steps, locks, memory that is used again, and threads that are recorded."""

import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import linpoint as lp
from linpoint.errors import Blocked, Fault
from linpoint.language import (
    EMPTY,
    GREATEST,
    LEAST,
    THREADS,
    Array,
    Bool,
    Int,
    Lock,
    Node,
    Object,
    Ref,
    Value,
    atomic,
    cas,
    choose,
    compare_exchange,
    fetch_and_add,
    free,
    swap,
    thread_id,
    wait,
)
from linpoint.library.studies import STUDIES, Study


class Thing(Object):
    class Cell(Node):
        value: Value
        next: Ref = None
        row: Array[Int] = Array(2, 0)

    class Few(Node, pool=2):
        value: Value

    n: Int = 0
    b: Bool = False
    top: Ref = None
    slots: Array[Value] = Array(3, None)
    lock: Lock = Lock()
    locks: Array[Lock] = Array(2, Lock())


class Derived(Thing):
    m: Int = 1


def test_primitives() -> None:
    thing = Thing()
    assert cas(thing, n=(0, 1), b=(False, True))
    assert not cas(thing, n=(1, 2), b=(False, True))
    assert (thing.n, thing.b) == (1, True)
    assert not cas(thing, b=(1, False)), "1 is not True"
    assert compare_exchange(thing, n=(5, 6)) == 1
    assert compare_exchange(thing, n=(1, 6)) == 1
    assert fetch_and_add(thing, n=2) == 6
    assert swap(thing, n=0) == 8
    assert thing.slots.swap(0, 4) is None
    assert thing.slots.cas(0, 4, 5)
    assert not thing.slots.cas(0, 4, 6)
    assert thing.slots.compare_exchange(0, 5, 7) == 5
    assert thing.slots.fetch_and_add(0, 2) == 7
    assert (thing.slots[0], len(thing.slots)) == (9, 3)
    with atomic():
        thing.n = 4
    assert choose(1) == 0
    wait(thing.n == 4)
    with pytest.raises(Blocked):
        wait(thing.n == 5)


def test_two_objects_share_nothing() -> None:
    one, other = Thing(), Derived()
    one.slots[0] = 1
    one.lock.acquire()
    other.lock.acquire()
    assert (other.slots[0], other.m) == (None, 1)
    with pytest.raises(Blocked):
        one.lock.acquire()
    assert one.locks[0] is not one.locks[1]
    cell = one.Cell(value=1)
    cell.row[0] = 5
    assert one.Cell(value=2).row[0] == 0


def test_only_declared_fields_exist() -> None:
    thing = Thing()
    with pytest.raises(AttributeError, match="declares no field 'm'"):
        thing.m = 1
    for fields in ({}, {"value": 1, "size": 2}):
        with pytest.raises(TypeError, match="Cell needs exactly its fields value, next, row"):
            thing.Cell(**fields)

    class Bare(Object):
        n: Int

    with pytest.raises(TypeError, match=r"Bare.n has no first value"):
        Bare()


def test_faults() -> None:
    thing = Thing()
    for index in (-1, 3):
        with pytest.raises(Fault, match="outside an array of 3"):
            thing.slots[index] = 1
    with pytest.raises(Fault, match="does not hold"):
        thing.lock.release()
    assert thing.lock.try_acquire()
    assert not thing.lock.try_acquire()
    node = thing.Cell(value=1)
    free(node)
    with pytest.raises(Fault, match="freed twice"):
        free(node)
    with pytest.raises(Fault, match="None cannot be freed"):
        free(None)


def test_freed_memory_is_used_again() -> None:
    thing = Thing()
    node = thing.Cell(value=1)
    free(node)
    assert node.value == 1, "a dangling reference can still be read"
    again = thing.Cell(value=2)
    assert again is node
    assert node.value == 2
    assert thing.Cell(value=3) is not node


def test_a_pool_is_limited() -> None:
    thing = Thing()
    first, second = thing.Few(value=1), thing.Few(value=2)
    with pytest.raises(Blocked, match="all 2 nodes Few are in use"):
        thing.Few(value=3)
    free(first)
    third = thing.Few(value=3)
    assert third is first
    del second
    assert thing.Few(value=4).value == 4, "what nobody refers to is not in use"


def test_bounds() -> None:
    for number in (-1000, 0, 1000):
        assert LEAST < number < GREATEST
        assert number > LEAST
        assert GREATEST >= number >= LEAST
        assert not number <= LEAST
        assert not number > GREATEST
    assert LEAST < GREATEST
    assert LEAST <= LEAST
    assert GREATEST >= GREATEST
    assert not LEAST < LEAST
    assert not GREATEST > GREATEST
    assert repr(LEAST) == "LEAST"


def test_threads_have_numbers_and_give_them_back() -> None:
    mine = thread_id()
    seen: set[int] = set()
    for _ in range(3 * THREADS):
        thread = threading.Thread(target=lambda: seen.add(thread_id()))
        thread.start()
        thread.join()
    assert seen <= set(range(THREADS)) - {mine}
    assert thread_id() == mine


def test_no_more_threads_than_there_are_numbers() -> None:
    together, faults = threading.Barrier(THREADS + 1), list[str]()

    def ask() -> None:
        try:
            thread_id()
        except Fault as fault:
            faults.append(str(fault))
        together.wait()

    threads = [threading.Thread(target=ask) for _ in range(THREADS + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(faults) == {"more than 16 threads ask for their number"}


@pytest.fixture
def eager() -> Iterator[None]:
    """Threads take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def record(instance: Any, plans: list[list[tuple[str, tuple[Any, ...]]]]) -> lp.History:
    """One thread per plan; what they did, and when."""
    operations: list[dict[str, Any]] = []
    start = threading.Barrier(len(plans))

    def run(process: int, plan: list[tuple[str, tuple[Any, ...]]]) -> None:
        start.wait()
        for name, arguments in plan:
            called = time.monotonic_ns()
            result = getattr(instance, name)(*arguments)
            returned = time.monotonic_ns()
            value = arguments[0] if len(arguments) == 1 else list(arguments) or None
            result = "empty" if result is EMPTY else result
            operations.append(
                {"process": process, "f": name, "value": value, "result": result, "call": called, "return": returned}
            )

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(plans)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return lp.History(sorted(operations, key=lambda op: op["call"]))


@pytest.mark.parametrize(
    "study", [study for study in STUDIES.values() if study.linearizable], ids=lambda study: study.name
)
def test_a_right_algorithm_under_threads_is_linearizable(study: Study, eager: None) -> None:
    menu = study.menu((1, 2))
    for seed in range(5):
        plans = [[menu[(seed * 7 + process * 3 + turn) % len(menu)] for turn in range(8)] for process in range(3)]
        if study.name == "hw-queue":  # a dequeue of the empty queue never returns: every thread takes what it put in
            plans = [[("enqueue", (1,)), ("enqueue", (2,)), ("dequeue", ())] * 3 for _ in range(3)]
        model: Any = study.spec if isinstance(study.spec, str) else lp.models.from_class(study.spec)
        assert lp.check(record(study.cls(), plans), model).verdict is lp.Verdict.LINEARIZABLE


class Lossy(Object):
    """A counter that reads first and writes later."""

    n: Int = 0

    def increment(self) -> int:
        before = self.n
        self._pause()
        self.n = before + 1
        return before + 1

    def _pause(self) -> None: ...


def test_a_wrong_algorithm_under_threads_is_caught() -> None:
    """Both threads have read before one of them writes: the schedule is forced, not hoped for."""
    both = threading.Barrier(2)

    class Unlucky(Lossy):
        def _pause(self) -> None:
            both.wait()

    class Counter:
        def __init__(self) -> None:
            self.n = 0

        def increment(self) -> int:
            self.n += 1
            return self.n

    history = record(Unlucky(), [[("increment", ())]] * 2)
    assert [op.result for op in history] == [1, 1]
    assert lp.check(history, lp.models.from_class(Counter)).verdict is lp.Verdict.VIOLATION
