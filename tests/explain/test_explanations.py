"""Is every claim true? Counterexamples of random histories of every model, judged by the oracle with every subset of the rest.

"Whatever else happened" is tried with each subset of what was left out; "after a cut" with everything before the cut and each
subset of what was called since. All outputs accuse the same operation, and every certificate is accepted.
"""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest

import linpoint as lp
from linpoint.explain.certificate import certificate, load, said_of
from linpoint.explain.paste import pytest_function
from linpoint.explain.save import rendered
from linpoint.explain.validate import validate
from tests.agreement import generate, oracle

ROUNDS = 60
MOST_FREE = 7
"""Of more operations that were left out, subsets are not tried one by one."""

Records = list[dict[str, Any]]


def violations(name: str) -> list[tuple[str, Records, lp.Result]]:
    found = []
    for seed in range(ROUNDS):
        spec, records = generate.history(name, seed)
        for partition in (True, False):
            result = lp.check(lp.History(records), spec, partition=partition)
            if result.verdict is lp.Verdict.VIOLATION:
                found.append((spec, records, result))
    return found


def subsets(free: list[int]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(free) + 1) for chosen in combinations(free, size)]


def holds(spec: str, records: Records, explanation: lp.Explanation) -> bool:
    """Has what is claimed no order, with every subset of what was left out?"""
    given = set(explanation.operations)
    if explanation.cut is not None:
        calls, returns = lp.History(records).columns.ranks()
        cut = returns[explanation.cut.after]
        given |= {index for index in range(len(records)) if cut is not None and calls[index] < cut}
    free = [index for index in range(len(records)) if index not in given and records[index].get("type") != "fail"]
    chosen = subsets(free) if len(free) <= MOST_FREE else [(), tuple(free)]
    return not any(oracle.linearizable(spec, [records[i] for i in sorted({*given, *more})]) for more in chosen)


@pytest.mark.parametrize("name", generate.MODELS)
def test_every_claim_holds(name: str) -> None:
    found = violations(name)
    assert len(found) > 5
    for spec, records, result in found:
        explanation = lp.explain(result)
        assert explanation.claim is not None, f"{spec}: {records}"
        assert explanation.accused == result.stuck_index
        assert holds(spec, records, explanation), f"{spec}: {records}\n{explanation}"
        if explanation.cut is None:
            kept = [records[index] for index in explanation.operations]
            assert not oracle.linearizable(spec, kept)
            again = lp.check(lp.History(kept), spec)
            assert again.stuck_index == explanation.crossed_out, f"{spec}: {kept} goes wrong elsewhere"


@pytest.mark.parametrize("name", generate.MODELS)
def test_all_outputs_accuse_the_same_operation(name: str) -> None:
    for spec, records, result in violations(name)[:20]:
        explanation = lp.explain(result)
        accused = result.stuck_index
        assert explanation.headline.count(f"operation {accused}") == 1
        saved = json.loads(json.dumps(certificate(explanation)))
        assert validate(saved, result.history).startswith("violation"), f"{spec}: {records}"
        assert saved["stuck"]["index"] == saved["explanation"]["accused"] == accused
        assert said_of(explanation)["explanation"]["accused"] == accused
        assert f'class="op stuck" data-op="{accused}"' in rendered(explanation, "x.html")
        assert str(explanation).count("✗ ") == 2, "in the picture and in its legend"
        again = load(saved)
        assert str(again) == str(explanation), "a saved explanation says what was said"
        run_pasted(again)


def run_pasted(explanation: lp.Explanation) -> None:
    """Runs the test that `linpoint explain --pytest` would print."""
    names: dict[str, Any] = {}
    exec(compile(pytest_function(explanation), "pasted", "exec"), names)
    (test,) = [value for name, value in names.items() if name.startswith("test_")]
    test()


