"""How deep are the histories of real classes? Tables 1 to 3 of the paper on hitting families, for recordings of our own.

Ozkan, Majumdar and Niksic (PPoPP 2019) recorded ten classes of java.util.concurrent with Violat and found that most linearizable
histories have a witness in a strong d-hitting family for a small d: 93.3 % at d ≤ 2, 99.9 % at d ≤ 5. `bench/juc` records the
same classes of the Java on this machine (two or three threads, random methods, bulk methods among them); `juc/judge.py` gives
each history its exact verdict and its depth. Our harnesses are shorter than the paper's (6 to 12 operations, not 8 to 18) and run
on fewer cores: compare shares, not counts. The specifications (`linpoint.library.juc`) are tested in the same run: what
one thread records must be linearizable.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

from bench.juc.paper import PAPER
from bench.prepare import BENCH, Bench, java_version, note
from bench.report import Table

DEPTHS = (1, 2, 3, 4, 5)
BAR_SECONDS = 120.0
WORKERS = 2
BULK = ("All(", "clear(", "drainTo(")

Facts = list[dict[str, Any]]


def run(bench: Bench) -> list[Table]:
    begin = time.perf_counter()
    histories, runs = (30, 30) if bench.quick else (500, 300)
    concurrent = bench.java("concurrent", histories)
    sequential = bench.java("sequential", runs)
    recorded = time.perf_counter()
    jobs = [("concurrent", name, concurrent) for name in PAPER] + [("sequential", name, sequential) for name in PAPER]
    with ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(lambda job: judged(bench, *job), jobs))
    found = {name: facts for (kind, name, _), facts in zip(jobs, answers, strict=True) if kind == "concurrent"}
    alone = {name: facts for (kind, name, _), facts in zip(jobs, answers, strict=True) if kind == "sequential"}
    tables = [overlaps(found), families(found), depths(found, alone)]
    tables[0].notes.append(f"recorded with {java_version()}")
    seconds = time.perf_counter() - begin
    last = tables[-1]
    last.notes.append(
        f"{seconds:.0f} s for everything, {recorded - begin:.0f} s of them for recording (bar {BAR_SECONDS:.0f} s)"
    )
    last.records.append({"case": "whole suite", "seconds": seconds, "recording_seconds": recorded - begin})
    if seconds > BAR_SECONDS:
        last.problems.append(f"the suite took {seconds:.0f} s, the bar is {BAR_SECONDS:.0f} s")
    return tables


def judged(bench: Bench, kind: str, name: str, folder: Path) -> Facts:
    note(f"juc: {name}, {kind}")
    command = [str(bench.linpoint.python), str(BENCH / "juc" / "judge.py"), kind, name, str(folder / f"{name}.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"judging {name} failed:\n{done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def spread(numbers: Iterable[float], digits: int = 2) -> list[str]:
    """Largest, mean, standard deviation."""
    known = list(numbers)
    return [f"{max(known):,.0f}", f"{mean(known):,.{digits}f}", f"{pstdev(known):,.{digits}f}"]


def overlaps(found: dict[str, Facts]) -> Table:
    what = [f"{kind}({letter})" for letter in ("c", "cp") for kind in ("max", "μ", "σ")]
    header = ["class", "histories", "operations", *what, "paper: histories", "operations", "μ(c)", "μ(cp)"]
    question = "how much overlaps? c: operations that all overlap each other, cp: pairs that overlap"
    table = Table("juc, Table 1", question, header)
    for name, facts in found.items():
        theirs = PAPER[name]
        ours = [spread(one[key] for one in facts) for key in ("concurrency", "pairs")]
        operations = mean(one["operations"] for one in facts)
        paper = [f"{theirs.histories:,}", f"{theirs.operations}", f"{theirs.concurrency:.2f}", f"{theirs.pairs:.2f}"]
        table.rows.append([name, f"{len(facts)}", f"{operations:.1f}", *ours[0], *ours[1], *paper])
        table.records.append(
            {"case": name, "histories": len(facts), "operations": operations, "c": ours[0], "cp": ours[1]}
        )
    return table


def families(found: dict[str, Facts]) -> Table:
    header = ["class", *(f"d={d} {what}" for d in DEPTHS for what in ("max", "μ", "σ", "paper's μ"))]
    table = Table("juc, Table 2", "how many distinct schedules has a strong d-hitting family?", header)
    for name, facts in found.items():
        sizes = [spread((one["schedules"][d - 1] for one in facts), 0) for d in DEPTHS]
        cells = [cell for d in DEPTHS for cell in (*sizes[d - 1], f"{PAPER[name].schedules[d - 1]}")]
        table.rows.append([name, *cells])
        table.records.append({"case": name, "schedules": dict(zip(map(str, DEPTHS), sizes, strict=True))})
    return table


def depths(found: dict[str, Facts], alone: dict[str, Facts]) -> Table:
    header = [
        "class",
        "histories",
        "linearizable",
        "violations",
        *(f"d≤{d}" for d in DEPTHS),
        *(f"paper d≤{d}" for d in DEPTHS),
    ]
    table = Table("juc, Table 3", "how many linearizable histories are proved at depth d, without a search?", header)
    totals = [0] * 5
    good_total = histories = 0
    for name, facts in found.items():
        good = [one for one in facts if one["verdict"] == "linearizable"]
        bad = [one for one in facts if one["verdict"] == "violation"]
        proved = [sum(one["depth"] is not None and one["depth"] <= d for one in good) for d in DEPTHS]
        paper = [share(count, PAPER[name].linearizable) for count in PAPER[name].proved]
        shares = [share(count, len(good)) for count in proved]
        table.rows.append([name, f"{len(facts)}", f"{len(good)}", f"{len(bad)}", *shares, *paper])
        table.records.append(
            {"case": name, "histories": len(facts), "linearizable": len(good), "violations": len(bad), "proved": proved}
        )
        table.problems += faults(name, facts, alone[name])
        table.notes += telling(name, bad)
        totals = [before + now for before, now in zip(totals, proved, strict=True)]
        good_total += len(good)
        histories += len(facts)
    theirs = [sum(one.proved[d - 1] for one in PAPER.values()) for d in DEPTHS]
    whole = sum(one.linearizable for one in PAPER.values())
    shares = [*(share(count, good_total) for count in totals), *(share(count, whole) for count in theirs)]
    table.rows.append(["all", f"{histories:,}", f"{good_total:,}", f"{histories - good_total}", *shares])
    table.records.append(
        {"case": "all", "linearizable": good_total, "proved": totals, "paper": theirs, "paper_linearizable": whole}
    )
    runs = sum(map(len, alone.values()))
    table.notes.append(f"{runs:,} runs by one thread test the specifications")
    return table


def share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else ""


def faults(name: str, facts: Facts, alone: Facts) -> list[str]:
    """What must not be: an unknown or unchecked verdict, hitting against the search, a specification that is wrong."""
    found = [
        f"{name}: a run by one thread is not explained: {one['said']}"
        for one in alone
        if one["verdict"] != "linearizable"
    ]
    for one in facts:
        if one["verdict"] == "unknown" or not one["sure"]:
            found.append(f"{name}: a verdict is unknown or was not confirmed")
        if one["hitting"] == "linearizable" and one["verdict"] != "linearizable":
            found.append(f"{name}: WRONG VERDICT, hitting found a witness where the search says there is none")
    return found


def telling(name: str, bad: Facts) -> list[str]:
    """The smallest counterexample of several operations, if possible one that names a bulk method."""
    several = [one["counterexample"] for one in bad if len(one["counterexample"]) > 1]
    if not several:
        return []

    def plainness(operations: list[str]) -> tuple[bool, int, int]:
        return not any(word in one for one in operations for word in BULK), len(operations), sum(map(len, operations))

    smallest = min(several, key=plainness)
    return [f"{name}, not linearizable, whatever else happened: {'; '.join(smallest)}"]
