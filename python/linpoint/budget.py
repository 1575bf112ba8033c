"""How long and how big may a check get? One budget of time and memory, from the first byte read to the last line printed.

Also: sizes and durations in words, and what to use when nothing is said.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass

from linpoint.errors import UsageError

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
_SPANS = {"": 1.0, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_LITTLE = 2**30
"""Assumed to be available where the system does not say."""


@dataclass(frozen=True)
class Budget:
    """What one check may use: loading, the user's model, search, shrinking, certifying and rendering share it.

    >>> budget = Budget.start("2m", "1GiB")
    >>> budget.spent()
    False
    """

    seconds: float | None
    """The time it had when it began, None: without end."""
    memory: int
    """Bytes that the work on a history may take beside it; the history itself may take as much, and 64 MiB."""
    begun: float | None = None
    """When the clock began to run (`time.monotonic`); None: it stands still, see `paused`."""

    @classmethod
    def start(cls, timeout: float | str | None = None, memory: int | str | None = None) -> Budget:
        """A budget whose clock runs from now on. Without `memory`: half of what the machine has available."""
        seconds = None if timeout is None else parse_seconds(timeout)
        return cls(seconds, default_memory() if memory is None else parse_size(memory), time.monotonic())

    @classmethod
    def given(cls, timeout: float | str | None, memory: int | str | None, budget: Budget | None) -> Budget:
        """What a caller gave: a budget whose clock runs already, or limits for one that starts now."""
        if budget is None:
            return cls.start(timeout, memory)
        if not (timeout is None and memory is None):
            raise UsageError("a budget holds a timeout and a memory limit already: give one or the other")
        return budget

    def left(self) -> float | None:
        """The seconds that are left, never less than 0; None: without end."""
        if self.seconds is None or self.begun is None:
            return self.seconds
        return max(0.0, self.seconds - (time.monotonic() - self.begun))

    def spent(self) -> bool:
        """Is the time up?"""
        return self.left() == 0

    def at_most(self, seconds: float, memory: int | None = None) -> Budget:
        """A budget for one step, from now on: so many seconds, or what is left if that is less; likewise memory."""
        left = self.left()
        room = self.memory if memory is None else min(memory, self.memory)
        return Budget(seconds if left is None else min(seconds, left), room, time.monotonic())

    def paused(self) -> Budget:
        """What is left, with a clock that stands still: a result is kept, and perhaps explained much later."""
        return Budget(self.left(), self.memory)

    def running(self) -> Budget:
        """The same budget with a clock that runs: itself, or what was left when it was paused."""
        return self if self.begun is not None else Budget(self.seconds, self.memory, time.monotonic())


def parse_size(size: int | float | str) -> int:
    """Bytes from a number of bytes or from words: `2GiB`, `512 MiB`, `1.5g`."""
    number, unit = _split(size, "a size such as 512MiB or 2GiB")
    if unit not in _UNITS:
        raise UsageError(f"{size!r} is not a size: use B, KiB, MiB, GiB, TiB (or KB, MB, GB, TB for powers of ten)")
    size_in_bytes = int(number * _UNITS[unit])
    if size_in_bytes <= 0:
        raise UsageError(f"{size!r} leaves no room: a size is at least one byte")
    return size_in_bytes


def parse_seconds(span: int | float | str) -> float:
    """Seconds from a number of seconds or from words: `30s`, `2m`, `500ms`, `1h`."""
    number, unit = _split(span, "a time such as 30s or 2m")
    if unit not in _SPANS:
        raise UsageError(f"{span!r} is not a time: use ns, us, ms, s, m or h")
    return number * _SPANS[unit]


def parse_cache(cache: int | str) -> int:
    """How many configurations the cache of method wgl holds: a number, or `lru:10000`."""
    text = str(cache).removeprefix("lru:")
    if isinstance(cache, bool) or not text.isdecimal() or int(text) == 0:
        raise UsageError(f"{cache!r} is not a cache: use lru:SIZE, a number of configurations such as lru:10000")
    return int(text)


def default_memory() -> int:
    """Half of the memory that is available, as far as the system tells. It is asked at most once a second: that takes 85 µs."""
    global _last_asked, _last_told
    now = time.monotonic()
    if now - _last_asked > 1.0:
        _last_asked, _last_told = now, _half_of_available()
    return _last_told


_last_asked, _last_told = -2.0, 0


def _half_of_available() -> int:
    available = [found for found in (_meminfo(), _cgroup()) if found is not None]
    if not available:
        try:
            available = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
        except (AttributeError, ValueError, OSError):
            available = [2 * _LITTLE]
    return max(min(available) // 2, 2**26)


def default_threads() -> int:
    """The cores this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return max(1, os.cpu_count() or 1)


def _split(quantity: int | float | str, wanted: str) -> tuple[float, str]:
    """The number and the unit of a quantity."""
    if isinstance(quantity, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([A-Za-z]*)\s*", quantity)
        if match is None:
            raise UsageError(f"{quantity!r} is not {wanted}")
        return float(match[1]), match[2].lower()
    if type(quantity) not in (int, float) or not 0 <= quantity < float("inf"):
        raise UsageError(f"{quantity!r} is not {wanted}")
    return float(quantity), ""


def _text(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


def _meminfo() -> int | None:
    try:
        match = re.search(r"^MemAvailable:\s+(\d+) kB", _text("/proc/meminfo"), re.MULTILINE)
    except OSError:
        return None
    return int(match[1]) * 1024 if match else None


def _cgroup() -> int | None:
    """What is left of a container's limit."""
    try:
        limit = _text("/sys/fs/cgroup/memory.max").strip()
        used = _text("/sys/fs/cgroup/memory.current").strip()
    except OSError:
        return None
    return max(int(limit) - int(used), 0) if limit.isdecimal() and used.isdecimal() else None
