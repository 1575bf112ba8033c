"""The picture of an explanation: the counterexample, or the part of the history around the trouble."""

from __future__ import annotations

from linpoint.explain.explanation import Explanation
from linpoint.history.timeline.svg import MOST_NUMBERED, Scene, discs
from linpoint.history.timeline.svg import svg as draw
from linpoint.verdict import Verdict


def scene(explanation: Explanation) -> Scene:
    """What the picture shows."""
    partial = explanation.verdict is Verdict.LINEARIZABLE and explanation.total > MOST_NUMBERED  # of a longer order
    return Scene(
        title=explanation.headline,
        shown=explanation.shown,
        numbers=explanation.operations,
        points=explanation.points,
        places={} if partial else discs(explanation.order, explanation.operations),
        stuck=explanation.crossed_out,
        doubt="cannot be explained" if explanation.verdict is Verdict.VIOLATION else "not explained yet",
        note=explanation.note,
    )


def svg(explanation: Explanation) -> str:
    """The picture as SVG. Text is escaped."""
    return draw(scene(explanation))
