"""How does a file come to be written? Tried before hours of work, complete or not at all, and never over what was read.

The new content goes to a temporary file beside the old one, which it then replaces: an interrupted or failing writer leaves
the old file as it was. What is no plain file (a pipe, a terminal, /dev/stdout) cannot be replaced and is written to directly.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable

from linpoint.errors import UsageError
from linpoint.text import printable


def try_path(path: str, sources: Iterable[str] = ()) -> None:
    """Raises the OSError that writing this file would end in; a UsageError if it is one of the sources. Changes nothing."""
    found = _status(path)
    if found is None:
        place = os.path.realpath(path) if os.path.islink(path) else path  # where a link that leads nowhere yet leads to
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.unlink(place)
        return
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    if stat.S_ISREG(found.st_mode) and any(os.path.samestat(found, source) for source in _sources(sources)):
        raise UsageError(f"{printable(path)} is the file that is read: writing there would lose it")


def write_file(path: str, content: bytes) -> None:
    """Writes a file that is complete when it appears; until then what was there stays."""
    found = _status(path)
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        if found is not None and _is_open_as(
            found, descriptor
        ):  # /dev/stdout may be a file that has its first lines already
            stream.flush()
            _write_all(descriptor, content)
            return
    if found is not None and not stat.S_ISREG(found.st_mode):
        with open(path, "wb", buffering=0) as file:
            _write_all(file.fileno(), content)
        return
    place = os.path.realpath(path)  # a link stays one
    if found is not None and not os.access(os.path.dirname(place), os.W_OK):
        with open(path, "wb") as plain:  # a file that may be written in a folder that may not
            plain.write(content)
        return
    _replace(place, content, stat.S_IMODE(found.st_mode) if found is not None else 0o666 & ~_umask())


def packed(content: bytes, name: str) -> bytes:
    """What a file of this name holds: the content, packed if the name ends in .gz."""
    if not name.endswith(".gz"):
        return content
    import gzip  # noqa: PLC0415 - slow to load, and rarely needed

    return gzip.compress(content, mtime=0)


def is_plain(path: str) -> bool:
    """Is it a plain file, or would it be one?"""
    found = _status(path)
    return found is None or (stat.S_ISREG(found.st_mode) and not any(_is_open_as(found, fd) for fd in (1, 2)))


def _replace(place: str, content: bytes, mode: int) -> None:
    import tempfile  # noqa: PLC0415 - slow to load, and most checks write nothing

    descriptor, temporary = tempfile.mkstemp(prefix=".linpoint-", dir=os.path.dirname(place))
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, mode)
        os.replace(temporary, place)
    except BaseException:  # Ctrl-C leaves no rubbish either
        os.unlink(temporary)
        raise


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _sources(names: Iterable[str]) -> Iterable[os.stat_result]:
    for name in names:
        try:
            yield os.fstat(0) if name == "-" else os.stat(name)
        except OSError:
            continue  # who reads it will say so


def _is_open_as(found: os.stat_result, descriptor: int) -> bool:
    try:
        return os.path.samestat(found, os.fstat(descriptor))
    except OSError:
        return False


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
