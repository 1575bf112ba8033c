"""Several files at once: one row per file, and the sum."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from linpoint.check import Result, reason, span
from linpoint.cli.outcome import Outcome
from linpoint.explain.report import STYLES
from linpoint.text import printable
from linpoint.verdict import Verdict


def table(outcomes: Sequence[Outcome]) -> Table:
    """One row per file."""
    rows = Table(box=None, pad_edge=False)
    rows.add_column("file", no_wrap=True)
    rows.add_column("verdict", no_wrap=True)
    for name in ("operations", "load", "check"):
        rows.add_column(name, justify="right", no_wrap=True)
    rows.add_column("model", no_wrap=True)
    rows.add_column("stuck at", no_wrap=True, overflow="ellipsis")
    for outcome in outcomes:
        try:
            rows.add_row(*_row(outcome))
        except Exception as error:  # a fault in one row hides no verdict
            known = "not judged" if outcome.result is None else str(outcome.result.verdict)
            rows.add_row(Text(printable(outcome.file)), Text(known), *[Text()] * 4, Text(type(error).__name__))
    return rows


def _row(outcome: Outcome) -> list[Text]:
    file, result = Text(printable(outcome.file)), outcome.result
    if result is None:
        return [file, Text("not judged", "bold"), *[Text()] * 4, Text(printable(outcome.error or ""))]
    return [
        file,
        Text(str(result.verdict), STYLES[result.verdict]),
        Text(f"{len(result.history):,}"),
        Text(span(outcome.load_seconds)),
        Text(span(result.seconds)),
        Text(printable(str(result.model)) + (" (guessed)" if result.guessed else "")),
        Text(printable(_trouble(result))),
    ]


def _trouble(result: Result) -> str:
    """What a row says of a history that is not linearizable: where it is stuck, or why nobody knows."""
    if result.verdict is Verdict.UNKNOWN:
        return reason(result)
    stuck = result.stuck
    if stuck is None:
        return ""
    return f"{stuck}" if stuck.line is None else f"{stuck}, line {stuck.line}"


def totals(outcomes: Sequence[Outcome], files: int) -> Text:
    """How many of each verdict, and how long they took."""
    verdicts = [outcome.result.verdict for outcome in outcomes if outcome.result is not None]
    plural = {Verdict.VIOLATION: "violations"}
    counts = [
        f"{count} {plural.get(verdict, verdict) if count > 1 else verdict}"
        for verdict in Verdict
        if (count := verdicts.count(verdict))
    ]
    if len(verdicts) < files:
        counts.append(f"{files - len(verdicts)} not judged")
    spent = sum(outcome.result.seconds for outcome in outcomes if outcome.result is not None)
    return Text(f"{files} files: {', '.join(counts)}; {span(spent)} of checking")
