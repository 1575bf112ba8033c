"""The timeline as SVG, for papers and bug reports: lanes, intervals to scale, linearization points, the stuck operation.

The places are those of the terminal (`lay_out`), a column a fixed number of pixels wide. Shapes carry the meaning and
colours (Okabe & Ito's, safe for colour blindness) repeat it, so that the picture survives a grey printer: a numbered
disc is where an operation takes effect, a barred double line with a cross cannot be explained, a dashed line with an
arrow never returned. Only attributes are used, no style sheet and no script: every viewer and every TeX tool reads
that, and a page may override it by class. The same history gives the same text, byte for byte.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from linpoint.history.history import History
from linpoint.history.timeline.layout import Bar, Lane, Picture, lane, lay_out
from linpoint.text import printable

COLUMNS = 96
"""The picture is so many columns wide, or wider if the labels need it."""
COLUMN = 8.0
"""The width of a column in pixels; a character of the labels is 7.2."""
ROW, TOP, BAR, EDGE = 46.0, 14.0, 22.0, 16.0
"""Height of a lane, space above the first, from a lane's top to its bars, space around everything."""
LONGEST_NAME = 24
"""So many characters of a process's name are shown."""
MOST_NUMBERED = 99
"""Points are numbered in orders up to this length; more digits do not fit a disc."""

INK, QUIET, GUIDE, POINT, STUCK, PAPER = "#1a1a1a", "#666666", "#dddddd", "#0072b2", "#c44f00", "#ffffff"

_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


@dataclass(frozen=True)
class Scene:
    """What a picture shows."""

    title: str
    shown: History
    """The operations, numbered anew."""
    numbers: Sequence[int]
    """Each by its index in the history."""
    points: Sequence[int] = ()
    """Those that take effect, in this order: places in `shown`."""
    places: Mapping[int, int] = field(default_factory=dict)
    """The number on the disc of a point."""
    stuck: int | None = None
    """The place of the operation that is crossed out."""
    doubt: str = "cannot be explained"
    """What is wrong with that one."""
    note: str = ""
    """Which operations are shown, if not all."""


def discs(order: Sequence[int], operations: Sequence[int]) -> dict[int, int]:
    """For the places of some operations their numbers in an order; nothing if that is too long for discs."""
    numbered = {index: number for number, index in enumerate(order, 1)} if len(order) <= MOST_NUMBERED else {}
    return {place: numbered[index] for place, index in enumerate(operations) if index in numbered}


def svg(scene: Scene) -> str:
    """The picture. Text is escaped."""
    shown = scene.shown
    margin = min(max((len(lane(op)) for op in shown), default=0), LONGEST_NAME) + 2
    picture = lay_out(shown, range(len(shown)), scene.points, scene.stuck, COLUMNS - margin)
    return _Drawing(picture, scene, margin).text()


