"""Why, in words: which operations contradict each other, where that begins, and why the accused one fits nowhere."""

from __future__ import annotations

from collections.abc import Sequence

from linpoint.check import Candidate, Result, place
from linpoint.explain.candidates import answers, short, steps
from linpoint.explain.explanation import Explanation
from linpoint.history import History, Operation
from linpoint.models import Model
from linpoint.text import printable
from linpoint.verdict import Verdict

MANY = 40
"""Of more operations than these the last are listed: a screenful."""
MOST_CANDIDATES = 5
"""How many orders are written out."""


def narrative(said: Explanation, history: History, model: Model) -> list[str]:
    """The words for what an explanation of a violation says, line by line. Its own words are not looked at."""
    lines = [*_beginning(said, history), *listed(history, said.operations)]
    if not said.minimal:
        lines.append("  (perhaps fewer operations would do: not every way to leave one out was tried)")
    lines += ["", *_orders(said, history, model)]
    if said.sequential is not None:
        shown = ", ".join(str(history[index]) for index in said.sequential)
        lines += ["", f"Not linearizable, but these operations are sequentially consistent: {shown}"]
    return lines


def _beginning(said: Explanation, history: History) -> list[str]:
    """What is claimed of the operations, and from where on."""
    count, cut = len(said.operations), said.cut
    if cut is None:
        return [whatever_else(count, len(history))]
    pairs = zip(cut.reachable, cut.early, strict=True)
    states = list(dict.fromkeys(_configuration(history, reached, early) for reached, early in pairs))
    where = f" on {printable(cut.part)}" if cut.part else ""
    first = (
        f"the first {cut.returned:,} operations{where} to return" if cut.returned > 1 else f"the first return{where}"
    )
    begin = f"After {first}, up to {place(history[cut.after])}, "
    unless = ", unless other operations that were still open took effect" if cut.others_open else ""
    if len(states) == 1:
        lines = [f"{begin}every order leads to {states[0]}{unless}."]
    else:
        lines = [f"{begin}every order leads to one of these{unless}:", *(f"  {state}" for state in states)]
    what = "this operation is impossible" if count == 1 else f"these {count:,} operations contradict each other"
    return [*lines, f"From there {what}, whatever else was called since:"]


def whatever_else(count: int, total: int) -> str:
    """The claim that any subset of the other operations may be added back."""
    if count == 1:
        return f"This operation of {total:,} is impossible, whatever else happened:"
    return f"These {count:,} operations of {total:,} contradict each other, whatever else happened:"


def _configuration(history: History, reached: Candidate, early: Sequence[int]) -> str:
    """A state, and which operations that were still open have led to it."""
    if not early:
        return short(reached.state)
    names = ", ".join(place(history[index]) for index in early)
    return f"{short(reached.state)}, with {names} still open and already in effect"


def listed(history: History, operations: Sequence[int]) -> list[str]:
    """The operations of a counterexample, one per line; the last of many."""
    earlier = len(operations) - MANY
    lines = [f"  … {earlier:,} earlier ones (the saved result has them all)"] if earlier > 0 else []
    return [*lines, *(f"  {place(history[index])}" for index in operations[-MANY:])]


def _orders(said: Explanation, history: History, model: Model) -> list[str]:
    """The orders that explain every return of the counterexample before the accused one."""
    accused, returns = history[said.accused or 0], "Among these, every return"
    if not said.candidates:
        return [f"{returns} before {accused} can be explained; it fits nowhere."]
    begin: list[Sequence[int]] = [()] if said.cut is None else [reached.order for reached in said.cut.reachable]
    pairs = [(begin[candidate.start], candidate) for candidate in said.candidates]
    nothing = "(nothing before it)" if said.cut is None else "(nothing since)"
    return _fitting_nowhere(history, model, accused, pairs, returns, nothing)


def _fitting_nowhere(
    history: History,
    model: Model,
    accused: Operation,
    candidates: Sequence[tuple[Sequence[int], Candidate]],
    returns: str,
    nothing: str,
) -> list[str]:
    """Orders that explain such returns, each with what came before it, and why the accused operation fits none of them."""
    count = len(candidates)
    orders = "this order, where it does not fit" if count == 1 else "orders such as these, and it fits none"
    lines = [f"{returns} before {accused} is explained by {orders}:"]
    shown = candidates[:MOST_CANDIDATES]
    said = answers(history, model, accused, [(*begin, *candidate.order) for begin, candidate in shown])
    for (_, candidate), answer in zip(shown, said, strict=True):
        lines += [f"  {steps(history, candidate.order) or nothing}", f"      leaves {short(candidate.state)}: {answer}"]
    if count > MOST_CANDIDATES:
        lines.append(f"  … and {count - MOST_CANDIDATES} more")
    return lines


def so_far(result: Result) -> list[str]:
    """How far it goes where there is no counterexample; empty for a linearizable history, whose witness speaks for itself."""
    if result.verdict is Verdict.LINEARIZABLE or result.stuck is None:
        return []
    if result.verdict is Verdict.UNKNOWN or not result.candidates:
        return _longest(result)
    pairs = [((), candidate) for candidate in result.candidates]
    returns = f"Every return on {printable(result.part)}" if result.part else "Every return"
    return _fitting_nowhere(result.history, result.model, result.stuck, pairs, returns, "(nothing before it)")


def _longest(result: Result) -> list[str]:
    """How far an unfinished search got."""
    if result.verdict is Verdict.VIOLATION:
        return ["How far an order gets was not found out."]
    lines = [] if result.stuck is None else [f"The search got as far as the return of {place(result.stuck)}."]
    if result.prefix_order:
        count = f"{len(result.prefix_order):,}"
        lines += [
            f"The longest order it kept has {count} operations:",
            f"  {steps(result.history, result.prefix_order)}",
        ]
    if result.candidates and result.candidates[0].order == result.prefix_order:
        lines.append(f"      leaves {short(result.candidates[0].state)}")
    return lines
