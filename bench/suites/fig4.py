"""How much smaller is the quotient, and how fast are states met? Figure 4 of Yang, Katoen, Lin and Wu.

2 threads × 2 to 10 operations; each algorithm goes on until it does not end within the limits. Bars: 1.5 million states a
second on one core for the MS queue 2 × 5 and the Treiber stack with hazard pointers 2 × 4; the MS queue 3 × 2 verified within
one second, the start of the program included. Every verdict is compared with the known one.
"""

from __future__ import annotations

import json
from typing import Any

from bench import measure
from bench.prepare import Bench, note
from bench.report import Table

ALGORITHMS = {
    "treiber": "linearizable",
    "treiber-hp": "linearizable",
    "treiber-hp-fu": "linearizable",
    "ms-queue": "linearizable",
    "dglm-queue": "linearizable",
    "ccas": "linearizable",
    "rdcss": "linearizable",
    "fine-list": "linearizable",
    "hm-list": "linearizable",
    "optimistic-list": "linearizable",
    "lazy-list": "linearizable",
    "two-lock-queue": "linearizable",
    "hw-queue": "linearizable",
}
MOST_OPS = 10
STATES_PER_SECOND = 1_500_000
"""On one core."""
SECONDS_3X2 = 1.0
QUICK_OPS = 3
HEADER = [
    "algorithm",
    "ops",
    "states",
    "quotient",
    "times smaller",
    "share",
    "explore s",
    "states/s",
    "reduce s",
    "MiB",
]


def run(bench: Bench) -> list[Table]:
    return [_figure(bench), _speed(bench)]


def _figure(bench: Bench) -> Table:
    table = Table("fig4", "2 threads, one value: object and quotient by branching bisimulation", HEADER)
    for name, expected in ALGORITHMS.items():
        for ops in range(2, (QUICK_OPS if bench.quick else MOST_OPS) + 1):
            note(f"fig4: {name} 2 x {ops}")
            told, peak, _ = _verify(bench, name, 2, ops, [])
            if told is None or told["quotient_states"] is None:
                table.notes.append(f"{name}: no answer for {ops} operations: {_why(told)}")
                break
            table.rows.append(_row(name, ops, told, peak))
            table.records.append({**told, "peak_mib": peak, "counterexample": None})
            if told["verdict"] not in (expected, "unknown"):
                table.problems.append(f"{name} 2 x {ops}: {told['verdict']}, which is wrong")
    return table


def _row(name: str, ops: int, told: dict[str, Any], peak: float) -> list[str]:
    states, quotient = told["states"], told["quotient_states"]
    return [
        name,
        str(ops),
        f"{states:,}",
        f"{quotient:,}",
        f"{states / quotient:,.1f}",
        f"{100 * quotient / states:.2f} %",
        f"{told['explore_seconds']:.3f}",
        f"{states / told['explore_seconds']:,.0f}",
        f"{told['reduce_seconds']:.3f}",
        f"{peak:,.0f}",
    ]


def _speed(bench: Bench) -> Table:
    header = ["case", "cores", "states", "explore s", "states/s", "whole run s", "bar"]
    table = Table("fig4 speed", "exploring on one core and on two; a whole verification", header)
    for name, threads, ops, bar in (
        ("ms-queue", 2, 5, "one core"),
        ("treiber-hp", 2, 4, "one core"),
        ("ms-queue", 3, 2, "whole"),
    ):
        for cores in (1, 2):
            note(f"fig4: {name} {threads} x {ops} on {cores}")
            turns = [_verify(bench, name, threads, ops, ["--workers", str(cores)]) for _ in range(bench.repeat)]
            answers = [(told, wall) for told, _, wall in turns if told is not None and told["explore_seconds"]]
            if not answers:
                table.problems.append(f"{name} {threads} x {ops}: no answer")
                continue
            fastest = min((told for told, _ in answers), key=lambda told: float(told["explore_seconds"]))
            wall = min(wall for _, wall in answers)
            speed = fastest["states"] / fastest["explore_seconds"]
            kept = {
                ("one core", 1): speed >= STATES_PER_SECOND,
                ("whole", 2): wall <= SECONDS_3X2,
            }.get((bar, cores))
            word = "" if kept is None else "kept" if kept else "not kept"
            case = f"{name} {threads} x {ops}"
            seconds = f"{fastest['explore_seconds']:.3f}"
            table.rows.append(
                [case, str(cores), f"{fastest['states']:,}", seconds, f"{speed:,.0f}", f"{wall:.2f}", word]
            )
            table.records.append({**fastest, "cores": cores, "wall_seconds": wall, "counterexample": None})
            if kept is False:
                table.problems.append(f"{case} on {cores}: {speed:,.0f} states/s, {wall:.2f} s in all")
    return table


def _verify(
    bench: Bench, name: str, threads: int, ops: int, more: list[str]
) -> tuple[dict[str, Any] | None, float, float]:
    """(What it says, the peak memory, seconds of the whole program)."""
    command = [
        str(bench.linpoint.program),
        "verify",
        name,
        "--threads",
        str(threads),
        "--ops",
        str(ops),
        "--values",
        "1",
    ]
    command += ["--json", "--timeout", f"{bench.limits.seconds:g}", "--memory", f"{bench.limits.memory_mib}MiB", *more]
    told = measure.run(command, bench.limits.seconds + 30, bench.limits.memory_mib)
    lines = told.output.splitlines()
    answer: dict[str, Any] | None = json.loads(lines[0]) if told.outcome == measure.DONE and lines else None
    return answer, told.peak_mib, told.seconds


def _why(told: dict[str, Any] | None) -> str:
    return "it was ended" if told is None else f"out of {told['cause']}"
