"""Why, in words: what cannot be explained, which orders are possible until then, and why it fits none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from linpoint.check import Candidate, Result, place
from linpoint.errors import LinpointError
from linpoint.history import Operation
from linpoint.models import Runner, split
from linpoint.text import printable
from linpoint.verdict import Verdict

MOST_CANDIDATES = 5
MOST_STEPS = 4
LONGEST_STATE = 60
MOST_REPLAYED = 20_000
"""Orders longer than this are not replayed to say what the stuck operation would have answered."""


def accused(result: Result) -> Result:
    """The same result with what is stuck in the counterexample as the stuck operation, so that all speak of the same one.

    The search is stuck at the first return that no order of the whole history explains; leaving operations out may move that.
    """
    small = result.shrunk
    if small is None or small.result.stuck_index is None:
        return result
    return replace(result, stuck_index=small.operations[small.result.stuck_index])


def why(result: Result) -> list[str]:
    """The explanation, line by line; empty for a linearizable history, whose witness speaks for itself."""
    if result.verdict is Verdict.LINEARIZABLE or result.stuck is None:
        return []
    if result.verdict is Verdict.UNKNOWN or not result.candidates:
        return _so_far(result)
    count = len(result.candidates)
    orders = "this order, where it does not fit" if count == 1 else "orders such as these, and it fits none"
    lines = [f"Every return before {result.stuck}{_part(result)} is explained by {orders}:"]
    answers = _answers(result, result.candidates[:MOST_CANDIDATES])
    for candidate, answer in zip(result.candidates, answers, strict=False):
        lines += [f"  {_steps(result, candidate.order)}", f"      leaves {_short(candidate.state)}: {answer}"]
    if count > MOST_CANDIDATES:
        lines.append(f"  … and {count - MOST_CANDIDATES} more")
    return lines


def _so_far(result: Result) -> list[str]:
    """How far an unfinished search got."""
    lines = [] if result.stuck is None else [f"The search got as far as the return of {place(result.stuck)}."]
    if result.prefix_order:
        count = f"{len(result.prefix_order):,}"
        lines += [f"The longest order it kept has {count} operations:", f"  {_steps(result, result.prefix_order)}"]
    if result.candidates and result.candidates[0].order == result.prefix_order:
        lines.append(f"      leaves {_short(result.candidates[0].state)}")
    return lines


def _short(state: str) -> str:
    return printable(state if len(state) <= LONGEST_STATE else state[: LONGEST_STATE - 1] + "…")


def _part(result: Result) -> str:
    return (
        f" on {printable(result.part)}" if result.part and result.stuck is not None and result.stuck.key is None else ""
    )


def _steps(result: Result, order: Sequence[int]) -> str:
    """The last few steps of an order."""
    if not order:
        return "(nothing before it)"
    last = ", ".join(str(result.history[index]) for index in order[-MOST_STEPS:])
    earlier = len(order) - MOST_STEPS
    return f"… {earlier:,} earlier, then {last}" if earlier > 0 else last


def _answers(result: Result, candidates: Sequence[Candidate]) -> list[str]:
    """For each order what the stuck operation would have answered after it."""
    stuck = result.stuck
    if stuck is None or any(len(candidate.order) > MOST_REPLAYED for candidate in candidates):
        return ["it does not fit there"] * len(candidates)
    kinds, parts = split(result.history, result.model)
    here = parts.of_kind[kinds.codes[stuck.index]]
    runner = Runner(result.model)
    words = []
    for candidate in candidates:
        states = [runner.initial()]
        for index in candidate.order:
            if parts.of_kind[kinds.codes[index]] == here:
                op = result.history[index]
                states = list(dict.fromkeys(after for state in states for after in runner.step(state, op)))[:100]
        words.append(_answer(runner, states, stuck))
    return words


def _answer(runner: Runner, states: Sequence[int], stuck: Operation) -> str:
    try:
        answers = [runner.answers(state, stuck) for state in states]
    except (LinpointError, ArithmeticError, LookupError, TypeError, ValueError):
        return "it does not fit there"
    if not answers or any(answer is None for answer in answers):
        return "it does not fit there"
    distinct = list(dict.fromkeys(word for answer in answers for word in answer or ()))
    if not distinct:
        return f"{printable(stuck.f)} is not possible there"
    return f"{printable(stuck.f)} would answer {' or '.join(distinct[:4])}{' or …' if len(distinct) > 4 else ''}"
