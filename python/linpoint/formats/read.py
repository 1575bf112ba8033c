"""From files to histories and back. The readers are native (`crates/history/src/read/`); this is their front.

Reading takes any source: a path, `-` for standard input, an open file, bytes. gzip and zstd are undone
on the way. The format is sniffed from the content unless you name it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Mapping
from typing import IO, Any, TypeAlias

from linpoint import _core
from linpoint.budget import Budget
from linpoint.errors import Unfinished, UsageError
from linpoint.formats.parquet import MAGIC, read_parquet
from linpoint.history import History
from linpoint.history.door import door
from linpoint.text import printable
from linpoint.verdict import Cause

Source: TypeAlias = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]

FORMATS: dict[str, str] = dict(_core.formats())
"""Every format that can be read: name → description."""
EVENT_FORMATS: list[str] = _core.event_formats()
"""Those that tell events, which can be read line by line while they are written."""


def format_named(name: str) -> str:
    """The format of that name, or a UsageError that lists them."""
    known = _core.format_named(name)
    if known is None:
        raise UsageError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return known


ALLOWANCE = 64 * 2**20
"""Bytes that reading may take beyond the limit: a small limit is for the search, and a small file can always be read."""


def read(
    source: Source,
    format: str | None = None,
    *,
    independent: bool = False,
    failed_cas: bool = False,
    sort_by_time: bool = False,
    rename_crashed: bool = False,
    map: Mapping[str, str] | None = None,
    timeout: float | str | None = None,
    memory: int | str | None = None,
    budget: Budget | None = None,
) -> History:
    """Reads a history.

    source        a path, `-` (standard input), an open file, or bytes; gzip and zstd are undone. A `.parquet` file needs
                  pyarrow unless its columns are whole numbers, texts and truth values
    format        one of `FORMATS`; None sniffs it from the content
    independent   values are Jepsen's independent pairs [key, value] (they cannot be told from a CAS pair)
    failed_cas    a failed CAS is read as "the value differed", not as "it did not happen"
    sort_by_time  events are taken in the order of their times, not of their lines (which must not contradict each other)
    rename_crashed  a process that calls again after it crashed is another process from then on: `3`, `3#2`, `3#3`
    map           foreign names of fields, of types and of operations, each with its name here: `{"client": "process",
                  "start": "invoke", "SET": "write"}`
    timeout       seconds, or words such as "2m"; None: as long as it takes
    memory        bytes that the history and what gzip unpacks to may take, and 64 MiB more; None: half of what is available
    budget        instead of timeout and memory: one whose clock runs already

    Raises ReadError with file, line and column, OSError when there is no such file, or Unfinished when the budget is used up.
    """
    budget = Budget.given(timeout, memory, budget)
    reading: _core.Reading = {
        "format": None if format is None else format_named(format),
        "independent": independent,
        "failed_cas": failed_cas,
        "sort_by_time": sort_by_time,
        "rename_crashed": rename_crashed,
        "map": list((map or {}).items()),
        "timeout": budget.left(),
        "memory": budget.memory + ALLOWANCE,
    }
    if isinstance(source, (str, os.PathLike)) and os.fspath(source) != "-":
        path = os.fspath(source)
        if stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "rb") as file:  # the usual OSError if it may not be read
                begins = file.read(len(MAGIC))
            if format is None and begins == MAGIC:
                return read_parquet(path, path, reading)
            if printable(path) == path:  # other names are not for the core
                with door():
                    return History.from_columns(_core.read_path(path, reading))
    data, title = _contents(source, budget)
    reading["timeout"] = budget.left()
    if format is None and data.startswith(MAGIC):
        return read_parquet(data, title, reading)
    with door():
        return History.from_columns(_core.read_bytes(data, title, reading))


def parse_map(words: Iterable[str]) -> dict[str, str]:
    """Foreign names from words such as `client=process,ts=time`; UsageError if they are not of that form."""
    found: dict[str, str] = {}
    for pair in (pair for text in words for pair in text.split(",")):
        foreign, equals, own = (part.strip() for part in pair.partition("="))
        if not (foreign and equals and own):
            raise UsageError(f"--map takes names such as client=process,ts=time, not {pair!r}")
        if foreign in found:
            raise UsageError(f"--map names {foreign!r} twice")
        found[foreign] = own
    return found


def _contents(source: Source, budget: Budget) -> tuple[bytes, str]:
    """All bytes of a source that is not a plain file, and a name for messages."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path == "-":
            return _all(sys.stdin.buffer, budget), "<stdin>"
        with open(path, "rb") as file:  # a pipe such as /dev/fd/63 can be read only once
            return _all(file, budget), printable(path)
    if not callable(getattr(source, "read", None)):
        raise UsageError(f"cannot read a history from a {type(source).__name__}: give a path, an open file or bytes")
    return _all(source, budget), str(getattr(source, "name", "<stream>"))


def _all(file: IO[Any], budget: Budget) -> bytes:
    """Everything that comes out of a file, within the budget; waiting for a pipe is ended by Ctrl-C only."""
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(2**20):
        pieces.append(piece.encode() if isinstance(piece, str) else piece)
        size += len(pieces[-1])
        if 2 * size > budget.memory + ALLOWANCE:  # they are joined below, and then there are two of them
            raise Unfinished(Cause.MEMORY)
        if budget.spent():
            raise Unfinished(Cause.TIME)
    return b"".join(pieces)
