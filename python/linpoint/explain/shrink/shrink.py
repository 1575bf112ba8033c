"""Shrinks a violation: cut to its part and its past, then leave out what is not needed. See the package for the idea.

Cost: about 2 log n checks to find the window that matters, then a few per operation that stays. A budget bounds the
whole; when it is used up the best so far is given, and says so.
"""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from linpoint.check import Counterexample, Result, check
from linpoint.check.certify import FAIL
from linpoint.errors import UsageError
from linpoint.explain.shrink.keep import Rule, rule_for
from linpoint.history import History, Operation
from linpoint.verdict import Verdict

SECONDS = 5.0
"""How long shrinking may take unless told otherwise."""

HARD, MEMORY = 0.3, 64 * 2**20
"""A history with many pending operations that takes longer, or more, to judge is taken as not known to be a violation."""


class _Shrinker:
    """The search for less: keeps the smallest set of operations that is still a violation."""

    def __init__(self, history: History, result: Result, until: float) -> None:
        self.history = history
        self.model = result.model
        self.until = until
        self.rule: Rule = rule_for(history, result.model)
        self.best: set[int] = set(range(len(history)))
        self.timed_out = False

    def violates(self, kept: Iterable[int]) -> bool:
        """Is the history of these operations a violation? An unknown verdict counts as no."""
        left = self.until - time.monotonic()
        if left <= 0:
            self.timed_out = True
            return False
        trial = self.trial(set(kept))
        memory = None
        if self.rule.forgets:
            left, memory = min(left, HARD), MEMORY
        return check(trial, self.model, timeout=left, memory=memory, certify=False).verdict is Verdict.VIOLATION

    def trial(self, kept: set[int]) -> History:
        """The history of these operations; the others are left out or, if the rule says so, pending."""
        if self.rule.forgets:
            return forgetting(self.history, kept)
        return self.history.take(sorted(kept))

    def attempt(self, kept: set[int]) -> bool:
        """Takes these operations, less what must follow, as the new best if they are fewer and still a violation."""
        kept = self.rule.close(kept)
        if len(kept) < len(self.best) and kept and self.violates(kept):
            self.best = kept
            return True
        return False

    def find_window(self) -> None:
        """Looks for a violation among the last few units, then among more."""
        units, size = self.rule.units, 8
        while size < len(units) and not self.timed_out:
            if self.attempt({index for unit in units[-size:] for index in unit}):
                return
            size *= 2

    def leave_out(self) -> None:
        """Delta debugging: ever smaller chunks, until no single unit can go."""
        units = [unit for unit in self.rule.units if self.best.issuperset(unit)]
        chunk = max(1, len(units) // 2)
        while units and not self.timed_out:
            before, at = len(units), 0
            while at < len(units) and not self.timed_out:
                if self.attempt(self.best - {index for unit in units[at : at + chunk] for index in unit}):
                    units = [unit for unit in units if self.best.issuperset(unit)]
                else:
                    at += chunk
            if chunk == 1 and len(units) == before:
                return
            chunk = max(1, chunk // 2)

    def leave_out_bystanders(self) -> int:
        """Pending operations can only help, and the violation stands in spite of them, so they are not shown. How many?"""
        bystanders = {index for index in self.best if self.history[index].pending}
        self.best -= bystanders
        return len(bystanders)


def shrink(result: Result, timeout: float = SECONDS) -> Counterexample:
    """The locally minimal counterexample of a violation."""
    if result.verdict is not Verdict.VIOLATION or result.stuck_index is None:
        raise UsageError(f"only a violation has a counterexample, and this is {result.verdict.name}")
    until = time.monotonic() + timeout
    shrinker, origin = _start(result, result.stuck_index, until)
    shrinker.find_window()
    shrinker.leave_out()
    bystanders = shrinker.leave_out_bystanders()
    kept = sorted(shrinker.best)
    small = shrinker.history.take(kept)
    operations = tuple(origin[index] for index in kept)
    judged = check(small, result.model)
    evidence = check(shrinker.trial(set(kept)), result.model, certify=False) if shrinker.rule.forgets else judged
    return Counterexample(
        small, operations, judged, evidence, bystanders, shrinker.rule.faithful, not shrinker.timed_out
    )


def _start(result: Result, stuck: int, until: float) -> tuple[_Shrinker, list[int]]:
    """Where to begin: with what was called before the stuck operation returned, if that is a violation already.

    Otherwise what the open operations returned later is part of the contradiction, and so may be what happened after. Where
    a monitor knows which values are in conflict, only what happened to those is looked at.
    """
    for history, origin in _beginnings(result, stuck):
        shrinker = _Shrinker(history, result, until)
        if shrinker.violates(range(len(history))):
            return shrinker, origin
    return shrinker, origin


def _beginnings(result: Result, stuck: int) -> Iterator[tuple[History, list[int]]]:
    """Histories to start from, and which operations they have: the best first, the last one is a violation for certain."""
    for scope in (result.relevant, result.scope):
        if scope:
            yield past_of(result.history, scope, stuck)
            whole = happened(result.history, scope)
            yield result.history.take(whole), whole


def past_of(history: History, scope: Sequence[int], stuck: int) -> tuple[History, list[int]]:
    """What had been called when `stuck` returned, and which operations that was; what had not returned by then is pending.

    Sound for every model: cutting a history short, and forgetting how an open operation ended, only takes constraints away.
    """
    calls, returns = history.columns.ranks()
    end = returns[stuck]
    if end is None:
        return history.take(happened(history, scope)), happened(history, scope)
    kept = sorted((index for index in happened(history, scope) if calls[index] < end), key=lambda index: calls[index])
    cut = {index for index in kept if index != stuck and ((back := returns[index]) is None or back > end)}
    operations = [_unreturned(history[index]) if index in cut else history[index] for index in kept]
    return History(operations) if cut else history.take(kept), kept


def happened(history: History, scope: Sequence[int]) -> list[int]:
    """Those of the operations that did not fail."""
    status = history.columns.kinds()
    return [index for index in scope if status[index] != FAIL]


def _unreturned(op: Operation) -> Operation:
    return replace(op, result=None, ret=None, type="info")


def forgetting(history: History, kept: Container[int]) -> History:
    """The same history with all other operations pending; their processes may call again, so they get new ones."""
    return History(
        op if op.index in kept else replace(_unreturned(op), process=f"forgotten {op.index}") for op in history
    )
