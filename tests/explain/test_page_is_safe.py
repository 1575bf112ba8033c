"""Can a history do anything to its reader? Hostile strings in every place a text can come from, in a real browser."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import linpoint as lp
from linpoint.explain.page import page
from tests.explain.browser import Browser
from tests.explain.pages import Show
from tests.explain.test_page_in_browser import state, text_of, where
from tests.explain.test_svg import stale_read

PAYLOAD = "</script></title></style><img src=x onerror='window.pwned=1'><script>window.pwned=2</script>"


def test_hostile_strings_are_shown_and_not_run(show: Show) -> None:
    records: list[dict[str, Any]] = [
        {"process": PAYLOAD, "f": PAYLOAD, "value": PAYLOAD, "call": 0, "return": 1, "key": PAYLOAD, PAYLOAD: PAYLOAD},
        {"process": "p", "f": "read", "result": PAYLOAD + "!", "call": 2, "return": 3, "key": PAYLOAD},
        {"process": "q", "f": "read", "result": [PAYLOAD, {PAYLOAD: PAYLOAD}], "call": 4, "return": 5, "key": "y"},
        {"annotation": {"f": f"start-{PAYLOAD}", PAYLOAD: PAYLOAD}, "after": 1},
    ]

    class Strange(lp.Model):
        initial = None

        def step(self, state: Any, op: lp.Operation) -> list[Any]:
            return [] if op.f == "read" and op.result is not None else [op.value]

        def __str__(self) -> str:
            return PAYLOAD

    history = lp.History.from_jsonl("\n".join(map(json.dumps, records)))
    result = lp.check(history, Strange())
    assert result.verdict is lp.Verdict.VIOLATION
    tab = show(page(replace(lp.explain(result), words=(f"Words: {PAYLOAD}", f"  {PAYLOAD}"))))
    assert tab.evaluate("window.pwned") is None
    assert tab.evaluate("document.images.length") == 0
    assert PAYLOAD in text_of(tab, ".words")
    assert PAYLOAD in text_of(tab, ".headline")
    assert PAYLOAD in tab.evaluate("document.querySelector('figure .op title').textContent")
    tab.evaluate("linpoint.show(0); document.getElementById('lanes').focus()")
    assert PAYLOAD in state(tab)["card"]
    for selector in (".menu summary", "#even", "#fit"):
        tab.press(selector)
    tab.key("/")
    tab.type(PAYLOAD)
    assert state(tab)["matches"] == 3
    tab.move(*where(tab, 0))
    assert tab.evaluate("window.pwned") is None
    assert tab.complaints == []


def test_the_payload_would_run_where_it_is_not_escaped(browser: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text(f"<!doctype html><title>x</title><p>{PAYLOAD}</p>", encoding="utf-8")
    assert browser.open(bad).evaluate("window.pwned") is not None


def test_the_policy_holds(show: Show) -> None:
    tab = show(page(lp.explain(stale_read())))
    tab.evaluate(
        "(() => { const s = document.createElement('img'); s.src = 'https://example.org/x.png'; document.body.append(s); })()"
    )
    assert any("Content Security Policy" in complaint for complaint in tab.complaints)
    with pytest.raises(Exception, match="TrustedHTML"):
        tab.evaluate("document.body.innerHTML = '<b>x</b>'")
