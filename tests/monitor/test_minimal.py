"""Which operations does a violation show, and what does it say of them? `minimal.py` tries out the same of thousands."""

from dataclasses import replace
from typing import Any

import pytest

import linpoint as lp
from tests.agreement.generate import MODELS
from tests.monitor.minimal import FINE, verdict


@pytest.mark.parametrize("model", MODELS)
def test_no_operation_is_too_many(model: str) -> None:
    found = {seed: verdict(model, seed) for seed in range(60)}
    wrong = {f"{model}/{seed}": said for seed, said in found.items() if said is not None and said not in FINE}
    assert not wrong, "replay with python -m tests.monitor.minimal"
    assert sum(said == "minimal" for said in found.values()) >= 10


def one_by_one(model: str, *operations: tuple[str, Any, Any]) -> lp.Violation:
    """What a monitor says of these, asked after each of them."""
    with lp.Monitor(model) as monitor:
        for number, (f, value, result) in enumerate(operations, 1):
            monitor.ret(monitor.call("p", f, value), result)
            assert (monitor.violation is None) == (number < len(operations))
    assert monitor.violation is not None
    return monitor.violation


def names(operations: tuple[lp.Operation, ...]) -> list[str]:
    return [str(op).partition(" (")[0] for op in operations]


def test_what_others_saw_is_shown_beside_those_that_contradict_each_other() -> None:
    said = one_by_one("queue", ("enqueue", 1, None), ("enqueue", 2, None), ("dequeue", None, 2))
    assert names(said.operations) == ["enqueue(1)", "dequeue() → 2"]
    assert names(said.support) == ["enqueue(2)"]
    assert str(said).splitlines()[2:] == [
        "These 2 operations contradict each other, whatever else happened:",
        "  enqueue(1) (process p, events 1 to 2)",
        "  dequeue() → 2 (process p, events 5 to 6)",
        "What they saw comes from here:",
        "  enqueue(2) (process p, events 3 to 4)",
    ]
    assert said.minimal
    assert said.to_dict()["minimal"]
    assert [op["value"] for op in said.to_dict()["support"]] == [2]
    result = said.result()
    assert result is not None
    assert len(result.history) == 3


def test_the_accused_operation_is_one_that_cannot_be_left_out() -> None:
    monitor = lp.Monitor("register")
    early = monitor.call("a", "write", 1)
    monitor.ret(monitor.call("b", "read"), 1)
    monitor.ret(monitor.call("b", "write", 1))
    assert monitor.violation is None  # it may have read what a writes
    monitor.fail(early)
    assert monitor.violation is not None
    assert names(monitor.violation.operations) == ["read() → 1"]
    assert monitor.violation.accused == monitor.violation.operations[0]


def test_what_is_forgotten_is_not_spoken_of() -> None:
    before = [("enqueue", 1, None), ("dequeue", None, 1)]
    said = one_by_one("queue", *before, ("enqueue", 1, None), ("dequeue", None, 1), ("dequeue", None, 1))
    assert "whatever else happened" not in str(said)
    monitor = lp.Monitor("priority-queue:order=min")
    for value in (1, 2):
        monitor.ret(monitor.call("a", "insert", value))
    monitor.info(monitor.call("b", "poll"))
    monitor.ret(monitor.call("a", "peek"), 2)  # so b has taken 1
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("a", "poll"), 2)
    monitor.ret(monitor.call("a", "insert", 3))
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("a", "peek"), None)
    assert monitor.violation is not None  # though b could have taken 3, had it not taken 1
    assert not monitor.violation.whole
    assert "after what happened before, which is forgotten by now" in str(monitor.violation)


def test_what_was_not_tried_out_is_not_called_minimal() -> None:
    said = replace(one_by_one("register", ("write", 1, None), ("read", None, 2)), minimal=False)
    assert "perhaps fewer operations would do" in str(said)
    assert said.to_dict()["minimal"] is False
