"""Several files at once: one row per file, and the sum.

A row is made when its file is judged, and holds words only: what was read and found for one file is gone before the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from linpoint.check import Result, reason, span
from linpoint.cli.outcome import Outcome
from linpoint.explain.report import STYLES
from linpoint.styled import Text, cells_of, fitted
from linpoint.text import printable
from linpoint.verdict import Verdict

HEAD = ("file", "verdict", "operations", "load", "check", "model", "stuck at")
NUMBERS = (2, 3, 4)
"""The columns that are set to the right."""
TIMES = (3, 4)
"""The columns that are left out where there is no room."""
GAP = "  "
SHORTEST_NAME = 20
"""So much of a file's name stays, however narrow the screen."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the table says of a file."""

    cells: tuple[str, ...]
    verdict: Verdict | None
    seconds: float

    @classmethod
    def of(cls, outcome: Outcome) -> Row:
        """The row of a file that was judged, or could not be."""
        result, file = outcome.result, printable(outcome.file)
        if result is None:
            return cls((file, "not judged", "", "", "", "", printable(outcome.error or "")), None, 0.0)
        try:
            return cls((file, *_cells(outcome, result)), result.verdict, result.seconds)
        except Exception as error:  # a fault in one row hides no verdict
            told = (file, str(result.verdict), "", "", "", "", type(error).__name__)
            return cls(told, result.verdict, result.seconds)


def _cells(outcome: Outcome, result: Result) -> tuple[str, ...]:
    return (
        str(result.verdict),
        f"{len(result.history):,}",
        span(outcome.load_seconds),
        span(result.seconds),
        printable(str(result.model)) + (" (guessed)" if result.guessed else ""),
        printable(_trouble(result)),
    )


def _trouble(result: Result) -> str:
    """What a row says of a history that is not linearizable: where it is stuck, or why the verdict is unknown."""
    if result.verdict is Verdict.UNKNOWN:
        return reason(result)
    stuck = result.stuck
    if stuck is None:
        return ""
    return f"{stuck}" if stuck.line is None else f"{stuck}, line {stuck.line}"


def table(rows: Sequence[Row], width: int | None) -> Text:
    """One line per file. On a narrow screen what is wrong with a file stands below it, and names lose their beginning."""
    widths = [max(map(cells_of, column)) for column in zip(HEAD, *(row.cells for row in rows), strict=True)]
    columns, below = list(range(len(HEAD))), False
    if width is not None and _across(widths, columns) > width:
        columns, below = columns[:-1], True
        least = [min(widths[0], SHORTEST_NAME), *widths[1:]]
        if _across(least, columns) > width:
            columns = [column for column in columns if column not in TIMES]
        widths[0] = max(least[0], min(widths[0], width - _across([0, *widths[1:]], columns)))
    lines = [Text(_line(HEAD, columns, widths, None).plain, "bold")]
    for row in rows:
        lines.append(_line(row.cells, columns, widths, row.verdict))
        if below and row.cells[-1]:
            lines += [Text(f"{GAP}{GAP}{line}") for line in wrap(row.cells[-1], max((width or 0) - 4, 20))]
    return Text("\n").join(lines)


def _across(widths: Sequence[int], columns: Sequence[int]) -> int:
    """How wide a line with these columns is."""
    return sum(widths[column] for column in columns) + len(GAP) * (len(columns) - 1)


def _line(cells: Sequence[str], columns: Sequence[int], widths: Sequence[int], verdict: Verdict | None) -> Text:
    name, said = cells[0], cells[1]
    if cells_of(name) > widths[0]:
        name = "…" + name[len(name) - widths[0] + 1 :]
    style = "" if verdict is None else STYLES[verdict]
    line = Text.assemble(fitted(name, widths[0]), GAP, (said, style), " " * (widths[1] - cells_of(said)))
    for column in columns[2:]:
        cell = cells[column]
        room = " " * (widths[column] - cells_of(cell))
        line.append(GAP + (room + cell if column in NUMBERS else cell + room))
    line.rstrip()
    return line


def totals(rows: Sequence[Row], files: int) -> Text:
    """How many of each verdict, and how long they took."""
    verdicts = [row.verdict for row in rows if row.verdict is not None]
    plural = {Verdict.VIOLATION: "violations"}
    counts = [
        f"{count} {plural.get(verdict, verdict) if count > 1 else verdict}"
        for verdict in Verdict
        if (count := verdicts.count(verdict))
    ]
    if len(verdicts) < files:
        counts.append(f"{files - len(verdicts)} not judged")
    return Text(f"{files} files: {', '.join(counts)}; {span(sum(row.seconds for row in rows))} of checking")
