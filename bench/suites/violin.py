"""Does saturation scale, and does it find all there is? Figures 12, 13 and 14 of Emmi, Enea and Hamza (PLDI 2015) beside ours.

The paper's histories are those of its tool violin: logs of the Scal objects under random schedules. Two of its ten long logs
of the Michael-Scott queue and 40 of its 100 short ones of each object are at hand. No bars: the methods are here to be
compared with. A verdict against a label is a problem.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from bench.prepare import DATA, Bench, Missing, note
from bench.report import Table

PROGRAM = Path(__file__).with_name("violin_steps.py")
VIOLIN = DATA / "violin"
METHODS = ["enumerate", "symbolic", "symbolic-removal", "saturate", "saturate-removal"]
LIMITS, QUICK = (5, 25, 50, 75, 100), (2,)
PAPER = {
    "enumerate": {5: 18, 100: 32},
    "symbolic": {5: 37, 100: 70},
    "saturate": {5: 357, 100: 854},
    "saturate-removal": {5: 1303},
}
"""Median steps by seconds, as the text of the paper has them; 2.X GHz Core i5/i7, Z3."""
TOOL = {"enumerate": 23, "symbolic": 34, "saturate": 354, "saturate-removal": 1475}
"""violin itself in 5 s on a machine like that of the project (ALGORITHMS.md, shared with the project)."""
PATIENCE = 10
"""Seconds for one short history, as in the paper."""


def fig12(bench: Bench) -> list[Table]:
    """Steps in given time."""
    header = ["method", "seconds", "steps, median", "least", "most", "paper, median", "violin, this class of machine"]
    table = Table("fig12", "steps of the Michael-Scott logs (20,000 each) that a method gets through", header)
    for method in METHODS:
        for limit in _limits(bench):
            runs = [_steps(bench, log, method, limit) for log in _logs()]
            steps = [run["steps"] for run in runs]
            known = [PAPER.get(method, {}).get(limit), TOOL.get(method) if limit == 5 else None]
            shown = ["" if number is None else f"{number:,}" for number in known]
            table.rows.append(
                [method, str(limit), f"{median(steps):,.0f}", f"{min(steps):,}", f"{max(steps):,}", *shown]
            )
            table.records += runs
    return [table]


def fig13(bench: Bench) -> list[Table]:
    """The same, time divided by the square of what was inside on average: does it grow with the steps and nothing else?"""
    header = ["method", "steps", "seconds", "average capacity", "µs / capacity²", "ns / capacity² / step"]
    table = Table("fig13", "time normalised by the square of the average capacity (Michael-Scott logs)", header)
    for method in METHODS:
        for limit in _limits(bench):
            for log in _logs():
                run = _steps(bench, log, method, limit)
                normalised = run["seconds"] / max(run["capacity"], 1) ** 2
                each = normalised / max(run["steps"], 1)
                row = [method, f"{run['steps']:,}", f"{run['seconds']:.2f}", f"{run['capacity']:.1f}"]
                table.rows.append([*row, f"{1e6 * normalised:,.1f}", f"{1e9 * each:,.2f}"])
                table.records.append({**run, "normalised": normalised})
    return [table]


def fig14(bench: Bench) -> list[Table]:
    """Violations found, by object."""
    labels = _labels()
    objects = sorted({Path(name).parent.name for name in labels if name.startswith("small/")})
    methods = ["auto", *METHODS]
    table = Table("fig14", "violations found in 40 histories of each Scal object", ["object", "labelled", *methods])
    for scal in objects:
        note(f"fig14: {scal}")
        names = [name for name in labels if Path(name).parent.name == scal]
        labelled = {name for name in names if labels[name] == "violation"}
        found = {method: _violations(bench, names, method) for method in methods}
        table.rows.append([scal, str(len(labelled)), *(str(len(found[method])) for method in methods)])
        table.records.append({"object": scal, "labelled": len(labelled), **{m: len(found[m]) for m in methods}})
        for method in methods:
            wrong = found[method] - labelled
            table.problems += [f"{method}: {name} is no violation" for name in sorted(wrong)]
            if missed := labelled - found[method]:
                table.notes.append(f"{method} does not find {', '.join(sorted(missed))}")
    table.notes.append(
        "the paper: six of its ten objects have no violation, and every method finds all that there are in the other four"
    )
    return [table]


def _violations(bench: Bench, names: list[str], method: str) -> set[str]:
    files = [str(VIOLIN / name) for name in names]
    command = [str(bench.linpoint.python), "-m", "linpoint", "check", *files, "--method", method, "--json"]
    command += ["--timeout", str(PATIENCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    by_file = {answer["file"]: answer["verdict"] for answer in answers}
    return {name for name, file in zip(names, files, strict=True) if by_file[file] == "violation"}


def _limits(bench: Bench) -> list[int]:
    """Those of the paper, as far as --timeout allows; all of them take up to 43 minutes."""
    return [limit for limit in (QUICK if bench.quick else LIMITS) if limit <= bench.limits.seconds]


def _logs() -> list[Path]:
    logs = sorted(VIOLIN.glob("big/*.log"))
    if not logs:
        raise Missing("the histories of violin are not there: set LINPOINT_DATA")
    return logs


def _labels() -> dict[str, str]:
    table = VIOLIN / "expected.tsv"
    if not table.exists():
        raise Missing("the histories of violin are not there: set LINPOINT_DATA")
    return dict(line.split("\t")[:2] for line in table.read_text(encoding="utf-8").splitlines())


def _steps(bench: Bench, log: Path, method: str, seconds: int) -> dict[str, Any]:
    return _measured(str(bench.linpoint.python), log, method, seconds)


@cache
def _measured(python: str, log: Path, method: str, seconds: int) -> dict[str, Any]:
    """Both figures are about the same runs."""
    note(f"{method}, {seconds} s: {log.name}")
    command = [python, str(PROGRAM), str(log), method, str(seconds)]
    told: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {"limit": seconds, **told}
