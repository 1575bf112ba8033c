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


class HistoryError(LinpointError, ValueError):
    """Operations that do not make a history: a process that calls twice, a return before its call."""

    def __init__(self, message: str, operation: int | None = None) -> None:
        super().__init__(message, operation)
        self.message = message
        self.operation = operation
        """The position of the operation among those given, counted from 0."""

    def __str__(self) -> str:
        return _with_place(self.message, self.operation)


class ModelError(LinpointError, ValueError):
    """A model that cannot be used here: an operation it does not have, a state that cannot be hashed, a fault in a step."""

    def __init__(self, message: str, operation: int | None = None) -> None:
        super().__init__(message, operation)
        self.message = message
        self.operation = operation
        """The index of the operation in the history, where one is to blame."""

    def __str__(self) -> str:
        return _with_place(self.message, self.operation)


class UsageError(LinpointError, ValueError):
    """A call that makes no sense: an unknown method, a size that is not a size."""


class AmbiguousModelError(UsageError):
    """No model was named, and those that the operations may belong to come to different verdicts."""

    def __init__(self, message: str, candidates: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.candidates = dict(candidates)
        """The verdict of each model."""


class InternalError(LinpointError, RuntimeError):
    """A bug in linpoint: a verdict that did not survive its own certification is never reported."""


class Unfinished(LinpointError, RuntimeError):
    """Work that has no answer because its budget is used up. `cause` says which: time or memory."""

    def __init__(self, cause: Any) -> None:
        super().__init__(f"out of {cause}: give it more, see timeout and memory")
        self.cause = cause
        """A `linpoint.Cause`."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a check. `result` is an UNKNOWN result holding what was known at that moment."""

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted")
        self.result = result


def _with_place(message: str, operation: int | None) -> str:
    """The message, with the operation's number in front unless it names it already."""
    place = f"operation {operation}"
    return message if operation is None or place in message else f"{place}: {message}"
