"""How an answer was found, and how sure it is: one line."""

from __future__ import annotations

from linpoint.check import Result, Statistics, span
from linpoint.verdict import Verdict

LONG = 1.0
"""A replay of the witness that takes more seconds is worth a word."""


def footer(result: Result, confirmed: bool | None) -> str:
    """The method, its cost, and what was re-checked in Python."""
    found = _found(result.statistics, result.states)
    if result.verdict is Verdict.LINEARIZABLE:
        took = f" in {span(result.statistics.certify_seconds)}" if result.statistics.certify_seconds > LONG else ""
        checked = f"witness replayed{took} and right" if result.certified else "witness not replayed"
    elif result.verdict is Verdict.VIOLATION:
        return footer_of_violation(result.statistics, confirmed, result.states)
    else:
        return f"({found})"
    return f"({found}; {checked})"


def footer_of_violation(statistics: Statistics, confirmed: bool | None, states: str | None = None) -> str:
    """The same for a violation, of which no more than this need be known."""
    checked = "confirmed by trying all orders" if confirmed else "too large to confirm by trying all orders"
    return f"({_found(statistics, states)}; {checked})"


def _found(statistics: Statistics, states: str | None) -> str:
    parts = f", {statistics.parts:,} parts" if statistics.parts > 1 else ""
    kept = f"; states {states}" if states is not None else ""
    return f"{statistics.method}, {span(statistics.seconds)}, {statistics.configurations:,} configurations{parts}{kept}"
