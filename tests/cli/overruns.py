"""Is `--timeout` kept? Programs that would take long, with several timeouts: how much CPU time do they use after the time is up?

    python -m tests.cli.overruns

The clock starts with linpoint's first line. CPU time and not the clock is what counts behind it, so that a busy machine changes
nothing. A row that ended before its time says nothing, and says so.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli import kills
from tests.cli.workload import PROGRAM, files, log, recorded

MOST = 0.5
"""Seconds of CPU time that a program may use after its time is up."""

OWN = """
import sys
import linpoint as lp

class Slow(lp.Model):
    initial = 0
    def add(self, state, value):
        for _ in range(20_000):
            pass
        return state + value, None
    def read(self, state, _):
        return state, state

rows = [{"process": i, "f": "add", "value": 2**i, "call": 0, "return": 1} for i in range(24)]
rows.append({"process": 0, "f": "read", "result": -1, "call": 2, "return": 3})
print(lp.explain(lp.check(rows, Slow(), timeout=float(sys.argv[1]))))
"""


def programs(folder: Path) -> dict[str, list[str]]:
    """What is run, by what takes long in it; the timeout is added at the end."""
    at = files(folder)
    (folder / "own.py").write_text(OWN)
    (folder / "large.jsonl").write_text(recorded(50, 400_000, 4, wrong=False))
    (folder / "log.jsonl").write_text(log(8, 120, 5))
    saved, page = str(folder / "saved.json"), str(folder / "page.html")
    check = [PROGRAM, "check"]
    return {
        "load": [*check, str(folder / "large.jsonl"), "-m", "register", "--timeout"],
        "search": [*check, str(at["hard"]), "-m", "stack", "--timeout"],
        "own model": [sys.executable, str(folder / "own.py")],
        "shrink": [*check, str(folder / "log.jsonl"), "-m", "kv", "--timeout"],
        "certify": [*check, str(folder / "large.jsonl"), "-m", "register", "-q", "--timeout"],
        "report": [
            *check,
            str(folder / "large.jsonl"),
            "-m",
            "register",
            "--save",
            saved,
            "--report",
            page,
            "--timeout",
        ],
        "report of a violation": [*check, str(at["long-bad"]), "-m", "register", "--report", page, "--timeout"],
    }


def overrun(command: list[str], seconds: float) -> tuple[float | None, int]:
    """(CPU seconds used after the time was up, None if it ended before; the exit status)."""
    program = subprocess.Popen([*command, str(seconds)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if command[0] == PROGRAM:
        kills._first_line(program.pid)
    until, before = time.monotonic() + seconds, None
    while time.monotonic() < until and kills._state(program.pid) not in (None, "Z"):
        time.sleep(0.005)
    if kills._state(program.pid) not in (None, "Z"):
        before = kills._cpu(program.pid)
    status, used = kills._end(program)
    return None if before is None else used - before, status


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeouts", type=float, nargs="*", default=[0.1, 0.3, 1.0, 2.0])
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, command in programs(Path(folder)).items():
            for seconds in parser.parse_args().timeouts:
                used, status = overrun(command, seconds)
                late += used is not None and used > MOST
                words = "ended before" if used is None else f"{used:.2f} s of CPU time beyond it"
                print(f"{what}, timeout {seconds:g}: {words}, exit status {status}", flush=True)
    print(f"{late} beyond {MOST} s")
    sys.exit(bool(late))


if __name__ == "__main__":
    main()
