#!/usr/bin/env python3
"""How fast is linpoint, and how much memory does it need, beside the best other checker, here and now?

    python bench/run.py                          every suite
    python bench/run.py --suite register set     some of them
    python bench/run.py --quick                  small cases, one turn each, nothing recorded

Builds the peers, makes the histories that are lacking, runs linpoint and the peer on the same files in turns,
prints a table per suite and records all of it in bench/results. Plain Python, no packages. Exit status: 0 all
bars kept, 1 some are not or a verdict is wrong, 2 something needed is missing.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(
    0, str(Path(__file__).resolve().parent.parent)
)  # for `python bench/run.py`; `python -m bench.run` has it

from bench.machine import machine, total_memory_mib, versions
from bench.prepare import BENCH, ROOT, Bench, Missing, build, find_linpoint, note
from bench.report import Table, as_text, save
from bench.suites import SUITES
from bench.tools import Limits, Porcupine


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", nargs="+", action="extend", choices=list(SUITES), help="which suites (all of them)")
    parser.add_argument("--quick", action="store_true", help="small cases, one turn, 10 s, nothing recorded")
    parser.add_argument("--repeat", type=int, help="turns per case, and histories per row of table1 (3; quick: 1)")
    parser.add_argument("--timeout", type=float, help="seconds a check may take (60; quick: 10)")
    parser.add_argument(
        "--memory", type=float, default=12, help="GiB a checker may use (12, but at most 80%% of the machine)"
    )
    parser.add_argument("--no-peer", action="store_true", help="measure linpoint alone")
    parser.add_argument("--no-record", action="store_true", help="print only")
    parser.add_argument(
        "--linpoint", type=Path, default=ROOT / ".venv/bin/linpoint", help="the linpoint program (.venv/bin/linpoint)"
    )
    return parser.parse_args()


def prepared(args: argparse.Namespace) -> Bench:
    linpoint = find_linpoint(args.linpoint)
    try:
        peer = None if args.no_peer else Porcupine(build("porcupine"))
    except Missing as lack:
        note(f"without the peer: {lack}")
        peer = None
    memory = min(int(args.memory * 1024), total_memory_mib() * 8 // 10)
    limits = Limits(args.timeout or (10 if args.quick else 60), memory)
    return Bench(linpoint, peer, limits, args.repeat or (1 if args.quick else 3), args.quick)


def measured(bench: Bench, names: list[str]) -> list[Table]:
    tables: list[Table] = []
    for name in names:
        try:
            made = SUITES[name](bench)
        except Missing as lack:
            made = [Table(name, f"SKIPPED: {lack}", ["case"], notes=["skipped"])]
        for table in made:
            print(as_text(table), flush=True)
        tables += made
    return tables


def main() -> int:
    args = options()
    try:
        bench = prepared(args)
    except Missing as lack:
        note(str(lack))
        return 2
    now = datetime.now(UTC)
    facts = {
        "date": now.strftime("%Y-%m-%d %H:%M UTC"),
        "machine": machine(),
        "versions": versions(bench.linpoint),
        "settings": {
            "turns": bench.repeat,
            "seconds allowed": bench.limits.seconds,
            "memory allowed": f"{bench.limits.memory_mib} MiB",
            "quick": bench.quick,
        },
    }
    tables = measured(bench, args.suite or list(SUITES))
    if not (args.quick or args.no_record):
        target = save(BENCH / "results", now.strftime("%Y-%m-%d-%H%M"), facts, tables)
        note(f"recorded in {target.relative_to(ROOT)} and .json")
    problems = [problem for table in tables for problem in table.problems]
    for problem in problems:
        note(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
