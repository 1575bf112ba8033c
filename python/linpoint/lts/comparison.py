"""What came of a comparison: an answer of three, and what shows it when the answer is no."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, NoReturn

from linpoint.lts.words import in_logic, in_words
from linpoint.text import printable
from linpoint.verdict import Cause


class Answer(enum.Enum):
    """Does the relation hold?"""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """The budget was used up first; the cause says which part of it."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"an answer is one of three, not true or false: compare it, `answer is Answer.{self.name}`")

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Answer.{self.name}"


@dataclass(frozen=True)
class Formula:
    """What one system can do at its beginning and the other cannot."""

    nodes: tuple[tuple[str, tuple[int, ...], str | None], ...]
    """(kind, parts, label), each after its parts; the last one is the formula. Kinds: all, not, step, diverges."""
    equivalence: str
    """In its sense the steps are meant."""

    def in_words(self, lines: int = 40) -> str:
        """The formula as indented sentences, cut off after so many lines."""
        return in_words(self.nodes, self.equivalence, lines)

    def __str__(self) -> str:
        """In the notation of Hennessy and Milner: `⟨a⟩(⟨b⟩ ∧ ¬⟨c⟩)`."""
        return in_logic(self.nodes)


@dataclass(frozen=True)
class Comparison:
    """The result of comparing two systems. What shows a NO was checked on both systems before it got here."""

    answer: Answer
    relation: str
    """An equivalence (`branching` …), or `trace`: every trace of the first is one of the second."""
    names: tuple[str, str]
    """What the systems are called: their files, or the first and the second system."""
    seconds: float
    cause: Cause | None = None
    """Why the answer is unknown, or why there is no formula."""
    trace: tuple[str, ...] | None = None
    """If traces are missing: a shortest trace that the first system has and the second does not."""
    formula: Formula | None = None
    """If the systems are not equivalent: what one of them can do and the other cannot."""
    in_first: bool | None = None
    """Does the formula hold in the first system, or in the second?"""

    def __bool__(self) -> NoReturn:
        raise TypeError("a comparison has one of three answers: look at its .answer")

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        one, other = map(printable, self.names)
        trace = self.relation == "trace"
        if self.answer is Answer.UNKNOWN:
            return [f"unknown: {self.cause}"]
        if self.answer is Answer.YES:
            return [
                f"every trace of {one} is a trace of {other}"
                if trace
                else f"{one} and {other} are equivalent ({self.relation})"
            ]
        if self.trace is not None:
            steps = [f"  {at}. {printable(label)}" for at, label in enumerate(self.trace, 1)]
            return [
                f"{one} has a trace that {other} does not have, {len(steps)} step{'s' * (len(steps) > 1)} long:",
                *steps,
            ]
        lines = [f"{one} and {other} are not equivalent ({self.relation})"]
        if self.formula is None:
            return [*lines, f"the search for an explanation stopped: {self.cause}"]
        able, unable = (one, other) if self.in_first else (other, one)
        return [*lines, f"{able}, unlike {unable},", self.formula.in_words()]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON holds it."""
        return {
            "relation": self.relation,
            "answer": str(self.answer),
            "compare_seconds": self.seconds,
            "cause": None if self.cause is None else str(self.cause),
            "trace": None if self.trace is None else list(self.trace),
            "formula": None if self.formula is None else str(self.formula),
            "formula_holds_in": None if self.in_first is None else self.names[0 if self.in_first else 1],
        }
