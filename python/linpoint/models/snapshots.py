"""A state of an object that can only be run: the calls that led to it, and the object itself or a way to get it back.

Two snapshots are the same state if they have the same *name*: a fingerprint of what the object holds, or, where that cannot be
read, the path of calls that led there. A path is a linked list that shares its beginning with all others, so a state costs
a few words. A *frozen* object is copied before it is run. An object that cannot be copied is *live*: the next step takes it
along, and whoever comes back to this state replays its path on a new object.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from typing import Any


class Path:
    """A call, what it answered, and the calls before it; the first of all stands for a new object."""

    __slots__ = ("_hash", "answer", "before", "call", "length", "name")

    def __init__(self, before: Path | None = None, name: Hashable = None, call: Any = None, answer: Any = None) -> None:
        self.before = before
        self.name = name
        """Which call: method and arguments, fit to be compared."""
        self.call = call
        self.answer = answer
        self.length: int = 0 if before is None else before.length + 1
        self._hash: int = hash((before._hash if before is not None else 0, name))

    def calls(self) -> Sequence[Path]:
        """The calls from the first to this one."""
        found = []
        at = self
        while at.before is not None:
            found.append(at)
            at = at.before
        return found[::-1]

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        one, two = self, other
        while one is not two:
            if one.before is None or two.before is None or one._hash != two._hash or one.name != two.name:
                return False
            one, two = one.before, two.before
        return True


class Snapshot:
    """A state, as checkers hold it. User code never sees it."""

    __slots__ = ("_lock", "_thing", "frozen", "name", "path")

    def __init__(self, name: Hashable, path: Path, thing: Any, frozen: bool) -> None:
        self.name = name
        self.path = path
        self.frozen = frozen
        """Is the object to be copied before it is run?"""
        self._thing = thing
        self._lock = threading.Lock()

    @property
    def thing(self) -> Any | None:
        """The object, to look at; None if it has gone on."""
        return self._thing

    def take(self) -> Any | None:
        """The object, to be run: whoever takes it is the last to have it. None if somebody has."""
        with self._lock:
            thing, self._thing, self.frozen = self._thing, None, False
            return thing

    def put_back(self, thing: Any) -> None:
        """The object of a live state, rebuilt."""
        with self._lock:
            self._thing = thing

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self.name == other.name

    def __repr__(self) -> str:
        if self._thing is not None:
            return repr(self._thing)
        return f"(after {self.path.length} calls)"
