"""Is the planted violation of a long stream told at the event at which the check of the prefix first says so?

    python -m tests.monitor.planted --events 5000000 --subject queue

The monitor tells an event. The check of recorded histories is asked about prefixes of the same file, by bisection from the
event at which the wrong answer was planted.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from pathlib import Path

import linpoint as lp
from tests.monitor.streams import OBJECTS, written


def told(file: Path, model: str) -> int:
    """The event that the monitor tells."""
    monitor = lp.Monitor(model)
    with file.open("rb") as stream:
        while piece := stream.read(1 << 20):
            monitor.feed(piece)
    monitor.end_of_input()
    event = monitor.since
    if event is None:
        raise SystemExit(f"the monitor says {monitor.verdict}")
    return event


def offline(file: Path, model: str, low: int, high: int) -> int:
    """The first event at which the check says VIOLATION; it does at `high`, and not at `low`."""
    prefix = file.with_name("prefix.jsonl")
    while high - low > 1:
        middle = (low + high) // 2
        with file.open("rb") as stream, prefix.open("wb") as shorter:
            shorter.writelines(itertools.islice(stream, middle))
        verdict = lp.check(lp.read(prefix, format="jepsen-json"), model, certify=False).verdict
        print(f"  the check of {middle:,} events: {verdict}", flush=True)
        low, high = (low, middle) if verdict is lp.Verdict.VIOLATION else (middle, high)
    return high


def main() -> None:
    """Compares the two."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=5_000_000)
    arguments.add_argument("--subject", choices=list(OBJECTS), default="queue")
    given = arguments.parse_args()
    model, wrong = OBJECTS[given.subject], given.events - given.events // 50
    with (
        tempfile.TemporaryDirectory() as folder,
        written(Path(folder) / "stream.jsonl", given.subject, given.events, 0, wrong) as file,
    ):
        event = told(file, model)
        print(f"planted at event {wrong:,}, told at {event:,}", flush=True)
        found = offline(file, model, wrong - 1, min(given.events, 2 * event - wrong + 100))
    print(
        f"{given.subject}: the check first says so at event {found:,}: {'the same' if found == event else 'DIFFERENT'}"
    )


if __name__ == "__main__":
    main()