class _Drawing:
    """One picture in the making; coordinates are pixels, y grows downward."""

    def __init__(self, picture: Picture, scene: Scene, margin: int) -> None:
        self.picture, self.scene, self.spread = picture, scene, _spread(picture)
        self.left = EDGE + margin * COLUMN
        self.right = self.left + picture.width * COLUMN
        self.bottom = TOP + ROW * len(picture.lanes)
        self.below, self.widest = self.bottom, 0.0
        """Where the last line of the legend stands, and where the longest ends."""
        self.parts: list[str] = []

    def text(self) -> str:
        for number, row in enumerate(self.picture.lanes):
            self._lane(row, TOP + ROW * number)
        self._axis()
        self._legend()
        width, height = max(self.right, self.widest) + EDGE, self.below + 12
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="img" aria-label={_attribute(self.scene.title)} '
            f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}" '
            f'font-family="{_FONT}" font-size="12">'
        )
        paper = f'<rect class="paper" width="{_n(width)}" height="{_n(height)}" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{_escape(self.scene.title)}</title>", paper, *self.parts, "</svg>"]) + "\n"

    def _x(self, column: float) -> float:
        return self.left + (column + 0.5) * COLUMN

    def _lane(self, row: Lane, top: float) -> None:
        y = top + BAR
        self._line("guide", (self.left, y), (self.right, y), GUIDE, "1")
        name = row.process if len(row.process) <= LONGEST_NAME else row.process[: LONGEST_NAME - 1] + "…"
        self._words("process", EDGE, y + 4, name, INK, weight="bold")
        for bar in row.bars:
            self._operation(bar, top, y)

    def _operation(self, bar: Bar, top: float, y: float) -> None:
        kind = "stuck" if bar.stuck else bar.op.type
        self.parts.append(
            f'<g class="op {kind}" data-op="{self.scene.numbers[bar.op.index]}"><title>{_escape(_details(bar))}</title>'
        )
        colour = STUCK if bar.stuck else INK if bar.op.ok else QUIET
        start, end = self._x(bar.start), self._x(self.picture.width - 1 if bar.end is None else bar.end)
        label, indent = bar.label, 0.0
        if bar.stuck:  # the cross is drawn, since not every font has one
            label, indent = bar.label.removeprefix("✗ "), 2 * COLUMN
            self._cross(start + 4, top + 6, 4)
        self._words("label", start + indent, top + 10, label, colour, weight="bold" if bar.stuck else "")
        self._interval(bar, start, end, y, colour)
        if bar.point is not None:
            self._point(self._x(self.spread[bar.point]), y, self.scene.places.get(bar.op.index))
        self.parts.append("</g>")

    def _interval(self, bar: Bar, start: float, end: float, y: float, colour: str) -> None:
        if bar.stuck:  # two lines with bars across: ╫ in print
            self._line("bar", (start, y - 3), (end, y - 3), colour, "2")
            self._line("bar", (start, y + 3), (end, y + 3), colour, "2")
            x = start + 8
            while x < end - 2:
                self._line("bar", (x - 3, y + 3), (x + 3, y - 3), colour, "1.2")
                x += 8
        else:
            self._line("bar", (start, y), (end, y), colour, "2.5", "" if bar.op.ok else "2 4")
        cap = 8 if bar.stuck or bar.point is not None else 5  # a disc beside it does not hide it
        self._line("bar", (start, y - cap), (start, y + cap), colour, "2.5")
        if bar.end is not None:
            self._line("bar", (end, y - cap), (end, y + cap), colour, "2.5")
        else:
            self._arrow(end, y, colour)

    def _point(self, x: float, y: float, place: int | None) -> None:
        radius = 4.5 if place is None else 6.8
        self.parts.append(
            f'<circle class="point" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{POINT}" stroke="{PAPER}" '
            f'stroke-width="1.5"/>'
        )
        if place is not None:
            size = "10" if place < 10 else "8.5"
            self.parts.append(
                f'<text class="place" x="{_n(x)}" y="{_n(y + 3.4)}" font-size="{size}" font-weight="bold" '
                f'text-anchor="middle" fill="{PAPER}">{place}</text>'
            )

    def _cross(self, x: float, y: float, reach: float) -> None:
        corners = ((x - reach, y - reach), (x + reach, y + reach)), ((x - reach, y + reach), (x + reach, y - reach))
        for start, end in corners:
            self._line("cross", start, end, STUCK, "2.5")

    def _axis(self) -> None:
        y = self.bottom
        self._line("axis", (self.left, y), (self.right, y), QUIET, "1")
        free = 0.0
        for column, time in sorted(set(self.picture.ticks)):
            words = f"{time:.10g}" if isinstance(time, float) else str(time)
            x, half = self._x(column), len(words) * 3.3
            if x - half >= free and x + half <= self.right + EDGE:
                self._line("axis", (x, y), (x, y + 4), QUIET, "1")
                self._words("tick", x, y + 15, words, QUIET, size="11", anchor="middle")
                free = x + half + 14

    def _legend(self) -> None:
        bars = [bar for row in self.picture.lanes for bar in row.bars]
        self.below += 22
        if any(bar.point is not None for bar in bars):
            y = self._entry("takes effect" + (", in this order" if self.scene.places else ""))
            self._point(self.left + 12, y, 1 if self.scene.places else None)
        if any(bar.stuck for bar in bars):
            self._cross(self.left + 12, self._entry(self.scene.doubt), 4)
        if any(bar.end is None for bar in bars):
            y = self._entry("never returned")
            self._line("bar", (self.left, y), (self.left + 16, y), QUIET, "2.5", "2 4")
            self._arrow(self.left + 16, y, QUIET)
        if not _to_scale(self.picture):
            self._entry("not to scale: time is stretched where labels need room")
        if self.scene.note:
            self._entry(f"shown: {self.scene.note}")

    def _entry(self, words: str) -> float:
        """Writes an entry of the legend on a line of its own; returns the height at which its sign belongs."""
        self.below += 18
        self._words("legend", self.left + 32, self.below, words, QUIET, size="11")
        self.widest = max(self.widest, self.left + 32 + len(words) * 6.7)
        return self.below - 4

    def _arrow(self, x: float, y: float, colour: str) -> None:
        corners = f"{_n(x)},{_n(y - 5)} {_n(x + 8)},{_n(y)} {_n(x)},{_n(y + 5)}"
        self.parts.append(f'<polygon class="arrow" points="{corners}" fill="{colour}"/>')

    def _line(
        self, kind: str, start: tuple[float, float], end: tuple[float, float], colour: str, width: str, dashes: str = ""
    ) -> None:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(
            f'<line class="{kind}" x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}" '
            f'stroke="{colour}" stroke-width="{width}"{dashed}/>'
        )

    def _words(
        self, kind: str, x: float, y: float, words: str, colour: str,
        *, size: str = "", weight: str = "", anchor: str = "",
    ) -> None:  # fmt: skip
        named = {"font-size": size, "font-weight": weight, "text-anchor": anchor}
        more = "".join(f' {name}="{value}"' for name, value in named.items() if value)
        self.parts.append(
            f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}" fill="{colour}"{more} xml:space="preserve">{_escape(words)}</text>'
        )


