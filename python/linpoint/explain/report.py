"""A result for people: the verdict, the words, the timeline, and how sure we are. Text in, text out; nothing is printed."""

from __future__ import annotations

from dataclasses import replace

from rich.text import Text

from linpoint.check import Result, span
from linpoint.explain.story import story
from linpoint.explain.timeline import draw, lane, lay_out
from linpoint.explain.window import window
from linpoint.explain.words import accused, why
from linpoint.text import printable
from linpoint.verdict import Verdict

WIDTH = 100
"""Columns, where nobody says how wide the screen is."""

STYLES = {Verdict.LINEARIZABLE: "bold #0072b2", Verdict.VIOLATION: "bold #d55e00", Verdict.UNKNOWN: "bold #e69f00"}


LONG = 1.0
"""A replay of the witness that takes more seconds is worth a word."""


def report(result: Result, width: int = WIDTH) -> Text:
    """Everything worth saying about a result. What cannot be drawn is named; the verdict is always there."""
    try:
        headline, note = accused(result).headline, []
    except Exception as error:  # shrinking's fault loses a verdict as little as a renderer's
        result = replace(result, stuck_index=None)
        headline, note = result.headline, [f"(no counterexample: {type(error).__name__}: {error})"]
    head, _, rest = headline.partition(":")
    parts = [Text.assemble((head, STYLES[result.verdict]), ":", rest), *(Text(line, "dim") for line in note)]
    if result.guessed:
        parts.append(Text(f"The model was guessed: {result.guessed}", "dim"))
    for section in (_words, _timeline):
        try:
            parts += section(result, width)
        except Exception as error:  # a renderer's fault never loses a verdict
            parts.append(Text(f"({section.__name__[1:]} could not be made: {type(error).__name__}: {error})", "dim"))
    parts.append(Text(footer(result), "dim"))
    return Text("\n").join(parts)


def plain(result: Result) -> str:
    """The report as plain text: what `str(result)` gives."""
    return printable(report(result).plain, lines=True)


def footer(result: Result) -> str:
    """How it was found, and how sure that is."""
    found = f"{result.method}, {span(result.seconds)}, {result.configurations:,} configurations"
    parts = f", {result.parts:,} parts" if result.parts > 1 else ""
    if result.verdict is Verdict.LINEARIZABLE:
        took = f" in {span(result.certify_seconds)}" if result.certify_seconds > LONG else ""
        checked = f"witness replayed{took} and right" if result.certified else "witness not replayed"
    elif result.verdict is Verdict.VIOLATION:
        confirmed = result.confirmed or (result.shrunk is not None and result.shrunk.result.confirmed)
        checked = "confirmed by trying all orders" if confirmed else "too large to confirm by trying all orders"
    else:
        return f"({found}{parts})"
    return f"({found}{parts}; {checked})"


def _words(result: Result, _: int) -> list[Text]:
    lines = why(result) if result.shrunk is None else story(result, result.shrunk)
    return [Text(), *(Text(line) for line in lines)] if lines else []


def _timeline(result: Result, width: int) -> list[Text]:
    """The picture: of the counterexample if there is one, which is what the words are about."""
    if result.shrunk is not None:
        result = result.shrunk.result
    view = window(result)
    if not view.indices:
        return []
    order = result.order if result.order is not None else _best_order(result)
    margin = max(len(lane(result.history[index])) for index in view.indices) + 2
    picture = lay_out(result.history, view.indices, order, result.stuck_index, width - margin)
    doubt = "cannot be explained" if result.verdict is Verdict.VIOLATION else "not explained yet"
    note = [Text(f"Shown: {view.note}", "dim")] if view.note else []
    return [Text(), *note, draw(picture, width, doubt), Text()]


def _best_order(result: Result) -> tuple[int, ...]:
    """For the picture of a history that has no full order: the longest one found."""
    return max([result.prefix_order, *(candidate.order for candidate in result.candidates)], key=len)
