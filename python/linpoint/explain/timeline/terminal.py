"""The timeline for a terminal: one lane per process, two rows a lane (labels, intervals), in bands as wide as the screen.

    p0  write(1)            read() → 2
        ├──●────┤           ├──●─────┤
    p1       cas(1, 2) → true
             ├────●─────────┤

Shapes carry the meaning, colours only repeat it: `●` takes effect, `╞══╡` cannot be explained, `┄▸` never returned.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from linpoint.history.timeline import Bar, Picture
from linpoint.styled import Text

PROCESS, POINT, STUCK, QUIET = "bold", "bold #0072b2", "bold #d55e00", "dim"


def draw(picture: Picture, width: int, doubt: str = "cannot be explained") -> Text:
    """The picture as text with styles; `.plain` is the same without. `doubt` says what is wrong with the stuck operation."""
    margin = max((len(lane.process) for lane in picture.lanes), default=0) + 2
    room = max(width - margin, 20)
    bands = [_band(picture, start, min(start + room, picture.width), margin) for start in range(0, picture.width, room)]
    return Text("\n").join(
        [Text("\n\n").join([band for band in bands if band]), *_legend(picture, margin, room, doubt)]
    )


def _band(picture: Picture, start: int, end: int, margin: int) -> Text:
    """The columns from `start` to `end` of every lane, above an axis."""
    rows: list[Text] = []
    for lane in picture.lanes:
        labels, bars = _Row(start, end), _Row(start, end)
        for number, bar in enumerate(lane.bars):
            following = lane.bars[number + 1].start - 1 if number + 1 < len(lane.bars) else end
            _write(labels, bar, following)
            _stroke(bars, bar, picture.width - 1)
        if labels.empty and bars.empty:
            continue
        rows += [Text.assemble((lane.process.ljust(margin), PROCESS), labels.text()), Text(" " * margin) + bars.text()]
    if not rows:
        return Text()
    axis = _Row(start, end)
    free = start
    for column, time in sorted(picture.ticks):
        words = f"{time:.10g}" if isinstance(time, float) else str(time)
        if free <= column and column + len(words) <= end:
            axis.put(column, words, QUIET)
            free = column + max(len(words) + 2, 12)
    return Text("\n").join([*rows, Text(" " * margin) + axis.text()])


def _write(row: _Row, bar: Bar, until: int) -> None:
    """The label, from where the operation first shows; it ends before the next one of the lane."""
    if bar.start >= row.end or (bar.end is not None and bar.end < row.start):
        return
    first = max(bar.start, row.start)
    room = min(until, row.end) - first
    label = bar.label if bar.start >= row.start else "…" + bar.label
    label = label if len(label) <= room else label[: max(room - 1, 0)] + "…"[:room]
    row.put(first, label, STUCK if bar.stuck else QUIET if not bar.op.ok else "")


def _stroke(row: _Row, bar: Bar, last: int) -> None:
    """The interval, from call to return."""
    line, left, right = ("═", "╞", "╡") if bar.stuck else ("─", "├", "┤") if bar.op.ok else ("┄", "├", "┤")
    style = STUCK if bar.stuck else "" if bar.op.ok else QUIET
    end = last if bar.end is None else bar.end
    row.put(bar.start, left + line * (end - bar.start - 1) + (right if bar.end is not None else "▸"), style)
    if bar.point is not None:
        row.put(bar.point, "●", POINT)


def _legend(picture: Picture, margin: int, room: int, doubt: str) -> Iterable[Text]:
    bars = [bar for lane in picture.lanes for bar in lane.bars]
    entries = [
        ("● takes effect", POINT, any(bar.point is not None for bar in bars)),
        (f"✗ {doubt}", STUCK, any(bar.stuck for bar in bars)),
        ("┄▸ never returned", QUIET, any(bar.end is None for bar in bars)),
    ]
    used = [Text(words, style) for words, style, here in entries if here]
    if sum(len(words) + 3 for words in used) - 3 > room:
        return [Text(" " * margin) + words for words in used]
    return [Text(" " * margin) + Text("   ").join(used)] if used else []


class _Row:
    """One row of characters from column `start` up to `end`; what falls outside is cut off."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self._cells = [" "] * (end - start)
        self._styles = [""] * (end - start)

    @property
    def empty(self) -> bool:
        return not "".join(self._cells).strip()

    def put(self, column: int, words: str, style: str) -> None:
        for place, character in enumerate(words, column - self.start):
            if 0 <= place < len(self._cells):
                self._cells[place], self._styles[place] = character, style

    def text(self) -> Text:
        text = Text()
        for style, cells in groupby(zip(self._cells, self._styles, strict=True), key=itemgetter(1)):
            text.append("".join(character for character, _ in cells), style)
        text.rstrip()
        return text
