"""A model may look at any field of an operation, and operations are told apart by exactly what was looked at."""

import copy
import dataclasses
import pickle

import pytest

import linpoint as lp
from linpoint import Verdict
from linpoint.models.fields import FIELDS, Looks, by_kind, looks_of

METHODS = ["auto", "depth-first", "breadth-first", "wgl"]


def rows(*operations):
    """One after the other: (process, f, further fields)."""
    return [
        {"process": process, "f": f, "call": 2 * place, "return": 2 * place + 1, **more}
        for place, (process, f, more) in enumerate(operations)
    ]


def owner_lock():
    class OwnerLock(lp.Model):
        initial = None

        def step(self, holder, op):
            if op.f == "acquire":
                return [op.process] if holder is None else []
            return [None] if holder == op.process else []

    return OwnerLock()


@pytest.mark.parametrize("method", METHODS)
def test_finding_1_a_lock_is_released_by_its_owner(method):
    taken = [(0, "acquire", {}), (0, "release", {}), (1, "acquire", {})]
    stolen = lp.check(rows(*taken, (0, "release", {})), owner_lock(), method=method)
    assert (stolen.verdict, stolen.stuck_index, stolen.confirmed) == (Verdict.VIOLATION, 3, True)
    assert "release" in str(stolen)
    released = lp.check(rows(*taken, (1, "release", {})), owner_lock(), method=method)
    assert (released.verdict, released.certified) == (Verdict.LINEARIZABLE, True)


@pytest.mark.parametrize("method", METHODS)
def test_finding_2_extra_fields(method):
    class Register(lp.Model):
        initial = 0

        def step(self, state, op):
            if op.f == "w":
                return [op.extra["v"]]
            return [state] if state == op.extra["r"] else []

    written = [(0, "w", {"v": 1}), (0, "r", {"r": 1}), (0, "w", {"v": 2})]
    assert lp.check(rows(*written, (0, "r", {"r": 1})), Register(), method=method).verdict is Verdict.VIOLATION
    assert lp.check(rows(*written, (0, "r", {"r": 2})), Register(), method=method).certified


@pytest.mark.parametrize("count", [3, 50, 300])
@pytest.mark.parametrize("method", METHODS)
def test_finding_3_times_of_calls(method, count):
    class Limiter(lp.Model):
        initial = -100

        def step(self, last, op):
            free = op.call - last >= 10
            return [op.call] if op.result and free else [last] if op.result == free else []

    def calls(apart):
        return [
            {"process": 0, "f": "allow", "result": True, "call": i * apart, "return": i * apart + 1}
            for i in range(count)
        ]

    assert lp.check(calls(20), Limiter(), method=method).certified
    assert lp.check(calls(9), Limiter(), method=method).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("method", METHODS)
def test_pending_twins_are_no_twins_when_the_process_counts(method):
    """Whose pending acquire took effect? Only process 2 can have released the lock."""
    history = [
        {"process": 1, "f": "acquire", "call": 0},
        {"process": 2, "f": "acquire", "call": 1},
        {"process": 3, "f": "noop", "call": 2, "return": 3},
    ]

    class Waiting(type(owner_lock())):
        def step(self, holder, op):
            return [holder] if op.f == "noop" else super().step(holder, op)

    assert lp.check([*history, {"process": "2", "f": "release", "call": 4}], Waiting(), method=method).ok
    held = {"process": 3, "f": "held by", "value": 2, "call": 6, "return": 7}

    class Asked(Waiting):
        def step(self, holder, op):
            return ([holder] if holder == op.value else []) if op.f == "held by" else super().step(holder, op)

    assert lp.check([*history, held], Asked(), method=method).ok
    assert lp.check([*history, held | {"value": 3}], Asked(), method=method).verdict is Verdict.VIOLATION


LOOKS = {
    "f": (lambda op: op.f, ""),
    "value, result, key": (lambda op: (op.value, op.result, op.key), ""),
    "pending, ok, type": (lambda op: (op.pending, op.ok, op.type), ""),
    "str": (str, ""),
    "process": (lambda op: op.process, "process"),
    "call": (lambda op: op.call, "call"),
    "getattr": (lambda op: getattr(op, "ret"), "ret"),  # noqa: B009 - as a user may write it
    "line": (lambda op: op.line, "line"),
    "repr": (repr, "process call ret index"),
    "hash": (hash, "process call ret extra"),
    "==": (lambda op: op == lp.Operation(process=0, f="f"), "process call ret extra"),
    "== from the other side": (lambda op: lp.Operation(process=0, f="f") == op, "process call ret extra"),
    "replace": (lambda op: dataclasses.replace(op, process=1), "call ret index line extra"),
    "copy": (copy.copy, "process call ret index line extra"),
    "deepcopy": (copy.deepcopy, "process call ret index line extra"),
    "pickle": (lambda op: pickle.loads(pickle.dumps(op)), "process call ret index line extra"),
    "asdict": (dataclasses.asdict, "process call ret index line extra"),
    "to_record": (lambda op: op.to_record(), "process call ret extra"),
}


