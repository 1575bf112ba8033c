"""Random Ctrl-C: at any moment of load, search, shrinking, certifying, rendering and writing, what does the program leave behind?

    python -m tests.cli.kills --kills 1000 --seed 0

Each kill starts a program, waits until its own first line has run (before that the interpreter answers, not linpoint),
then a random while, and sends SIGINT; one in four gets a second one a little later. Afterwards nothing may contradict
anything: no traceback, an exit status that fits the verdict that was printed, an answer within 0.3 s of CPU time, files
that are complete or not there. The kill that fails is printed with its number; `--only NUMBER` repeats it. At the end stands
how many kills met each phase, as far as the program's own words tell: "nothing" are those
that came too early or too late.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.workload import PROGRAM, files

MOST_CPU = 0.3
"""Seconds of CPU time between the signal and the end."""
MOST_WALL = 60.0
STATUS = {"LINEARIZABLE": 0, "VIOLATION": 1, "UNKNOWN": 3}
TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Command:
    """What is run and interrupted."""

    args: list[str]
    writes: list[Path] = field(default_factory=list)
    seconds: float = 1.0
    """How long it takes if left alone, or as long as it is worth waiting for."""


def commands(folder: Path) -> list[Command]:
    """Programs that spend their time in different places."""
    at = {name: str(path) for name, path in files(folder).items()}
    page, saved, out = folder / "page.html", folder / "saved.json", folder / "out.edn"
    kept, system = folder / "kept.json", folder / "small.aut"
    subprocess.run([PROGRAM, "check", at["long-good"], "-m", "register", "-q", "--save", str(kept)], check=True)
    writing = ["--save", str(saved), "--report", str(page)]
    return [
        Command(["check", at["good"], "-m", "register"]),
        Command(["check", at["bad"], "-m", "register", *writing], [saved, page]),
        Command(["check", at["hard"], "-m", "stack"]),
        Command(["check", at["hard"], "-m", "stack", "--json", "--timeout", "1"]),
        Command(["check", at["long-good"], "-m", "register", *writing], [saved, page]),
        Command(["check", at["long-bad"], "-m", "register"]),
        Command(["check", at["long-bad"], "-m", "register", "--json"]),
        Command(["check", at["long-bad"], "-m", "register", *writing], [saved, page]),
        Command(["check", at["shrinks"], "-m", "kv"]),
        Command(["check", at["shrinks"], "-m", "kv", *writing], [saved, page]),
        Command(["check", at["good"], at["long-bad"], at["long-good"], "-m", "register"]),
        Command(["convert", at["long-good"], str(out)], [out]),
        Command(["convert", at["long-good"], "-"]),
        Command(["certify", str(kept), at["long-good"]]),
        Command(["models"]),
        Command(["lts", "reduce", str(_chain(folder / "chain.aut")), "--output", str(system)], [system]),
    ]


def _chain(path: Path, states: int = 200_000) -> Path:
    """A long transition system."""
    steps = "".join(f'({state}, "a{state % 7}", {state + 1})\n' for state in range(states))
    path.write_text(f"des (0, {states}, {states + 1})\n{steps}")
    return path


def measure(command: Command, patience: float) -> None:
    """How long is the command worth interrupting? Not longer than `patience`."""
    begun = time.monotonic()
    program = subprocess.Popen([PROGRAM, *command.args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        program.wait(patience)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()
        for path in command.writes:  # what it had begun to write: nothing can clean up after SIGKILL
            for rest in path.parent.glob(".linpoint-*"):
                rest.unlink()
    command.seconds = time.monotonic() - begun


@dataclass
class Kill:
    """What one Ctrl-C did."""

    status: int
    stdout: str
    stderr: str
    cpu: float
    started: bool
    """Was linpoint ready to answer when the signal came?"""


def kill(command: Command, rng: random.Random) -> Kill:
    """Runs the command and interrupts it."""
    for path in command.writes:
        path.unlink(missing_ok=True)
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        program = subprocess.Popen([PROGRAM, *command.args], stdout=said, stderr=complained)
        running = _first_line(program.pid)
        delay, again = rng.random() * command.seconds, rng.random() < 0.25
        time.sleep(delay)
        before, started = _cpu(program.pid), _catches(program.pid)
        if running:
            _send(program.pid)
            if again:
                time.sleep(rng.random() * 0.1)
                _send(program.pid)
        status, used = _end(program)
        texts = []
        for file in (said, complained):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Kill(status, *texts, used - before if before is not None else 0.0, bool(started))


PHASES = {
    "while reading": "load",
    "while certifying": "certify",
    "while checking": "search",
    "UNKNOWN": "search",
    '"cause": "interrupted"': "search",
    "no counterexample: interrupted": "shrink",
    "not drawn: interrupted": "render",
    "was not written: interrupted": "render",
    "linpoint: interrupted": "another command",
}
"""What the program says → what was interrupted; the first that it says counts."""


def phase(done: Kill) -> str:
    """What was running when the signal came, by the program's own words."""
    if done.status == -signal.SIGINT or not done.started:
        return "nothing: it came before linpoint was ready"
    said = done.stdout + done.stderr
    return next((phase for words, phase in PHASES.items() if words in said), "nothing: it came too late")


