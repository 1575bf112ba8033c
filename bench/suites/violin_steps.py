"""How many steps of a log does a method get through in so many seconds? A program: LOG METHOD SECONDS, one line of JSON.

A step is a call or a return, and every prefix that ends with a return is judged, as in the paper. Saturation, and what forgets
matches, goes on from one return to the next by itself; the other methods are asked about each prefix anew.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import linpoint as lp

INCREMENTAL = {"saturate", "saturate-removal", "symbolic-removal"}


def main(log: Path, method: str, seconds: float) -> dict[str, float | int | str]:
    lines = log.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    events = [line for line in lines if line.startswith("[")]
    returns = [place for place, line in enumerate(events, 1) if "] return" in line]
    begun = time.perf_counter()
    if method in INCREMENTAL:
        result = lp.check(lp.read(log), "queue", method=method, timeout=seconds, memory="4GiB")
        ended = result.cause in (lp.Cause.TIME, lp.Cause.MEMORY)
        done = result.evidence.explained if ended and isinstance(result.evidence, lp.Stuck) else len(returns)
        steps = returns[done - 1] if done else 0
    else:
        steps = _by_prefixes(head, events, returns, method, seconds)
    took = min(time.perf_counter() - begun, seconds)
    return {"method": method, "log": log.name, "steps": steps, "seconds": took, "capacity": _capacity(events[:steps])}


def _by_prefixes(head: list[str], events: list[str], returns: list[int], method: str, seconds: float) -> int:
    """The last prefix that was judged in time."""
    begun, steps = time.perf_counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "prefix.log"
        for end in returns:
            left = seconds - (time.perf_counter() - begun)
            if left <= 0:
                break
            prefix.write_text("\n".join([*head, *events[:end]]) + "\n", encoding="utf-8")
            result = lp.check(lp.read(prefix), "queue", method=method, timeout=left, memory="4GiB")
            if result.cause in (lp.Cause.TIME, lp.Cause.MEMORY):
                break
            steps = end
    return steps


def _capacity(events: list[str]) -> float:
    """How many values were inside, on average: added by a call and not yet taken by a return."""
    inside, total = 0, 0
    for line in events:
        inside += "call add" in line
        inside -= "] return " in line and not line.endswith("empty")
        total += inside
    return total / max(1, len(events))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))))
