"""Are the recorded histories of one class linearizable, and how deep must the hitting families be to show it?

    python bench/juc/judge.py concurrent|sequential CLASS FILE

prints one line of JSON per history. The verdict is that of an exact search, certified by a replay; the depth is the first at
which a strong d-hitting family has a witness, without any search (`--method hitting`, d up to 5). The specification is the class
of the same name in `linpoint.library.juc`, which knows nothing of checkers.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import linpoint as lp
from linpoint.library import juc

DEEPEST = 5


def main() -> None:
    kind, name, path = sys.argv[1:]
    model = lp.models.from_class(getattr(juc, name))
    with open(path, "rb") as file:
        for line in file:
            history = lp.read(line, format="violat")
            facts = sequential(history, model) if kind == "sequential" else concurrent(history, model)
            print(json.dumps(facts))


def sequential(history: lp.History, model: lp.Model) -> dict[str, Any]:
    result = lp.check(history, model, method="depth-first", threads=1, certify=False)
    return {"verdict": str(result.verdict), "said": str(result) if not result.ok else ""}


def concurrent(history: lp.History, model: lp.Model) -> dict[str, Any]:
    exact = lp.check(history, model, method="depth-first", threads=1)
    hitting = lp.check(history, model, method="hitting", depth=DEEPEST, threads=1)
    facts: dict[str, Any] = {
        "verdict": str(exact.verdict),
        "sure": exact.certified if exact.ok else exact.confirmed,
        "hitting": str(hitting.verdict),
        "depth": hitting.statistics.depth if hitting.ok else None,
        "operations": len(history),
        "schedules": [sum(1 for _ in lp.hitting_family(history, d)) for d in range(1, DEEPEST + 1)],
        **overlap(history),
    }
    if exact.verdict is lp.Verdict.VIOLATION:
        explanation = lp.explain(exact)
        facts["counterexample"] = [str(op) for op in explanation.counterexample or ()]
        facts["confirmed"] = explanation.confirmed
    return facts


def overlap(history: lp.History) -> dict[str, int]:
    """The largest number of operations that overlap each other, and the number of pairs that do."""
    events = sorted(event for op in history for event in ((op.call, 0), (op.ret, 1)))
    now = most = pairs = 0
    for _, returns in events:
        if returns:
            now -= 1
        else:
            pairs += now
            now += 1
            most = max(most, now)
    return {"concurrency": most, "pairs": pairs}


if __name__ == "__main__":
    main()
