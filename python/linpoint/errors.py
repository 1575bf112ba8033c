"""Every exception of linpoint, once. `except lp.LinpointError` catches them all, except Ctrl-C.

They are ordinary Python exceptions with the facts as attributes, so that a program can act on them
and a person can read them. Errors of the compiled core are turned into these in one place
(`linpoint.history.door`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class LinpointError(Exception):
    """The base of everything linpoint raises on purpose."""


class ReadError(LinpointError, ValueError):
    """A file that cannot be read as a history: where, and what was expected there."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, file, line, column)
        self.message = message
        self.file = file
        self.line = line
        """Counted from 1; 0 when the complaint is about the whole file."""
        self.column = column
        """Counted from 1; 0 when the complaint is about the whole line."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class _OperationError(LinpointError, ValueError):
    """A fault for which an operation may be to blame."""

    def __init__(self, message: str, operation: int | None = None, line: int | None = None) -> None:
        super().__init__(message, operation, line)
        self.message = message
        self.operation = operation
        """The position of the operation to blame, counted from 0; None if none is."""
        self.line = line
        """The line of the file that it came from, if it is known."""

    def __str__(self) -> str:
        """The message, with the operation's number and line in front unless it names them already."""
        places = {"operation": self.operation, "line": self.line}
        told = [f"{name} {number}" for name, number in places.items() if number is not None]
        place = ", ".join(words for words in told if words not in self.message)
        return f"{place}: {self.message}" if place else self.message


class HistoryError(_OperationError):
    """Operations that do not make a history: a process that calls twice, a return before its call."""


class ModelError(_OperationError):
    """A model that cannot be used here: an operation it does not have, a state that cannot be hashed, a fault in a step."""


class UsageError(LinpointError, ValueError):
    """A call that makes no sense: an unknown method, a size that is not a size."""


class AmbiguousModelError(UsageError):
    """No model was named, and those that the operations may belong to come to different verdicts."""

    def __init__(self, message: str, candidates: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.candidates = dict(candidates)
        """The verdict of each model."""


class LanguageError(UsageError):
    """A program that linpoint cannot read, or that is outside the restricted Python it reads: where, why, and what to write."""

    def __init__(self, reason: str, suggestion: str = "", file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(reason, suggestion, file, line, column)
        self.reason = reason
        self.suggestion = suggestion
        """What to write instead; empty if nothing can be said."""
        self.file = file
        self.line = line
        """Counted from 1; 0 when the complaint is about the whole file."""
        self.column = column
        """Counted in characters from 1; 0 when the complaint is about the whole line."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        said = f"{self.reason} ({self.suggestion})" if self.suggestion else self.reason
        return f"{place}: {said}" if place else said


class Fault(LinpointError, RuntimeError):
    """A step that an algorithm must never take: an index outside its array, a node freed twice, a lock released by another."""


class Blocked(LinpointError, RuntimeError):
    """An operation that must wait for another, as a dequeue of an empty queue that does not answer "empty"."""


class InternalError(LinpointError, RuntimeError):
    """A bug in linpoint: a verdict that did not survive its own certification is never reported."""


class Unfinished(LinpointError, RuntimeError):
    """Work that has no answer because its budget is used up. `cause` says which: time or memory."""

    def __init__(self, cause: Any, doing: str = "") -> None:
        while_doing = f" while {doing}" if doing else ""
        super().__init__(f"out of {cause}{while_doing}: give it more, see timeout and memory")
        self.cause = cause
        """A `linpoint.Cause`."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a check. `result` holds what was known at that moment: UNKNOWN, or the verdict if it had been found."""

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted")
        self.result = result
