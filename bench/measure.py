"""What did one command cost: seconds, peak memory, and did it stay within its limits?

`run` starts the command and watches it. A command that is still going after its seconds, or whose resident
memory passes its limit, is ended, and the outcome says which. Memory is watched rather than limited by the
kernel (RLIMIT_AS) because Go and others reserve far more addresses than they use.

"Looks wrong, is right": the watching is done by a second, almost empty Python process. On Linux a new program
inherits the peak memory of the process that started it (the kernel carries the old peak through exec), so a
driver that has just read a 100 MiB answer would lend its own peak to every small program that it measures. The
watcher needs about 10 MiB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

DONE, TOO_LONG, TOO_BIG = "done", "too long", "too big"
MIB = 1024 * 1024


@dataclass(frozen=True)
class Measured:
    outcome: str  # DONE, TOO_LONG or TOO_BIG
    status: int  # what the command exited with; negative: the signal that ended it
    seconds: float
    peak_mib: float
    output: str
    errors: str


def run(command: list[str], seconds: float, memory_mib: float, env: dict[str, str] | None = None) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        watcher = [
            sys.executable,
            "-I",
            "-S",
            __file__,
            str(seconds),
            str(memory_mib),
            str(output),
            str(errors),
            *command,
        ]
        told = subprocess.run(watcher, stdout=subprocess.PIPE, env={**os.environ, **(env or {})}, check=True).stdout
        return Measured(**json.loads(told), output=output.read_text(), errors=errors.read_text(errors="replace"))


def warm(memory_mib: int) -> None:
    """Touches that much memory and gives it back.

    A virtual machine gets its memory from the host page by page at the first touch, and that can take longer than
    the work on it: 6 of 8 seconds of a check of ours. The first program to use much memory would pay for the others.
    """
    code = f"import mmap\nm = mmap.mmap(-1, {memory_mib * MIB})\nfor i in range(0, len(m), 4096): m[i] = 1"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=False)


def _resident_mib(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB
    except (OSError, IndexError):  # no /proc here, or the process has just ended
        return 0.0


def _watch(seconds: float, memory_mib: float, output: str, errors: str, command: list[str]) -> dict[str, object]:
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)  # a group of its own, so that its children end with it
            for path, stream in ((output, 1), (errors, 2)):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), stream)
            os.execvp(command[0], command)
        except OSError as problem:
            os.write(2, f"{command[0]}: {problem}\n".encode())
        os._exit(127)
    outcome, ended = DONE, 0
    try:
        while not ended:
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                break
            if time.perf_counter() - start > seconds:
                outcome = TOO_LONG
            elif _resident_mib(pid) > memory_mib:
                outcome = TOO_BIG
            if outcome != DONE:
                os.killpg(pid, 9)
                ended, status, usage = os.wait4(pid, 0)
            else:
                time.sleep(0.01)
    finally:
        if not ended:  # Ctrl-C: leave nothing behind
            os.killpg(pid, 9)
            os.wait4(pid, 0)
    peak = usage.ru_maxrss / (1024 if sys.platform == "linux" else MIB)
    return {
        "outcome": outcome,
        "status": os.waitstatus_to_exitcode(status),
        "seconds": time.perf_counter() - start,
        "peak_mib": peak,
    }


if __name__ == "__main__":
    limit, memory, out, err = sys.argv[1:5]
    print(json.dumps(_watch(float(limit), float(memory), out, err, sys.argv[5:])))
