"""Does a model written in Python keep up with the native one? Its code should run once per distinct transition."""

from __future__ import annotations

from pathlib import Path

from bench.compare import Outcome, add_row, comparison_table, take_turns, times_slower_at_most
from bench.prepare import Bench, note
from bench.report import Table
from bench.tools import Answer

PROGRAM = Path(__file__).with_name("python_register.py")
FILES = ["reg_c5_n100000_ok", "reg_c10_n100000_ok", "reg_c10_n10000_bad", "reg_c20_n10000_ok"]
QUICK = ["reg_c10_n10000_bad"]


def run(bench: Bench) -> list[Table]:
    table = comparison_table("python-model", "the same CAS register, in Python and native", "in Python", "native")
    for name in QUICK if bench.quick else FILES:
        note(f"python-model: {name}")
        [file] = bench.generated(name)

        def ask(kind: str, file: Path = file) -> Answer:
            return bench.linpoint.script(PROGRAM, [kind, str(file), f"{bench.limits.seconds:g}"], bench.limits)

        python, native = take_turns([lambda ask=ask: ask("python"), lambda ask=ask: ask("native")], bench.repeat)  # type: ignore[misc]
        expected = ["violation" if name.endswith("bad") else "linearizable"]
        add_row(table, name, expected, (times_slower_at_most(3),), Outcome(python, native, None, bench.limits.seconds))
    return [table]
