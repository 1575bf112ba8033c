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
from linpoint.errors import ModelError, UsageError
from linpoint.explain.shrink.keep import Rule, rule_for
from linpoint.history import History, Operation
from linpoint.verdict import Verdict

SECONDS = 5.0
"""How long shrinking may take unless told otherwise."""

LAST = 10.0
"""How long the last look at what is left may take."""

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
        """Is the history of these operations a violation? An unknown verdict counts as no, a fault of the model, too."""
        left = self.until - time.monotonic()
        if left <= 0:
            self.timed_out = True
            return False
        trial = self.trial(set(kept))
        memory = None
        if self.rule.forgets:
            left, memory = min(left, HARD), MEMORY
        try:
            return check(trial, self.model, timeout=left, memory=memory, certify=False).verdict is Verdict.VIOLATION
        except ModelError:  # a model of the user's that cannot do without what was left out
            return False

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
    judged = check(small, result.model, timeout=LAST)
    trial = shrinker.trial(set(kept))
    evidence = check(trial, result.model, timeout=LAST, certify=False) if shrinker.rule.forgets else judged
    return Counterexample(
        small, operations, judged, evidence, bystanders, shrinker.rule.faithful, not shrinker.timed_out
    )


def _start(result: Result, stuck: int, until: float) -> tuple[_Shrinker, list[int]]:
    """Where to begin: with the shortest past that is a violation, of the values that a monitor found in conflict if one did."""
    for scope in (result.relevant, result.scope):
        for history, origin in _pasts(result.history, scope, stuck) if scope else ():
            shrinker = _Shrinker(history, result, until)
            if shrinker.violates(range(len(history))):
                return shrinker, origin
            if shrinker.timed_out:
                break
    whole = happened(result.history, result.scope)
    return _Shrinker(result.history.take(whole), result, until), whole


def _pasts(history: History, scope: Sequence[int], stuck: int) -> Iterator[tuple[History, list[int]]]:
    """The past of the stuck return; of the 1st, 3rd, 7th … return after it; everything.

    What was open at the stuck return may have answered later, and its answer may be part of the contradiction.
    """
    ranks = history.columns.ranks()
    end = ranks[1][stuck]
    ends = sorted(back for index in scope if (back := ranks[1][index]) is not None and end is not None and back >= end)
    place = 0
    while place < len(ends):
        yield past_of(history, scope, ends[place], ranks)
        place = 2 * place + 1
    whole = happened(history, scope)
    yield history.take(whole), whole


Ranks = tuple[Sequence[int], Sequence[int | None]]


def past_of(history: History, scope: Sequence[int], end: int | None, ranks: Ranks) -> tuple[History, list[int]]:
    """What had been called before rank `end`, and which operations that was; what had not returned by then is pending.

    Sound for every model: cutting a history short, and forgetting how an open operation ended, only takes constraints away.
    """
    if end is None:
        return history.take(happened(history, scope)), happened(history, scope)
    calls, returns = ranks
    kept = sorted((index for index in happened(history, scope) if calls[index] < end), key=lambda index: calls[index])
    cut = {index for index in kept if (back := returns[index]) is None or back > end}
    if not cut:
        return history.take(kept), kept
    return History(_unreturned(history[index]) if index in cut else history[index] for index in kept), kept


def happened(history: History, scope: Sequence[int]) -> list[int]:
    """Those of the operations that did not fail."""
    status = history.columns.statuses()
    return [index for index in scope if status[index] != FAIL]


def _unreturned(op: Operation) -> Operation:
    return replace(op, result=None, ret=None, type="info")


def forgetting(history: History, kept: Container[int]) -> History:
    """The same history with all other operations pending; their processes may call again, so they get new ones."""
    return History(
        op if op.index in kept else replace(_unreturned(op), process=f"forgotten {op.index}") for op in history
    )
