"""Why, in words."""

from dataclasses import replace

import linpoint as lp
from linpoint.check import Candidate
from linpoint.explain.narrative import so_far as why
from tests.check.test_check import OPS, Mine


def test_a_linearizable_history_needs_none():
    assert why(lp.check(OPS[:3], "register")) == []


def test_the_order_and_the_answer_it_would_have_got():
    for model in ("register", Mine()):
        assert why(lp.check(OPS, model)) == [
            "Every return before read() → 1 is explained by this order, where it does not fit:",
            "  write(1), write(2), read() → 2",
            "      leaves 2: read would answer 2",
        ]


def test_several_orders():
    history = [
        {"process": 0, "f": "enq", "value": 1, "call": 0, "return": 9},
        {"process": 1, "f": "enq", "value": 2, "call": 0, "return": 9},
        {"process": 2, "f": "deq", "result": 3, "call": 10, "return": 11},
    ]
    first, *orders = why(lp.check(history, "queue"))
    assert first == "Every return before deq() → 3 is explained by orders such as these, and it fits none:"
    assert sorted(zip(orders[::2], orders[1::2], strict=True)) == [
        ("  enq(1), enq(2)", "      leaves [1,2]: deq would answer 1"),
        ("  enq(2), enq(1)", "      leaves [2,1]: deq would answer 2"),
    ]


def test_what_is_not_possible_is_called_so():
    history = [
        {"process": 0, "f": "lock", "call": 0, "return": 1},
        {"process": 1, "f": "lock", "call": 2, "return": 3},
    ]
    assert why(lp.check(history, "mutex"))[-1] == "      leaves held: lock is not possible there"


def test_a_model_with_step_only_says_less():
    class Low(lp.Model):
        initial = 0

        def step(self, state, op):
            return []

    lines = why(lp.check(OPS[:1], Low()))
    assert lines[1:] == ["  (nothing before it)", "      leaves 0: it does not fit there"]


def test_empty_is_a_word():
    history = [{"process": 0, "f": "pop", "result": 3, "call": 0, "return": 1}]
    assert why(lp.check(history, "stack"))[-1] == "      leaves []: pop would answer empty"


def test_only_the_last_steps_and_a_few_orders_are_shown():
    many = [{"process": 0, "f": "write", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(1500)]
    result = lp.check([*many, {"process": 1, "f": "read", "result": "x", "call": 9000, "return": 9001}], "register")
    assert why(result)[1] == "  … 1,496 earlier, then write(1496), write(1497), write(1498), write(1499)"
    crowded = replace(result, evidence=lp.Stuck(result.stuck_index, [Candidate([0], str(i) * 100) for i in range(8)]))
    assert why(crowded)[-1] == "  … and 3 more"
    assert why(crowded)[2] == f"      leaves {'0' * 59}…: read would answer 0"


def test_an_unknown_says_how_far_it_got():
    result = replace(lp.check(OPS, "register"), verdict=lp.Verdict.UNKNOWN, cause=lp.Cause.TIME, why="time")
    assert why(result) == [
        "The search got as far as the return of read() → 1 (process 2, operation 3).",
        "The longest order it kept has 3 operations:",
        "  write(1), write(2), read() → 2",
        "      leaves 2",
    ]
    assert why(replace(result, evidence=lp.Stuck(None))) == []
