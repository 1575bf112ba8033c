"""What does it cost to run an ordinary class along the schedules of hitting families?

Bars: 1.5 µs per call beyond the call itself; 1 s for 10^5 schedules of twelve operations.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from bench.prepare import Bench, note
from bench.report import Table

PROGRAM = Path(__file__).with_name("ordered_dict.py")
MOST_MICROSECONDS = 1.5
MOST_SECONDS = 1.0
"""For 10^5 schedules of twelve operations."""


def run(bench: Bench) -> list[Table]:
    """One row for objects that are replayed, one for objects that are copied where schedules part."""
    header = ["objects", "schedules", "calls", "share of all", "s for 10^5 schedules", "µs beyond a call", "bar"]
    table = Table("run-class", "collections.OrderedDict, families up to depth 6 of twelve operations", header)
    for way in ("replay", "copy"):
        note(f"run-class: {way}")
        told = [_ask(bench, way) for _ in range(bench.repeat)]
        best = min(told, key=lambda line: line["seconds"])
        schedules, calls = best["schedules"], best["calls"]
        seconds = best["seconds"] * 1e5 / schedules
        beyond = (best["seconds"] / calls - best["call_alone"]) * 1e6
        kept = seconds <= MOST_SECONDS and beyond <= MOST_MICROSECONDS and best["verdict"] == "unknown"
        share = f"{calls / (schedules * best['operations']):.2f}"
        row = [
            way,
            f"{schedules:,.0f}",
            f"{calls:,.0f}",
            share,
            f"{seconds:.2f}",
            f"{beyond:.2f}",
            "kept" if kept else "not kept",
        ]
        table.rows.append(row)
        table.records.append({"objects": way, **best})
        if not kept:
            table.problems.append(f"{way}: the bar is {MOST_SECONDS:g} s and {MOST_MICROSECONDS:g} µs")
    return [table]


def _ask(bench: Bench, way: str) -> dict[str, Any]:
    command = [str(bench.linpoint.python), str(PROGRAM), way]
    told: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return told
