"""How much does P-compositionality give on a long history? A set of 24 keys, 4 clients, 280,000 operations."""

from __future__ import annotations

from bench.compare import Case, against_porcupine, seconds
from bench.prepare import Bench
from bench.report import Table


def run(bench: Bench) -> list[Table]:
    length = 10_000 if bench.quick else 280_000
    ok, bad = bench.generated(f"set_k24_t4_n{length}_ok", f"set_k24_t4_n{length}_bad")
    limits = {True: 0.15, False: 0.8}
    cases = [
        Case(
            name=f"{length // 1000}k, {'by key' if partition else 'all keys together'}"
            + (", violation" if file is bad else ""),
            files=[file],
            expected=["violation" if file is bad else "linearizable"],
            model="set",
            peer_model="set",
            partition=partition,
            bars=(seconds(limits[partition]),) if file is ok else (),
            heavy=not partition and not bench.quick,
        )
        for partition in (True, False)
        for file in (ok, bad)
    ]
    return [against_porcupine(bench, "set", "generated set histories, 24 keys, 4 clients", cases)]