def _spread(picture: Picture) -> dict[int, float]:
    """For each column that holds a point: where to draw it, in the middle of the room between the two events around it.

    Points take effect as early as they may, just after a call. Between that event and the next nothing happens, so
    they may stand anywhere there: evenly spread they are easier to tell apart, and their order stays.
    """
    events = sorted({column for column, _ in picture.ticks})
    points = sorted({bar.point for row in picture.lanes for bar in row.bars if bar.point is not None})
    rooms: dict[tuple[float, float], list[int]] = {}
    for point in points:
        place = bisect(events, point)
        before = events[place - 1] if place else point
        after = events[place] if place < len(events) else picture.width - 1
        rooms.setdefault((before, max(after, point)), []).append(point)
    return {
        point: before + (after - before) * number / (len(together) + 1)
        for (before, after), together in rooms.items()
        for number, point in enumerate(together, 1)
    }


def _details(bar: Bar) -> str:
    """What the pointer shows: the operation in full, who and when."""
    op = bar.op
    until = "never returned" if bar.end is None else f"returned {op.ret}"
    line = "" if op.line is None else f", line {op.line}"
    return f"{op} ({lane(op)}, called {op.call}, {until}{line})"


def _to_scale(picture: Picture) -> bool:
    """Does every column stand for the same time, up to rounding?"""
    ticks = sorted(set(picture.ticks))
    if len(ticks) < 3:
        return True
    (first, start), (last, end) = ticks[0], ticks[-1]
    begun, span = Fraction(start), Fraction(end) - Fraction(start)
    return not span or all(
        abs((Fraction(time) - begun) / span * (last - first) - (column - first)) <= 2 for column, time in ticks
    )


def _n(number: float) -> str:
    """A coordinate, as short as it goes."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _escape(text: str) -> str:
    return escape(printable(text), quote=False)


def _attribute(text: str) -> str:
    return f'"{escape(printable(text))}"'
