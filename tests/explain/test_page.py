"""The page as text: what is on it, that nothing can break out of it, and that it stays small. The browser has its own file."""

import base64
import hashlib
import json
import re
import sys
from dataclasses import replace
from itertools import accumulate
from typing import Any

import pytest

import linpoint as lp
from linpoint.check import Result
from linpoint.explain.page import page as page_of
from linpoint.explain.page.assemble import as_data
from linpoint.explain.page.data import collect, deltas, stretch
from linpoint.explain.page.faults import bands
from linpoint.text import printable
from tests.conftest import ROOT
from tests.explain.runs import registers
from tests.explain.test_svg import HOSTILE, hostile, out_of_time, stale_read


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def page(result: Result, **changes: Any) -> str:
    return page_of(replace(lp.explain(result), **changes))


def sums(column: list[int | None]) -> list[int | None]:
    """Undoes `deltas`."""
    total, found = 0, []
    for step in column:
        total += step or 0
        found.append(None if step is None else total)
    return found


def test_the_verdict_comes_first_then_the_counterexample_then_the_history() -> None:
    result = stale_read()
    text = page(result, words=("The words of the explanation.", "  a step", "      what it leads to"))
    wanted = [
        "<h1>Not linearizable</h1>",
        "No order explains read() → 1 (process 0, operation 3, line 4).",
        "What went wrong",
        '<svg xmlns="http://www.w3.org/2000/svg"',
        "<p>The words of the explanation.</p>",
        '<p class="step">a step</p>',
        '<p class="step deep">what it leads to</p>',
        "The whole history",
        '<canvas id="lanes"',
    ]
    places = [text.find(words) for words in wanted]
    assert -1 not in places
    assert places == sorted(places)


def test_the_words_are_those_of_the_report() -> None:
    assert "is explained by this order, where it does not fit" in page(stale_read())


@pytest.mark.parametrize(
    ("result", "heading"),
    [
        (lp.check(lp.History(), "register"), "Linearizable"),
        (lp.check(lp.read(ROOT / "examples" / "histories" / "register.jsonl")), "Linearizable"),
        (lp.check(registers(200), "register:initial=0"), "Linearizable"),
        (out_of_time(), "Unknown"),
    ],
    ids=["nothing", "small", "larger", "unknown"],
)
def test_every_verdict_has_a_page(result: Result, heading: str) -> None:
    text = page(result)
    assert f"<h1>{heading}</h1>" in text
    assert "What went wrong" not in text
    assert len(data_of(text)["kind"]) == len(result.history)


def test_the_columns_say_what_the_history_says() -> None:
    result = lp.check(registers(300, stale=200, faults=2), "register:initial=0")
    columns = data_of(page(result))
    history = result.history
    shown = sums(columns["index"])
    assert sorted(shown) == list(range(300))
    calls = [int(columns["base"]) + (call or 0) for call in sums(columns["call"])]
    extras = {column["name"]: column for column in columns["extras"]}
    requests, nodes = sums(extras["request"]["numbers"]), extras["node"]["texts"]
    for number, index in enumerate(shown):
        op = history[index]
        kind = columns["kind"][number]
        assert columns["texts"][columns["kinds"]["label"][kind]] == str(op)
        assert columns["texts"][columns["keys"][columns["kinds"]["key"][kind]]] == op.key
        assert columns["processes"][columns["process"][number]] == f"p{op.process}"
        assert (calls[number], calls[number] + columns["return"][number]) == (op.call, op.ret)
        assert requests[number] == op.extra["request"]
        assert columns["texts"][nodes[number]] == op.extra["node"]
    order = max((candidate.order for candidate in result.candidates), key=len)
    places = {index: place for index, place in zip(shown, sums(columns["place"]), strict=True) if place is not None}
    assert sorted(places, key=places.__getitem__) == list(order)
    assert shown[columns["stuck"]] == result.stuck_index
    assert columns["texts"][columns["parts"][columns["part"]]] == result.part


def test_deltas() -> None:
    assert deltas([5, 7, None, 4]) == [5, 2, None, -3]
    assert deltas(list(accumulate([1, 2, 3]))) == [1, 2, 3]


@pytest.mark.parametrize(
    ("times", "clock", "base"),
    [
        ([1, 5, 9], "int", "1"),
        (
            [1_700_000_000_000_000_001, 1_700_000_000_000_000_002, 1_700_000_000_000_000_009],
            "int",
            "1700000000000000001",
        ),
        ([0, 1_700_000_000_000_000_001, 1_700_000_000_000_000_002], "text", "0"),
        ([0.25, 0.5, 0.75], "float", "0"),
        ([1.7e9 + 0.25, 1.7e9 + 0.5, 1.7e9 + 0.75], "float", "1700000000"),
    ],
)
def test_times_stay_exact(times: list[float], clock: str, base: str) -> None:
    operations = [
        {"process": i, "f": "write", "value": i, "call": time, "return": time} for i, time in enumerate(times)
    ]
    columns = data_of(page(lp.check(lp.History(operations), "register")))
    assert (columns["clock"], columns["base"]) == (clock, base)
    if clock == "int":
        assert [int(base) + (call or 0) for call in sums(columns["call"])] == times
    else:
        assert [type(times[0])(call) for call in columns["call"]] == times


def test_the_operations_of_the_counterexample_are_found_in_the_history() -> None:
    result = lp.check(registers(300, stale=200), "register:initial=0")
    chosen = [op.index for op in result.history if op.key == "x1"][3:7]
    columns = collect(result, chosen).columns
    assert [sums(columns["index"])[number] for number in columns["figure"]] == chosen
    assert collect(result).columns["figure"] is None
    assert collect(result, [0], most=10).columns["figure"] == [None], "it is not on the page"


