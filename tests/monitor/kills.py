"""Is a monitor that is killed at any moment and resumed the one that was never interrupted?

    python -m tests.monitor.kills --kills 200 --seed 1

Streams of several models, with garbage between their lines and a wrong answer in some, are watched with --checkpoint by a
process that is killed (SIGKILL) after a random time, again and again, until one comes to the end. Its verdict, its counts and
its first violation have to be those of a monitor that was left alone.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.monitor.streams import OBJECTS, written

LINPOINT = str(Path(sys.executable).parent / "linpoint")
SUBJECTS = sorted(set(OBJECTS) - {"deque"})
"""A deque is judged by search: behind a wrong answer it may hold so much that going on takes for ever."""
COMPARED = ["events", "operations", "verdict", "event", "skipped", "counterexample"]


def command(file: Path, model: str, *more: str) -> list[str]:
    return [LINPOINT, "monitor", str(file), "--model", model, "--continue", "--json", *more]


def compared(told: dict[str, Any]) -> dict[str, Any]:
    """What has to be the same. Which operations before an alarm are still known depends on when the monitor looked."""
    same = {name: told[name] for name in COMPARED}
    if same["counterexample"]:
        same["counterexample"] = {name: what for name, what in same["counterexample"].items() if name != "before"}
    return same


def alone(file: Path, model: str) -> dict[str, Any]:
    """What a monitor tells that nobody interrupts."""
    done = subprocess.run(command(file, model), capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout))


def killed(
    file: Path, model: str, checkpoint: Path, dice: random.Random, longest: float
) -> tuple[int, int, dict[str, Any]]:
    """How often it was killed, how often it had begun to read by then, and what the last one tells."""
    kills, resumed = 0, 0
    while True:
        watching = subprocess.Popen(
            command(file, model, "--checkpoint", str(checkpoint)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            told, _ = watching.communicate(timeout=dice.uniform(0.1, longest))
            return kills, resumed, dict(json.loads(told))
        except subprocess.TimeoutExpired:
            watching.send_signal(signal.SIGKILL)
            watching.communicate()
            kills += 1
            resumed += checkpoint.exists()


def garbage(file: Path, dice: random.Random) -> None:
    """Puts lines that are no events between the others."""
    lines = file.read_bytes().splitlines(keepends=True)
    for _ in range(20):
        lines.insert(dice.randrange(10, len(lines)), dice.choice([b"{\n", b"\xff\n", b'{"process":1}\n', lines[7]]))
    file.write_bytes(b"".join(lines))


def main() -> None:
    """Kills until there were enough."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--events", type=int, default=600_000)
    given = arguments.parse_args()
    dice, kills, resumed, streams = random.Random(given.seed), 0, 0, 0
    begun = time.monotonic()
    while kills < given.kills:
        subject = dice.choice(SUBJECTS)
        model, events = OBJECTS[subject], given.events + streams
        wrong = dice.choice([0, dice.randrange(events // 2, events - 1000)])
        with (
            tempfile.TemporaryDirectory() as folder,
            written(Path(folder) / "stream", subject, events, 0, wrong) as file,
        ):
            garbage(file, dice)
            started = time.monotonic()
            expected = alone(file, model)
            longest = 0.8 * (time.monotonic() - started)
            times, read, told = killed(file, model, Path(folder) / "checkpoint", dice, longest)
        kills, resumed, streams = kills + times, resumed + read, streams + 1
        if compared(told) != compared(expected):
            raise SystemExit(
                f"{subject}, {events} events, wrong at {wrong}: {compared(told)}, not {compared(expected)}"
            )
        print(f"{subject}: {times} kills, {told['verdict']} at {told['event']}", flush=True)
    print(
        f"{kills} kills, {resumed} of them behind a checkpoint, {streams} streams, {time.monotonic() - begun:.0f} s: all the same"
    )


if __name__ == "__main__":
    main()
