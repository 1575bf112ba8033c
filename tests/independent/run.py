"""Is everything that linpoint says about random histories true?

`python -m tests.independent.run --violations 200000 --seed 0 [--only MODEL]` generates histories for every shipped model and for
own models, until so many of them were violations, and checks verdict, evidence and every sentence (outputs.py). Faults are
printed as JSON lines with the command that replays them; at the end it says how often each kind of sentence was checked.
"""

import argparse
import collections
import contextlib
import json
import multiprocessing
import sys
import traceback
from pathlib import Path
from typing import Any

import linpoint as lp
from tests.independent import generate, outputs, own, program
from tests.independent.brute import TooMany
from tests.independent.claims import Counts, Untrue
from tests.independent.shelf import SYNONYMS

#: One history in so many is of an own model.
OWN = 5


def case_of(seed: str, only: str | None) -> generate.Case:
    """The history of a seed `SEED.NUMBER`."""
    number = int(seed.rsplit(".", 1)[1])
    if only in own.KINDS or (only is None and number % OWN == 0):
        return own.case(seed, [only] if only else list(own.KINDS))
    return generate.case(seed, [only] if only else list(SYNONYMS))


def one(seed: str, only: str | None, every: int, folder: Path, counts: Counts) -> dict[str, Any] | None:
    """What is wrong with what was said about this history; None if nothing is."""
    case = case_of(seed, only)
    try:
        verdict = outputs.examine(case, folder, counts, every)
    except TooMany:
        counts["too wide for the brute force"] += 1
        return None
    except Untrue as fault:
        return described(case, only, str(fault))
    except (lp.HistoryError, lp.ModelError) as refusal:
        return described(case, only, f"refused: {refusal}")
    except Exception as error:
        return described(case, only, "".join(traceback.format_exception(error))[-900:])
    counts[verdict] += 1
    counts[f"{verdict}: {case.object.name}"] += 1
    counts[f"{verdict}: {case.shape}, {'by part' if case.partition else 'all together'}"] += 1
    return None


def described(case: generate.Case, only: str | None, fault: str) -> dict[str, Any]:
    return {
        "fault": fault,
        "model": case.object.name if isinstance(case.object, own.OwnObject) else case.object.spec,
        "partition": case.partition,
        "shape": case.shape,
        "replay": f".venv/bin/python -m tests.independent.run --replay {case.seed}"
        + (f" --only {only}" if only else ""),
        "history": case.records,
    }


def work(job: tuple[int, int, int, str | None, int]) -> tuple[Counts, list[dict[str, Any]]]:
    seed, first, last, only, every = job
    counts: Counts = collections.Counter()
    faults = []
    with program.workshop() as folder:
        for number in range(first, last):
            counts["histories"] += 1
            found = one(f"{seed}.{number}", only, every, folder, counts)
            if found:
                counts["faults"] += 1
                faults.append(found)
    return counts, faults


def run(
    violations: int, seed: int, only: str | None = None, *, workers: int = 1, every: int = 1, batch: int = 250
) -> tuple[Counts, list[dict[str, Any]]]:
    """Batches of histories, until there were so many violations."""
    counts: Counts = collections.Counter()
    faults: list[dict[str, Any]] = []
    jobs = ((seed, first, first + batch, only, every) for first in range(0, 1 << 40, batch))
    pool = multiprocessing.get_context("spawn").Pool(workers) if workers > 1 else None
    waiting: list[Any] = []
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C: what was checked so far is told
        while counts["violation"] + counts["faults"] < violations:
            if pool is None:
                some, wrong = work(next(jobs))
            else:
                while len(waiting) < workers + 1:
                    waiting.append(pool.apply_async(work, (next(jobs),)))
                some, wrong = waiting.pop(0).get()
            counts += some
            faults += wrong
            for fault in wrong:
                print(json.dumps(fault), flush=True)
    if pool is not None:
        pool.terminate()
    return counts, faults


def replay(seed: str, only: str | None) -> None:
    """One history, with everything that is said about it."""
    case = case_of(seed, only)
    for number, record in enumerate(case.records):
        print(number, json.dumps(record))
    try:
        print(
            lp.explain(
                lp.check(lp.History(case.records), case.object.spec, partition=case.partition, method=case.method)
            )
        )
    except lp.LinpointError as error:
        print(error)
    with program.workshop() as folder:
        fault = one(seed, only, 1, folder, collections.Counter())
    print("fault:", fault and fault["fault"], "| model:", case.object.spec, "| partition:", case.partition)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--violations", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="one model, shipped or of own.py")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=int, default=10, help="one violation in so many goes through all outputs")
    parser.add_argument("--replay", help="SEED.NUMBER, as a failing run prints it")
    asked = parser.parse_args()
    if asked.replay:
        replay(asked.replay, asked.only)
        return
    counts, faults = run(asked.violations, asked.seed, asked.only, workers=asked.workers, every=asked.every)
    for name, count in sorted(counts.items()):
        print(f"{count:>9}  {name}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
