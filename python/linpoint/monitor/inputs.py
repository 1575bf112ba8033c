"""Where do the lines of a log come from? Standard input, a file that grows, or programs that connect to a Unix socket.

A source is an iterator of pieces: bytes as they come, b"" when nothing has come for a moment, and a `Note` when something
happened that a user should know: a file that was replaced or became shorter, a client that went away in the middle of a line.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import selectors
import socket
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from linpoint import _core
from linpoint.errors import UsageError
from linpoint.text import printable

MOMENT = 0.05
"""Seconds after which nothing counts as nothing."""
PIECE = 1 << 18
"""Bytes that are read at once: not so many that each piece is fresh memory, which takes longer to get than to fill."""
LONGEST = (1 << 24) + 1
"""So much of a line is kept that it can be told to be too long."""
SPARE = 32
"""Open files that clients leave to others: reports, metrics, checkpoints, a command."""
_OF_GZIP = 31
"""How zlib is told that data is gzip's."""


@dataclass(frozen=True)
class Note:
    """Something to be said. After it the beginning of a line that was read has no end."""

    words: str


Piece = bytes | Note


def from_descriptor(descriptor: int) -> Iterator[Piece]:
    """Everything that can be read there until it ends."""
    waits = not stat.S_ISREG(os.fstat(descriptor).st_mode)
    while True:
        if waits and not select.select([descriptor], [], [], MOMENT)[0]:
            yield b""
            continue
        piece = os.read(descriptor, PIECE)
        if not piece:
            return
        yield piece


def from_file(path: str, start: int = 0) -> Iterator[Piece]:
    """A file as it is, from a place on."""
    with open(path, "rb", buffering=0) as file:
        file.seek(start)
        yield from from_descriptor(file.fileno())


GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
"""What compressed files begin with."""


def as_it_is(pieces: Iterator[Piece], name: str) -> Iterator[Piece]:
    """A log that may grow, or be read on later; UsageError if it is compressed: then it does not grow by lines."""
    begun = False
    for piece in pieces:
        if not begun and isinstance(piece, bytes) and piece:
            begun = True
            if piece.startswith((GZIP, ZSTD)):
                raise UsageError(f"{name} is compressed: it can be read as a whole, but not followed or gone on from")
        yield piece


class _Gzip:
    """What gzip has packed: one file, or several, one behind the other."""

    name = "gzip"

    def __init__(self) -> None:
        self._one = zlib.decompressobj(_OF_GZIP)

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        while packed:
            if self._one.eof:
                self._one = zlib.decompressobj(_OF_GZIP)
            yield self._one.decompress(packed, PIECE)
            packed = self._one.unused_data if self._one.eof else self._one.unconsumed_tail

    def end(self) -> Iterator[bytes]:
        if not self._one.eof:
            yield self._one.flush()

    def is_complete(self) -> bool:
        return self._one.eof


class _Zstd:
    """What zstd has packed, frame behind frame."""

    name = "zstd"

    def __init__(self) -> None:
        self._core = _core.Unzstd()

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        full = True
        while packed or full:
            unpacked, read = self._core.step(packed, PIECE)
            packed, full = packed[read:], len(unpacked) == PIECE
            yield unpacked

    def end(self) -> Iterator[bytes]:
        yield from ()

    def is_complete(self) -> bool:
        return self._core.is_complete()


def unpacked(pieces: Iterator[Piece], name: str) -> Iterator[Piece]:
    """The same bytes, or what they unpack to if gzip or zstd has packed them; UsageError with the name if that is broken."""
    begin = b""
    for piece in pieces:
        if isinstance(piece, Note) or not piece:
            yield piece
            continue
        begin += piece
        if len(begin) < len(ZSTD) and (GZIP.startswith(begin[: len(GZIP)]) or ZSTD.startswith(begin)):
            continue  # too little to tell
        if begin.startswith((GZIP, ZSTD)):
            yield from _undone(_Gzip() if begin.startswith(GZIP) else _Zstd(), begin, pieces, name)
        else:
            yield begin
            yield from pieces
        return
    if begin:
        yield begin


def _undone(packing: _Gzip | _Zstd, begin: bytes, pieces: Iterator[Piece], name: str) -> Iterator[Piece]:
    """What this and the rest unpack to; UsageError if it is broken."""
    try:
        yield from packing.pieces(begin)
        for piece in pieces:
            if isinstance(piece, Note) or not piece:
                yield piece
            else:
                yield from packing.pieces(piece)
        yield from packing.end()
    except (zlib.error, ValueError) as error:
        raise UsageError(f"{name}: the input is broken: it begins as {packing.name} does, but {error}") from None
    if not packing.is_complete():
        raise UsageError(f"{name}: the input is broken: it is compressed with {packing.name}, and its end is missing")