def test_a_long_history_is_cut_to_what_is_around_the_violation() -> None:
    result = lp.check(registers(1000, stale=600), "register:initial=0")
    assert result.stuck_index is not None
    data = collect(result, most=100)
    assert len(data.shown) == 100
    assert result.stuck_index in data.shown
    assert [result.history[index].call for index in data.shown] == sorted(
        result.history[index].call for index in data.shown
    )
    (note,) = data.notes
    assert note.startswith("This page holds 100 of 1,000 operations: numbers ")
    assert data.columns["total"] == 1000
    linearizable = lp.check(registers(1000), "register:initial=0")
    shown, notes = stretch(linearizable, 100)
    assert (len(shown), notes) == (100, ["This page holds the first 100 of 1,000 operations."])


def test_the_page_says_what_it_leaves_out_and_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    result = lp.check(registers(4000, stale=600), "register:initial=0")
    full = page(result)
    assert "This page holds" not in full
    monkeypatch.setattr(sys.modules["linpoint.explain.page.assemble"], "MOST_BYTES", len(full) * 3 // 4)
    less = page(result)
    assert "This page holds 2,000 of 4,000 operations" in less
    assert len(less) < len(full)


def test_long_texts_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["linpoint.explain.page.data"], "MOST_TEXT", 5000)
    long = [{"process": 0, "f": "write", "value": str(i) * 700, "call": 2 * i, "return": 2 * i + 1} for i in range(9)]
    data = collect(lp.check(lp.History(long), "register"))
    assert data.notes == ["Texts are cut to 250 characters."]
    assert all(len(text) < 300 for text in data.columns["texts"])
    assert any(text.endswith("more characters)") for text in data.columns["texts"])


def test_nothing_breaks_out_of_the_data() -> None:
    text = as_data({"x": "</script><!--&\u2028\u2029\ud800"})
    assert not set(text) & set("<>&\u2028\u2029")
    assert text.isascii()
    assert json.loads(text)["x"].startswith("</script><!--&")


def test_hostile_text_is_nowhere_markup() -> None:
    result = hostile()
    history = lp.History.from_jsonl(
        result.history.to_jsonl()
        + json.dumps({"annotation": {"f": HOSTILE, HOSTILE: HOSTILE}, "after": 1})
        + "\n"
        + json.dumps(
            {"process": 5, "f": "read", "result": HOSTILE, "call": 7, "return": 8, "key": HOSTILE, HOSTILE: HOSTILE}
        )
    )
    text = page(lp.check(history, "register"), words=(HOSTILE, "{{data}} {{script}}"))
    assert "<img" not in text
    assert text.count("<script") == 3, "theme, data, script"
    assert text.count("</script") == 3
    assert "{{data}} {{script}}" in text, "words are not a template"
    assert any(printable(HOSTILE) in entry for entry in data_of(text)["texts"])


def test_the_policy_allows_its_own_scripts_and_nothing_else() -> None:
    text = page(stale_read())
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = dict(rule.split(" ", 1) for rule in found[1].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in found[1]

    def hashes(pattern: str) -> list[str]:
        parts = re.findall(pattern, text, re.DOTALL)
        return [f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'" for part in parts]

    assert policy["script-src"].split() == hashes(r"<script>(.*?)</script>")
    assert policy["style-src"].split() == hashes(r"<style>(.*?)</style>")
    assert not re.search(r"(?:src|href)\s*=\s*[\"']?(?:https?:|//)", text)
    assert not re.search(r"\bon\w+=", text.split("<script", 1)[0])
    assert ".innerHTML" not in text
    assert "eval(" not in text


def annotation(after: int, f: str, **more: object) -> dict[str, Any]:
    return {"after": after, "line": after, "fields": {"process": "nemesis", "f": f, **more}}


EVENTS = [(rank, rank * 10) for rank in range(11)]


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["start-partition", "stop-partition"], [("partition", 5, 15)]),
        (["start", "start", "stop", "stop"], [("start", 5, 35)]),
        (["kill", "start"], [("kill", 5, 15)]),
        (["pause", "resume", "pause"], [("pause", 5, 15), ("pause", 25, None)]),
        (["partition", "heal"], [("partition", 5, 15)]),
        (["clock-start", "kill", "clock-stop", "restart"], [("clock", 5, 25), ("kill", 15, 35)]),
        (["bump-clock", "stop"], [("bump-clock", 5, 5), ("stop", 15, 15)]),
    ],
)
def test_faults_are_bands(names: list[str], wanted: list[tuple[str, float, float | None]]) -> None:
    found = bands([annotation(place, name) for place, name in enumerate(names, 1)], EVENTS)
    assert [(band.name, band.start, band.end) for band in found] == wanted


def test_a_band_keeps_all_that_was_said() -> None:
    (band,) = bands(
        [annotation(1, "start", value=["n1"]), annotation(3, "stop", error="x"), annotation(4, "stop")], EVENTS
    )
    assert ("value", '["n1"]') in band.fields
    assert ("error", '"x"') in band.fields
    assert (band.start, band.end) == (5, 35)
    (odd,) = bands([{"after": 99, "line": None, "fields": "a remark"}], EVENTS)
    assert (odd.name, odd.start) == ("a remark", 100)
    assert bands([annotation(1, "x")], [])[0].start == 0