def test_a_pasted_test_accuses_the_same_of_two_that_return_at_once() -> None:
    """The operations are listed by their calls; of returns at the same time the first in the file is the earlier."""
    records = [
        {"process": 0, "f": "read", "result": 3, "call": 11, "return": 11},
        {"process": 1, "f": "write", "value": 3, "call": 6, "return": 7},
        {"process": 2, "f": "write", "value": 2, "call": 6, "return": 9},
        {"process": 3, "f": "read", "result": 2, "call": 10, "return": 11},
    ]
    explanation = lp.explain(lp.check(lp.History(records), "register"))
    assert (explanation.accused, explanation.operations) == (3, (1, 2, 3, 0))
    run_pasted(explanation)


def test_a_test_of_a_cut_is_pasted_with_everything_that_led_there() -> None:
    adds = [{"process": 0, "f": "add", "value": 1, "call": 2 * i, "return": 2 * i + 1} for i in range(50)]
    late = {"process": 2, "f": "add", "value": 1, "call": 500, "return": 501}
    other = {"process": 3, "f": "add", "value": 1, "key": "other", "call": 0, "return": 1}
    read = {"process": 1, "f": "read", "result": 17, "call": 200, "return": 201}
    explanation = lp.explain(lp.check(lp.History([*adds, late, other, read]), "counter"))
    assert explanation.claim is lp.Claim.AFTER_CUT
    pasted = pytest_function(explanation)
    assert pasted.count("'process'") == 51, "neither what came later nor what is on another key"
    run_pasted(explanation)


def test_an_open_read_that_returns_after_the_accused_one_is_not_named_at_a_cut() -> None:
    """It may have taken effect before the cut or not: that changes nothing, and no reason to give the counterexample up."""
    adds = [{"process": 0, "f": "add", "value": 1, "call": 2 * i, "return": 2 * i + 1} for i in range(50)]
    slow = {"process": 2, "f": "read", "result": 25, "call": 0, "return": 400}
    read = {"process": 1, "f": "read", "result": 17, "call": 200, "return": 201}
    explanation = lp.explain(lp.check(lp.History([*adds, slow, read]), "counter"))
    assert (explanation.claim, explanation.operations) == (lp.Claim.AFTER_CUT, (51,))


class Owned(lp.Model):
    """A lock that knows its owner: a model of the user's that looks at the process."""

    initial = None

    def step(self, owner: Any, op: lp.Operation) -> list[Any]:
        if op.f == "acquire":
            return [op.process] if owner is None else []
        return [None] if owner == op.process else []


def test_own_models_are_explained_too() -> None:
    lock = [
        {"process": 0, "f": "acquire", "call": 0, "return": 1},
        {"process": 0, "f": "release", "call": 2, "return": 3},
        {"process": 1, "f": "acquire", "call": 4, "return": 5},
        {"process": 0, "f": "release", "call": 6, "return": 7},
    ]
    explanation = lp.explain(lp.check(lp.History(lock), Owned()))
    assert (explanation.claim, explanation.accused, explanation.operations) == (lp.Claim.WHATEVER_ELSE, 3, (2, 3))


def test_finding_28_a_long_past_is_a_cut() -> None:
    """A counter has too many states to say anything about all of them: what can be reached at a cut is enough."""
    adds = [{"process": 0, "f": "add", "value": 1, "call": 2 * i, "return": 2 * i + 1} for i in range(5_000)]
    read = {"process": 1, "f": "read", "result": 17, "call": 20_000, "return": 20_001}
    history = lp.History([*adds, read])
    explanation = lp.explain(lp.check(history, "counter"))
    assert (explanation.claim, explanation.operations) == (lp.Claim.AFTER_CUT, (5_000,))
    assert explanation.words[0] == (
        "After the first 5,000 operations to return, up to add(1) (process 0, operation 4999), every order leads to 5000."
    )
    assert "after the cut" in validate(json.loads(json.dumps(certificate(explanation))), history)
    with pytest.raises(lp.UsageError, match="test the history itself"):
        pytest_function(explanation)


