"""What does a picture of a result show? The operations around the trouble, and how far an order explains them."""

from __future__ import annotations

from linpoint._core import Witness
from linpoint.check.result import Result
from linpoint.check.window import window
from linpoint.history.timeline.svg import Scene
from linpoint.verdict import Verdict


def scene(result: Result) -> Scene:
    """What a picture of a result shows, without a counterexample: `linpoint.explain` looks for one."""
    view = window(result)
    order = result.evidence.among(view.indices) if isinstance(result.evidence, Witness) else result.prefix_order
    place = {index: number for number, index in enumerate(view.indices)}
    return Scene(
        title=result.headline,
        shown=result.history.subhistory(view.indices),
        numbers=view.indices,
        points=[place[index] for index in order if index in place],
        stuck=None if result.stuck_index is None else place.get(result.stuck_index),
        doubt="cannot be explained" if result.verdict is Verdict.VIOLATION else "not explained yet",
        note=view.note,
    )
