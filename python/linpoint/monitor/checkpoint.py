"""How does a monitor go on after it was killed? A file that says where the log was read to, and what was kept then.

Two lines of JSON: the first is about the log (`Checkpoint`), the second is the core's (`crates/monitor/src/checkpoint.rs`). The
file is complete or not there, so whenever the monitor is killed, the last one that was written holds: what was
read before its offset is in its second line, and what was not is read again.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any

from linpoint.errors import UsageError
from linpoint.files import write_file
from linpoint.text import ascii_json, printable

KIND = "linpoint monitor"
TAIL = 4096
"""So many bytes before the offset are kept, to tell whether a file is still the one that was read."""


@dataclass(frozen=True)
class Checkpoint:
    """Where a monitor was."""

    model: str
    """The model, in the words of the command line."""
    offset: int
    """Bytes of the log that were read; a line that had begun is not among them."""
    tail: str
    """The last of them, each a character."""
    violations: int
    """How many violations were told."""
    first: dict[str, Any] | None
    """The first of them."""
    state: str
    """What the core keeps."""

    def write(self, path: str) -> None:
        """Writes the file, which replaces the one before when it is complete."""
        about = {"kind": KIND, **asdict(self)}
        state = about.pop("state")
        write_file(path, f"{ascii_json(about)}\n{state}\n".encode())

    def is_of(self, path: str) -> bool:
        """Does this file have what was read before?"""
        tail = self.tail.encode("latin-1")
        with open(path, "rb") as file:
            file.seek(max(self.offset - len(tail), 0))
            return file.tell() + len(tail) == self.offset and file.read(len(tail)) == tail


def read_checkpoint(path: str) -> Checkpoint | None:
    """The checkpoint in this file; None if there is none yet. UsageError if it is something else."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        about, state = file.readline(), file.read().rstrip("\n")
    try:
        found = json.loads(about)
        if found.pop("kind") != KIND:
            raise ValueError
        if [type(found[name]) for name in ("model", "offset", "tail", "violations")] != [str, int, str, int]:
            raise ValueError
        found["tail"].encode("latin-1")
        return Checkpoint(**found, state=state)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise UsageError(f"{printable(path)} is no checkpoint of linpoint monitor") from None
