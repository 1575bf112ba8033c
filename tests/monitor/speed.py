"""How many events a second does a monitor judge, from a file, on one core?

    python -m tests.monitor.speed --events 4000000

Unique queues, stacks, priority queues, bags, registers; deques; sets; a CAS register of ten clients; 10,000 registers at once;
and calls from Python. Seconds are those of the processor, start of Python included. `bench/programs/src/bin/long_stream.rs` says
what is in the streams.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import linpoint as lp
from tests.monitor.streams import OBJECTS, written

LINPOINT = str(Path(sys.executable).parent / "linpoint")
BARS = dict.fromkeys(["queue", "stack", "priority-queue", "set", "register"], 1_000_000)
BARS |= {"cas-register": 500_000, "keys": 500_000}


def watched(file: Path, model: str) -> tuple[float, str]:
    """Events a second of processor time, and the verdict."""
    before = os.times()
    command = [LINPOINT, "monitor", str(file), "--model", model, "--json"]
    done = subprocess.run(
        command, env=os.environ | {"RAYON_NUM_THREADS": "1"}, capture_output=True, text=True, check=False
    )
    after = os.times()
    told = json.loads(done.stdout)
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return told["events"] / used, told["verdict"]


def from_python(calls: int) -> float:
    """Calls of `call` and `ret` a second of processor time, from one thread."""
    monitor = lp.Monitor("register")
    before = time.process_time()
    for number in range(calls // 2):
        monitor.ret(monitor.call(0, "write", number))
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    return calls / (time.process_time() - before)


def main() -> None:
    """Prints a row for each."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=4_000_000)
    arguments.add_argument("--only", choices=[*OBJECTS, "python"], nargs="*")
    given = arguments.parse_args()
    for subject, model in OBJECTS.items():
        if given.only and subject not in given.only:
            continue
        with (
            tempfile.TemporaryDirectory() as folder,
            written(Path(folder) / "stream", subject, given.events) as file,
        ):
            speed, verdict = watched(file, model)
        bar = f"bar {BARS[subject] / 1e6:.1f}" if subject in BARS else "no bar"
        print(f"{subject:15} {speed / 1e6:6.2f} M events/s, {bar}, {verdict}", flush=True)
    if not given.only or "python" in given.only:
        print(f"{'from Python':15} {from_python(1_000_000) / 1e6:6.2f} M calls/s, bar 0.4")


if __name__ == "__main__":
    main()
