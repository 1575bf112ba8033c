"""Do the monitors keep up with sorting? Histories of up to 10^7 operations of 16 processes, checked without a search.

Values are unique in containers and registers and reused at will in sets. Every object comes linearizable, and with a
violation at the very end, where a checker sees it last; a `deep` container once holds half as many values as there
are operations. Beside our times stand those to sort the 2n times of the calls and returns: the floor of every
method that needs their order. There is no peer at these lengths: Porcupine gives no answer on a queue
of 1,000 operations, as the last table shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path
from typing import Any

from bench.compare import Case, Side, against_porcupine, kept_word, short, take_turns
from bench.measure import MIB
from bench.prepare import Bench, note
from bench.report import Table
from bench.tools import Answer

PROGRAM = Path(__file__).with_name("check_alone.py")
SIZES, QUICK = [100_000, 1_000_000, 10_000_000], [10_000, 100_000]
SHOWN = 1_000_000  # the size that the seconds of a Subject are for; longer files, a gigabyte each, are not kept
BYTES = 200  # an operation, beyond the loaded history
SLACK = 1.3  # over n log n
PEER_SECONDS = 10
VERDICTS = {"ok": "linearizable", "bad": "violation"}

Judged = list[tuple[str, bool | None]]  # bars in words, and whether they are kept; None: this run cannot tell


@dataclass(frozen=True)
class Subject:
    """What the rows of one object have in common."""

    name: str  # as bench/programs/src/bin/long_history.rs calls it
    model: str
    method: str
    seconds: float


SUBJECTS = [
    Subject("queue", "queue", "queue-monitor", 0.45),
    Subject("deep-queue", "queue", "queue-monitor", 0.45),
    Subject("stack", "stack", "stack-monitor", 3),
    Subject("deep-stack", "stack", "stack-monitor", 3),
    Subject("priority-queue", "priority-queue", "priority-queue-monitor", 1.2),
    Subject("deep-priority-queue", "priority-queue", "priority-queue-monitor", 1.2),
    Subject("set", "set", "set-monitor", 0.5),
    Subject("register", "cas-register", "register-monitor", 0.6),
]


@dataclass
class Row:
    """One object with one verdict, at all sizes."""

    subject: Subject
    label: str
    sides: dict[int, Side] = field(default_factory=dict)  # by the number of operations

    @property
    def name(self) -> str:
        return self.subject.name + (", violation" if self.label == "bad" else "")

    def beyond_mib(self, size: int) -> float | None:
        """What the check needed beyond the loaded history, the largest of the turns."""
        return max((t.beyond_load_mib for t in self.sides[size].turns if t.beyond_load_mib is not None), default=None)

    def each(self, size: int) -> float | None:
        """The same in bytes an operation."""
        beyond = self.beyond_mib(size)
        return None if beyond is None else beyond * MIB / size

    def small(self, size: int) -> tuple[str, bool | None]:
        each = self.each(size)
        return f"≤ {BYTES} bytes an operation", None if each is None else each <= BYTES

    def faults(self, size: int) -> list[str]:
        side, name = self.sides[size], f"{self.name}, {size:,} operations"
        if not side.answered:
            return [f"{name}: {side.outcome}"]
        wrong = any(turn.verdicts != [VERDICTS[self.label]] for turn in side.turns)
        others = {method for turn in side.turns for method in turn.methods} - {self.subject.method}
        return [f"{name}: WRONG VERDICT"] * wrong + [f"{name}: judged by {method}" for method in sorted(others)]


def run(bench: Bench) -> list[Table]:
    sizes = QUICK if bench.quick else SIZES
    floor = {size: bench.sort_seconds(size) for size in sizes}
    rows = [Row(subject, label) for subject in SUBJECTS for label in VERDICTS]
    for size in sizes:
        if size > SHOWN:
            bench.warm()
        for row in rows:
            note(f"monitors: {row.name}, {size:,} operations")
            row.sides[size] = checked(bench, row, size)
    tables = [costs(rows, min(sizes[-1], SHOWN), floor, bench.quick), growth(rows, sizes, floor, bench.quick)]
    return tables if bench.porcupine is None else [*tables, beside_porcupine(bench)]


def checked(bench: Bench, row: Row, size: int) -> Side:
    file = bench.long_history(row.subject.name, size, row.label)

    def ask() -> Answer:
        arguments = [row.subject.model, str(file), f"{bench.limits.seconds:g}"]
        return bench.linpoint.script(PROGRAM, arguments, bench.limits)

    try:
        return take_turns([ask], bench.repeat)[0]
    finally:
        if size > SHOWN:
            file.unlink()


def costs(rows: list[Row], size: int, floor: dict[int, float], quick: bool) -> Table:
    """Seconds and memory of one size."""
    header = ["case", "check s", "sort s", "MiB beyond load", "bytes an operation", "bar", "kept"]
    table = Table("monitors", f"{size:,} operations of 16 processes, the check alone", header)
    table.notes.append("sort: the 2n times of the calls and returns, the floor")
    table.notes.append(
        "beyond load: the peak of the check over what the loaded history needs, see suites/check_alone.py"
    )
    for row in rows:
        side, limit = row.sides[size], row.subject.seconds
        judged = [(f"≤ {limit:g} s", side.answered and side.seconds <= limit), row.small(size)]
        cells = [short(side), f"{floor[size]:.3f}", whole(row.beyond_mib(size)), whole(row.each(size))]
        record = {"operations": size, "sort_seconds": floor[size], "ours": side.record()}
        record |= {"beyond_load_mib": row.beyond_mib(size), "bytes_an_operation": row.each(size)}
        add(table, row.name, cells, [] if quick else judged, record, row.faults(size))
    return table


def growth(rows: list[Row], sizes: list[int], floor: dict[int, float], quick: bool) -> Table:
    """Seconds of all sizes, and how much they grow from the first to the last."""
    first, last = sizes[0], sizes[-1]
    limit = SLACK * last * log(last) / (first * log(first))
    header = ["case", *(f"{size:,} s" for size in sizes), "times", "bytes an operation", "bar", "kept"]
    table = Table(
        "monitors, growth", f"from {first:,} to {last:,} operations, n log n and a factor of {SLACK:g}", header
    )
    table.notes.append(f"bytes an operation: beyond load, of {last:,} operations")
    table.notes.append(
        "to show a violation a search of limited size follows, whose share is largest in the shortest history: "
        "such rows seem to grow less than they do, the linearizable ones tell"
    )
    for row in rows:
        answered = all(row.sides[size].answered for size in sizes)
        times = row.sides[last].seconds / row.sides[first].seconds if answered else None
        judged = [(f"≤ {limit:.0f} times", times is not None and times <= limit), row.small(last)]
        cells = [*(short(row.sides[size]) for size in sizes), whole(times), whole(row.each(last))]
        record: dict[str, Any] = {f"{size} operations": row.sides[size].record() for size in sizes}
        record |= {"times": times, "bytes_an_operation": row.each(last)}
        faults = [
            fault for size in sizes if size != min(last, SHOWN) for fault in row.faults(size)
        ]  # `costs` has those
        add(table, row.name, cells, [] if quick else judged, record, faults)
    seconds = [f"{floor[size]:.4f}" for size in sizes]
    times = floor[last] / floor[first]
    record = {f"{size} operations": floor[size] for size in sizes} | {"times": times}
    add(table, "floor: sort of the 2n times", [*seconds, whole(times), ""], [], record, [])
    return table


def add(table: Table, name: str, cells: list[str], judged: Judged, record: dict[str, Any], faults: list[str]) -> None:
    bars = ", ".join(text for text, _ in judged)
    word = kept_word([kept for _, kept in judged])
    table.rows.append([name, *cells, bars, "see below" if faults else word])
    table.records.append({"case": name, **record, "bars": [{"bar": text, "kept": kept} for text, kept in judged]})
    table.problems += [f"{name}: {text} is not kept" for text, kept in judged if kept is False]
    table.problems += faults


def whole(number: float | None) -> str:
    return "" if number is None else f"{number:,.0f}"


def beside_porcupine(bench: Bench) -> Table:
    case = Case(
        name="queue, 4 clients, 1,000",
        files=bench.generated("queue_t4_n1000_ok"),
        expected=["linearizable"],
        model="queue",
        peer_model="queue",
        heavy=not bench.quick,
    )
    shorter = replace(bench, limits=replace(bench.limits, seconds=PEER_SECONDS))
    question = f"where the peer ends: a queue of 1,000 operations, {PEER_SECONDS} s"
    return against_porcupine(shorter, "monitors, peer", question, [case])
