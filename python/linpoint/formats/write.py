"""From histories to files: linpoint's own JSONL (lossless) and Jepsen's EDN."""

from __future__ import annotations

import os
import sys

from linpoint.errors import UsageError
from linpoint.history import History

WRITABLE: tuple[str, ...] = ("jsonl", "edn")
"""Formats that can be written."""


def write(history: History, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes a history; `-` is standard output. The format is that of the name: `.edn` or `.jsonl`, either with `.gz`."""
    name = os.fspath(path)
    chosen = writable(name, format)
    if name == "-":
        sys.stdout.write(history.to_edn() if chosen == "edn" else history.to_jsonl())
    elif chosen == "edn":
        history.to_edn(path)
    else:
        history.to_jsonl(path)


def writable(name: str, format: str | None = None) -> str:
    """The format in which a file of this name is written; UsageError if there is none."""
    chosen = format or _by_name(name)
    if chosen not in WRITABLE:
        raise UsageError(f"cannot write {chosen!r}; choose {' or '.join(WRITABLE)}")
    return chosen


def _by_name(name: str) -> str:
    if name == "-":
        return "jsonl"
    ending = name.removesuffix(".gz").rpartition(".")[2].lower()
    if ending in ("jsonl", "json", "ndjson"):
        return "jsonl"
    if ending == "edn":
        return "edn"
    raise UsageError(
        f"which format is {name!r} to be? Call it ….jsonl or ….edn, or name the format: {' or '.join(WRITABLE)}"
    )
