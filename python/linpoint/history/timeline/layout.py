"""Where does each event go? From operations to columns of characters, the same for every renderer.

Time runs to the right, to scale where there is room. Every event has a column of its own, in the true order, and no
operation starts under the label of the one before it in its lane: where the scale leaves less room than that, the
picture is stretched. Linear in the number of operations shown, plus one pass over the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from linpoint.history.history import History
from linpoint.history.operation import Operation, Time
from linpoint.history.values import show_process

LONGEST_LABEL = 32


@dataclass(frozen=True)
class Bar:
    """One operation in the picture."""

    op: Operation
    label: str
    start: int
    """The column of its call."""
    end: int | None
    """The column of its return; None if it is pending."""
    point: int | None
    """The column at which it takes effect, if it is in the order."""
    stuck: bool


@dataclass(frozen=True)
class Lane:
    """The operations of one process."""

    process: str
    bars: list[Bar]


@dataclass(frozen=True)
class Picture:
    """Lanes in the order of their processes, and when what happens."""

    lanes: list[Lane]
    width: int
    ticks: list[tuple[int, Time]]
    """(column, time) of every call and return."""


def lay_out(history: History, indices: Sequence[int], order: Sequence[int], stuck: int | None, width: int) -> Picture:
    """Arranges the operations `indices`, in the order of their calls; `order` says which take effect, one after the other.

    The picture is at most `width` wide if the labels leave room for that.
    """
    shown = {index: history[index] for index in indices}
    labels = {index: _label(op, index == stuck) for index, op in shown.items()}
    moments = _moments(history, shown, order)
    column = _columns(moments, shown, labels, width)
    lanes: dict[str, list[Bar]] = {}
    for index, op in shown.items():
        bar = Bar(
            op=op,
            label=labels[index],
            start=column[index, "call"],
            end=column.get((index, "return")),
            point=column.get((index, "point")),
            stuck=index == stuck,
        )
        lanes.setdefault(lane(op), []).append(bar)
    ticks = [(column[index, what], time) for index, what, time in moments if what != "point"]
    return Picture([Lane(process, bars) for process, bars in _sorted(lanes)], _width(column, labels), ticks)


def _label(op: Operation, stuck: bool) -> str:
    text = ("✗ " if stuck else "") + str(op)
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


Moment = tuple[int, str, Time]
"""(operation, "call" or "return" or "point", time)."""


def _moments(history: History, shown: dict[int, Operation], order: Sequence[int]) -> list[Moment]:
    """Calls, returns and linearization points in their true order."""
    calls, returns = history.columns.ranks()
    found: list[tuple[tuple[int, int], Moment]] = []
    for index, op in shown.items():
        found.append(((calls[index], 0), (index, "call", op.call)))
        end = returns[index]
        if end is not None and op.ret is not None:
            found.append(((end, 0), (index, "return", op.ret)))
    together: dict[Time, int] = {}  # time → the rank of the last call at that time
    for index, op in shown.items():
        together[op.call] = max(calls[index], together.get(op.call, -1))
    latest, time = -1, None  # a point comes as early as it may: just after the latest calls so far
    for place, index in enumerate(order, 1):
        if calls[index] > latest:
            time = shown[index].call if index in shown else None
            latest = calls[index] if time is None else together[time]
        if index in shown:
            found.append(((latest, place), (index, "point", shown[index].call if time is None else time)))
    return [moment for _, moment in sorted(found, key=lambda entry: entry[0])]


def _columns(
    moments: Sequence[Moment], shown: dict[int, Operation], labels: dict[int, str], width: int
) -> dict[tuple[int, str], int]:
    """A column for every moment: to the widest scale that fits, else as narrow as the labels allow."""
    best = _place(moments, shown, labels, 0)
    scale = width - 3
    while scale > 0:
        placed = _place(moments, shown, labels, scale)
        if _width(placed, labels) <= width:
            return placed
        scale = scale * 4 // 5
    return best


def _width(column: dict[tuple[int, str], int], labels: dict[int, str]) -> int:
    """How wide the picture is: up to the last event or the end of the last label, and an arrow."""
    ends = [here + (len(labels[index]) if what == "call" else 2) for (index, what), here in column.items()]
    return max(ends, default=0)


def _place(
    moments: Sequence[Moment], shown: dict[int, Operation], labels: dict[int, str], scale: int
) -> dict[tuple[int, str], int]:
    """Columns with the whole time `scale` wide, stretched where that is too narrow."""
    times = [Fraction(time) for _, _, time in moments]  # exact: a history may mix integers and decimals
    first, span = min(times, default=Fraction(0)), max(times, default=Fraction(0)) - min(times, default=Fraction(0))
    column: dict[tuple[int, str], int] = {}
    free: dict[str, int] = {}  # lane → the first column that is not under a label
    previous = -1
    before: tuple[str, Time | None] = ("", None)
    for index, what, time in moments:
        row = lane(shown[index])
        together = what != "point" and (what, time) == before  # calls (or returns) at one time share a column
        least = max(previous + (not together), free.get(row, 0) if what == "call" else 0)
        here = max(least, int((Fraction(time) - first) / span * scale) if span and scale else 0)
        column[index, what] = previous = here
        before = (what, time)
        if what == "call":
            free[row] = here + len(labels[index]) + 2
    return column


def lane(op: Operation) -> str:
    """The name of the lane an operation is in."""
    return show_process(op.process)


def _sorted(lanes: dict[str, list[Bar]]) -> list[tuple[str, list[Bar]]]:
    """Lanes by process: numbers by value, then texts."""

    def place(name: str) -> tuple[bool, int, str]:
        number = isinstance(lanes[name][0].op.process, int)
        return not number, lanes[name][0].op.process if number else 0, name

    return [(name, lanes[name]) for name in sorted(lanes, key=place)]
