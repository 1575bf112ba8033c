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
    first, second = (AT_FIRST if index is None else _named(result, index) for index in (step.first, step.second))
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
    return first if step.first is None else f"what {first} left"


def _named(result: Result, index: int) -> str:
    return f"{printable(str(result.history[index]))} [{index}]"


def _premises(premises: Sequence[int]) -> str:
    return f", by {', '.join(str(premise + 1) for premise in premises)}" if premises else ""


def _law(step: Deduction) -> str:
    if step.law == "TIME" and step.first is None:
        return "they are there before any operation"
    if step.kind == "match":
        return f"it can be no other ({step.law}: {step.says})"
    return step.says if step.law in ("TIME", "CHAIN") else f"{step.says} ({step.law})"
