"""Hitting families: the schedules, the depth, the method."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

import linpoint as lp
from linpoint.check import certify_witness
from linpoint.models import from_class


def at_once(*writes: int, read: int) -> lp.History:
    """Writes that overlap, then a read."""
    operations = [
        {"process": i, "f": "write", "value": value, "call": i, "return": 10 + i} for i, value in enumerate(writes)
    ]
    return lp.History([*operations, {"process": 0, "f": "read", "result": read, "call": 30, "return": 31}])


def random_history(dice: random.Random, most: int) -> lp.History:
    """A register, a few processes, ties, and calls that never return."""
    operations: list[dict[str, object]] = []
    clocks = [dice.randrange(4) for _ in range(3)]
    for _ in range(dice.randint(1, most)):
        process = dice.randrange(len(clocks))
        call = clocks[process] + dice.randrange(3)
        record: dict[str, object] = {"process": process, "call": call}
        if dice.random() < 0.5:
            record |= {"f": "write", "value": dice.randrange(3)}
        else:
            record |= {"f": "read", "result": dice.choice([None, 0, 1, 2])}
        if dice.random() < 0.85:
            clocks[process] = call + dice.randrange(1, 6)
            record["return"] = clocks[process]
        else:
            record.pop("result", None)
            clocks[process] = call
            record["process"] = len(clocks) + len(operations)
        operations.append(record)
    return lp.History(operations)


class Register(lp.Model):
    initial = None

    def write(self, _: object, value: object) -> tuple[object, object]:
        return value, None

    def read(self, state: object, _: object) -> tuple[object, object]:
        return state, state


def test_a_family_is_made_lazily_and_hits_every_tuple() -> None:
    history = at_once(1, 2, 3, read=2)
    family = list(lp.hitting_family(history, 2))
    assert len(family) == len({tuple(op.index for op in schedule) for schedule in family}) == 6
    for pair in itertools.product(history, repeat=2):
        assert any(lp.strongly_hits(schedule, pair) for schedule in family)
    big = lp.History([{"process": i, "f": "write", "value": i, "call": i, "return": 1000 + i} for i in range(100)])
    first = next(lp.hitting_family(big, 40))  # one of more schedules than there are atoms
    assert len(first) == 100


@pytest.mark.parametrize("seed", range(60))
def test_every_tuple_of_a_random_history_is_hit(seed: int) -> None:
    history = random_history(random.Random(seed), 6)
    for d in (1, 2, 3):
        family = list(lp.hitting_family(history, d))
        for operations in itertools.product(history, repeat=d):
            assert any(lp.strongly_hits(schedule, operations) for schedule in family), (seed, d, operations)


def test_hitting_means_as_late_as_possible() -> None:
    one, two, three, read = at_once(1, 2, 3, read=2)
    assert lp.strongly_hits([three, one, two, read], [one, two])
    assert not lp.strongly_hits([one, three, two, read], [one, two]), "nothing forces 3 behind 1"
    assert not lp.strongly_hits([three, two, one, read], [one, two])
    with pytest.raises(lp.UsageError):
        lp.strongly_hits([one, two], [three])
    with pytest.raises(lp.UsageError):
        lp.hitting_family([], 0)


def test_depth_and_the_method_report_what_they_ran() -> None:
    history = at_once(1, 2, 3, read=2)
    assert lp.depth(history, "register") == lp.depth(history, Register) == 1
    result = lp.check(history, "register", method="hitting")
    assert (result.ok, result.certified) == (True, True)
    assert (result.statistics.depth, result.statistics.schedules, result.statistics.family) == (1, 3, (3,))
    assert {"depth", "schedules", "family"} < result.to_dict().keys()


def test_no_witness_up_to_a_depth_is_unknown_and_all_schedules_are_a_violation() -> None:
    history = at_once(1, 2, 3, read=4)
    result = lp.check(history, Register(), method="hitting", depth=1)
    assert (result.verdict, result.cause) == (lp.Verdict.UNKNOWN, lp.Cause.DEPTH)
    assert "3 schedules up to depth 1" in str(result)
    result = lp.check(history, Register(), method="hitting")
    assert (result.verdict, result.confirmed) == (lp.Verdict.VIOLATION, True)
    assert result.statistics.depth is None
    assert lp.depth(history, Register()) is None


def test_a_depth_is_for_hitting_only() -> None:
    for options in ({"depth": 1}, {"depth": 0, "method": "hitting"}):
        with pytest.raises(lp.UsageError, match="depth"):
            lp.check(at_once(1, read=1), "register", **options)  # type: ignore[arg-type]


def test_budgets_end_a_family_and_a_depth() -> None:
    many = lp.History([{"process": i, "f": "write", "value": i, "call": i, "return": 1000 + i} for i in range(60)])
    with pytest.raises(lp.Unfinished):
        for _ in lp.hitting_family(many, 5, memory=100_000):
            pass
    with pytest.raises(lp.Unfinished):
        for _ in lp.hitting_family(many, 5, timeout=0.01):
            pass
    with pytest.raises(lp.Unfinished):
        lp.depth(
            [*many, {"process": 99, "f": "read", "result": 99, "call": 2000, "return": 2001}], "register", timeout=0.05
        )
    with pytest.raises(lp.UsageError):
        lp.depth(
            [*many, *({"process": 99, "f": "read", "call": i, "return": i} for i in range(2000, 2006))], "register"
        )


def test_keys_are_judged_apart_and_the_deepest_counts() -> None:
    operations = [
        {"process": i, "f": "write", "key": key, "value": i, "call": i, "return": 10 + i}
        for i in range(3)
        for key in "xy"
    ]
    for n, op in enumerate(operations):
        op["process"] = n
    reads = [{"process": key, "f": "read", "key": key, "result": 1, "call": 30, "return": 31} for key in "xy"]
    result = lp.check([*operations, *reads], "register", method="hitting")
    assert (result.ok, result.parts, result.statistics.depth) == (True, 2, 1)
    assert result.statistics.family == (6,)


@pytest.mark.parametrize("seed", range(300))
def test_hitting_and_the_search_never_contradict_each_other(seed: int) -> None:
    history = random_history(random.Random(seed), 7)
    model = Register() if seed % 2 else lp.models.Register()
    exact = lp.check(history, model)
    assert lp.check(history, model, method="hitting").verdict is exact.verdict
    shallow = lp.check(history, model, method="hitting", depth=1 + seed % 3)
    assert shallow.verdict in (exact.verdict, lp.Verdict.UNKNOWN)
    if shallow.order is not None:
        assert certify_witness(history, model, shallow.order)


# Classes that can only be run.


def puts(*results: object, count: int = 4) -> lp.History:
    """Assignments that overlap, then reads one after the other."""
    operations: list[dict[str, object]] = [
        {"process": i, "f": "put", "value": [i % 2, i], "call": i, "return": 10 + i} for i in range(count)
    ]
    for i, result in enumerate(results):
        operations.append(
            {"process": 9, "f": "get", "value": i, "result": result, "call": 20 + 2 * i, "return": 21 + 2 * i}
        )
    return lp.History(operations)


SEEN: Counter[str] = Counter()
"""What was done with all tables: outside of the class, for a specification keeps its state in the object."""


class Table:
    """An ordinary class that nobody wrote to be checked against."""

    def __init__(self) -> None:
        self.entries: dict[object, object] = {}

    def put(self, key: object, value: object) -> None:
        SEEN["calls"] += 1
        self.entries[key] = value

    def get(self, key: object) -> object:
        SEEN["calls"] += 1
        return self.entries[key]

    def twin(self) -> Table:
        SEEN["copies"] += 1
        twin = Table()
        twin.entries = dict(self.entries)
        return twin


MISSING = {"raised": "KeyError"}


def test_a_class_is_run_and_its_exceptions_are_answers() -> None:
    result = lp.check(puts(2, 1, MISSING), from_class(Table), method="hitting")
    assert (result.ok, result.certified, result.statistics.depth) == (True, True, 1)
    assert lp.check(puts(2, 1, 5), from_class(Table), method="hitting").verdict is lp.Verdict.VIOLATION
    assert lp.depth(puts(2, 1, MISSING), from_class(Table)) == 2, "each key has a last write"


def test_a_pending_call_may_raise_and_may_never_happen() -> None:
    pending = {"process": 7, "f": "get", "value": "nothing", "call": 0}
    late = {"process": 8, "f": "put", "value": [0, 9], "call": 0}
    for last, happened in ((2, False), (9, True)):
        history = lp.History([*puts(last, 1), pending, late])
        result = lp.check(history, from_class(Table), method="hitting")
        assert result.ok
        assert (7 in (result.order or ())) is happened, "operation 7 is the late one"


@pytest.mark.parametrize("copied", [True, False])
def test_prefixes_are_run_once_where_an_object_can_be_copied(copied: bool) -> None:
    SEEN.clear()
    history = puts(2, 7, count=6)  # no order explains the second get: all 6! schedules are run
    result = lp.check(history, from_class(Table, copy=Table.twin if copied else None), method="hitting", certify=False)
    assert (result.verdict, result.statistics.schedules) == (lp.Verdict.VIOLATION, 720)
    assert (SEEN["copies"] > 0) is copied
    assert result.configurations < 720 * 8, "a prefix that fails is done with"
    again = lp.check(history, from_class(Table, copy=None), method="hitting", certify=False)
    assert (3 * result.configurations < 2 * again.configurations) is copied


def test_auto_runs_a_few_schedules_of_a_class_before_it_searches() -> None:
    result = lp.check(puts(2, 1), from_class(Table))
    assert (result.method, result.statistics.depth) == ("hitting", 1)
    assert "can only be run" in result.statistics.why_method
    assert "one of the schedules takes each of them as late as real time" in result.statistics.why_method
    deep = lp.check(puts(2, 5), from_class(Table))
    assert (deep.verdict, deep.confirmed) == (lp.Verdict.VIOLATION, True)
    assert deep.method != "hitting"
    assert "a search went on" in deep.statistics.why_method


class Moody(Table):
    """Answers otherwise when it is run the third time."""

    def get(self, key: object) -> object:
        SEEN["gets"] += 1
        return super().get(key) if SEEN["gets"] < 3 else -1


class Forgetful(Table):
    """A copy of it is empty."""

    def twin(self) -> Table:
        return Forgetful()


def test_a_class_that_answers_otherwise_when_it_is_run_again_is_no_specification() -> None:
    SEEN.clear()
    history = puts(2, 1)
    early = {"process": 20, "f": "get", "value": 3, "result": MISSING, "call": -9, "return": -8}
    with pytest.raises(lp.ModelError, match=r"Moody.get"):
        lp.check([early, *history], from_class(Moody, copy=None), method="hitting")


def test_a_class_that_answers_otherwise_on_a_copy_is_no_specification() -> None:
    first = [{"process": 20, "f": "put", "value": [i, 5], "call": 2 * i - 20, "return": 2 * i - 19} for i in (5, 6, 7)]
    seen = {"process": 20, "f": "get", "value": 5, "result": 5, "call": 18, "return": 19}  # not on a copy
    history = lp.History([*first, *puts(2, 7), seen])
    with pytest.raises(lp.ModelError, match=r"Forgetful.get answers differently on a copy"):
        lp.check(history, from_class(Forgetful, copy=Forgetful.twin), method="hitting")


class Endless(Table):
    def get(self, key: object) -> object:
        while True:
            pass


def test_time_ends_a_class_that_never_answers() -> None:
    result = lp.check(puts(2), from_class(Endless), method="hitting", timeout=0.2)
    assert (result.verdict, result.cause) == (lp.Verdict.UNKNOWN, lp.Cause.TIME)


# States that cannot be hashed, and what is told.


class Stack(lp.Model):
    """Its states are lists: they cannot be hashed."""

    initial: list[object] = []  # noqa: RUF012

    def push(self, state: list[object], value: object) -> tuple[list[object], None]:
        return [*state, value], None

    def pop(self, state: list[object], _: object) -> tuple[list[object], object]:
        return (state[:-1], state[-1]) if state else (state, None)


class InPlace(Stack):
    initial: list[object] = []  # noqa: RUF012

    def push(self, state: list[object], value: object) -> tuple[list[object], None]:
        state.append(value)
        return state, None


def pushes(*keys: str, popped: object) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for key in keys:
        row = {"f": "push", "key": key}
        rows += [{**row, "process": f"{key}{i}", "value": i, "call": i, "return": 10 + i} for i in range(3)]
        rows.append({"process": key, "f": "pop", "key": key, "result": popped, "call": 30, "return": 31})
    return rows


def test_states_that_cannot_be_hashed_are_run_first_and_then_searched() -> None:
    result = lp.check(pushes("x", popped=1), Stack())
    assert (result.ok, result.certified, result.method) == (True, True, "hitting")
    assert result.statistics.why_method.startswith("the states of the specification cannot be hashed; a witness in")
    wide = [{**row, "process": i, "call": 0, "return": 99} for i, row in enumerate(pushes("x", "y", popped=7))]
    deep = lp.check([{**row, "key": "x"} for row in wide], Stack())
    assert (deep.verdict, deep.confirmed) == (lp.Verdict.VIOLATION, True)
    assert deep.method != "hitting"
    assert "the states of the specification cannot be hashed; no witness among" in deep.statistics.why_method
    with pytest.raises(lp.ModelError, match=r"InPlace\.push changed the state that it was given, in place"):
        lp.check(pushes("x", popped=1), InPlace())


@pytest.mark.parametrize("seed", range(60))
def test_states_that_cannot_be_hashed_get_the_same_verdict(seed: int) -> None:
    class Listed(lp.Model):
        initial: list[object] = [None]  # noqa: RUF012

        def write(self, _: object, value: object) -> tuple[object, object]:
            return [value], None

        def read(self, state: list[object], _: object) -> tuple[object, object]:
            return state, state[0]

    history = random_history(random.Random(seed), 7)
    exact = lp.check(history, lp.models.Register()).verdict
    for method in ("auto", "hitting", "depth-first", "breadth-first"):
        assert lp.check(history, Listed(), method=method).verdict is exact


def test_what_is_told_counts_all_parts() -> None:
    for popped, words in ((1, "witnesses in families up to depth 1"), (7, "no witness for one part")):
        rows = [*pushes("x", popped=1), *pushes("y", popped=popped)]
        result = lp.check(rows, Stack(), method="hitting")
        count = result.statistics.schedules
        assert result.statistics.why_method.startswith(f"{words} among {count} schedules of 2 parts; depth d")
    one = lp.check(pushes("x", popped=7)[:1], Stack(), method="hitting")
    assert one.statistics.why_method.startswith("a witness in the family of depth 1 among 1 schedule; depth d")


def test_unknown_shows_how_far_the_schedules_came() -> None:
    result = lp.check(pushes("x", "y", popped=7), Stack(), method="hitting", depth=1)
    assert result.cause is lp.Cause.DEPTH
    assert "no witness among the 3 schedules of this part up to depth 1" in str(result)
    assert len(result.prefix_order) == 3
    assert result.stuck is not None
    assert (result.stuck.f, [op.f for op in result.frontier]) == ("pop", ["pop"])
    (candidate,) = result.candidates
    assert candidate.state == str([result.history[i].value for i in candidate.order])
    shipped = lp.check(at_once(1, 2, 3, read=4), "register", method="hitting", depth=1)
    assert len(shipped.prefix_order) == 3


@pytest.mark.parametrize("d", [None, "2", 1.5, 10**30, True, 0, -1, [2]])
def test_a_depth_is_a_whole_number(d: object) -> None:
    with pytest.raises(lp.UsageError, match="a depth is a whole number from 1 to 1,000,000"):
        lp.hitting_family(at_once(1, read=1), d)  # type: ignore[arg-type]
