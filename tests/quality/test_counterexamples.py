"""How small are the counterexamples? Exact sizes on real violations, so that a worse shrinker is noticed.

The shared data is not in the repository; these tests are skipped where it is not there.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

import linpoint as lp
from linpoint.explain.certificate import certificate
from linpoint.explain.validate import validate
from tests.conftest import shared_data

DATA = shared_data()
FOLDER = DATA or Path("no-data")
needs_data = pytest.mark.skipif(DATA is None, reason="no shared data: set LINPOINT_DATA or put it at ../shared/data")


def violations(table: Path) -> list[Path]:
    """The files that a table labels so."""
    lines = table.read_text(encoding="utf-8").splitlines() if DATA else []
    return [table.parent / name for name, label in (line.split("\t")[:2] for line in lines) if label == "violation"]


def open_at_the_end(small: lp.Explanation, history: lp.History) -> bool:
    """Had an operation of the contradiction not returned when the accused one did? Then minimal is not claimed."""
    end = history[small.accused].ret
    others = [history[index] for index in small.operations if index != small.accused]
    return any(op.pending or op.ret >= end for op in others)


def shrunk(path: Path, model: str | None) -> lp.Explanation:
    """The counterexample of a file, after everything that must hold of it was asserted."""
    history = lp.read(path)
    small = lp.explain(lp.check(history, model or history.object))
    assert small.claim is lp.Claim.WHATEVER_ELSE, f"{path.name}: {small}"
    assert small.minimal or open_at_the_end(small, history), f"{path.name}: {small}"
    assert "violation" in validate(json.loads(json.dumps(certificate(small))), history)
    return small


@needs_data
def test_etcd() -> None:
    sizes = [
        len(shrunk(path, "cas-register").operations) for path in violations(FOLDER / "jepsen-etcd" / "expected.tsv")
    ]
    assert Counter(sizes) == {2: 2, 3: 31, 4: 8, 5: 2, 6: 1, 7: 1, 8: 1, 10: 1}
    assert median(sizes) <= 8


@needs_data
def test_knossos() -> None:
    sizes = {path.stem: len(shrunk(path, "cas-register").operations) for path in FOLDER.glob("knossos/*/bad/*.edn")}
    assert sizes == {
        "bad-analysis": 3,
        "cas-failure": 3,
        "immediate-failure": 1,
        "rethink-fail-minimal": 1,
        "rethink-fail-smaller": 3,
    }


@needs_data
def test_violin() -> None:
    sizes: dict[str, list[int]] = {}
    for path in violations(FOLDER / "violin" / "expected.tsv"):
        small = shrunk(path, None)
        sizes.setdefault(path.relative_to(FOLDER / "violin").parts[0], []).append(len(small.operations))
        fifo = lp.read(path).object == "queue"
        assert not fifo or len(small.operations) <= 4, (
            f"{path.name}: a FIFO violation of unique values needs four operations"
        )
    assert {folder: (len(found), median(found), max(found)) for folder, found in sizes.items()} == {
        "simple": (8, 3, 6),
        "small": (66, 3, 3),
        "unsafe-stack": (5, 3, 3),
    }


def test_a_large_violation_comes_down_to_three_operations() -> None:
    """20,000 writes and reads by turns, the last read stale."""
    records = []
    for i in range(10_000):
        records.append({"process": 0, "f": "write", "value": i % 7, "call": 4 * i, "return": 4 * i + 1})
        records.append({"process": 1, "f": "read", "result": i % 7, "call": 4 * i + 2, "return": 4 * i + 3})
    records[-1]["result"] = 99
    small = lp.explain(lp.check(lp.History(records), "register"))
    assert small.operations == (19_999,)
    records[-1]["result"] = (10_000 - 3) % 7
    small = lp.explain(lp.check(lp.History(records), "register"))
    assert (small.claim, small.operations) == (lp.Claim.WHATEVER_ELSE, (19_994, 19_998, 19_999))
    assert small.support == (19_994,), "the writer of what was read"
