"""How fast are short real logs with many time-outs? 60 Jepsen runs against etcd, one process over all of them."""

from __future__ import annotations

from bench.compare import Case, against_porcupine, times_faster
from bench.prepare import Bench
from bench.report import Table


def run(bench: Bench) -> list[Table]:
    folder = bench.data("jepsen-etcd")
    lines = (folder / "expected.tsv").read_text().splitlines()
    expected = dict(line.split("\t") for line in lines if line.strip())
    case = Case(
        name=f"{len(expected)} etcd logs",
        files=[folder / name for name in expected],
        expected=list(expected.values()),
        model="cas-register",
        peer_model="register",
        peer_format="jepsen",
        bars=(times_faster(8),),
    )
    return [against_porcupine(bench, "etcd", "the Jepsen logs of etcd, total time", [case])]
