"""`make fuzz`: the agreement test for as long as you like, on all cores.

Prints how many histories of each model were compared and how fast; stops at the first disagreement with a
report that ends in the command that replays it. Exit status 1 then.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter

from tests.agreement.compare import WAYS, judge
from tests.agreement.generate import MODELS

BATCH = 260
Job = tuple[str, int]
Found = tuple[str, int, int, str]


def work(job: Job) -> Found:
    """(model, linearizable, violations, report) of a batch; it ends early at a disagreement."""
    model, start = job
    count: Counter[bool] = Counter()
    for seed in range(start, start + BATCH):
        opinion, report = judge(model, seed)
        count[opinion.linearizable] += 1
        if report:
            return model, count[True], count[False], report
    return model, count[True], count[False], ""


def fuzz(models: list[str], start: int, histories: int | None, seconds: float, processes: int) -> int:
    began = last = time.monotonic()
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    report = ""

    def finished(total: int, spent: float) -> bool:
        return total >= histories if histories else spent >= seconds

    def speed() -> str:
        total, spent = good.total() + bad.total(), time.monotonic() - began
        return f"{total:,} histories in {spent:.0f} s, {total / spent:,.0f} a second"

    with multiprocessing.Pool(processes) as pool:
        while not report and not finished(good.total() + bad.total(), time.monotonic() - began):
            for model, linearizable, violations, report in pool.imap_unordered(work, [(m, start) for m in models]):
                good[model] += linearizable
                bad[model] += violations
                if report:
                    break
            start += BATCH
            if time.monotonic() - last > 10:
                print(f"  {speed()}", flush=True)
                last = time.monotonic()
    print(f"\n{'model':16}{'linearizable':>14}{'violation':>12}")
    for model in models:
        print(f"{model:16}{good[model]:>14,}{bad[model]:>12,}")
    print(f"\n{speed()}; {len(WAYS)} ways to check took turns")
    print(f"\nDISAGREEMENT\n{report}" if report else "no disagreement")
    return 1 if report else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--histories", type=int)
    parser.add_argument("--seed", type=int, default=0, help="another stream of histories")
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--replay", metavar="MODEL/SEED")
    options = parser.parse_args()
    if options.replay:
        model, _, seed = options.replay.partition("/")
        report = judge(model, int(seed), certify=True)[1]
        print(report or "no disagreement")
        return 1 if report else 0
    start = 1_000_000 + options.seed * 1_000_000_000  # `make test` has the seeds before
    return fuzz(options.model or MODELS, start, options.histories, options.seconds, options.processes)


if __name__ == "__main__":
    sys.exit(main())
