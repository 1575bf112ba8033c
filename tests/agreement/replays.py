"""Do the native replay and the replay in Python judge witnesses alike? Right ones and tampered ones, of every model.

    .venv/bin/python -m tests.agreement.replays --witnesses 1000000

The two share no code: one is `crates/replay`, the other `linpoint.check.certify` with `linpoint.models`. The orders are witnesses
of random histories (`generate.py`), orders by time, and what a blow or two make of them: two operations exchanged, one left
out, doubled or moved. Everything follows from (model, seed).
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from typing import Any

import linpoint as lp
from linpoint import _core
from linpoint.check import certify_witness
from linpoint.models import Shipped, parse
from tests.agreement.generate import MODELS, history

BATCH = 500
ORDERS = 8
"""How many orders of one history are judged."""


def orders(columns: _core.Columns, dice: random.Random, found: tuple[int, ...] | None) -> Iterator[list[int]]:
    """Orders of the operations of a history: the witness that was found, if any, and what blows make of it."""
    calls, returns = columns.ranks()
    statuses = columns.statuses()
    happened = [op for op in range(len(columns)) if statuses[op] != 1 and (statuses[op] == 0 or dice.random() < 0.6)]
    by_time = sorted(
        happened, key=lambda op: dice.uniform(calls[op], calls[op] + 9 if returns[op] is None else returns[op])
    )
    if found is not None:
        yield list(found)
    yield by_time
    while True:
        order = list(found if found is not None and dice.random() < 0.7 else by_time)
        for _ in range(dice.choice([1, 1, 2])):
            strike(order, len(columns), dice)
        yield order


def strike(order: list[int], operations: int, dice: random.Random) -> None:
    """Spoils an order, perhaps."""
    blow = dice.random()
    if not order or blow < 0.05:
        order.append(dice.randrange(operations + 1))
    elif blow < 0.5 and len(order) > 1:
        at = dice.randrange(len(order) - 1)
        order[at], order[at + 1] = order[at + 1], order[at]
    elif blow < 0.65:
        order.insert(dice.randrange(len(order)), order.pop(dice.randrange(len(order))))
    elif blow < 0.8:
        order.pop(dice.randrange(len(order)))
    elif blow < 0.85:
        order.insert(dice.randrange(len(order)), dice.choice(order))
    else:
        one, other = dice.randrange(len(order)), dice.randrange(len(order))
        order[one], order[other] = order[other], order[one]


def native(operations: lp.History, model: Shipped, order: list[int]) -> tuple[str, str]:
    """What the native replay says."""
    judgement, _, why = _core.replay(
        operations.columns, model.name, model.options, _core.Witness(order), timeout=None, memory=2**30, threads=1
    )
    return judgement, why


def in_python(operations: lp.History, model: Shipped, order: list[int]) -> tuple[str, str]:
    """What the replay in Python says."""
    try:
        return ("right" if certify_witness(operations, model, order) else "cannot tell"), ""
    except lp.InternalError as error:
        return "wrong", str(error)
    except lp.ModelError as error:
        return "cannot tell", str(error)


def judge(model: str, seed: int) -> tuple[Counter[str], str]:
    """(how many orders were right, wrong, not told; what they disagree on) for a history."""
    spec, records = history(model, seed)
    counts: Counter[str] = Counter()
    operations, shipped = lp.History(records), parse(spec)
    assert isinstance(shipped, Shipped)
    try:
        found = lp.check(operations, shipped, certify=False).order
    except lp.ModelError:
        return counts, ""
    dice = random.Random(f"replays/{model}/{seed}")
    several = orders(operations.columns, dice, found)
    for order, _ in zip(several, range(ORDERS), strict=False):
        here, there = native(operations, shipped, order), in_python(operations, shipped, order)
        counts[here[0]] += 1
        if "cannot tell" not in (here[0], there[0]) and here[0] != there[0]:
            return counts, report(spec, records, order, here, there, f"{model}/{seed}")
    return counts, ""


def report(spec: str, records: list[dict[str, Any]], order: list[int], here: Any, there: Any, token: str) -> str:
    """A disagreement, and the command that shows it again."""
    lines = [f"{spec}: the order {order} is {here} natively, {there} in Python", *map(str, records)]
    return "\n".join([*lines, f".venv/bin/python -m tests.agreement.replays --replay {token}"])


def batch(job: tuple[str, int]) -> tuple[str, Counter[str], str]:
    """Judges the witnesses of some histories."""
    model, start = job
    counts: Counter[str] = Counter()
    for seed in range(start, start + BATCH):
        more, disagreement = judge(model, seed)
        counts += more
        if disagreement:
            return model, counts, disagreement
    return model, counts, ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--witnesses", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="another stream of witnesses")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--replay", metavar="MODEL/SEED")
    options = parser.parse_args()
    if options.replay:
        model, _, seed = options.replay.partition("/")
        print(judge(model, int(seed))[1] or "no disagreement")
        return 0
    table: dict[str, Counter[str]] = {model: Counter() for model in MODELS}
    start, began, disagreement = 1_000_000 + options.seed * 1_000_000_000, time.monotonic(), ""
    with Pool(options.processes) as pool:
        while not disagreement and sum(map(Counter.total, table.values())) < options.witnesses:
            for model, counts, disagreement in pool.imap_unordered(batch, [(model, start) for model in MODELS]):
                table[model] += counts
                if disagreement:
                    break
            start += BATCH
    print(f"{'model':16}{'right':>12}{'wrong':>12}{'cannot tell':>14}")
    for model, counts in table.items():
        print(f"{model:16}{counts['right']:>12,}{counts['wrong']:>12,}{counts['cannot tell']:>14,}")
    total = sum(map(Counter.total, table.values()))
    print(f"\n{total:,} witnesses in {time.monotonic() - began:.0f} s\n{disagreement or 'no disagreement'}")
    return 1 if disagreement else 0


if __name__ == "__main__":
    sys.exit(main())
