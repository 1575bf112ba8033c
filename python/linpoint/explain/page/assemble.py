"""What does a person see who opens the report? One page of HTML that holds everything: verdict, counterexample, history.

It opens from disk and never asks the network (`frame.py`). What comes from a history is data, and shown as text. Where HTML is
written here, it is escaped here. Verdict, words and picture need no script at all.
"""

from __future__ import annotations

from functools import cache

from linpoint.check import Result, __version__, span
from linpoint.errors import UsageError
from linpoint.explain.explanation import Explanation
from linpoint.explain.page.data import BYTES_PER_OPERATION, MOST, Data, collect
from linpoint.explain.page.frame import HEADINGS, as_data, asset, fill, joined, mark, text, told
from linpoint.explain.timeline.svg import svg
from linpoint.history import History
from linpoint.verdict import Verdict

MOST_BYTES = 25_000_000
"""A page that comes out larger is made again with fewer operations."""
HURRIED = 400
"""So many operations are on a page that is made when the time is up."""
MOST_SOURCE = 200
"""A counterexample of so many operations is also given as text to copy."""

SCRIPTS = ("data.js", "rows.js", "card.js", "paint.js", "main.js", "begin.js")
"""In the order in which they build on one another; on the page they are one script."""

PACKAGE = "linpoint.explain.page"


def page(explanation: Explanation, about: str | None = None) -> str:
    """The report as one self-contained HTML file: the counterexample with its words, then the whole history.

    `about`: where the history came from, and when it was checked, in words.
    UsageError if the explanation was loaded from a file: it does not hold the history.
    """
    result = explanation.result
    if result is None:
        raise UsageError("a saved result does not hold the history: make the page with `linpoint check --report`")
    most = HURRIED if result.budget.spent() else min(MOST, max(HURRIED, result.budget.memory // BYTES_PER_OPERATION))
    while True:
        data = collect(result, explanation.operations if explanation.claim is not None else None, most)
        whole = _put_together(explanation, result, data, about)
        if len(whole.encode()) <= MOST_BYTES or len(data.shown) < 100:
            return whole
        most = len(data.shown) // 2


def _put_together(explanation: Explanation, result: Result, data: Data, about: str | None) -> str:
    theme, script, style = asset(PACKAGE, "theme.js"), _script(), asset(PACKAGE, "page.css")
    headline = result.headline.removeprefix(f"{result.verdict.name} ({result.model}):")
    slots = {
        "title": text(
            " · ".join([HEADINGS[result.verdict], str(result.model), *([about] if about else []), "linpoint"])
        ),
        "theme": theme,
        "verdict": result.verdict.value,
        "mark": mark(result.verdict),
        "heading": text(HEADINGS[result.verdict]),
        "headline": text(_sentence(headline)),
        "facts": "".join(f"<li>{text(fact)}</li>" for fact in _facts(explanation, result, about)),
        "first": _first(explanation),
        "notes": "".join(f'<p class="note" role="note">{text(note)}</p>' for note in data.notes),
        "footer": text(_footer(result)),
        "data": as_data(data.columns),
        "script": script,
    }
    return fill(asset(PACKAGE, "template.html"), slots, (theme, script), style)


def _first(explanation: Explanation) -> str:
    """The section that says what went wrong; for a small linearizable history, what the order is."""
    if explanation.verdict is Verdict.LINEARIZABLE and not explanation.words and explanation.note:
        return ""  # there is nothing to point at
    said = told(explanation.words)
    picture = svg(explanation) if len(explanation.shown) else ""
    if not said and not picture:
        return ""
    return (
        '<section class="first" aria-labelledby="first-title">'
        f'<div class="row"><div class="title"><h2 id="first-title">{text(_title(explanation))}</h2>'
        f"<p>{text(_subtitle(explanation))}</p></div>"
        '<button type="button" id="save">Save as SVG</button></div>'
        f'<div class="told{" both" * bool(said)}"><figure>{picture}</figure><div class="words">{said}</div></div>'
        f"{_source(explanation.counterexample)}</section>"
    )


def _title(explanation: Explanation) -> str:
    if explanation.verdict is Verdict.VIOLATION:
        return "What went wrong"
    return "The order" if explanation.verdict is Verdict.LINEARIZABLE else "Where the search stopped"


def _subtitle(explanation: Explanation) -> str:
    if explanation.claim is None:
        return ""
    some, all_of_them = len(explanation.operations), explanation.total
    count = (
        f"{some:,} operation{'s'[: some != 1]}" if some == all_of_them else f"{some:,} of {all_of_them:,} operations"
    )
    if explanation.cut is not None:
        return f"{count}: impossible after what came before"
    if explanation.note:
        return f"{count}: impossible, whatever else was read; {explanation.note}"
    return f"{count}: impossible, whatever else happened"


def _source(counterexample: History | None) -> str:
    if counterexample is None or len(counterexample) > MOST_SOURCE:
        return ""
    return (
        '<details class="source"><summary>These operations as JSONL, to be checked again</summary>'
        f'<pre id="source">{text(counterexample.to_jsonl(), lines=True)}</pre>'
        '<p><button type="button" id="copy">Copy</button></p></details>'
    )


def _facts(explanation: Explanation, result: Result, about: str | None) -> list[str]:
    """What a reader wants to know at once: model, size, how sure it is."""
    count, processes = len(result.history), len(result.history.processes)
    found = [
        *([about] if about else []),
        f"model {result.model}" + (" (guessed)" if result.guessed else ""),
        f"{count:,} operation{'s'[: count != 1]} by {processes:,} process{'es'[: 2 * (processes != 1)]}",
    ]
    if result.parts > 1:
        found.append(f"{result.parts:,} independent parts" + (f", this one is {result.part}" if result.part else ""))
    if result.verdict is Verdict.LINEARIZABLE:
        found.append("witness replayed and right" if result.certified else "witness not replayed")
    if result.verdict is Verdict.VIOLATION and explanation.confirmed:
        found.append("confirmed by trying all orders")
    return found


def _footer(result: Result) -> str:
    return (
        f"linpoint {__version__}, method {result.method}: {span(result.seconds)} of search, "
        f"{result.configurations:,} configurations. "
        "This page is one file and loads nothing."
    )


def _sentence(words: str) -> str:
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


@cache
def _script() -> str:
    return joined(PACKAGE, SCRIPTS)
