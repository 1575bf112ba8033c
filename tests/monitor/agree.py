"""Is the verdict after every event that of the check of all events up to it? For random histories of every model.

    python -m tests.monitor.agree --histories 2000 --seed 7

The histories are those of the agreement tests, told as a stream: the operations in the order of their events, calls first on
a tie. After each event the monitor is asked, and `linpoint.check` on the operations up to it; two other monitors are asked at
some of these moments only, for then several keys have changed at once.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import linpoint as lp
from tests.agreement.generate import MODELS, history

Step = tuple[int, str]
"""The number of an operation, and what happens to it: call, ok, fail or info."""


def steps(records: list[dict[str, Any]]) -> list[Step]:
    """The events of a history in their order."""
    timed: list[tuple[Any, int, Step]] = []
    for place, record in enumerate(records):
        timed.append((record["call"], 0, (place, "call")))
        kind = record.get("type", "ok" if record.get("return") is not None else "info")
        if record.get("return") is not None:
            timed.append((record["return"], 1, (place, kind)))
    return [step for *_, step in sorted(timed, key=lambda event: event[:2])]


def prefix(records: list[dict[str, Any]], done: list[Step]) -> list[dict[str, Any]]:
    """What a recorder would have written by then: operations that have not ended are pending."""
    said: dict[int, dict[str, Any]] = {}
    for number, (place, what) in enumerate(done):
        if what == "call":
            known = {name: records[place][name] for name in ("f", "key", "value") if name in records[place]}
            said[place] = {
                **known,
                "process": records[place]["process"],
                "call": number,
                "return": None,
                "type": "info",
            }
        elif what == "ok":
            said[place] |= {"return": number, "type": "ok", "result": records[place].get("result")}
        elif what == "fail":
            said[place] |= {"return": number, "type": "fail"}
    return list(said.values())


def disagreement(model: str, seed: int, own: lp.Model | None = None) -> str | None:
    """What went wrong with this history, if anything did; `own` is a model in Python that takes the place of the shipped one."""
    words, records = history(model, seed)
    records = [record | {"process": place} for place, record in enumerate(records)]  # one that crashed may call again
    return disagreement_of(records, own or words, f"{model}/{seed}")


def disagreement_of(records: list[dict[str, Any]], model: lp.Model | str, name: str) -> str | None:
    """The same of these operations: asked after each event, and now and then."""
    events, found = steps(records), None
    for number in range(1, len(events) + 1):
        verdict = lp.check(prefix(records, events[:number]), model, certify=False).verdict
        if verdict is lp.Verdict.VIOLATION:
            found = number
            break
        if verdict is not lp.Verdict.LINEARIZABLE:
            return f"{name}: the check of {number} events says {verdict!r}"
    dice = random.Random(name)
    for often in (1.0, 0.4, 0.15):
        asked = {number for number in range(1, len(events)) if dice.random() < often} | {len(events)}
        if (wrong := told_otherwise(lp.Monitor(model), records, asked, found)) is not None:
            return f"{name}, asked after {sorted(asked)}: {wrong}"
    return None


def told_otherwise(
    monitor: lp.Monitor, records: list[dict[str, Any]], asked: set[int], found: int | None
) -> str | None:
    """What the monitor says after one of these events, if that is not a violation from event `found` on and none before."""
    tokens: dict[int, int] = {}
    for number, (place, what) in enumerate(steps(records), 1):
        record = records[place]
        if what == "call":
            tokens[place] = monitor.call(record["process"], record["f"], record.get("value"), record.get("key"))
        elif what == "ok":
            monitor.ret(tokens[place], record.get("result"))
        elif what == "fail":
            monitor.fail(tokens[place])
        else:
            monitor.info(tokens[place])
        if number not in asked:
            continue
        if found is None or number < found:
            if monitor.verdict is not lp.Verdict.LINEARIZABLE:
                return f"after event {number} {monitor.verdict!r}"
        elif monitor.violation is None or monitor.violation.event != found:
            return f"after event {number} {monitor.violation}, but the check finds one at event {found}"
        else:
            return None
    return None


def main() -> None:
    """Compares histories of every model until all agree or one does not."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--histories", type=int, default=1000, help="how many of each model")
    arguments.add_argument("--seed", type=int, default=0, help="the first seed")
    given = arguments.parse_args()
    for model in MODELS:
        for seed in range(given.seed, given.seed + given.histories):
            if (wrong := disagreement(model, seed)) is not None:
                raise SystemExit(wrong)
    print(f"{given.histories * len(MODELS)} histories, zero disagreements")


if __name__ == "__main__":
    main()
