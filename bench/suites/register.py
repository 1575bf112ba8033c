"""How does the search stand up to many clients? CAS registers whose values repeat: the NP-complete case."""

from __future__ import annotations

from bench.compare import Case, against_porcupine, beyond_load, seconds
from bench.prepare import Bench
from bench.report import Table

# clients, operations, verdict, seconds allowed, does the peer need gigabytes
ROWS = [
    (5, 100_000, "ok", 0.1, True),
    (10, 100_000, "ok", 0.4, True),
    (10, 10_000, "bad", 0.05, True),
    (20, 1_000, "ok", 0.1, False),
    (20, 10_000, "ok", 0.8, True),
    (20, 10_000, "bad", 1.0, True),
    (20, 100_000, "ok", 5.0, True),
]
QUICK = {(10, 10_000), (20, 1_000)}


def run(bench: Bench) -> list[Table]:
    cases = [
        Case(
            name=f"{clients} clients, {length // 1000}k" + (", violation" if label == "bad" else ""),
            files=bench.generated(f"reg_c{clients}_n{length}_{label}"),
            expected=["violation" if label == "bad" else "linearizable"],
            model="cas-register",
            peer_model="register",
            bars=(seconds(limit), beyond_load(256)),
            heavy=heavy and not bench.quick,
        )
        for clients, length, label, limit, heavy in ROWS
        if not bench.quick or (clients, length) in QUICK
    ]
    return [against_porcupine(bench, "register", "generated CAS registers over five values", cases)]
