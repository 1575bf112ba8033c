"""From histories to files: linpoint's own JSONL (lossless), Jepsen's EDN, and tables (CSV, Parquet)."""

from __future__ import annotations

import os
import sys

from linpoint.errors import UsageError
from linpoint.formats.parquet import write_parquet
from linpoint.history import History

WRITABLE: tuple[str, ...] = ("jsonl", "edn", "csv", "parquet")
"""Formats that can be written."""

_ENDINGS = {"json": "jsonl", "ndjson": "jsonl", "pq": "parquet", **{name: name for name in WRITABLE}}


def write(history: History, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes a history; `-` is standard output.

    The format is that of the name: `.jsonl`, `.edn` or `.csv`, each also with `.gz` or `.zst`, or `.parquet` (needs pyarrow).
    """
    name = os.fspath(path)
    chosen = writable(name, format)
    if name == "-":
        sys.stdout.write(as_text(history, chosen))
    elif chosen == "parquet":
        write_parquet(history, name)
    elif chosen == "edn":
        history.to_edn(path)
    elif chosen == "csv":
        history.to_csv(path)
    else:
        history.to_jsonl(path)


def as_text(history: History, format: str) -> str:
    """The history in one of the formats that are text."""
    match format:
        case "edn":
            return history.to_edn()
        case "csv":
            return history.to_csv()
        case "parquet":
            raise UsageError("a Parquet file is no text: give it a name")
        case _:
            return history.to_jsonl()


def writable(name: str, format: str | None = None) -> str:
    """The format in which a file of this name is written; UsageError if there is none."""
    chosen = format or _by_name(name)
    if chosen not in WRITABLE:
        raise UsageError(f"cannot write {chosen!r}; choose {', '.join(WRITABLE[:-1])} or {WRITABLE[-1]}")
    return chosen


def _by_name(name: str) -> str:
    if name == "-":
        return "jsonl"
    chosen = _ENDINGS.get(name.removesuffix(".gz").removesuffix(".zst").rpartition(".")[2].lower())
    if chosen is None:
        endings = "….jsonl, ….edn, ….csv or ….parquet"
        raise UsageError(
            f"which format is {name!r} to be? Call it {endings}, or name the format: {', '.join(WRITABLE)}"
        )
    return chosen
