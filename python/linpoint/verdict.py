"""The three possible answers, and why one of them is "unknown". Never a bare bool."""

from __future__ import annotations

import enum
from typing import NoReturn


class Verdict(enum.Enum):
    """The answer of a check."""

    LINEARIZABLE = "linearizable"
    """There is an order that explains every result; the witness is that order."""
    VIOLATION = "violation"
    """No order explains every result."""
    UNKNOWN = "unknown"
    """The search stopped before it knew; the cause says why."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a verdict is one of three, not true or false: compare it, `verdict is Verdict.{self.name}`")

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"


class Cause(enum.Enum):
    """Why a verdict is unknown."""

    TIME = "time"
    """The time budget was used up."""
    MEMORY = "memory"
    """The memory budget was used up."""
    WORK = "work"
    """The work that was allowed is done."""
    INTERRUPTED = "interrupted"
    """The user pressed Ctrl-C."""
    GAVE_UP = "gave up"
    """The method is incomplete and came to its end."""
    DEPTH = "depth"
    """No schedule up to the depth that was asked for explains the history; a deeper one may."""
    UNREADABLE = "unreadable"
    """Nothing of what a monitor was fed could be read."""
    DECLINED = "declined"
    """The monitor that was asked for does not cover this history."""

    @classmethod
    def parse(cls, text: str) -> Cause:
        """The cause in a report of the core, such as `gave up: too many open operations`."""
        return cls(text.partition(":")[0].strip())

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Cause.{self.name}"
