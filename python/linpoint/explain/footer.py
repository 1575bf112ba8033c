"""How an answer was found, and how sure it is: one line."""

from __future__ import annotations

from linpoint.check import Result, span
from linpoint.verdict import Verdict

LONG = 1.0
"""A replay of the witness that takes more seconds is worth a word."""


def footer(result: Result, confirmed: bool | None) -> str:
    """The method, its cost, and what was re-checked in Python."""
    found = f"{result.method}, {span(result.seconds)}, {result.configurations:,} configurations"
    parts = f", {result.parts:,} parts" if result.parts > 1 else ""
    if result.verdict is Verdict.LINEARIZABLE:
        took = f" in {span(result.statistics.certify_seconds)}" if result.statistics.certify_seconds > LONG else ""
        checked = f"witness replayed{took} and right" if result.certified else "witness not replayed"
    elif result.verdict is Verdict.VIOLATION:
        checked = "confirmed by trying all orders" if confirmed else "too large to confirm by trying all orders"
    else:
        return f"({found}{parts})"
    return f"({found}{parts}; {checked})"
