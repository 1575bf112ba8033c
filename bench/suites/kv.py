"""What does it cost to check all keys of a store together, when it could be done key by key? Porcupine's own logs."""

from __future__ import annotations

from bench.compare import Case, against_porcupine, seconds
from bench.prepare import Bench
from bench.report import Table


def run(bench: Bench) -> list[Table]:
    folder = bench.data("porcupine-kv")
    cases = [
        Case(
            name=f"{name}, {'by key' if partition else 'all keys together'}",
            files=[folder / f"{name}.txt"],
            expected=[verdict],
            model="kv",
            peer_model="kv",
            peer_format="kv",
            partition=partition,
            bars=(seconds(1),) if name == "c10-ok" else (),
        )
        for name, verdict in (("c10-ok", "linearizable"), ("c10-bad", "violation"))
        for partition in (True, False)
    ]
    return [against_porcupine(bench, "kv", "10 clients on a key-value store", cases)]
