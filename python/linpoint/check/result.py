"""What a check found: the verdict and its evidence. Print it to see the timeline."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn, Protocol

from linpoint.budget import Budget
from linpoint.check.certify import part_of_operation
from linpoint.errors import UsageError
from linpoint.history import History, Operation
from linpoint.history.values import show
from linpoint.models import Model
from linpoint.verdict import Cause, Verdict


@dataclass(frozen=True)
class Candidate:
    """An order that explains everything up to the stuck operation, and the state it ends in."""

    order: tuple[int, ...]
    """Operations by index."""
    state: str
    """The state in words."""


@dataclass(frozen=True)
class Counterexample:
    """A small history that is impossible on its own: what a violation comes down to (`linpoint.explain.shrink`)."""

    history: History
    """Its operations, numbered anew; `operations` says which they were."""
    operations: tuple[int, ...]
    """The operations of the original history, by index."""
    result: Result
    """The verdict on the small history: a violation."""
    evidence: Result
    """The same with everything that might help in view: what was forgotten, not left out, is pending here."""
    bystanders: int
    """How many pending operations were in view, could not help, and are not shown."""
    faithful: bool
    """Is the contradiction surely one of the original history, too? If not, what was left out might have mattered."""
    minimal: bool
    """Was everything tried? If not, the time was up."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The answer to "is this history linearizable?", with what proves it.

    LINEARIZABLE carries `witness`. VIOLATION and UNKNOWN carry `stuck`, `prefix`, `candidates` and, if unknown, `cause`.
    """

    verdict: Verdict
    history: History
    model: Model
    method: str
    """The method that found the answer."""
    why_method: str
    """Why this method: what a monitor covers, or why it declined and a search was needed; empty if it was asked for."""
    core: tuple[int, ...]
    """A few operations that a monitor found to contradict each other, by index; empty if a search found the violation."""
    relevant: tuple[int, ...]
    """All operations about the values of `core`, by index: what happened to other values cannot matter. Empty if too many."""
    seconds: float
    """Time spent in the search."""
    certify_seconds: float
    """Time spent on re-checking the evidence in Python."""
    configurations: int
    """How many (operations done, state) pairs the search looked at."""
    parts: int
    """How many independent parts the history has (P-compositionality)."""
    part: str | None
    """The keys of the part the evidence is about, in words; None if the history is in one piece."""
    cause: Cause | None
    """Why the verdict is unknown."""
    why: str | None
    """The cause in words, as the search gave it."""
    order: tuple[int, ...] | None
    """The witness as indices of operations."""
    stuck_index: int | None
    """The index of the operation that cannot be explained."""
    prefix_order: tuple[int, ...]
    """The longest order that was found, as indices."""
    candidates: tuple[Candidate, ...]
    """The orders that explain everything before the stuck operation's return, each with the state it ends in."""
    frontier_order: tuple[int, ...]
    """Operations that were open where the search got to, as indices."""
    guessed: str | None
    """If the model was guessed: from what."""
    certified: bool
    """Was the witness replayed and found right?"""
    confirmed: bool | None
    """Was the violation confirmed by trying all orders? None: too large for that, or not asked for."""
    budget: Budget = field(default_factory=Budget.start)
    """What is left for explaining the result: for making the counterexample smaller, for pages and pictures."""

    @property
    def ok(self) -> bool:
        """Is the verdict LINEARIZABLE?"""
        return self.verdict is Verdict.LINEARIZABLE

    @cached_property
    def witness(self) -> tuple[Operation, ...] | None:
        """The order that explains every result, if the history is linearizable."""
        return None if self.order is None else self._operations(self.order)

    @cached_property
    def stuck(self) -> Operation | None:
        """The operation whose return cannot be explained (or could not, before the search stopped)."""
        return None if self.stuck_index is None else self.history[self.stuck_index]

    @cached_property
    def prefix(self) -> tuple[Operation, ...]:
        """The longest order that was found."""
        return self._operations(self.prefix_order)

    @cached_property
    def frontier(self) -> tuple[Operation, ...]:
        """Operations that were open where the search got to."""
        return self._operations(self.frontier_order)

    @cached_property
    def scope(self) -> Sequence[int]:
        """The operations that the evidence is about, by index: the part of the stuck operation, or all."""
        if self.stuck_index is None or self.parts <= 1:
            return range(len(self.history))
        return part_of_operation(self.history, self.model, self.stuck_index)

    @cached_property
    def shrunk(self) -> Counterexample | None:
        """For a violation: the smallest part of the history that is impossible, and how far that can be trusted."""
        return _explainer().shrink(self) if self.verdict is Verdict.VIOLATION and self.stuck_index is not None else None

    @property
    def counterexample(self) -> History | None:
        """For a violation: a locally minimal history that is itself a violation."""
        return None if self.shrunk is None else self.shrunk.history

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a report (`.html`), a picture (`.svg`) or a certificate that can be re-validated (`.json`)."""
        _explainer().save(self, os.fspath(path))

    def _operations(self, order: Sequence[int]) -> tuple[Operation, ...]:
        return tuple(self.history[index] for index in order)

    def to_dict(self) -> dict[str, Any]:
        """Everything that fits JSON; operations are named by their index, the stuck one is written out."""
        stuck = self.stuck
        return {
            "model": str(self.model),
            "guessed": self.guessed,
            "operations": len(self.history),
            "verdict": str(self.verdict),
            "method": self.method,
            "why_method": self.why_method,
            "check_seconds": self.seconds,
            "certify_seconds": self.certify_seconds,
            "configurations": self.configurations,
            "parts": self.parts,
            "part": self.part,
            "cause": self.why,
            "stuck": None if stuck is None else {"index": stuck.index, "line": stuck.line, **stuck.to_record()},
            "prefix": len(self.prefix_order),
            "candidates": [{"order": list(c.order), "state": c.state} for c in self.candidates],
            "frontier": list(self.frontier_order),
            "certified": self.certified,
            "confirmed": self.confirmed,
            "witness": None if self.order is None else list(self.order),
        }

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        head = f"{self.verdict.name} ({self.model}):"
        if self.verdict is Verdict.LINEARIZABLE:
            count = len(self.order or ())
            return f"{head} one order explains {'all ' if count > 1 else ''}{count:,} operation{'s'[: count != 1]}"
        if self.verdict is Verdict.VIOLATION:
            return f"{head} no order explains {'the results' if self.stuck is None else place(self.stuck)}"
        return f"{head} {reason(self)}, {len(self.prefix_order):,} of {len(self.scope):,} operations explained"

    def __str__(self) -> str:
        """The verdict in words and as a timeline. A fault in drawing never hides the verdict."""
        try:
            return _explainer().text(self)
        except Exception as error:
            return f"{self.headline}\n(the timeline could not be drawn: {type(error).__name__}: {error})"

    def __repr__(self) -> str:
        return f"<Result: {self.headline}>"

    def __bool__(self) -> NoReturn:
        raise TypeError("a result is not true or false: use result.ok, or compare result.verdict with one of three")


def place(op: Operation) -> str:
    """An operation and where to find it: `read() → 1 (process 2, operation 5, line 12)`."""
    line = "" if op.line is None else f", line {op.line}"
    return f"{op} (process {show(op.process)}, operation {op.index}{line})"


def reason(result: Result) -> str:
    """Why the verdict is unknown, in words."""
    words = {Cause.TIME: "out of time", Cause.MEMORY: "out of memory", Cause.INTERRUPTED: "interrupted"}
    known = None if result.cause is None else words.get(result.cause)
    return f"{known or result.why or 'no cause given'} after {span(result.seconds)}"


def span(seconds: float) -> str:
    """A duration in words."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


class Explainer(Protocol):
    """What the room above, `linpoint.explain`, does for results."""

    def text(self, result: Result) -> str:
        """The verdict in words and as a timeline."""

    def shrink(self, result: Result) -> Counterexample:
        """The smallest part of a violation that is one itself."""

    def save(self, result: Result, path: str) -> None:
        """Writes a report, a picture or a certificate."""


_explainers: list[Explainer] = []


def explain_results_with(explainer: Explainer) -> None:
    """Says who explains results; `linpoint.explain` does so when it is imported, as `import linpoint` does."""
    _explainers[:] = [explainer]


def _explainer() -> Explainer:
    if not _explainers:
        raise UsageError("results are explained by linpoint.explain: import linpoint first")
    return _explainers[0]
