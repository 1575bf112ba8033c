"""Does the solver agree with the rest, and can everything it refutes be proved? On random histories, as many as you like.

    python -m tests.check.proofs --model register --histories 20000 --seed 1

Small histories come from tests/agreement (pending operations, ties, repeats, odd values), medium ones of 20 to 60 operations are
made here. Every verdict is compared with that of the portfolio's other methods, every proof goes through `certify_proof`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import linpoint as lp
from linpoint.check import certify_proof
from tests.agreement.generate import history as small

MODELS = ["register", "cas-register", "map", "array"]


def medium(seed: int) -> tuple[str, list[dict[str, Any]]]:
    """20 to 60 operations of a CAS register over few values by some clients, with up to three wrong answers."""
    rng = random.Random(seed)
    clients, values, count = rng.randint(3, 9), rng.randint(2, 6), rng.randint(20, 60)
    held: int | None = None
    free = [0] * clients
    records: list[dict[str, Any]] = []
    for time in range(0, 4 * count, 4):
        process = min(range(clients), key=free.__getitem__)
        call = max(free[process], time - rng.randint(0, 12))
        f, value = rng.choice(["read", "write", "write", "cas", "swap"]), rng.randrange(values)
        record: dict[str, Any] = {"process": process, "f": f, "call": call, "value": None, "result": None}
        free[process] = record["return"] = max(call + 1, time + rng.randint(1, 12))
        if f == "read":
            record["result"] = held
        elif f == "cas":
            record["value"] = [rng.choice([held, value]), rng.randrange(values)]
            record["result"] = record["value"][0] == held
            held = record["value"][1] if record["result"] else held
        else:
            record["value"], record["result"], held = value, held if f == "swap" else None, value
        if rng.random() < 0.05:
            process = max(record["process"] for record in records) + 1 if records else clients
            record |= {"process": process + clients, "type": "info", "result": None}
            del record["return"]
        records.append(record)
    reads = [record for record in records if record["f"] == "read" and "type" not in record]
    for wrong in rng.sample(reads, min(len(reads), rng.randint(0, 3))):
        wrong["result"] = rng.randrange(values)
    return "cas-register", records


def histories(model: str, seeds: range) -> Iterator[tuple[int, str, list[dict[str, Any]]]]:
    for seed in seeds:
        yield (seed, *(medium(seed) if model == "medium" else small(model, seed)))


def compare(model: str, seeds: range) -> Counter[str]:
    """How many verdicts of each kind there were. AssertionError where two methods disagree, or a proof does not hold."""
    found: Counter[str] = Counter()
    for seed, spec, records in histories(model, seeds):
        history = lp.History(records)
        solved = lp.check(history, spec, method="solve", proof=True)
        found[str(solved.verdict)] += 1
        if solved.verdict is lp.Verdict.UNKNOWN:
            assert solved.cause is lp.Cause.DECLINED, f"{model}, seed {seed}: {solved.why}"
            continue
        searched = lp.check(history, spec, method="depth-first", certify=False)
        assert solved.verdict is searched.verdict, f"{model}, seed {seed}: {solved.verdict}, {searched.verdict}"
        if solved.verdict is lp.Verdict.VIOLATION:
            assert solved.proof is not None, f"{model}, seed {seed}"
            certify_proof(history, solved.model, solved.proof)
            found["proofs"] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=[*MODELS, "medium"], default="medium")
    parser.add_argument("--histories", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    seeds = range(asked.seed * 10**9, asked.seed * 10**9 + asked.histories)
    print(asked.model, dict(compare(asked.model, seeds)))


if __name__ == "__main__":
    main()
