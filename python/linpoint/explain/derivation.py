"""How does a contradiction follow from the laws of an object? The derivation of `saturate`, one line per step."""

from __future__ import annotations

from collections.abc import Sequence

from linpoint.check import Deduction, Result
from linpoint.text import printable

MANY = 60
"""Of more steps than these the last are written out: a screenful or two."""
AT_FIRST = "the initial contents"


def derivation(result: Result) -> list[str]:
    """The steps in words, each with the numbers of those it follows from; empty if there are none."""
    steps = result.derivation
    if not steps:
        return []
    lines = [f"How the contradiction follows, in {len(steps)} step{'s'[: len(steps) != 1]}:"]
    if len(steps) > MANY:
        lines.append(f"  … {len(steps) - MANY:,} earlier ones (the result has them all)")
    for number, step in list(enumerate(steps, 1))[-MANY:]:
        lines.append(f"  {number}. {_fact(result, step)}{_premises(step.premises)}: {_law(step)}")
    return lines


def _fact(result: Result, step: Deduction) -> str:
    first, second = (_named(result, index) for index in (step.first, step.second))
    match step.kind:
        case "before":
            return f"{first} before {second}"
        case "match":
            return f"{second} found {_left(step, first)}"
        case "no match":
            return f"{second} did not find {_left(step, first)}"
        case _:
            about = ", ".join(_named(result, index) for index in step.about)
            return f"a contradiction about {about}" if about else "a contradiction"


def _left(step: Deduction, first: str) -> str:
    return f"what {first} left" if step.first is not None and step.first >= 0 else first


def _named(result: Result, index: int | None) -> str:
    if index is None or index < 0:
        several = any((found or 0) < -1 for step in result.derivation for found in (step.first, step.second))
        return f"initial element {-index}" if several and index is not None else AT_FIRST
    return f"{printable(str(result.history[index]))} [{index}]"


def _premises(premises: Sequence[int]) -> str:
    return f", by {', '.join(str(premise + 1) for premise in premises)}" if premises else ""


def _law(step: Deduction) -> str:
    if step.law == "TIME" and step.first is not None and step.first < 0:
        is_later = step.second is not None and step.second >= 0
        return "what is there at first is there before any operation" if is_later else "they are there in this order"
    if step.kind == "match":
        return f"it can be no other ({step.law}: {step.says})"
    return step.says if step.law in ("TIME", "CHAIN") else f"{step.says} ({step.law})"
