"""What came of a verification? Verdict, progress properties, sizes, times, and the runs that show what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from linpoint.check import check
from linpoint.explain import Explanation, explain
from linpoint.history import History
from linpoint.models import Model
from linpoint.verdict import Cause, Verdict
from linpoint.verify.runs import Interleaving

PROPERTIES: dict[str, str] = {
    "deadlock_free": "deadlock-free",
    "lock_free": "lock-free",
    "obstruction_free": "obstruction-free",
    "wait_free": "wait-free",
}
"""The progress properties, and how they are called in words."""


@dataclass(frozen=True)
class Counterexample:
    """A run that shows what is wrong.

    `kind`: `history`, its calls and returns cannot be explained; `fault`, an instruction fails; `lasso`, threads take steps for
    ever and a call does not return; `wait`, a thread has to wait for another one; `deadlock`, no thread can go on.
    """

    kind: str
    words: str
    """What it shows, in one sentence."""
    interleaving: Interleaving | None
    history: History | None = None
    model: Model | None = field(default=None, repr=False)
    """The sequential specification, if it is a model: it explains the history."""

    @cached_property
    def explanation(self) -> Explanation | None:
        """Why no order explains the history, with a timeline; None if there is no such history or no model."""
        if self.history is None or self.model is None or self.kind != "history":
            return None
        result = check(self.history, self.model, timeout=10)
        return explain(result) if result.verdict is Verdict.VIOLATION else None

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        history = None if self.history is None else [op.to_record() for op in self.history]
        run = {} if self.interleaving is None else self.interleaving.to_dict()
        return {"kind": self.kind, "words": self.words, "history": history, **run}


@dataclass(frozen=True)
class Verification:
    """What is known of an object under a bounded client. Sizes are None where the work stopped before."""

    target: str
    spec: str
    threads: int
    ops: int
    values: int
    verdict: Verdict
    """VIOLATION: some history of the client is not linearizable, or an instruction fails."""
    menu: tuple[str, ...] = ()
    symmetry: tuple[str, ...] = ()
    """Of runs that differ only in the names of these, one was explored."""
    deadlock_free: bool | None = None
    lock_free: bool | None = None
    obstruction_free: bool | None = None
    wait_free: bool | None = None
    wait_free_not_known: str | None = None
    """Why wait-freedom is not known, where the others are."""
    states: int | None = None
    transitions: int | None = None
    quotient_states: int | None = None
    divergence_quotient_states: int | None = None
    spec_states: int | None = None
    spec_quotient_states: int | None = None
    explore_seconds: float | None = None
    reduce_seconds: float | None = None
    refine_seconds: float | None = None
    bisimilar: bool | None = None
    """Is it divergence-sensitive branching bisimilar to its specification? Then it is linearizable and lock-free (Corollary
    15, if operations of the specification do not wait)."""
    abstract: str | None = None
    """The abstract object it was compared with."""
    abstract_bisimilar: bool | None = None
    """Is it divergence-sensitive branching bisimilar to that? Then both have the same progress properties (Theorem 14)."""
    abstract_difference: str | None = None
    """If it is not: what one can do and the other cannot."""
    cause: Cause | None = None
    """Why the verdict is unknown."""
    note: str | None = None
    """More about the cause."""
    counterexample: Counterexample | None = None
    """Why it is a violation; or else, why a progress property does not hold."""
    lassos: dict[str, Counterexample] = field(default_factory=dict)
    """For each progress property that does not hold: a run that shows it."""

    @property
    def reduction(self) -> float | None:
        """How many times smaller the quotient is."""
        return None if self.states is None or not self.quotient_states else self.states / self.quotient_states

    @property
    def states_per_second(self) -> float | None:
        """How fast states were met."""
        return None if self.states is None or not self.explore_seconds else self.states / self.explore_seconds

    def to_dict(self) -> dict[str, Any]:
        """As JSON: the fields of `linpoint verify --json`."""
        names = ("target", "spec", "threads", "ops", "values")
        progress = ("lock_free", "wait_free", "obstruction_free", "deadlock_free")
        sizes = ("states", "transitions", "quotient_states", "divergence_quotient_states", "spec_states")
        seconds = ("explore_seconds", "reduce_seconds", "refine_seconds")
        return {
            **{name: getattr(self, name) for name in names},
            "verdict": str(self.verdict),
            **{name: getattr(self, name) for name in (*progress, *sizes, "spec_quotient_states", *seconds)},
            "cause": None if self.cause is None else str(self.cause),
            "counterexample": None if self.counterexample is None else self.counterexample.to_dict(),
        }

    def __str__(self) -> str:
        from linpoint.verify.words import plain  # noqa: PLC0415 - drawing is needed only when somebody looks

        return plain(self)
