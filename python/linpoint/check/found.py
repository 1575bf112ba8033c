"""What the core found, in the words of the room above: verdict, evidence, statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from linpoint._core import Outcome, Stuck, Witness
from linpoint.verdict import Verdict

if TYPE_CHECKING:
    from linpoint.check.proof import Proof


class Deduction(NamedTuple):
    """One step of a derivation: how a violation follows from the laws of an object."""

    kind: str
    """`before`, `match` (the second found what the first left), `no match` or `contradiction`."""
    first: int | None
    """The operation that it speaks of first; -1: what was there from the start (-2: the second of it); None: a contradiction."""
    second: int | None
    """The other one."""
    law: str
    """The name of the formula; `TIME` or `CHAIN` where it is none."""
    says: str
    """The law in words."""
    about: tuple[int, ...]
    """The operations that the formula is about."""
    premises: tuple[int, ...]
    """The steps that it follows from."""


@dataclass(frozen=True)
class Statistics:
    """How an answer was found."""

    method: str
    """The method that found it."""
    why_method: str = ""
    """Why this method: what a monitor covers, or why it declined and a search was needed; empty if it was asked for."""
    seconds: float = 0.0
    """Time spent in the search."""
    certify_seconds: float = 0.0
    """Time spent on re-checking the evidence."""
    configurations: int = 0
    """How many (operations done, state) pairs the search looked at; calls of schedules; steps of the solver."""
    parts: int = 1
    """How many independent parts the history has (P-compositionality)."""
    part: str | None = None
    """The keys of the part the evidence is about, in words; None if the history is in one piece."""
    depth: int | None = None
    """Method "hitting": the depth of the family in which the witness was found; of several parts the largest."""
    schedules: int | None = None
    """Method "hitting": how many distinct schedules were run."""
    family: tuple[int, ...] | None = None
    """Method "hitting": how many distinct schedules the family of each depth has, the last one as far as it was made."""

    def of_schedules(self) -> dict[str, Any]:
        """What there is to tell of schedules; nothing if none were run."""
        if self.schedules is None or self.family is None:
            return {}
        return {"depth": self.depth, "schedules": self.schedules, "family": list(self.family)}


def _proof(texts: tuple[str, str] | None) -> Proof | None:
    """The proof, if there is one: few ask for it, so what knows proofs is loaded only now."""
    if texts is None:
        return None
    from linpoint.check.proof import Proof  # noqa: PLC0415

    return Proof(*texts)


@dataclass(frozen=True)
class Found:
    """An answer of the core."""

    verdict: Verdict
    evidence: Witness | Stuck
    statistics: Statistics
    cause: str | None = None
    """Why the verdict is unknown, in words."""
    proof: Proof | None = None
    """A proof of a violation."""

    @classmethod
    def of(cls, outcome: Outcome) -> Found:
        """What the core returned."""
        statistics = Statistics(
            method=outcome.method,
            why_method=outcome.why_method,
            seconds=outcome.seconds,
            configurations=outcome.configurations,
            depth=outcome.depth,
            schedules=outcome.schedules,
            family=None if outcome.family is None else tuple(outcome.family),
            parts=outcome.parts,
            part=outcome.part,
        )
        return cls(Verdict(outcome.verdict), outcome.evidence, statistics, outcome.cause, _proof(outcome.proof))

    @classmethod
    def nothing(cls, seconds: float, cause: str) -> Found:
        """The answer of a search that never began."""
        return cls(Verdict.UNKNOWN, Stuck(None), Statistics("none", seconds=seconds), cause)


class Known:
    """The answer of the core, where Ctrl-C cannot lose it.

    A KeyboardInterrupt is raised between two lines of Python, or between the end of a call and the assignment of what it
    returned. So the core puts its answer here, and not into a variable of its caller.
    """

    def __init__(self) -> None:
        self._outcomes: list[Outcome] = []
        self._holds: Callable[[], bool] = lambda: True

    def keep(self, holds: Callable[[], bool] = lambda: True) -> Callable[[Outcome], None]:
        """What the core calls with the answer to a search that begins now. `holds` is asked whether it is one."""
        self._outcomes = []
        self._holds = holds
        return self._outcomes.append

    def found(self) -> Found | None:
        """The answer, if it is known."""
        return Found.of(self._outcomes[0]) if self._outcomes and self._holds() else None
