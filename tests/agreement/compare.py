"""One history, two opinions: the oracle's and linpoint's. What the test and the fuzzer share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import linpoint
from tests.agreement import oracle
from tests.agreement.generate import history

Record = dict[str, Any]

WAYS: dict[str, dict[str, Any]] = {
    "auto": {},
    "depth-first": {"method": "depth-first"},
    "breadth-first": {"method": "breadth-first"},
    "wgl": {"method": "wgl"},
    "wgl, LRU of 2": {"method": "wgl", "cache": 2},
    "hitting": {"method": "hitting"},
    "auto, not partitioned": {"partition": False},
    "depth-first, not partitioned": {"method": "depth-first", "partition": False},
    "breadth-first, not partitioned": {"method": "breadth-first", "partition": False},
    "wgl, not partitioned": {"method": "wgl", "partition": False},
    "model in Python": {"native": False},
    "model in Python, depth-first, not partitioned": {"native": False, "method": "depth-first", "partition": False},
    "model in Python, breadth-first": {"native": False, "method": "breadth-first"},
    "model in Python, wgl": {"native": False, "method": "wgl"},
    "model in Python, hitting": {"native": False, "method": "hitting"},
}
"""Every way to ask linpoint the same question."""


def way_of(seed: int) -> str:
    """Ways take turns, so that every model meets every way equally often."""
    return list(WAYS)[seed % len(WAYS)]


@dataclass
class Opinion:
    linearizable: bool
    complaint: str | None
    """What is wrong with linpoint's answer; None when nothing is."""


@cache
def model(spec: str) -> linpoint.Model:
    return linpoint.models.parse(spec)


def compare(spec: str, records: Sequence[Record], way: str, certify: bool = False) -> Opinion:
    """Asks both, and looks at linpoint's evidence."""
    expected = oracle.linearizable(spec, records)
    try:
        result = linpoint.check(linpoint.History(records), model(spec), memory=2**30, certify=certify, **WAYS[way])
    except Exception as error:  # any exception is a finding here
        return Opinion(expected, f"raised {type(error).__name__}: {error}")
    wanted = linpoint.Verdict.LINEARIZABLE if expected else linpoint.Verdict.VIOLATION
    if result.verdict is not wanted:
        return Opinion(expected, f"says {result.verdict.name}, the oracle says {wanted.name}")
    return Opinion(expected, bad_evidence(spec, records, result))


def bad_evidence(spec: str, records: Sequence[Record], result: Any) -> str | None:
    """A witness must replay on our own objects; a stuck operation must be the one that broke the history."""
    if result.verdict is linpoint.Verdict.LINEARIZABLE:
        if not oracle.is_witness(spec, records, result.order):
            return f"gives the order {result.order}, which is no witness"
        return None
    stuck = result.stuck_index
    if stuck is None or records[stuck].get("return") is None or "type" in records[stuck]:
        return f"is stuck at {stuck}, which is no operation that returned"
    if oracle.explained(spec, records, stuck, returned=True):
        return f"is stuck at {stuck}, but with its return there is an order"
    if result.parts > 1:
        return None  # other parts may have broken earlier
    if not oracle.explained(spec, records, stuck, returned=False):
        return f"is stuck at {stuck}, but before its return there is no order either"
    for candidate in result.candidates:
        if not oracle.is_candidate(spec, records, stuck, candidate.order):
            return f"is stuck at {stuck}, but the candidate {candidate.order} does not lead there"
    return None


def shrink(spec: str, records: Sequence[Record], way: str) -> list[Record]:
    """Leaves out operations as long as there is something to complain about."""
    small, at = list(records), 0
    while at < len(small):
        fewer = small[:at] + small[at + 1 :]
        if compare(spec, fewer, way).complaint:
            small = fewer
        else:
            at += 1
    return small


def jsonl(records: Sequence[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def judge(name: str, seed: int, certify: bool = False) -> tuple[Opinion, str]:
    """Compares on the history of this seed; the text is a report, empty when all is well."""
    spec, records = history(name, seed)
    way = way_of(seed)
    opinion = compare(spec, records, way, certify)
    if opinion.complaint is None:
        return opinion, ""
    small = shrink(spec, records, way)
    report = (
        f"linpoint ({way}) {opinion.complaint}\n"
        f"model {spec}, seed {seed}; the history:\n{jsonl(records)}"
        f"left after shrinking ({compare(spec, small, way).complaint}):\n{jsonl(small)}"
        f"replay: .venv/bin/python -m tests.agreement.fuzz --replay {name}/{seed}\n"
    )
    return opinion, report
