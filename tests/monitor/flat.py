"""Does the memory of a monitor stay flat, however long the stream?

    python -m tests.monitor.flat --events 20000000 --only queue register

The largest resident memory of this process within the first and within the last million events, as the kernel tells it. Once
without crashes, and once with 0.1 % of the operations crashed (adds and writes that may take effect at any later time are kept,
for they may matter for ever; they are few).
"""

from __future__ import annotations

import argparse
import resource
import subprocess
from pathlib import Path

import linpoint as lp
from tests.monitor.streams import OBJECTS, command

MILLION = 1_000_000
PIECE = 1 << 20


def resident() -> int:
    """Bytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def watch(subject: str, events: int, crashed: int) -> str:
    """One row."""
    monitor = lp.Monitor(OBJECTS[subject])
    largest: dict[int, int] = {}
    with subprocess.Popen(command(subject, events, crashed), stdout=subprocess.PIPE) as stream:
        assert stream.stdout is not None
        while piece := stream.stdout.read(PIECE):
            monitor.feed(piece)
            million = monitor.counts().events // MILLION
            largest[million] = max(largest.get(million, 0), resident())
    monitor.end_of_input()
    counts, first, last = monitor.counts(), largest[0], largest[events // MILLION - 1]
    return (
        f"{subject:15} {counts.events:,} events, {counts.crashed} crashed: {first / 2**20:.1f} MiB within the first million, "
        f"{last / 2**20:.1f} within the last ({100 * (last / first - 1):+.1f} %), {monitor.verdict}"
    )


def main() -> None:
    """Prints a row for each."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=20 * MILLION)
    arguments.add_argument("--only", choices=list(OBJECTS), nargs="*", default=["queue", "stack", "register"])
    arguments.add_argument("--crashed", type=int, nargs="*", default=[0, 1000], help="of a million operations")
    given = arguments.parse_args()
    for crashed in given.crashed:
        for subject in given.only:
            print(watch(subject, given.events, crashed), flush=True)


if __name__ == "__main__":
    main()
