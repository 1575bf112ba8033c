"""A counterexample to step through, in a real browser: forward, back, the source beside it, memory, a cycle that goes round."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import linpoint as lp
from linpoint.verify import Verification
from linpoint.verify.page import page
from tests.conftest import ROOT
from tests.explain.browser import Page
from tests.explain.pages import Show

STACK = ROOT / "examples" / "algorithms" / "stack.py"


@pytest.fixture(scope="module")
def aba() -> Verification:
    found = lp.verify(f"{STACK}:Stack", "stack", threads=2, ops=3)
    assert found.verdict is lp.Verdict.VIOLATION
    return found


@pytest.fixture(scope="module")
def livelock() -> Verification:
    found = lp.verify("treiber-hp-fu", threads=2, ops=2)
    assert found.lock_free is False
    return found


def state(tab: Page) -> dict[str, Any]:
    tab.settle()
    return dict(tab.evaluate("linpoint.state()"))


def text_of(tab: Page, selector: str) -> str:
    return str(tab.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))


def test_every_step_is_there_and_beside_it_the_source(show: Show, aba: Verification) -> None:
    tab = show(page(aba))
    assert text_of(tab, "h1") == "Not linearizable"
    assert "What a client sees" in text_of(tab, "main")
    shown = aba.counterexample
    assert shown is not None
    run = shown.interleaving
    assert run is not None
    now = state(tab)
    assert (now["at"], now["steps"], now["cycle"]) == (0, len(run.steps), None)
    source = STACK.read_text().splitlines()
    for number, step in enumerate(run.steps, 1):
        tab.press("#forward")
        now = state(tab)
        assert now["at"] == number
        assert now["lines"] == sorted({action.line for action in step.actions})
        assert now["nodes"] == len(step.memory.nodes)
        for line in now["lines"]:
            assert source[line - 1].strip() in text_of(tab, f"#code [data-line='{line}'] .text")
        for action in step.actions:
            assert action.words in text_of(tab, "#table .now")
        for name, value in step.memory.cells:
            assert f"{name}{value}" in tab.evaluate("document.querySelector('#memory svg').textContent")
    assert tab.evaluate("document.getElementById('forward').disabled")
    for number in range(len(run.steps) - 1, -1, -1):
        tab.press("#back")
        assert state(tab)["at"] == number
    assert tab.complaints == []


def test_keys_slider_rows_and_theme(show: Show, aba: Verification) -> None:
    tab = show(page(aba))
    tab.key("ArrowRight")
    tab.key("ArrowRight")
    tab.key("ArrowLeft")
    assert state(tab)["at"] == 1
    tab.key("End")
    assert state(tab)["at"] == state(tab)["steps"]
    tab.key("Home")
    assert state(tab)["at"] == 0
    tab.press("#table [data-step='7'] .line")
    assert state(tab)["at"] == 7
    tab.evaluate(
        "(() => { const w = document.getElementById('where'); w.value = 4; w.dispatchEvent(new Event('input')); })()"
    )
    assert state(tab)["at"] == 4
    assert text_of(tab, "#step").startswith(f"4 of {state(tab)['steps']}")
    before = tab.evaluate("document.documentElement.dataset.theme")
    tab.press("#theme")
    assert tab.evaluate("document.documentElement.dataset.theme") != before
    tab.press("#play")
    assert state(tab)["playing"]
    tab.press("#play")
    assert not state(tab)["playing"]
    assert tab.complaints == []


def test_a_lasso_goes_round(show: Show, livelock: Verification) -> None:
    tab = show(page(livelock))
    assert text_of(tab, "h1") == "Linearizable, but not lock-free"
    assert "from here on for ever" in text_of(tab, "#table")
    now = state(tab)
    assert now["runs"] == len(livelock.lassos) > 1
    tab.key("End")
    tab.key("ArrowRight")
    again = state(tab)
    assert (again["at"], again["round"]) == (now["cycle"] + 1, 2)
    assert "round 2" in text_of(tab, "#step")
    tab.key("ArrowLeft")
    assert (state(tab)["at"], state(tab)["round"]) == (now["steps"], 1)
    tab.press(".choice[data-run='1']")
    assert (state(tab)["run"], state(tab)["at"]) == (1, 0)
    assert "Not obstruction-free" in text_of(tab, "#words")
    assert tab.complaints == []


def test_what_a_step_changes_is_marked(show: Show, aba: Verification) -> None:
    tab = show(page(aba))
    shown = aba.counterexample
    assert shown is not None
    run = shown.interleaving
    assert run is not None
    memories = [run.before, *(step.memory for step in run.steps)]
    changes = [one.cells != other.cells for one, other in pairwise(memories)]
    assert True in changes
    for number, changed in enumerate(changes, 1):
        tab.evaluate(f"linpoint.go({number})")
        marked = tab.evaluate("[...document.querySelectorAll('#memory svg > text.value.changed')].length")
        assert bool(marked) is changed, number


PAYLOAD = "</script></style><img src=x onerror='window.pwned=1'><script>window.pwned=2</script>"


def test_a_hostile_source_is_shown_and_not_run(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "hostile.py"
    path.write_text(
        "from linpoint.language import Int, Object\n\n\nclass A(Object):\n    n: Int = 0\n\n"
        "    def increment(self):\n"
        f"        x = self.n  # {PAYLOAD} \u202e\n"
        "        self.n = x + 1\n"
        f'        return "{PAYLOAD}" if x == 5 else x + 1\n'
    )

    class Counter:
        def __init__(self) -> None:
            self.n = 0

        def increment(self) -> int:
            self.n += 1
            return self.n

    found = lp.verify(f"{path}:A", Counter, threads=2, ops=1)
    assert found.verdict is lp.Verdict.VIOLATION
    tab = show(page(replace(found, target=PAYLOAD)))
    tab.key("End")
    assert tab.evaluate("window.pwned") is None
    assert tab.evaluate("document.images.length") == 0
    assert PAYLOAD in text_of(tab, "#code")
    assert PAYLOAD in text_of(tab, ".headline")
    assert "\u202e" not in text_of(tab, "body")
    assert tab.complaints == []


def test_without_a_counterexample_there_is_a_page_too(show: Show) -> None:
    found = lp.verify("treiber", threads=2, ops=1)
    tab = show(page(replace(found, lassos={}, counterexample=None)))
    assert text_of(tab, "h1") == "Linearizable"
    assert state(tab)["runs"] == 0
    tab.key("ArrowRight")
    assert tab.complaints == []


def test_the_run_can_be_read_without_scripts(aba: Verification) -> None:
    text = page(aba)
    assert "<noscript><pre>" in text
    assert "cas(self, top=(t, n))" in text.partition("<noscript><pre>")[2].partition("</pre>")[0]


def run(*arguments: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "linpoint", "verify", *arguments],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_command_writes_it(tmp_path: Path) -> None:
    done = run(f"{STACK}:Stack", "--spec", "stack", "--ops", "3", "--report", "run.html", place=tmp_path)
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    assert "How it happens" in (tmp_path / "run.html").read_text(encoding="utf-8")
    for arguments in (["treiber", "ms-queue", "--report", "x.html"], ["treiber", "--report", "no/such/folder.html"]):
        done = run(*arguments, place=tmp_path)
        assert done.returncode == 2, arguments
        assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["run.html"]


def test_the_source_itself_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "stack.py").write_text(STACK.read_text())
    done = run("stack.py:Stack", "--spec", "stack", "--report", "stack.py", place=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "stack.py").read_text() == STACK.read_text()