def following(path: str, start: int = 0) -> Iterator[Piece]:
    """A file that grows, from a place on, for ever. One that is replaced (rotated) or truncated is read from its beginning."""
    while True:
        with open(path, "rb", buffering=0) as file:
            file.seek(start)
            yield from _growing(file.fileno(), path, start)
        start = 0
        while not os.path.exists(path):
            time.sleep(MOMENT)
            yield b""


def _growing(descriptor: int, path: str, place: int) -> Iterator[Piece]:
    """A file until another one has its name."""
    while True:
        while piece := os.read(descriptor, PIECE):
            place += len(piece)
            yield piece
        yield b""
        time.sleep(MOMENT)
        here = os.fstat(descriptor)
        if here.st_size < place:
            os.lseek(descriptor, 0, os.SEEK_SET)
            place = 0
            yield Note("the file was truncated: reading it from its beginning")
        try:
            there = os.stat(path)
        except FileNotFoundError:
            continue
        if (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino) and here.st_size == place:
            yield Note("the file was replaced: reading the new one")
            return


def from_socket(path: str) -> Iterator[Piece]:
    """The lines of all programs that connect to a Unix socket, for ever, each line whole."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            raise UsageError(f"{printable(path)} is there already, and is no socket")
        if _is_listened_to(path):
            raise UsageError(f"{printable(path)} is a socket that another program listens to")
        os.unlink(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        try:
            server.bind(f"{path}.new")
            server.listen()
            os.rename(f"{path}.new", path)  # it has its name when it can be connected to
        except OSError as error:
            raise UsageError(f"{printable(path)}: {(error.strerror or str(error)).lower()}") from None
        try:
            yield from _clients(server)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)


def _is_listened_to(path: str) -> bool:
    """Does somebody take connections there? A socket that was left behind by a program that died takes none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(MOMENT)
        try:
            client.connect(path)
        except OSError as error:
            return isinstance(error, TimeoutError | BlockingIOError)  # it is busy
        return True


def _clients(server: socket.socket) -> Iterator[Piece]:
    """What clients send. As many are connected as files may be open; others wait until one goes, and that is said once."""
    begun: dict[socket.socket, bytearray] = {}
    most, listens, crowded, told = _most_clients(), True, False, False
    with selectors.DefaultSelector() as selector:
        selector.register(server, selectors.EVENT_READ, server)
        try:
            while True:
                ready: list[socket.socket] = [key.data for key, _ in selector.select(MOMENT)]
                if not ready:
                    yield b""
                for one in ready:
                    if one is not server:
                        yield from _received(one, begun)
                        if one not in begun:
                            selector.unregister(one)
                            one.close()
                    elif (client := _accepted(server)) is not None:
                        begun[client] = bytearray()
                        selector.register(client, selectors.EVENT_READ, client)
                    else:
                        crowded = True
                if listens and len(begun) >= most:
                    selector.unregister(server)
                    listens, crowded = False, True
                elif not listens and len(begun) < most:
                    selector.register(server, selectors.EVENT_READ, server)
                    listens = True
                if crowded and not told:
                    yield Note(f"{len(begun)} clients, and no more files can be open: others wait until one goes")
                    told = True
        finally:
            for one in begun:
                one.close()


def _most_clients() -> int:
    """How many may be connected."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else max(limit - SPARE, 1)


def _accepted(server: socket.socket) -> socket.socket | None:
    """The client that connects; None, after a moment, if the system has no room for it now."""
    try:
        return server.accept()[0]
    except OSError:
        time.sleep(MOMENT)
        return None


def _received(client: socket.socket, begun: dict[socket.socket, bytearray]) -> Iterator[Piece]:
    """Whole lines of a client; the beginning of one waits for its end. One that went away has no beginning any more."""
    try:
        piece = client.recv(PIECE)
    except ConnectionError:
        piece = b""
    if not piece:
        if begun.pop(client):
            yield Note("a client went away in the middle of a line")
        return
    beginning = begun[client]
    first = piece.find(b"\n")
    if first >= 0:
        beginning += piece[:first]
        if len(beginning) >= LONGEST:  # by itself: what is left of it must not pass for a line
            yield bytes(beginning[:LONGEST])
            beginning.clear()
        last = piece.rfind(b"\n") + 1
        yield bytes(beginning) + piece[first:last]
        beginning.clear()
        piece = piece[last:]
    beginning += piece[: LONGEST - len(beginning)]  # of a longer line the rest is not kept
