"""What do the states of a model weigh? Python does not know, so they are put on a scale: the first ones, then one in sixteen.

A state is weighed beyond the one it came from: what both hold is there only once (a linked list shares its tail, a mapping its
entries). Of a state of many parts some are weighed and the rest is taken to be like them. Where the system tells how large the
process is, it has the last word: a limit counts as exceeded only if the process has grown by half of it. Without a limit
nothing is weighed.
"""

from __future__ import annotations

import gc
import os
import sys
from types import FunctionType, ModuleType
from typing import Any

from linpoint.models.snapshots import Path

ALL_OF_THE_FIRST = 64
THEN_ONE_IN = 16
MOST_PARTS = 2_000
"""How many parts of a state are weighed."""


class Scale:
    """The weight of all states so far; 0 without a limit."""

    def __init__(self, limit: int | None = None) -> None:
        self.bytes = 0
        self._count = 0
        self.limit = limit
        self._begun = None if limit is None else process_bytes()

    def add(self, state: Any, origin: Any) -> None:
        """A new state, which came from `origin`."""
        if self.limit is None:
            return
        self._count += 1
        if self._count <= ALL_OF_THE_FIRST:
            self.bytes += weigh(state, origin)
        elif self._count % THEN_ONE_IN == 0:
            self.bytes += THEN_ONE_IN * weigh(state, origin)

    def exceeded(self) -> bool:
        """Do the states weigh more than the limit?"""
        if self.limit is None or self.bytes <= self.limit:
            return False
        if self._begun is None or (now := process_bytes()) is None or 2 * (now - self._begun) > self.limit:
            return True
        self.bytes = self.limit * 3 // 4  # more is shared than it seems; look again later
        return False


def weigh(state: Any, origin: Any = None) -> int:
    """About how many bytes `state` holds that `origin` does not."""
    there: set[int] = set()
    _weigh(origin, there)
    return _weigh(state, there)


def _weigh(state: Any, there: set[int]) -> int:
    """The bytes of a state without what is there already; what was weighed is there from now on."""
    parts, total, looked_at = [state], 0, 0
    small = 0
    """The bytes of parts without parts: those left are taken to be like them."""
    while parts and looked_at < MOST_PARTS:
        part = parts.pop()
        looked_at += 1
        if id(part) in there or isinstance(part, (type, ModuleType, FunctionType)):
            continue
        there.add(id(part))
        size = _size(part)
        total += size
        known = isinstance(part, Path)  # the calls before it are those of other states
        inside = [] if known else gc.get_referents(part)
        parts += inside
        small += 0 if inside else size
    return total + len(parts) * small // max(1, looked_at)


def _size(part: Any) -> int:
    try:
        return sys.getsizeof(part)
    except Exception:  # a __sizeof__ of the user's
        return 64


def process_bytes() -> int | None:
    """The memory that this process occupies, if the system tells."""
    try:
        with open("/proc/self/statm", "rb") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return None
