"""An explanation for people: the verdict, the words, the timeline, and how sure we are. Data in, text out; nothing is printed."""

from __future__ import annotations

from linpoint.explain.derivation import derivation
from linpoint.explain.explanation import Explanation
from linpoint.styled import Text
from linpoint.text import printable
from linpoint.verdict import Verdict

WIDTH = 100
"""Columns, where the width of the screen is not known."""

STYLES = {Verdict.LINEARIZABLE: "bold #0072b2", Verdict.VIOLATION: "bold red", Verdict.UNKNOWN: "bold #e69f00"}


def report(explanation: Explanation, width: int = WIDTH) -> Text:
    """Everything worth saying about a result. What cannot be drawn is named; the verdict is always there."""
    head, _, rest = explanation.headline.partition(":")
    parts = [Text.assemble((head, STYLES[explanation.verdict]), ":", rest)]
    if explanation.guessed:
        parts.append(Text(f"The model was guessed: {explanation.guessed}", "dim"))
    if explanation.words:
        parts += [Text(), *(Text(line) for line in explanation.words)]
    steps = [] if explanation.result is None else derivation(explanation.result)
    if steps:
        parts += [Text(), *(Text(line) for line in steps)]
    try:
        parts += _timeline(explanation, width)
    except Exception as error:  # a renderer's fault never loses a verdict
        parts.append(Text(f"(timeline could not be made: {type(error).__name__}: {error})", "dim"))
    parts.append(Text(explanation.footer, "dim"))
    return Text("\n").join(parts)


def plain(explanation: Explanation) -> str:
    """The report as plain text: what `str(explanation)` gives."""
    return printable(report(explanation).plain, lines=True)


def _timeline(explanation: Explanation, width: int) -> list[Text]:
    """The picture: of the counterexample if there is one, which is what the words are about."""
    shown = explanation.shown
    if not len(shown):
        return []
    from linpoint.explain.timeline import draw, lane, lay_out  # noqa: PLC0415 - a table of files needs none

    margin = max(len(lane(op)) for op in shown) + 2
    picture = lay_out(shown, range(len(shown)), explanation.points, explanation.crossed_out, width - margin)
    doubt = "cannot be explained" if explanation.verdict is Verdict.VIOLATION else "not explained yet"
    note = [Text(f"Shown: {explanation.note}", "dim")] if explanation.note else []
    return [Text(), *note, draw(picture, width, doubt), Text()]