@pytest.mark.parametrize("name", LOOKS)
def test_what_is_read_is_noted(name):
    look, fields = LOOKS[name]
    looks = Looks()
    plain = lp.Operation(process=7, f="f", value=(1,), result=2, call=3, ret=4, key="k", index=5, extra={"x": 1})
    noted = looks.at(copy.copy(plain))
    assert looks.fields == set()
    seen, expected = look(noted), look(plain)
    assert seen == expected
    assert looks.fields == set(fields.split())
    assert isinstance(noted, lp.Operation)
    assert (noted == plain, plain == noted, hash(noted) == hash(plain)) == (True, True, True)


class Counting(lp.Model):
    """Counts how often it is asked; `looks` says at what it looks."""

    initial = 0
    asked = 0
    looks = ()

    def step(self, state, op):
        self.asked += 1
        for name in self.looks:
            getattr(op, name)
        return [state] if op.result == 1 else [1]


def test_equal_operations_share_their_work_unless_the_model_looks():
    def asked(*fields):
        model = type("Counted", (Counting,), {"looks": fields})()
        history = lp.History(
            {"process": i % 4, "f": "get", "result": 1, "call": 10 * (i // 2), "return": 10 * (i // 2) + 5 + i % 2}
            for i in range(200)
        )
        assert lp.check(history, model, certify=False).ok
        return len(by_kind(history, model, lambda kinds: kinds.examples)), model.asked < 50

    assert asked() == (1, True)
    assert asked("process") == (4, True)
    assert asked("call")[0] == 100
    assert asked("process", "call") == (200, False)
    assert asked("index")[0] == asked("ret")[0] == 200
    assert asked("line", "extra") == (1, True)


def test_what_one_instance_reads_is_known_of_its_class():
    model = owner_lock()
    assert looks_of(model).fields == set()
    lp.check(rows((0, "acquire", {})), model)
    assert looks_of(type(model)()).fields == {"process"}
    assert {"process"} <= set(FIELDS)


def test_a_state_that_holds_the_operation():
    class Last(lp.Model):
        initial = None

        def step(self, last, op):
            if op.f == "do":
                return [op]
            return [last] if last is not None and last.process == op.value else []

    history = rows((1, "do", {}), (2, "do", {}), (3, "who", {"value": 2}))
    assert lp.check(history, Last()).certified
    assert lp.check([*history[:2], history[2] | {"value": 1}], Last()).verdict is Verdict.VIOLATION


def test_partition_and_readonly_may_look_as_well():
    class Sessions(lp.Model):
        """Every process has a counter of its own."""

        initial = 0

        def step(self, count, op):
            return [count + 1] if op.f == "inc" else [count] if count == op.result else []

        def partition(self, op):
            return op.process

        def readonly(self, op):
            return op.f == "get" and op.call >= 0

    history = rows((0, "inc", {}), (1, "inc", {}), (0, "get", {"result": 1}), (1, "get", {"result": 1}))
    for partition in (True, False):
        good = lp.check(history, Sessions(), partition=partition)
        assert (good.certified, good.parts) == (True, 2 if partition else 1)
        bad = lp.check([*history[:3], history[3] | {"result": 2}], Sessions(), partition=partition)
        assert (bad.verdict, bad.stuck_index) == (Verdict.VIOLATION, 3)
    assert list(bad.scope) == [0, 1, 2, 3]


def test_linpoint_itself_does_not_look():
    """A fault is reported with the number of its operation; that must not make every operation a kind of its own."""

    class Faulty(Counting):
        def step(self, state, op):
            if state == 1 and op.result == 2:
                raise ValueError("no")
            return super().step(state, op)

    history = rows((0, "set", {"result": 2}), *[(0, "get", {"result": 1})] * 9)
    assert lp.check(history, Faulty()).ok
    assert looks_of(Faulty()).fields == set()
