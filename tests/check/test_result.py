"""A result in words and in JSON; never a bool."""

import json
import re
from dataclasses import replace

import pytest

import linpoint as lp
from linpoint import Cause, Verdict
from linpoint.check import place, reason, span
from tests.check.test_check import OPS
from tests.cli.program import run


@pytest.fixture
def bad():
    return lp.check(OPS, "register")


@pytest.fixture
def good():
    return lp.check(OPS[:3], "register")


def test_headlines(good, bad):
    assert good.headline == "LINEARIZABLE (register): one order explains all 3 operations"
    assert bad.headline == "VIOLATION (register): no order explains read() → 1 (process 2, operation 3)"
    unknown = replace(
        bad, verdict=Verdict.UNKNOWN, cause=Cause.TIME, why="time", statistics=replace(bad.statistics, seconds=30.0)
    )
    assert unknown.headline == "UNKNOWN (register): out of time after 30.00 s, 3 of 4 operations explained"
    assert repr(good) == f"<Result: {good.headline}>"
    assert replace(bad, evidence=lp.Stuck(None)).headline == "VIOLATION (register): no order explains the results"
    assert lp.check(OPS[:1], "register").headline == "LINEARIZABLE (register): one order explains 1 operation"


@pytest.mark.parametrize(
    ("cause", "why", "words"),
    [
        (Cause.MEMORY, "memory", "out of memory after 5 ms"),
        (Cause.INTERRUPTED, "interrupted", "interrupted after 5 ms"),
        (Cause.GAVE_UP, "gave up: too deep", "gave up: too deep after 5 ms"),
        (None, None, "no cause given after 5 ms"),
    ],
)
def test_reasons(bad, cause, why, words):
    assert reason(replace(bad, cause=cause, why=why, statistics=replace(bad.statistics, seconds=0.005))) == words


def test_causes_are_read_from_reports():
    assert Cause.parse("gave up: too deep") is Cause.GAVE_UP
    assert [Cause.parse(str(cause)) for cause in Cause] == list(Cause)


def test_place_names_the_line():
    op = lp.Operation(process="a", f="read", result=1, call=0, ret=1, index=5, line=12)
    assert place(op) == 'read() → 1 (process "a", operation 5, line 12)'


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.00012, "0.12 ms"), (0.5, "500 ms"), (1.0, "1.00 s"), (75.3, "75.30 s")]
)
def test_spans(seconds, words):
    assert span(seconds) == words


def test_a_result_is_no_bool(good):
    with pytest.raises(TypeError, match=r"use result\.ok"):
        bool(good)
    with pytest.raises(TypeError, match=r"verdict is Verdict\.LINEARIZABLE"):
        bool(good.verdict)


def test_it_is_immutable(good):
    with pytest.raises(AttributeError):
        good.verdict = Verdict.VIOLATION


def test_json(good, bad):
    for result in (good, bad):
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    found = bad.to_dict()
    assert (found["model"], found["operations"], found["verdict"], found["witness"]) == (
        "register",
        4,
        "violation",
        None,
    )
    assert found["stuck"] == {"index": 3, "line": None, "value": None, **OPS[3]}
    assert found["candidates"] == [{"order": [0, 1, 2], "state": "2"}]
    assert (good.to_dict()["witness"], good.to_dict()["stuck"], good.to_dict()["cause"]) == ([0, 1, 2], None, None)


def test_a_result_in_words_is_short(good, bad):
    assert str(good) == good.headline
    assert str(bad) == f"{bad.headline}\n  an order of 3 operations goes as far, and leaves 2"


@pytest.mark.parametrize("operations", [OPS, OPS[:3]], ids=["violation", "linearizable"])
def test_json_on_the_command_line_is_what_to_dict_gives(operations, tmp_path):
    history = lp.History(operations)
    history.to_jsonl(tmp_path / "run.jsonl")
    printed = json.loads(run("check", tmp_path / "run.jsonl", "--model", "register", "--json").stdout)
    result = lp.check(lp.read(tmp_path / "run.jsonl"), "register")
    found, explained = result.to_dict(), lp.explain(result).to_dict()
    assert set(printed) == {"file", "load_seconds", "counterexample", "explanation", *found}
    for said in (printed, found, printed["explanation"], explained):
        for name in [name for name in said if name.endswith("seconds")]:
            del said[name]
        if "footer" in said:
            said["footer"] = re.sub(r"[\d.]+ m?s", "… ms", said["footer"])
    assert {name: printed[name] for name in found} == json.loads(json.dumps(found))
    assert printed["explanation"] == json.loads(json.dumps(explained))
    whole = json.loads(json.dumps(lp.explain(result).to_dict(whole=True)))
    assert list(printed) == ["file", *(name for name in whole if not name.endswith("seconds"))]
    assert printed["counterexample"] == whole["counterexample"]
