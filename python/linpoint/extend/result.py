"""What is known of an extension method? Its verdict and reduction, or the interleaving that breaks it, as words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from linpoint.extend.confirm import Move
from linpoint.extend.expressions import Refusal
from linpoint.history import History
from linpoint.models import Model
from linpoint.text import printable
from linpoint.verdict import Verdict

LONGEST = 52
"""Characters of a line of the method beside which something happens."""
WORDS = {Verdict.LINEARIZABLE: "VERIFIED", Verdict.VIOLATION: "REFUTED", Verdict.UNKNOWN: "UNKNOWN"}


@dataclass(frozen=True)
class Extension:
    """What is known of one extension method. `print` it."""

    name: str
    file: str
    line: int
    base: str
    """What it extends, and under which name: `dict self._cache`."""
    verdict: Verdict
    reduction: str = ""
    """The theorem that the verdict rests on; empty if the method is not covered."""
    states: int = 0
    seconds: float = 0.0
    cause: str = ""
    """Why the verdict is unknown."""
    refusals: tuple[Refusal, ...] = ()
    """What the method does that an encapsulated extension may not, each with its place."""
    assumptions: tuple[str, ...] = ()
    """What was taken for granted."""
    checked: tuple[str, ...] = ()
    """Which reductions applied, and what was checked for them: `--why`."""
    interleaving: tuple[Move, ...] = ()
    """Of a violation: the method's own lines, and the calls of other threads between them."""
    initially: str = ""
    """What the base object holds before."""
    repair: str = ""
    """What to write instead, where a known pattern fits."""
    history: History | None = field(default=None, repr=False)
    """Of a violation: `lp.check(history, model)` refutes it, and `lp.explain` says why."""
    model: Model | None = field(default=None, repr=False)
    lines: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    """The lines of the method that the interleaving mentions."""

    @property
    def covered(self) -> bool:
        """Is it an encapsulated extension that the check understands?"""
        return not self.refusals

    def to_json(self) -> dict[str, Any]:
        """A plain object, for `--json`."""
        moves = [
            {"thread": move.thread, "line": move.line or None, "does": move.text, "result": move.result}
            for move in self.interleaving
        ]
        return {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "base": self.base,
            "verdict": str(self.verdict),
            "reduction": self.reduction or None,
            "states": self.states,
            "seconds": self.seconds,
            "cause": self.cause or None,
            "interleaving": moves,
            "initially": self.initially or None,
            "repair": self.repair or None,
            "assumptions": list(self.assumptions),
            "refusals": [{"line": each.line, "column": each.column, "reason": each.reason} for each in self.refusals],
            "why": list(self.checked),
            "history": None
            if self.history is None
            else [line for line in self.history.to_jsonl().splitlines() if line],
        }

    def __str__(self) -> str:
        return "\n".join(self.words())

    def words(self, why: bool = False) -> list[str]:
        """The same for a reader, line by line."""
        place = printable(f"{self.file}:{self.line}" if self.line else self.file)
        said = [f"{WORDS[self.verdict]} {printable(self.name)} ({place}), on the {printable(self.base)}"]
        if self.verdict is Verdict.LINEARIZABLE:
            said[0] += f": {self.reduction}, {_states(self.states)}"
        if self.cause:
            said.append(f"  {printable(self.cause)}")
        said += [f"  line {each.line}: {printable(each.reason)}" for each in self.refusals]
        if self.interleaving:
            said += self._story()
        if self.repair:
            said.append(f"  repair: {printable(self.repair)}")
        said += [f"  assuming that {printable(each)}" for each in self.assumptions]
        if why:
            said += [f"  why: {printable(each)}" for each in self.checked]
        return said

    def _story(self) -> list[str]:
        """The interleaving: the method's lines on the left, what others do indented to the right."""
        said = [f"  at first {printable(self.initially)}"] if self.initially else []
        rows: list[tuple[str, str]] = []
        for move in self.interleaving:
            came = f" → {move.result}" if move.result not in ("", "None") else ""
            if move.thread != 1:
                rows.append(("", f"another thread: {move.text}{came}"))
            elif move.text in ("returns", "raises"):
                rows.append((self._line(move.line), f"{move.text} {move.result}"))
            else:
                rows.append((self._line(move.line), f"{move.text}{came}"))
        wide = max((len(row[0]) for row in rows), default=0)
        said += [f"  {printable(left):<{wide}}  {printable(right)}".rstrip() for left, right in rows]
        said.append("  No order of these calls, one after the other, gives the same results.")
        return said

    def _line(self, number: int) -> str:
        """A line of the method with its number, cut where it is long."""
        text = self.lines.get(number, "")
        return f"{number:>5}  {text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}"


def _states(number: int) -> str:
    return f"{number:,} state{'' if number == 1 else 's'}"


def summary(results: Sequence[Extension]) -> str:
    """How many of each verdict."""
    counts = {
        word: sum(1 for each in results if _kind(each) == word)
        for word in ("verified", "refuted", "unknown", "not covered")
    }
    told = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
    return (
        told or "no extension methods found; a function on a map that it is given is checked by name: file.py:function"
    )


def _kind(result: Extension) -> str:
    if not result.covered:
        return "not covered"
    return {"linearizable": "verified", "violation": "refuted"}.get(str(result.verdict), "unknown")