def test_finding_13_a_tie_within_a_process() -> None:
    records = [
        {"process": 0, "f": "write", "value": 2, "call": 0, "return": 5},
        {"process": 0, "f": "read", "result": None, "call": 6, "return": 13},
        {"process": 1, "f": "write", "value": 1, "call": 10, "return": 13},
        {"process": 1, "f": "write", "value": 2, "call": 13, "return": 18},
    ]
    assert lp.explain(lp.check(lp.History(records), "register")).operations == (0, 1)


def test_finding_10_a_counter_accuses_the_read_that_no_order_explains() -> None:
    records = [
        {"process": 0, "f": "add", "value": 1, "call": 0, "return": 1},
        {"process": 0, "f": "add", "value": 1, "call": 2, "return": 3},
        {"process": 1, "f": "read", "result": 2, "call": 4, "return": 5},
        {"process": 1, "f": "read", "result": 1, "call": 6, "return": 7},
    ]
    explanation = lp.explain(lp.check(lp.History(records), "counter"))
    assert (explanation.accused, explanation.operations) == (3, (0, 1, 3))


@pytest.mark.parametrize(
    ("model", "records", "kept"),
    [
        (
            "map",
            [
                {"process": 0, "f": "put", "value": ["x", 5], "call": 0, "return": 1},
                {"process": 0, "f": "put", "value": ["k", 6], "call": 2, "return": 3},
                {"process": 1, "f": "put", "value": ["y", 7], "call": 4, "return": 5},
                {"process": 0, "f": "get", "value": "k", "result": 6, "call": 6, "return": 7},
                {"process": 2, "f": "contains", "value": "x", "result": False, "call": 8, "return": 9},
                {"process": 0, "f": "size", "result": 3, "call": 10, "return": 11},
            ],
            (0, 4),
        ),
        (
            "array",
            [
                {"process": 0, "f": "write", "value": [1, 5], "call": 0, "return": 1},
                {"process": 0, "f": "write", "value": [2, 6], "call": 2, "return": 3},
                {"process": 1, "f": "write", "value": [3, 7], "call": 4, "return": 5},
                {"process": 0, "f": "read", "value": 2, "result": 6, "call": 6, "return": 7},
                {"process": 2, "f": "read", "value": 1, "result": None, "call": 8, "return": 9},
            ],
            (0, 4),
        ),
    ],
)
def test_finding_11_keys_are_not_forgotten(model: str, records: Records, kept: tuple[int, ...]) -> None:
    for partition in (True, False):
        explanation = lp.explain(lp.check(lp.History(records), model, partition=partition))
        assert (explanation.claim, explanation.operations) == (lp.Claim.WHATEVER_ELSE, kept)


def test_finding_12_finding_14_what_was_saved_is_what_was_said_and_is_accepted() -> None:
    records = [
        {"process": 0, "f": "fetch_add", "value": 1, "call": 0, "return": 4, "result": 2},
        {"process": 0, "f": "sub", "value": 1, "call": 5},
        {"process": 3, "f": "read", "call": 0, "return": 0, "result": 1},
    ]
    history = lp.History(records)
    explanation = lp.explain(lp.check(history, "counter"))
    saved = json.loads(json.dumps(certificate(explanation)))
    assert str(load(saved)) == str(explanation)
    assert "whatever the rest did" in validate(saved, history)


def test_finding_29_a_long_queue_comes_down_to_a_handful() -> None:
    records = []
    for i in range(20_000):
        records.append({"process": 0, "f": "enqueue", "value": i, "call": 4 * i, "return": 4 * i + 1})
        records.append({"process": 1, "f": "dequeue", "result": i, "call": 4 * i + 2, "return": 4 * i + 3})
    records[-1]["result"], records[-3]["result"] = records[-3]["result"], records[-1]["result"]
    explanation = lp.explain(lp.check(lp.History(records), "queue"))
    assert explanation.claim is lp.Claim.WHATEVER_ELSE
    assert len(explanation.operations) <= 3
