"""What a notebook shows of a history, a result and an explanation, in a real browser.

A notebook puts `_repr_html_` into its page by `innerHTML`, beside others; so does this one. (Jupyter itself would be some
sixty packages more to install, and does no more with it.)
"""

import json
import re

import pytest

import linpoint as lp
from tests.explain.pages import Show
from tests.explain.runs import registers

NOTEBOOK = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>notebook</title></head>
<body style="margin: 0"><div id="cells"></div><script>
for (const html of %s) {
  const cell = document.createElement('div');
  cell.className = 'jp-RenderedHTMLCommon jp-RenderedHTML jp-OutputArea-output';
  cell.innerHTML = html;
  document.getElementById('cells').append(cell);
}
</script></body></html>"""

HOSTILE = "</svg></div><script>alert(1)</script><img src=x onerror=alert(2)>&\x1b[31m\u202e"


def notebook(*shown: object) -> str:
    cells = [thing._repr_html_() for thing in shown]  # type: ignore[attr-defined]
    return NOTEBOOK % json.dumps(cells).replace("</", "<\\/")


def stale() -> lp.Result:
    result = lp.check(registers(300, stale=200), "register:initial=0")
    assert result.verdict is lp.Verdict.VIOLATION
    return result


def test_timelines_in_a_notebook(show: Show) -> None:
    result = stale()
    explained = lp.explain(result)
    tab = show(notebook(result.history, result, explained), width=600)
    cells = tab.evaluate(
        "[...document.querySelectorAll('#cells > div')].map((cell) => [cell.innerText + cell.textContent,"
        " cell.querySelectorAll('.op').length,"
        " cell.querySelectorAll('.op.stuck').length, cell.querySelector('svg').getBoundingClientRect().height])"
    )
    assert [cell[1] for cell in cells] == [40, 20, len(explained.operations)]
    assert [cell[2] for cell in cells] == [0, 1, 1]
    assert all(cell[3] > 50 for cell in cells)
    assert cells[0][0].startswith("History: 300 operations by 12 processes: read, write")
    assert "the first 40 of 300 operations" in cells[0][0]
    assert cells[1][0].startswith(result.headline)
    for line in explained.words:
        assert " ".join(line.split()) in " ".join(cells[2][0].split())
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a wide picture scrolls by itself"
    assert tab.complaints == []


def test_what_a_history_says_is_text_in_a_notebook(show: Show) -> None:
    records = [
        {"process": HOSTILE, "f": HOSTILE, "value": HOSTILE, "key": HOSTILE, "call": 0, "return": 1},
        {"process": 1, "f": "read", "result": HOSTILE, "call": 2, "return": 3},
    ]
    history = lp.History(records)
    result = lp.check(records[1:], "register")
    tab = show(notebook(history, result, lp.explain(result)))
    assert tab.evaluate("document.querySelectorAll('#cells script, #cells img').length") == 0
    assert tab.evaluate("document.querySelectorAll('#cells > div').length") == 3
    assert "\x1b" not in history._repr_html_()
    assert "\u202e" not in history._repr_html_()


@pytest.mark.parametrize(
    "thing",
    [lp.History(), lp.check([], "register"), stale(), lp.explain(stale())],
    ids=["no history", "no violation", "a violation", "its explanation"],
)
def test_a_piece_is_complete_and_asks_for_nothing(thing: object) -> None:
    text = thing._repr_html_()  # type: ignore[attr-defined]
    assert text.count("<div") == text.count("</div>")
    assert not re.search(r"<(script|style|link|img|iframe)|\b(href|src|id|on\w+)=|url\(", text)
