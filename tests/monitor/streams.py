"""Long streams of events, made by `bench/programs/src/bin/long_stream.rs`: the same arguments give the same bytes."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
OBJECTS = {
    "queue": "queue",
    "stack": "stack",
    "priority-queue": "priority-queue",
    "bag": "bag",
    "deque": "deque",
    "set": "set",
    "register": "register",
    "cas-register": "cas-register:initial=0",
    "keys": "register",
}
"""What a stream is about, and the model that judges it."""


@functools.cache
def program() -> Path:
    """The program, built."""
    subprocess.run(
        ["cargo", "build", "--release", "--quiet", "--locked", "-p", "linpoint-bench", "--bin", "long_stream"],
        cwd=ROOT,
        check=True,
    )
    return ROOT / "target" / "release" / "long_stream"


def command(subject: str, events: int, crashed: int = 0, wrong: int = 0) -> list[str]:
    """What prints a stream: `crashed` of a million operations crash, and at event `wrong` an answer is made up."""
    arguments = [subject, str(events), str(crashed)] + ([str(wrong)] if wrong else [])
    return [str(program()), *arguments]


@contextmanager
def written(path: Path, subject: str, events: int, crashed: int = 0, wrong: int = 0) -> Iterator[Path]:
    """A file with a stream, for as long as it is needed."""
    with path.open("wb") as file:
        subprocess.run(command(subject, events, crashed, wrong), stdout=file, check=True)
    try:
        yield path
    finally:
        path.unlink()
