"""Which operations are worth looking at? All of a small history; of a big one those around the trouble."""

from __future__ import annotations

from dataclasses import dataclass

from linpoint._core import Witness
from linpoint.check.result import Result
from linpoint.text import printable

MOST = 40
"""A history of at most so many operations is shown whole; of a longer one without trouble, so many from its start."""
NEAR = 20
"""So many operations are shown around a stuck one."""


@dataclass(frozen=True)
class Window:
    """Operations to show, by index, in the order of their calls."""

    indices: list[int]
    note: str
    """What is left out, in words; empty if nothing is."""


def window(result: Result) -> Window:
    """The operations to show for a result."""
    if isinstance(result.evidence, Witness) and len(result.history) > MOST:
        first = result.history.columns.first_called(MOST)
        return Window(first, f"the first {MOST} of {len(result.history):,} operations")
    scope, columns = result.scope, result.history.columns
    part = f" on {printable(result.part)}" if result.part and len(scope) < len(result.history) else ""
    total = f"{len(result.history):,} operations"
    if len(scope) <= MOST:
        return Window(columns.by_call(list(scope)), f"the {len(scope):,} of {total} that are{part}" if part else "")
    stuck = result.stuck_index
    if stuck is None:
        return Window([], "")  # nothing is known about any of them
    near = columns.heard_last(stuck, NEAR, None if len(scope) == len(result.history) else list(scope))
    return Window(near, f"{len(near)} of {total}, those{part} just before operation {stuck} returned")
