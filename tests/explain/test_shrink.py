"""Is what the shrinker leaves out really irrelevant, and is what it leaves really minimal?"""

from __future__ import annotations

import random

import pytest

import linpoint as lp
from linpoint.explain.shrink import shrink
from linpoint.explain.shrink.keep import rule_for
from tests.agreement import generate, oracle

MODELS = generate.MODELS
ROUNDS = 150


def part(records: list[dict[str, object]], spec: str) -> list[int]:
    """The operations of the first part, without failed ones."""
    history, model = lp.History(records), lp.models.parse(spec)
    kinds, examples = history.examples()
    parts = lp.models.parts_of(model, examples)
    return [i for i, op in enumerate(history) if op.type != "fail" and parts.of_kind[kinds[i]] == 0]


@pytest.mark.parametrize("name", MODELS)
def test_leaving_out_never_makes_a_contradiction(name: str) -> None:
    """If the whole is linearizable, so is what a faithful rule keeps, whatever set we start from."""
    asked = 0
    for seed in range(ROUNDS):
        spec, records = generate.history(name, seed)
        scope = part(records, spec)
        whole = [records[i] for i in scope]
        if not whole or not oracle.linearizable(spec, whole):
            continue
        rule = rule_for(lp.History(whole), lp.models.parse(spec))
        if not rule.faithful or rule.forgets:
            continue
        dice = random.Random(seed)
        for _ in range(4):
            started = {i for unit in rule.units if dice.random() < 0.6 for i in unit}
            kept = [whole[i] for i in sorted(rule.close(started))]
            asked += 1
            assert oracle.linearizable(spec, kept), f"{spec}, seed {seed}: {whole} is fine, {kept} is not"
    assert asked or name in ("counter", "semaphore", "height-stack", "kv", "multi-register"), "nothing was asked"


@pytest.mark.parametrize("name", MODELS)
def test_counterexamples_are_violations_on_their_own(name: str) -> None:
    found = 0
    for seed in range(ROUNDS // 4):
        spec, records = generate.history(name, seed)
        result = lp.check(lp.History(records), spec, certify=False)
        if result.verdict is not lp.Verdict.VIOLATION:
            continue
        found += 1
        small = shrink(result)
        kept = [op.to_record() for op in small.history]
        assert not oracle.linearizable(spec, kept), f"{spec}, seed {seed}: {kept}"
        assert small.result.verdict is lp.Verdict.VIOLATION
        assert small.minimal
        assert small.faithful
        assert [op.f for op in small.history] == [records[index]["f"] for index in small.operations]
        assert all(op.ok for op in small.history)
    assert found > 5


@pytest.mark.parametrize("name", ["queue", "stack", "deque", "bag"])
def test_no_value_of_a_container_can_be_spared(name: str) -> None:
    found = 0
    for seed in range(ROUNDS):
        spec, records = generate.history(name, seed)
        result = lp.check(lp.History(records), spec, certify=False)
        if result.verdict is not lp.Verdict.VIOLATION or shrink(result).bystanders:
            continue
        found += 1
        small = shrink(result)
        kept = [op.to_record() for op in small.history]
        rule = rule_for(small.history, lp.models.parse(spec))
        for unit in rule.units:
            left = rule.close(set(range(len(kept))) - set(unit))
            fewer = [record for index, record in enumerate(kept) if index in left]
            assert oracle.linearizable(spec, fewer), f"{spec}, seed {seed}: {fewer} is enough"
    assert found > 5


def test_a_monitor_says_where_to_begin() -> None:
    """Thousands of values, two of which contradict each other: nobody looks at the others."""
    values = [
        {
            "process": i % 3,
            "f": f,
            "value": None if f == "dequeue" else i,
            "result": i,
            "call": call,
            "return": call + 6,
        }
        for i in range(3000)
        for f, call in (("enqueue", 20 * i), ("dequeue", 20 * i + 8))
    ]
    last = [
        {"process": 0, "f": "enqueue", "value": "a", "call": 60_000, "return": 60_001},
        {"process": 0, "f": "enqueue", "value": "b", "call": 60_002, "return": 60_003},
        {"process": 1, "f": "peek", "result": "a", "call": 60_004, "return": 60_005},
        {"process": 1, "f": "dequeue", "result": "b", "call": 60_006, "return": 60_007},
    ]
    result = lp.check(lp.History([*values, *last]), "queue")
    assert (result.method, set(result.relevant)) == ("queue-monitor", {6000, 6001, 6002, 6003})
    small = shrink(result)
    assert (small.operations, small.faithful, small.minimal) == ((6000, 6001, 6003), True, True)


class Lock(lp.Model):
    """`acquire` does nothing once it is closed: who left that state matters to it."""

    initial = "free"

    def acquire(self, state, _):
        return [("held", lp.ANY)] if state == "free" else [("closed", lp.ANY)] if state == "closed" else []

    def close(self, _, __):
        return "closed", lp.ANY

    def read(self, state, _):
        return state, state


def test_an_operation_that_does_nothing_in_some_states_depends_on_them() -> None:
    ops = [
        {"process": 0, "f": "read", "result": "never", "call": 0, "return": 20},
        {"process": 1, "f": "close", "call": 1, "return": 10},
        {"process": 2, "f": "acquire", "call": 2, "return": 3},
        {"process": 2, "f": "acquire", "call": 11, "return": 12},
    ]
    small = shrink(lp.check(lp.History(ops), Lock()))
    assert small.operations == (0,)
