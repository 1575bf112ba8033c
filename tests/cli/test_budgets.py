"""One budget from the first byte read to the last line printed: whatever step is slow, the answer comes in time and says so."""

import json

import pytest

import linpoint as lp
from tests.cli.program import BAD, GOOD
from tests.cli.workload import driven


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.jsonl").write_text(GOOD)
    (tmp_path / "bad.jsonl").write_text(BAD)
    return tmp_path


SLOW = {
    "linpoint.cli.ahead read": (3, "bad.jsonl: out of time while reading"),
    "linpoint.cli.outcome explain": (1, "(no counterexample: out of time)"),
    "linpoint.cli.check report": (1, "(not drawn: out of time)"),
    "linpoint.explain.report _timeline": (1, "(not drawn: out of time)"),
    "linpoint.explain.save rendered": (1, "page.html was not written: out of time"),
    "linpoint.explain.save page": (1, "page.html was not written: out of time"),
    "linpoint.explain.save certificate": (1, "saved.json was not written: out of time"),
    "linpoint.check.check certify_violation": (1, "VIOLATION (register)"),
}


@pytest.mark.parametrize("step", SLOW)
def test_finding_21_a_slow_step_is_ended_and_said(folder, step):
    """The planted step would be busy for 20 s of CPU time."""
    module, name = step.split()
    files = ["--save", folder / "saved.json", "--report", folder / "page.html"]
    done = driven(module, name, "busy", "check", folder / "bad.jsonl", "-m", "register", "--timeout", "0.3", *files)
    status, words = SLOW[step]
    assert done.returncode == status
    assert words in done.stdout + done.stderr
    assert done.stdout.startswith("VIOLATION (register): no order explains read() → 2" if status == 1 else "")
    assert "Traceback" not in done.stderr


def test_finding_21_a_witness_that_could_not_be_replayed_in_time_is_none(folder):
    args = ["check", folder / "good.jsonl", "-m", "register", "--timeout", "0.3", "--json"]
    done = driven("linpoint.check.check", "replay", "busy", *args)
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"], found["cause"], found["witness"]) == (3, "unknown", "time", None)


def test_finding_21_in_json_too(folder):
    args = ["check", folder / "bad.jsonl", "-m", "register", "--timeout", "0.3", "--json"]
    done = driven("linpoint.cli.outcome", "explain", "busy", *args)
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"], found["counterexample"]) == (1, "violation", None)
    assert found["notes"] == ["no counterexample: out of time"]


def test_finding_21_a_page_made_when_the_time_is_up_is_small_and_says_so(tmp_path):
    lines = [{"process": 0, "f": "write", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(5000)]
    lines.append({"process": 0, "f": "read", "result": -1, "call": 20_000, "return": 20_001})
    result = lp.check(lines, "register", budget=lp.Budget(0.0, 2**30, 0.0), certify=False)
    lp.explain(result).save(tmp_path / "page.html")
    assert "This page holds " in (tmp_path / "page.html").read_text()
    assert (tmp_path / "page.html").stat().st_size < 400_000
