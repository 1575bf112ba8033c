"""The whole report: what is shown of big histories, and what a fault in drawing may not do."""

import sys
from dataclasses import replace

import pytest

import linpoint as lp
from linpoint.check.window import MOST, NEAR, window
from linpoint.explain import timeline
from linpoint.explain.footer import footer
from linpoint.explain.report import report
from tests.check.test_check import OPS, hard

BIG = [{"process": i % 4, "f": "write", "value": i, "call": 3 * i, "return": 3 * i + 2} for i in range(200)]
STALE = {"process": 9, "f": "read", "result": "x", "call": 300, "return": 310}


def test_print_gives_verdict_words_timeline_and_how_sure():
    statistics = lp.Statistics("depth-first", seconds=0.001, configurations=5)
    result = replace(lp.check(OPS, "register"), statistics=statistics)
    lines = str(lp.explain(result)).splitlines()
    assert lines[0] == result.headline
    assert lines[2] == "These 4 operations of 4 contradict each other, whatever else happened:"
    assert any(line.startswith("Among these, every return before read()") for line in lines)
    assert any("✗ read" in line for line in lines)
    assert lines[-1] == "(depth-first, 1 ms, 5 configurations; confirmed by trying all orders)"


def test_plain_text_has_no_escapes():
    assert "\x1b" not in str(lp.explain(lp.check(OPS, "register")))


def test_small_histories_are_shown_whole():
    view = window(lp.check(OPS, "register"))
    assert (view.indices, view.note) == ([0, 1, 2, 3], "")


def test_big_ones_from_their_start():
    view = window(lp.check(BIG, "register"))
    assert (view.indices, view.note) == (list(range(MOST)), f"the first {MOST} of 200 operations")


def test_big_ones_around_the_trouble():
    result = lp.check([*BIG, STALE], "register")
    view = window(result)
    assert result.stuck_index == 200
    assert len(view.indices) == NEAR
    assert 200 in view.indices
    assert 103 in view.indices  # called at 309, just before the stale read returned
    assert 150 not in view.indices
    assert view.note == "20 of 201 operations, those just before operation 200 returned"
    assert "This operation of 201 is impossible" in str(lp.explain(result))  # the counterexample is what is shown


def test_the_part_in_question_is_enough():
    keyed = [
        {**op, "key": key, "process": f"{key}{op['process']}"}
        for key in "ab"
        for op in (OPS if key == "b" else OPS[:3])
    ]
    view = window(lp.check(keyed, "register"))
    assert (view.indices, view.note) == ([3, 4, 5, 6], 'the 4 of 7 operations that are on "b"')


def test_nothing_is_drawn_when_nothing_is_known():
    many = [
        {**op, "process": f"{n} {i}", "call": 10 * n + op["call"], "return": 10 * n + op["return"]}
        for n in range(3)
        for i, op in enumerate(hard())
    ]
    unknown = replace(lp.check(many, "stack", timeout=0.05), evidence=lp.Stuck(None))
    assert window(unknown).indices == []
    assert len(str(lp.explain(unknown)).splitlines()) == 2


def test_a_guess_is_admitted():
    assert "The model was guessed: " in str(lp.explain(lp.check(OPS)))
    assert "guessed" not in str(lp.explain(lp.check(OPS, "register")))


@pytest.mark.parametrize(
    ("changes", "confirmed", "words"),
    [
        ({}, True, "; confirmed by trying all orders"),
        ({}, None, "; too large to confirm by trying all orders"),
        ({"statistics": lp.Statistics("wgl", parts=3)}, True, ", 3 parts; confirmed"),
        ({"verdict": lp.Verdict.LINEARIZABLE, "certified": True}, None, "witness replayed and right"),
        ({"verdict": lp.Verdict.LINEARIZABLE}, None, "witness not replayed"),
        ({"verdict": lp.Verdict.UNKNOWN, "cause": lp.Cause.TIME}, None, "configurations)"),
    ],
)
def test_footer(changes, confirmed, words):
    assert words in footer(replace(lp.check(OPS, "register"), **changes), confirmed)


@pytest.mark.parametrize("part", ["lay_out", "draw"])
def test_a_fault_in_drawing_leaves_the_words(monkeypatch, part):
    explanation = lp.explain(lp.check(OPS, "register"))
    whole = str(explanation)
    monkeypatch.setattr(timeline, part, broken)
    text = report(explanation).plain
    assert text.startswith(explanation.headline)
    assert "could not be made: RuntimeError: no ink)" in text
    assert text.splitlines()[-1] == whole.splitlines()[-1]


@pytest.mark.parametrize("part", ["shrink", "narrative", "confirm"])
def test_a_fault_in_explaining_leaves_the_verdict(monkeypatch, part):
    result = lp.check(OPS, "register")
    monkeypatch.setattr(sys.modules["linpoint.explain.explain"], part, broken)
    text = str(lp.explain(result))
    assert text.startswith(result.headline)
    assert "(no counterexample: RuntimeError: no ink)" in text


def broken(*_, **__):
    raise RuntimeError("no ink")
