"""Where does a search end, and what goes on from there? Histories with dozens of clients open at once, or crashed.

On these families a search by configurations has no answer in half a minute, and often no tool has one. Some are
polynomial because the data tell an order (append-only lists, sets read as a whole, values that repeat rarely), some are not,
and the row shows how far we get. Each comes linearizable and with a value out of thin air, registers with a stale
read too. Porcupine runs beside where it has the model; its limit is shorter, for it rarely answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bench.compare import Bar, Outcome, Side, add_row, comparison_table, seconds, take_turns
from bench.prepare import Bench, note
from bench.report import Table
from bench.tools import Answer, Limits

PROGRAM = Path(__file__).with_name("check_alone.py")
SECONDS, MIB = 30.0, 512
PEER_SECONDS = 10.0
AIR = 0.02  # seconds for a value out of thin air
VERDICTS = {"ok": "linearizable", "stale": "violation", "air": "violation"}
WORDS = {"ok": "", "stale": ", stale read", "air": ", thin air"}


@dataclass(frozen=True)
class Row:
    """A family of bench/frontier.py at one size."""

    family: str
    clients: int
    length: int
    model: str
    bars: Mapping[str, float | None]  # seconds by what was changed; None: no bar, only the figure
    peer: str | None = None


def register(family: str, clients: int, limit: float) -> list[Row]:
    """At 2,000 operations, and at 20,000 with twelve times the seconds."""
    small = {"ok": limit, "stale": 0.05, "air": AIR}
    long = {"ok": 12 * limit, "stale": 12 * 0.05, "air": 12 * AIR}
    return [
        Row(family, clients, 2_000, "register", small, "register"),
        Row(family, clients, 20_000, "register", long, "register"),
    ]


def bars(limit: float | None) -> dict[str, float | None]:
    return {"ok": limit, "air": AIR}


ROWS = [
    Row("register-repeat", 30, 2_000, "register", bars(0.1), "register"),
    Row("register-repeat", 50, 2_000, "register", bars(0.3), "register"),
    Row("register-repeat", 100, 2_000, "register", bars(1.5), "register"),
    *register("register-1000", 30, 0.3),
    *register("register-200", 30, 0.3),
    *register("register-50", 50, 0.3),
    Row("register-cas", 50, 2_000, "cas-register", bars(None), "register"),
    Row("register-crashed", 10, 10_000, "cas-register", bars(2), "register"),
    Row("register-crashed-30", 10, 2_000, "cas-register", bars(None), "register"),
    Row("map-one-key", 50, 2_000, "map", bars(None)),
    Row("stack-pending", 16, 1_000, "stack", bars(0.05), "stack"),
    Row("stack-pending", 16, 100_000, "stack", {"ok": 10}, "stack"),
    Row("stack-5", 16, 1_000, "stack", bars(0.5), "stack"),
    Row("queue-5", 50, 10_000, "queue", bars(2), "queue"),
    Row("bag-5", 50, 10_000, "bag", bars(2)),
    Row("priority-5", 50, 10_000, "priority-queue", bars(2)),
    Row("deque", 16, 1_000, "deque", bars(None)),
    Row("append-list", 50, 10_000, "kv", bars(0.3), "kv"),
    Row("grow-only-set", 20, 5_000, "set", bars(0.5)),
    Row("transactions", 20, 2_000, "multi-register", bars(None)),
]
QUICK = {"register-repeat", "register-200", "register-crashed-30"}


def run(bench: Bench) -> list[Table]:
    limits = Limits(min(SECONDS, bench.limits.seconds), MIB)
    question = f"dozens of clients open at once, or crashed; the check alone, {limits.seconds:g} s, {MIB} MiB"
    table = comparison_table("frontier", question, "linpoint", "Porcupine")
    if bench.porcupine:
        table.notes.append(f"Porcupine: {PEER_SECONDS:g} s, {bench.limits.memory_mib:,} MiB, where it has the model")
    for row in ROWS:
        if bench.quick and (row.family not in QUICK or row.length > 2_000):
            continue
        for change, limit in row.bars.items():
            add_case(bench, limits, table, row, change, limit)
    return [table]


def add_case(bench: Bench, limits: Limits, table: Table, row: Row, change: str, limit: float | None) -> None:
    case = f"{row.family}, {row.clients} clients, {row.length:,}{WORDS[change]}"
    note(f"frontier: {case}")
    [file] = bench.generated(f"frontier_{row.family}_c{row.clients}_n{row.length}_{change}", program="frontier.py")
    arguments = [row.model, str(file), f"{limits.seconds:g}", str(limits.memory_mib)]
    # The watcher's limit is above that of the check: a checker that keeps to its limit is not ended from outside.
    watched = replace(limits, memory_mib=2 * limits.memory_mib)
    checkers: list[Callable[[], Answer]] = [lambda: bench.linpoint.script(PROGRAM, arguments, watched)]
    if row.peer and (peer := bench.porcupine):
        model, shorter = row.peer, replace(bench.limits, seconds=PEER_SECONDS)
        checkers.append(lambda: peer.check([file], model, "jsonl", shorter))
    ours, theirs = [*take_turns(checkers, bench.repeat), Side()][:2]
    beyond = ours.turns[0].beyond_load_mib
    judged = (*([] if limit is None else [seconds(limit)]), PEAK)
    add_row(table, case, [VERDICTS[change]], judged, Outcome(ours, theirs, beyond, PEER_SECONDS))


PEAK = Bar(f"≤ {MIB} MiB", lambda o: o.ours.peak_mib <= MIB)
