"""Do the operations of a monitor's violation contradict each other, and is none of them too many? Held against all orders.

    python -m tests.monitor.minimal --histories 400 --seed 7

A violation says that its operations have no order "whatever else happened": required, with any of the others, which are optional.
It is *minimal* if each of them made optional leaves an order. Both are tried out by `tests/independent/brute.py`, which knows
nothing of linpoint, over all events up to that of the violation, also those that the monitor has forgotten. If it begins at a
moment at which the object was in certain states, everything that had returned by then is required as well.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from typing import Any

import linpoint as lp
from linpoint.models import Shipped, resolve
from tests.agreement.generate import MODELS, history
from tests.independent.brute import System, TooMany, search
from tests.independent.shelf import build
from tests.monitor.agree import Step, prefix, steps

ADDS = defaultdict[str, tuple[str, ...]](
    tuple,
    {
        "queue": ("enqueue",),
        "stack": ("push",),
        "deque": ("push_front", "push_back"),
        "priority-queue": ("insert",),
        "bag": ("add",),
        "register": ("write",),
    },
)
"""The operations of containers and registers that bring a value in."""
FINE = ("minimal", "not claimed", "judged by another model")
"""What may be found."""


def told(records: list[dict[str, Any]], model: str, often: int) -> tuple[lp.Violation | None, list[Step]]:
    """What a monitor says that is asked after every so many events, and the events in their order."""
    monitor = lp.Monitor(model)
    tokens: dict[int, int] = {}
    done = steps(records)
    for number, (place, what) in enumerate(done, 1):
        record = records[place]
        if what == "call":
            tokens[place] = monitor.call(record["process"], record["f"], record.get("value"), record.get("key"))
        elif what == "ok":
            monitor.ret(tokens[place], record.get("result"))
        else:
            (monitor.fail if what == "fail" else monitor.info)(tokens[place])
        if number % often == 0 and monitor.violation is not None:
            break
    return monitor.violation, done


def judged(violation: lp.Violation, records: list[dict[str, Any]], done: list[Step], model: str) -> str:
    """What the brute force says of it: true and minimal, or what is wrong."""
    if not violation.exact or not (violation.whole or violation.states):
        return "not claimed"
    shipped = resolve(model)
    assert isinstance(shipped, Shipped)
    known = prefix(records, done[: violation.event])
    system = System(known, build(shipped.name, **shipped.options))
    adds = [(op.where, op.value) for op in system.ops if op.f in ADDS[shipped.name]]
    if shipped.name != "register" and any(value in (None, "empty") for _, value in adds):
        return "judged by another model"  # these stand for an element and for none
    if violation.forgot and len(set(adds)) < len(adds):
        return "not claimed"  # of what is remembered only, and others may have had the same values
    places = {record["call"] + 1: place for place, record in enumerate(known)}
    core = {places[int(op.call)] for op in violation.operations}
    if pending := [place for place in core if known[place]["return"] is None]:
        return f"{len(pending)} of its operations had not returned"
    around = {places[int(op.call)] for op in violation.around} if violation.states else set(places.values())
    before = {place for place in system.happened if place not in around}
    rest = around & set(system.happened)
    try:
        if search(system, before | core, rest - core).ok:
            return "untrue: there is an order"
        for op in core:
            needed = before | core - {op}
            if not search(system, needed, rest - needed).ok:
                return "not minimal" if violation.minimal else "not called minimal"
    except TooMany:
        return "too wide for a brute force"
    return "minimal" if violation.minimal else "minimal, though not called so"


def verdict(model: str, seed: int) -> str | None:
    """The same of a random history; None if it is linearizable."""
    words, records = history(model, seed)
    records = [record | {"process": place} for place, record in enumerate(records)]
    violation, done = told(records, words, often=(1, 3, 100)[seed % 3])
    return None if violation is None else judged(violation, records, done, words)


def main() -> None:
    """Counts what is found for histories of every model."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--histories", type=int, default=300, help="how many of each model")
    arguments.add_argument("--seed", type=int, default=0, help="the first seed")
    arguments.add_argument("--only", help="of this model")
    given = arguments.parse_args()
    counts: Counter[str] = Counter()
    for model in [given.only] if given.only else MODELS:
        for seed in range(given.seed, given.seed + given.histories):
            found = verdict(model, seed)
            if found is not None:
                counts[found] += 1
                if found not in FINE:
                    print(f"{model}/{seed}: {found}")
    for found, count in counts.most_common():
        print(f"{count:8,} {found}")


if __name__ == "__main__":
    main()
