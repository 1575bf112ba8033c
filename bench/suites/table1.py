"""What do partitioning and a bounded cache each give the same search? Table 1 of the paper that introduced them.

Horn and Kroening, "Faster linearizability checking via P-compositionality" (FORTE 2015): WGL, the search on the
whole history; WGL+LRU, the same with a cache that forgets what was used longest ago; WGL+P, the search on each
key by itself. Times and memory are averages over the histories that were answered, and "timeout" is the share
that was not, as in the paper. It had ten set implementations and 50 to 100 histories of each. We have generated
histories and three Go sets recorded with real threads, one of them wrong. `--method wgl` is the paper's search
with the paper's cache, a bit per operation in every entry, so its memory on whole histories is as large as the
paper's; `linpoint check` without `--method` is the suite `set`.
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

from bench.prepare import Bench, Missing, note
from bench.report import Table
from bench.tools import ANSWERED, Answer

LRU = "lru:4096"  # configurations kept
VARIANTS: dict[str, dict[str, Any]] = {
    "WGL": {"partition": False},
    "WGL+LRU": {"partition": False, "cache": LRU},
    "WGL+P": {"partition": True},
}
RECORDED = {"striped": "linearizable", "syncmap": "linearizable", "faulty": "violation"}


def run(bench: Bench) -> list[Table]:
    header = ["history", "verdict", *(f"{name} {what}" for name in VARIANTS for what in ("s", "MiB", "timeout"))]
    table = Table("table1", f"sets, 24 keys, 4 threads; {bench.repeat} histories a row; cache {LRU}", header)
    for row, (expected, files) in histories(bench, table).items():
        answers: dict[str, list[Answer]] = {}
        for variant, options in VARIANTS.items():
            note(f"table1: {row}, {variant}")
            if not options["partition"] and not bench.quick:
                bench.warm()
            answers[variant] = [
                bench.linpoint.check([file], "set", bench.limits, method="wgl", **options) for file in files
            ]
        add(table, row, expected, answers)
    return [table]


def histories(bench: Bench, table: Table) -> dict[str, tuple[str, list[Path]]]:
    """Row name -> (the verdict it must get, files)."""
    ops = 2_500 if bench.quick else 70_000
    names = [f"set_k24_t4_n{4 * ops}_s{2024 + i}" for i in range(bench.repeat)]
    names[0] = f"set_k24_t4_n{4 * ops}"  # 2024 is the seed of the family
    rows = {
        "generated": ("linearizable", bench.generated(*(f"{name}_ok" for name in names))),
        "generated, one answer wrong": ("violation", bench.generated(*(f"{name}_bad" for name in names))),
    }
    for kind, expected in RECORDED.items():
        try:
            rows[f"recorded: {kind}"] = (
                expected,
                [bench.recorded(kind, seed, ops) for seed in range(1, bench.repeat + 1)],
            )
        except Missing as lack:
            table.notes.append(f"recorded: {kind} left out: {lack}")
    return rows


def add(table: Table, row: str, expected: str, answers: dict[str, list[Answer]]) -> None:
    cells: list[str] = []
    record: dict[str, Any] = {"case": row, "verdict_expected": expected}
    seen: set[str] = set()
    for variant, given in answers.items():
        good = [answer for answer in given if answer.answered]
        seen |= {verdict for answer in good for verdict in answer.verdicts}
        unanswered = {answer.outcome for answer in given} - {ANSWERED}
        share = f"{100 * (len(given) - len(good)) / len(given):.0f}%"
        cells += (
            [f"{mean(a.check_seconds for a in good):.3f}", f"{mean(a.peak_mib for a in good):,.0f}"]
            if good
            else ["", ""]
        )
        cells.append(share)
        record[variant] = {
            "check_seconds": [answer.check_seconds if answer.answered else None for answer in given],
            "peak_mib": [round(answer.peak_mib, 1) for answer in given],
            "outcomes": [answer.outcome for answer in given],
        }
        table.notes += [f"{row}, {variant}: {outcome}" for outcome in sorted(unanswered)]
    table.rows.append([row, " and ".join(sorted(seen)) or "unknown", *cells])
    table.records.append(record)
    if seen - {expected}:
        table.problems.append(f"{row}: WRONG VERDICT, {expected} expected")