def faults(command: Command, done: Kill) -> list[str]:
    """What is wrong with what was left behind."""
    found = []
    both = done.stdout + done.stderr
    if "Traceback" in both or "Exception ignored" in both:
        found.append("a traceback")
    if done.status == -signal.SIGKILL:
        found.append(f"no answer within {MOST_WALL} s")
    if done.cpu > MOST_CPU:
        found.append(f"{done.cpu:.2f} s of CPU time after the signal")
    if done.status == -signal.SIGINT and both.strip():
        found.append("it spoke, and died of the signal")
    if done.status not in (0, 1, 3, -signal.SIGINT, -signal.SIGKILL):
        found.append(f"exit status {done.status}")
    found += _contradictions(command, done)
    for path in command.writes:
        found += _incomplete(path)
        found += [f"{rest.name} was left behind" for rest in path.parent.glob(".linpoint-*")]
    return found


def _contradictions(command: Command, done: Kill) -> list[str]:
    if command.args[0] != "check" or done.status < 0:
        return []
    told = re.match(r"(LINEARIZABLE|VIOLATION|UNKNOWN)\b", done.stdout)
    if "--json" in command.args:
        entries = json.loads(done.stdout)
        verdict = entries.get("verdict", "unknown").upper()
    elif told is None and "files:" in done.stdout:  # the table of several files: the worst of them
        verdict = "VIOLATION" if " violation" in done.stdout else "LINEARIZABLE" if done.status == 0 else "UNKNOWN"
    else:
        verdict = told[1] if told else "UNKNOWN"
    return [] if STATUS[verdict] == done.status else [f"{verdict} was printed, the exit status is {done.status}"]


def _incomplete(path: Path) -> list[str]:
    if not path.exists():
        return []
    text = path.read_text()
    if path.suffix == ".json":
        try:
            json.loads(text)
        except ValueError:
            return [f"{path.name} is no JSON"]
    complete = {".html": "</html>\n", ".json": "}\n"}.get(path.suffix, "\n")
    return [] if text.endswith(complete) else [f"{path.name} is incomplete"]


def _send(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)


def _catches(pid: int) -> bool | None:
    """Does the process catch SIGINT? None if it has ended."""
    try:
        caught = re.search(r"SigCgt:\s+(\w+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return None
    return bool(int(caught[1], 16) >> (signal.SIGINT - 1) & 1) if caught else None


def _first_line(pid: int) -> bool:
    """Waits until linpoint's first line has run: Python catches SIGINT, linpoint's first line lets go of it.

    On a busy machine a look may come too late to see both; a program that runs for seconds is past its first line.
    """
    wanted, until = True, time.monotonic() + 5.0
    while time.monotonic() < until:
        now = _catches(pid)
        if now is None or _state(pid) == "Z":
            return False
        if now is wanted:
            if not wanted:
                return True
            wanted = False
        time.sleep(0.0005)
    return True


def _state(pid: int) -> str | None:
    """The letter that the system gives to what the process does; Z: it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return None


def _cpu(pid: int) -> float | None:
    """CPU time of the process so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICK


def _end(program: subprocess.Popen[bytes]) -> tuple[int, float]:
    """The exit status and the CPU time used in all."""
    until = time.monotonic() + MOST_WALL
    while True:
        pid, status, used = os.wait4(program.pid, os.WNOHANG)
        if pid:
            program.returncode = os.waitstatus_to_exitcode(status)
            return program.returncode, used.ru_utime + used.ru_stime
        if time.monotonic() > until:
            program.kill()
        time.sleep(0.002)


@dataclass
class Tally:
    """What came of many kills."""

    failures: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    """The longest answer, in CPU time."""


def run(kills: int, seed: int, only: int | None = None, patience: float = 3.0) -> Tally:
    """So many kills."""
    tally = Tally()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started here must not inherit that it is ignored
    with tempfile.TemporaryDirectory() as folder:
        known = commands(Path(folder))
        for command in known:
            measure(command, patience)
        for number in range(kills) if only is None else [only]:
            rng = random.Random(f"{seed}/{number}")
            command = rng.choice(known)
            done = kill(command, rng)
            tally.statuses[f"{command.args[0]} {done.status}"] += 1
            tally.phases[phase(done)] += 1
            tally.longest = max(tally.longest, done.cpu)
            for fault in faults(command, done):
                words = f"kill {number} of seed {seed}: linpoint {' '.join(command.args)}: {fault}"
                tally.failures.append(f"{words}\n{done.stdout[-500:]}\n{done.stderr[-1500:]}")
    return tally


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    chosen = parser.parse_args()
    tally = run(chosen.kills, chosen.seed, chosen.only)
    print("\n".join(tally.failures))
    summary = f"{len(tally.failures)} faults; longest answer {tally.longest:.2f} s of CPU time"
    print(f"{chosen.kills} kills, seed {chosen.seed}: {summary}")
    print(", ".join(f"{what}: {count}" for what, count in sorted(tally.statuses.items())))
    print("met:", ", ".join(f"{what} {count}" for what, count in sorted(tally.phases.items())))
    sys.exit(bool(tally.failures))


if __name__ == "__main__":
    main()
