"""From a result to its explanation. A function of the result: `linpoint.check` knows nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from linpoint.budget import Budget
from linpoint.check import (
    Evidence,
    FoundCut,
    Result,
    Shrunk,
    Witness,
    confirm,
    part_of_operation,
    past_of_operation,
    shrink,
    under_the_clock,
    window,
)
from linpoint.explain.explanation import Claim, Cut, Explanation, Past
from linpoint.explain.footer import footer
from linpoint.explain.narrative import narrative, so_far
from linpoint.explain.sequential_consistency import sequential_order
from linpoint.verdict import Verdict

MOST_CONFIRMED = 5_000
"""A counterexample is not confirmed among more operations than these."""
MOST_PASTED = 300
"""A test to paste has no more operations than these."""


def explain(result: Result, *, timeout: float | str | None = None) -> Explanation:
    """Why a result is what it is: for a violation the few operations that show it, and what is known of them.

    result     what `linpoint.check` returned
    timeout    seconds, or words such as "2m"; None: what is left of the check's own time, without end if it had none
    """
    budget = result.budget.running() if timeout is None else Budget.start(timeout, result.budget.memory)
    if result.verdict is not Verdict.VIOLATION or result.stuck_index is None:
        return unexplained(result)
    try:
        found = shrink(result, budget)
        if found is not None:
            return under_the_clock(result.model, partial(_shrunk, result, found, budget), budget)
        note = "(no counterexample was found within the time and the work that may be spent on it)"
    except Exception as error:  # whatever goes wrong here, the violation stands
        note = f"(no counterexample: {type(error).__name__}: {error})"
    return unexplained(result, (note,))


def _common(result: Result, confirmed: bool | None) -> dict[str, Any]:
    return {
        "verdict": result.verdict,
        "model": str(result.model),
        "headline": result.headline,
        "guessed": result.guessed,
        "total": len(result.history),
        "accused": result.stuck_index,
        "confirmed": confirmed,
        "footer": footer(result, confirmed),
        "result": result,
    }


def unexplained(result: Result, notes: Sequence[str] = ()) -> Explanation:
    """What can be said without looking for a counterexample: the history around the trouble, and how far it goes."""
    view = window(result)
    try:
        words = under_the_clock(result.model, partial(so_far, result), result.budget.running())
    except Exception as error:  # a fault in the words never loses a verdict
        words = [f"(words could not be made: {type(error).__name__}: {error})"]
    return Explanation(
        **_common(result, result.confirmed),
        claim=None,
        shown=result.history.subhistory(view.indices),
        operations=tuple(view.indices),
        support=(),
        order=result.evidence.among(view.indices) if isinstance(result.evidence, Witness) else result.prefix_order,
        note=view.note,
        cut=None,
        candidates=(),
        minimal=False,
        sequential=None,
        words=(*notes, *words),
    )


def _shrunk(result: Result, found: Shrunk, budget: Budget) -> Explanation:
    """An explanation by few operations."""
    sequential = None if found.cut is not None else sequential_order(result.history, result.model, found.operations)
    candidates = tuple(found.candidates)
    cut = found.cut
    said = Explanation(
        **_common(result, _confirmed(result, found, budget)),
        claim=Claim(found.claim),
        shown=result.history.subhistory(found.operations),
        operations=found.operations,
        support=found.support,
        order=candidates[0].order if candidates else (),
        note="",
        cut=None if cut is None else _cut(result, found, cut),
        candidates=candidates,
        minimal=found.minimal,
        sequential=sequential,
        words=(),
    )
    return replace(said, words=tuple(narrative(said, result.history, result.model)))


def _cut(result: Result, found: Shrunk, cut: FoundCut) -> Cut:
    return Cut(
        after=cut.after,
        returned=cut.returned,
        reachable=tuple(cut.reachable),
        early=tuple(cut.early),
        others_open=_others_open(result, cut),
        part=found.part,
        past=_past(result, found.accused) if cut.returned <= MOST_PASTED else None,
    )


def _others_open(result: Result, cut: FoundCut) -> bool:
    """Were operations of the part open at the cut that are not named as in effect in each configuration?"""
    named = set.intersection(*map(set, cut.early))
    others = [index for index in result.history.columns.open_behind(cut.after) if index not in named]
    scope = result.scope if isinstance(result.scope, range) or not others else frozenset(result.scope)
    return any(index in scope for index in others)


def _past(result: Result, accused: int) -> Past | None:
    """Everything that was called by the return of an operation; None if that is too much."""
    history = result.history
    if len(history) > MOST_CONFIRMED:
        return None
    operations = past_of_operation(history, result.model, accused)
    return Past(operations, history.subhistory(operations)) if len(operations) <= MOST_PASTED else None


def _confirmed(result: Result, found: Shrunk, budget: Budget) -> bool | None:
    """Was it confirmed by trying all orders? None: too large for that."""
    if budget.spent() or len(result.history) > MOST_CONFIRMED:
        return None
    cut = found.cut
    reachable = () if cut is None else tuple(reached.order for reached in cut.reachable)
    evidence = Evidence(found.accused, found.operations, None if cut is None else cut.after, reachable)
    scope = part_of_operation(result.history, result.model, found.accused)
    return confirm(result.history, result.model, scope, evidence).everything or None
