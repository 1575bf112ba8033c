"""Does the memory of a monitor stay flat, however long the stream?

    python -m tests.monitor.flat --events 20000000 --only queue register

The largest resident memory of this process within the first and within the last million events, as the kernel tells it; and
the largest account that the monitor gives of itself. Once without crashes, and once with 0.1 % of the operations crashed: adds,
writes and removes that may take effect at any later time are kept, for they may matter for ever, and so are the names of all
clients that crashed. By account that is up to 0.7 MB for the 10,000 crashes of 20,000,000 events, and 1.4 MB for a set, whose
elements come again and again, so that more of them matter.

Each row is a process of its own, which gives free memory back to the system as `linpoint monitor` does. Deques and CAS
registers are searched, and are not asked with crashes: what crashed there is in each configuration or not, so after some
dozens of crashes a budget ends.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import subprocess
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import linpoint as lp
from linpoint import _core
from tests.monitor.streams import OBJECTS, command

MILLION = 1_000_000
PIECE = 1 << 20
SEARCHED = {"deque", "cas-register"}


def resident() -> int:
    """Bytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def watch(subject: str, events: int, crashed: int) -> str:
    """One row."""
    _core.give_memory_back()
    monitor = lp.Monitor(OBJECTS[subject])
    largest: dict[int, int] = {}
    account: dict[int, int] = {}
    with subprocess.Popen(command(subject, events, crashed), stdout=subprocess.PIPE) as stream:
        assert stream.stdout is not None
        while piece := stream.stdout.read(PIECE):
            monitor.feed(piece)
            counts = monitor.counts()
            million = counts.events // MILLION
            largest[million] = max(largest.get(million, 0), resident())
            account[million] = max(account.get(million, 0), counts.bytes)
    monitor.end_of_input()
    counts, final = monitor.counts(), events // MILLION - 1
    first, last = largest[0], largest[final]
    return (
        f"{subject:15} {counts.events:,} events, {counts.crashed} crashed: {first / 2**20:.1f} MiB within the first million, "
        f"{last / 2**20:.1f} within the last ({100 * (last / first - 1):+.1f} %), of these {account[0] / 2**20:.1f} and "
        f"{account[final] / 2**20:.1f} by account, {monitor.verdict}"
    )


def main() -> None:
    """Prints a row for each."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=20 * MILLION)
    arguments.add_argument("--only", choices=list(OBJECTS), nargs="*", default=list(OBJECTS))
    arguments.add_argument("--crashed", type=int, nargs="*", default=[0, 1000], help="of a million operations")
    given = arguments.parse_args()
    for crashed in given.crashed:
        for subject in given.only:
            if crashed and subject in SEARCHED:
                continue
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
                print(process.submit(watch, subject, given.events, crashed).result(), flush=True)


if __name__ == "__main__":
    main()
