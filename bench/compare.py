"""Which of two checkers is faster on the very same file, and does ours keep to its bar?

The two take turns, so that a slow minute of the machine hits both. Of N turns the smallest check time counts,
since noise only ever adds, and the largest peak memory. A checker that gave no answer in its first turn is not
asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.prepare import Bench, note
from bench.report import Table
from bench.tools import Answer


@dataclass
class Side:
    """All turns of one checker on one case."""

    turns: list[Answer] = field(default_factory=list)

    @property
    def answered(self) -> bool:
        return bool(self.turns) and all(turn.answered for turn in self.turns)

    @property
    def outcome(self) -> str:
        return next((turn.outcome for turn in self.turns if not turn.answered), "answered") if self.turns else "not run"

    @property
    def seconds(self) -> float:
        return min(turn.check_seconds for turn in self.turns)

    @property
    def peak_mib(self) -> float:
        return max((turn.peak_mib for turn in self.turns), default=0.0)

    @property
    def verdicts(self) -> list[str]:
        return self.turns[0].verdicts if self.turns else []

    def record(self) -> dict[str, Any]:
        known = {"outcome": self.outcome, "peak_mib": round(self.peak_mib, 1)}
        if self.answered:
            known |= {
                "check_seconds": self.seconds,
                "all_check_seconds": [turn.check_seconds for turn in self.turns],
                "load_seconds": min(turn.load_seconds for turn in self.turns),
                "certify_seconds": min(turn.certify_seconds for turn in self.turns),
                "wall_seconds": min(turn.wall_seconds for turn in self.turns),
                "methods": self.turns[0].methods,
            }
        return known


def take_turns(checkers: list[Callable[[], Answer]], repeat: int) -> list[Side]:
    sides = [Side() for _ in checkers]
    for _ in range(repeat):
        for side, checker in zip(sides, checkers, strict=True):
            if not side.turns or side.answered:
                side.turns.append(checker())
    return sides


@dataclass
class Outcome:
    """What a bar may look at."""

    ours: Side
    theirs: Side
    beyond_load_mib: float | None
    limit_seconds: float

    @property
    def faster(self) -> float | None:
        """How many times faster ours is; at least that many when the other side gave no answer in its time."""
        if not self.ours.answered or not self.theirs.turns:
            return None
        return (self.theirs.seconds if self.theirs.answered else self.limit_seconds) / max(self.ours.seconds, 1e-9)


@dataclass(frozen=True)
class Bar:
    text: str
    holds: Callable[[Outcome], bool | None]  # None: this run cannot tell

    def judge(self, outcome: Outcome) -> bool | None:
        return self.holds(outcome) if outcome.ours.answered else False


def seconds(limit: float) -> Bar:
    return Bar(f"≤ {limit:g} s", lambda o: o.ours.seconds <= limit)


def times_faster(factor: float) -> Bar:
    return Bar(f"≥ {factor:g} times faster", lambda o: None if o.faster is None else o.faster >= factor)


def times_slower_at_most(factor: float) -> Bar:
    return Bar(f"≤ {factor:g} times the other", lambda o: None if o.faster is None else o.faster >= 1 / factor)


def beyond_load(limit_mib: float) -> Bar:
    return Bar(
        f"≤ {limit_mib:g} MiB beyond load",
        lambda o: None if o.beyond_load_mib is None else o.beyond_load_mib <= limit_mib,
    )


@dataclass(frozen=True)
class Case:
    name: str
    files: list[Path]
    expected: list[str]  # a verdict per file
    model: str  # linpoint's name of the model
    peer_model: str
    peer_format: str = "jsonl"
    partition: bool = True
    bars: tuple[Bar, ...] = ()
    heavy: bool = False  # the peer needs gigabytes: touch the memory first


def against_porcupine(bench: Bench, title: str, question: str, cases: list[Case]) -> Table:
    table = comparison_table(title, question, "linpoint", "Porcupine")
    for case in cases:
        note(f"{title}: {case.name}")
        if case.heavy:
            bench.warm()
        checkers: list[Callable[[], Answer]] = [
            lambda case=case: bench.linpoint.check(case.files, case.model, bench.limits, partition=case.partition)  # type: ignore[misc]
        ]
        if peer := bench.porcupine:
            checkers.append(
                lambda case=case, peer=peer: peer.check(  # type: ignore[misc]
                    case.files, case.peer_model, case.peer_format, bench.limits, partition=case.partition
                )
            )
        ours, theirs = [*take_turns(checkers, bench.repeat), Side()][:2]
        loaded = bench.linpoint.load_only(case.files[0], bench.limits) if len(case.files) == 1 else None
        beyond = None if loaded is None else max(0.0, ours.peak_mib - loaded)
        add_row(table, case.name, case.expected, case.bars, Outcome(ours, theirs, beyond, bench.limits.seconds))
    return table


def comparison_table(title: str, question: str, ours: str, theirs: str) -> Table:
    header = [
        "case",
        "operations",
        f"{ours} s",
        f"{theirs} s",
        "times faster",
        f"{ours} MiB",
        "beyond load",
        f"{theirs} MiB",
        "bar",
        "kept",
    ]
    return Table(title, question, header)


def add_row(table: Table, name: str, expected: list[str], bars: tuple[Bar, ...], outcome: Outcome) -> None:
    ours, theirs = outcome.ours, outcome.theirs
    judged = [(bar.text, bar.judge(outcome)) for bar in bars]
    problems = [f"{name}: {text} is not kept" for text, kept in judged if kept is False]
    for label, side in (("ours", ours), ("the other", theirs)):
        wrong = sum(turn.verdicts != expected for turn in side.turns if turn.answered)
        problems += [f"{name}: WRONG VERDICT ({label}) in {wrong} of {len(side.turns)} turns"] if wrong else []
    if not ours.answered:
        problems.append(f"{name}: {ours.outcome}")
    operations = max((turn.operations for side in (ours, theirs) for turn in side.turns), default=0)
    at_least = "" if theirs.answered else "> "
    table.rows.append(
        [
            name,
            f"{operations:,}",
            short(ours),
            short(theirs),
            "" if outcome.faster is None else f"{at_least}{outcome.faster:,.1f}",
            f"{ours.peak_mib:,.0f}",
            "" if outcome.beyond_load_mib is None else f"{outcome.beyond_load_mib:,.0f}",
            f"{theirs.peak_mib:,.0f}" if theirs.turns else "",
            ", ".join(text for text, _ in judged),
            "wrong verdict" if any("WRONG" in p for p in problems) else kept_word([kept for _, kept in judged]),
        ]
    )
    table.problems += problems
    table.records.append(
        {
            "case": name,
            "operations": operations,
            "verdicts_expected": {verdict: expected.count(verdict) for verdict in sorted(set(expected))},
            "ours": ours.record(),
            "theirs": theirs.record(),
            "times_faster": outcome.faster,
            "beyond_load_mib": outcome.beyond_load_mib,
            "bars": [{"bar": text, "kept": kept} for text, kept in judged],
        }
    )


def short(side: Side) -> str:
    if not side.answered:
        return side.outcome
    return f"{side.seconds:.4f}" if side.seconds < 0.1 else f"{side.seconds:.3f}"


def kept_word(kept: list[bool | None]) -> str:
    if False in kept:
        return "NO"
    return "cannot tell" if None in kept else "yes" if kept else ""
