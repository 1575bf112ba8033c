"""What a check found: the verdict and its evidence, as plain data. `linpoint.explain(result)` says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from linpoint._core import Candidate, Stuck, Witness
from linpoint.budget import Budget
from linpoint.check.certify import part_of_operation
from linpoint.check.found import Deduction, Statistics
from linpoint.history import History, Operation
from linpoint.history.values import show
from linpoint.models import Model
from linpoint.text import printable
from linpoint.verdict import Cause, Verdict

if TYPE_CHECKING:
    from linpoint.check.proof import Proof

MOST_CANDIDATES = 3
"""How many orders `str(result)` tells of."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The answer to "is this history linearizable?", with what proves it.

    LINEARIZABLE carries `witness`. VIOLATION and UNKNOWN carry `stuck`, `prefix`, `candidates` and, if unknown, `cause`.
    """

    verdict: Verdict
    history: History
    model: Model
    evidence: Witness | Stuck
    """A witness, or the return at which it stands, with the orders that lead there."""
    statistics: Statistics
    cause: Cause | None = None
    """Why the verdict is unknown."""
    why: str | None = None
    """The cause in words, as the search gave it."""
    guessed: str | None = None
    """If the model was guessed: from what."""
    states: str | None = None
    """If the model is an ordinary class (`models.from_class`): how its states were kept: by copying, by replay, not at all."""
    certified: bool = False
    """Was the witness replayed and found right?"""
    confirmed: bool | None = None
    """Was the violation confirmed by trying all orders? None: too large for that, or not asked for."""
    proof: Proof | None = None
    """If `proof=True` was asked of the method "solve", and the verdict is a violation: a proof that others can check."""
    budget: Budget = field(default_factory=Budget.start)
    """What is left for explaining the result: for making the counterexample smaller, for pages and pictures."""

    @property
    def ok(self) -> bool:
        """Is the verdict LINEARIZABLE?"""
        return self.verdict is Verdict.LINEARIZABLE

    @cached_property
    def order(self) -> tuple[int, ...] | None:
        """The witness as indices of operations."""
        return self.evidence.order if isinstance(self.evidence, Witness) else None

    @cached_property
    def witness(self) -> tuple[Operation, ...] | None:
        """The order that explains every result, if the history is linearizable."""
        return None if self.order is None else self._operations(self.order)

    @cached_property
    def stuck_index(self) -> int | None:
        """The index of the operation that cannot be explained."""
        return self.evidence.operation if isinstance(self.evidence, Stuck) else None

    @cached_property
    def stuck(self) -> Operation | None:
        """The operation whose return cannot be explained (or could not, before the search stopped)."""
        return None if self.stuck_index is None else self.history[self.stuck_index]

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The orders that explain everything before the stuck operation's return, each with the state it ends in."""
        return tuple(self.evidence.candidates) if isinstance(self.evidence, Stuck) else ()

    @cached_property
    def prefix_order(self) -> tuple[int, ...]:
        """The longest order that was found, as indices."""
        return max((candidate.order for candidate in self.candidates), key=len, default=())

    @cached_property
    def prefix(self) -> tuple[Operation, ...]:
        """The longest order that was found."""
        return self._operations(self.prefix_order)

    @cached_property
    def frontier(self) -> tuple[Operation, ...]:
        """Operations that were open where the search got to."""
        return self._operations(self.evidence.frontier) if isinstance(self.evidence, Stuck) else ()

    @cached_property
    def derivation(self) -> tuple[Deduction, ...]:
        """How a violation follows from the laws of the object, step by step: what the method "saturate" found."""
        steps = self.evidence.derivation if isinstance(self.evidence, Stuck) else []
        return tuple(Deduction(*step) for step in steps)

    @property
    def method(self) -> str:
        """The method that found the answer."""
        return self.statistics.method

    @property
    def seconds(self) -> float:
        """Time spent in the search."""
        return self.statistics.seconds

    @property
    def configurations(self) -> int:
        """How many (operations done, state) pairs the search looked at."""
        return self.statistics.configurations

    @property
    def parts(self) -> int:
        """How many independent parts the history has (P-compositionality)."""
        return self.statistics.parts

    @property
    def part(self) -> str | None:
        """The keys of the part the evidence is about, in words; None if the history is in one piece."""
        return self.statistics.part

    @cached_property
    def scope(self) -> Sequence[int]:
        """The operations that the evidence is about, by index: the part of the stuck operation, or all."""
        if self.stuck_index is None or self.parts <= 1:
            return range(len(self.history))
        return part_of_operation(self.history, self.model, self.stuck_index)

    def _operations(self, order: Sequence[int]) -> tuple[Operation, ...]:
        return tuple(self.history[index] for index in order)

    def to_dict(self) -> dict[str, Any]:
        """Everything that fits JSON; operations are named by their index, the stuck one is written out.

        `linpoint.explain(result).to_dict(whole=True)` adds the counterexample and its explanation, as `--json` does.
        """
        stuck = self.stuck
        return {
            "model": str(self.model),
            "guessed": self.guessed,
            "operations": len(self.history),
            "verdict": str(self.verdict),
            "method": self.method,
            "why_method": self.statistics.why_method,
            "check_seconds": self.seconds,
            "certify_seconds": self.statistics.certify_seconds,
            "configurations": self.configurations,
            **self.statistics.of_schedules(),
            "parts": self.parts,
            "part": self.part,
            "cause": self.why,
            "stuck": None if stuck is None else {"index": stuck.index, "line": stuck.line, **stuck.to_record()},
            "prefix": len(self.prefix_order),
            "candidates": [{"order": list(c.order), "state": c.state} for c in self.candidates],
            "frontier": [op.index for op in self.frontier],
            "certified": self.certified,
            "confirmed": self.confirmed,
            "witness": None if self.order is None else list(self.order),
            **({} if self.states is None else {"states": self.states}),
            **({"derivation": [step._asdict() for step in self.derivation]} if self.derivation else {}),
        }

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        head = f"{self.verdict.name} ({self.model}):"
        if self.verdict is Verdict.LINEARIZABLE:
            count = len(self.evidence) if isinstance(self.evidence, Witness) else 0
            return f"{head} one order explains {'all ' if count > 1 else ''}{count:,} operation{'s'[: count != 1]}"
        if self.verdict is Verdict.VIOLATION:
            return f"{head} no order explains {'the results' if self.stuck is None else place(self.stuck)}"
        return f"{head} {reason(self)}, {len(self.prefix_order):,} of {len(self.scope):,} operations explained"

    def __str__(self) -> str:
        """The verdict in one line, and how far the returns are explained. `linpoint.explain(result)` has more to say."""
        lines = [self.headline]
        for candidate in self.candidates[:MOST_CANDIDATES]:
            count = len(candidate.order)
            what = f"{count:,} operation{'s'[: count != 1]}"
            lines.append(f"  an order of {what} goes as far, and leaves {printable(candidate.state)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Result: {self.headline}>"

    def _repr_html_(self) -> str:
        """The verdict and its timeline, for a notebook; `linpoint.explain(result)` shows more."""
        from linpoint.check.scene import scene  # noqa: PLC0415 - what draws is loaded when it is needed
        from linpoint.history.timeline.notebook import html  # noqa: PLC0415

        return html(scene(self))

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
    return f"{seconds:.2f} s" if seconds >= 0.9995 else f"{seconds * 1e3:.3g} ms"
