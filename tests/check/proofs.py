"""Does the solver agree with the rest, and can everything it refutes be proved? On random histories, as many as you like.

    python -m tests.check.proofs --model register --histories 20000 --seed 1
    python -m tests.check.proofs --model medium-stack --histories 20000 --seed 1 --seconds 2

Small histories come from tests/agreement (pending operations, ties, repeats, odd values), medium ones of 20 to 60 operations from
`medium.py`. Every verdict is compared with that of depth-first search, every proof goes through `certify_proof`. With
`--method symbolic`, `enumerate` or `saturate` the methods of theories are compared, which have no proofs.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

import linpoint as lp
from linpoint.check import certify_proof
from tests.agreement.generate import history as small
from tests.check.medium import MEDIUM, medium

MODELS = [
    "register",
    "cas-register",
    "map",
    "array",
    "stack",
    "queue",
    "deque",
    *(f"medium-{model}" for model in MEDIUM),
]


def histories(model: str, seeds: range) -> Iterator[tuple[int, str, list[dict[str, Any]]]]:
    for seed in seeds:
        is_medium = model.startswith("medium-")
        yield (seed, *(medium(model.removeprefix("medium-"), seed) if is_medium else small(model, seed)))


def compare(model: str, seeds: range, seconds: float | None = None, method: str = "solve") -> Counter[str]:
    """How many verdicts of each kind there were. AssertionError where two methods disagree, or a proof does not hold.

    With a limit of so many seconds for each method; what took longer is counted.
    """
    found: Counter[str] = Counter()
    for seed, spec, records in histories(model, seeds):
        history = lp.History(records)
        solved = lp.check(history, spec, method=method, proof=method == "solve", timeout=seconds)
        found[str(solved.verdict)] += 1
        if solved.verdict is lp.Verdict.UNKNOWN:
            is_late = solved.cause is lp.Cause.TIME and seconds is not None
            is_known = solved.cause is lp.Cause.DECLINED or method == "saturate"
            assert is_late or is_known, f"{model}, seed {seed}: {solved.why}"
            found[f"too long for {method}"] += is_late
            continue
        searched = lp.check(history, spec, method="depth-first", certify=False, timeout=seconds)
        if searched.cause is lp.Cause.TIME and seconds is not None:
            found["too long for the search"] += 1
            continue
        assert solved.verdict is searched.verdict, f"{model}, seed {seed}: {solved.verdict}, {searched.verdict}"
        if solved.verdict is lp.Verdict.VIOLATION and method == "solve":
            if solved.proof is None and seconds is not None:
                found["too long to be proved"] += 1
                continue
            assert solved.proof is not None, f"{model}, seed {seed}"
            certify_proof(history, solved.model, solved.proof)
            found["proofs"] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=MODELS, default="medium-stack")
    parser.add_argument("--histories", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", choices=["solve", "symbolic", "enumerate", "saturate"], default="solve")
    parser.add_argument("--seconds", type=float, help="for each method, at most")
    asked = parser.parse_args()
    seeds = range(asked.seed * 10**9, asked.seed * 10**9 + asked.histories)
    print(asked.model, asked.method, dict(compare(asked.model, seeds, asked.seconds, asked.method)))


if __name__ == "__main__":
    main()
