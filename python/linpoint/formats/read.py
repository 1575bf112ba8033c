"""From files to histories and back. The readers are native (`crates/history/src/read/`); this is their front.

Reading takes any source: a path, `-` for standard input, an open file, bytes. gzip is undone
on the way. The format is sniffed from the content unless you name it.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import IO, Any, TypeAlias

from linpoint import _core
from linpoint.errors import UsageError
from linpoint.history import History
from linpoint.history.door import door
from linpoint.text import printable

Source: TypeAlias = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]

FORMATS: dict[str, str] = dict(_core.formats())
"""Every format that can be read: name → description."""


_ALSO = {"edn": "jepsen", "jepsen-edn": "jepsen"}


def format_named(name: str) -> str:
    """The format of that name, or a UsageError that lists them."""
    if name not in FORMATS and name not in _ALSO:
        raise UsageError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return _ALSO.get(name, name)


def read(
    source: Source,
    format: str | None = None,
    *,
    independent: bool = False,
    failed_cas: bool = False,
    sort_by_time: bool = False,
) -> History:
    """Reads a history.

    source       a path, `-` (standard input), an open file, or bytes; gzip is undone
    format       one of `FORMATS`; None sniffs it from the content
    independent  values are Jepsen's independent pairs [key, value] (they cannot be told from a CAS pair)
    failed_cas   a failed CAS is read as "the value differed", not as "it did not happen"
    sort_by_time events are taken in the order of their times, not of their lines (which must not contradict each other)

    Raises ReadError with file, line and column, or OSError when there is no such file.
    """
    name = None if format is None else format_named(format)
    if isinstance(source, (str, os.PathLike)) and os.fspath(source) != "-":
        path = os.fspath(source)
        if stat.S_ISREG(os.stat(path).st_mode) and printable(path) == path:  # other names are not for the core
            with open(path, "rb"):  # the usual OSError if it may not be read
                pass
            with door():
                return History.from_columns(_core.read_path(path, name, independent, failed_cas, sort_by_time))
    data, title = _contents(source)
    with door():
        return History.from_columns(_core.read_bytes(data, title, name, independent, failed_cas, sort_by_time))


def _contents(source: Source) -> tuple[bytes, str]:
    """All bytes of a source that is not a plain file, and a name for messages."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path == "-":
            return sys.stdin.buffer.read(), "<stdin>"
        with open(path, "rb") as file:  # a pipe such as /dev/fd/63 can be read only once
            return file.read(), printable(path)
    if not callable(getattr(source, "read", None)):
        raise UsageError(f"cannot read a history from a {type(source).__name__}: give a path, an open file or bytes")
    content: Any = source.read()
    return content.encode() if isinstance(content, str) else content, str(getattr(source, "name", "<stream>"))
