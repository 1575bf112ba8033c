"""Every witness of a shipped model is replayed natively before it is reported; one that is wrong never is."""

from dataclasses import replace
from importlib import import_module

import pytest

import linpoint as lp
from linpoint.budget import Budget
from linpoint.check.own import Stopped
from linpoint.check.replay import replay

room = import_module("linpoint.check.check")  # `linpoint.check` is the function


def queue(*results):
    adds = [{"process": 0, "f": "enqueue", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(len(results))]
    takes = [
        {"process": 1, "f": "dequeue", "result": r, "call": 100 + 2 * i, "return": 101 + 2 * i}
        for i, r in enumerate(results)
    ]
    return lp.History([*adds, *takes])


def found(history, model="queue"):
    return lp.check(history, model, certify=False)


def test_a_witness_passes():
    result = found(queue(0, 1, 2))
    assert replay(result, Budget.start(), 1) is True
    assert not result.certified
    assert lp.check(queue(0, 1, 2), "queue").certified


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ((0, 1, 2, 3, 4), "lacks operation 5"),
        ((0, 1, 2, 3, 4, 5, 5), "has operation 5 twice"),
        ((0, 1, 2, 3, 4, 6), "operation 6 that does not exist"),
        ((0, 2, 1, 3, 4, 5), "operation 2 before 1, which had returned when 2 was called"),
    ],
)
def test_a_tampered_witness_does_not(order, words):
    result = replace(found(queue(0, 1, 2)), evidence=lp.Witness(order))
    with pytest.raises(lp.InternalError, match=words):
        replay(result, Budget.start(), 1)


def test_a_wrong_answer_does_not():
    result = replace(found(queue(0, 1, 2)), history=queue(0, 2, 1))
    with pytest.raises(lp.InternalError, match=r"operation 4 where the model.*: dequeue\(\) → 2"):
        replay(result, Budget.start(), 1)


def test_a_check_reports_no_wrong_witness(monkeypatch):
    result = room._result

    def careless(found, *rest):
        return result(replace(found, evidence=lp.Witness((0, 2, 1, 3, 4, 5))), *rest)

    monkeypatch.setattr(room, "_result", careless)
    with pytest.raises(lp.InternalError, match="operation 2 before 1"):
        lp.check(queue(0, 1, 2), "queue")


def test_what_one_run_cannot_tell_is_left_to_python():
    """A pending take took 1 or 2, which later operations know."""
    rows = [("add", 1, None, 0, 1), ("add", 2, None, 0, 1), ("take", None, None, 2, None), ("contains", 1, False, 4, 5)]
    names = ("f", "value", "result", "call", "return")
    history = lp.History([{"process": i, **dict(zip(names, row, strict=True))} for i, row in enumerate(rows)])
    result = found(history, "bag")
    assert result.ok
    assert replay(result, Budget.start(), 1) is False
    assert lp.check(history, "bag").certified


def test_own_models_and_violations_are_not_its_business():
    class Mine(lp.models.Queue):
        pass

    assert replay(found(queue(0, 1), Mine()), Budget.start(), 1) is False
    assert replay(found(queue(1, 0)), Budget.start(), 1) is False


def test_the_budget_ends_it():
    result = found(queue(0, 1, 2))
    with pytest.raises(Stopped, match="time"):
        replay(result, Budget.start(0), 1)
    with pytest.raises(Stopped, match="memory"):
        replay(result, Budget.start(memory=1), 1)


def test_a_witness_that_was_not_replayed_in_time_is_none(monkeypatch):
    monkeypatch.setattr(room, "replay", lambda *_: (_ for _ in ()).throw(Stopped("time")))
    result = lp.check(queue(0, 1, 2), "queue")
    assert (result.verdict, result.cause, result.order) == (lp.Verdict.UNKNOWN, lp.Cause.TIME, None)
