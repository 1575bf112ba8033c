"""Is a counterexample what it claims to be? Tried by all orders, in Python; no rule and no code of search or shrinking is used.

Four things are looked at, each within a number of steps of the model: (a) the operations have no order together with any subset
of the others, up to the accused return and not before; (b) by themselves they go wrong there, too, and not before;
(c) of a counterexample that begins at a cut, every configuration that can be reached there is followed: all of them if the
past can be walked through within the steps, and then none may be missing among those that are named; otherwise those that are
named, each after its order was replayed; (d) what the operations can do without, and what they cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linpoint.check.orders import MOST_STEPS, Configuration, Orders, OutOfWork
from linpoint.errors import InternalError
from linpoint.history import History
from linpoint.models import Model


class Refuted(InternalError):
    """The counterexample is none."""


@dataclass(frozen=True)
class Evidence:
    """What is to be confirmed. Operations are indices of the history."""

    accused: int
    operations: tuple[int, ...]
    cut: int | None = None
    """The operation whose return is the cut."""
    reachable: tuple[tuple[int, ...], ...] = ()
    """Orders that lead to the configurations at the cut."""


@dataclass(frozen=True)
class Confirmed:
    """What could be confirmed within the steps."""

    claim: bool
    """No order, whatever else happened (since the cut)."""
    alone: bool
    """By themselves the operations go wrong at the accused return."""
    states: bool
    """No other configuration can be reached at the cut; true if there is none."""

    @property
    def everything(self) -> bool:
        """Was everything confirmed?"""
        return self.claim and self.alone and self.states


def confirm(
    history: History, model: Model, scope: Sequence[int], evidence: Evidence, steps: int = MOST_STEPS
) -> Confirmed:
    """Confirms a counterexample among the operations `scope`, which are judged together. Refuted if it is none."""
    return Trial(history, model, scope, evidence, steps).confirm()


@dataclass(frozen=True)
class _Begin:
    """Where a counterexample begins."""

    configurations: frozenset[Configuration]
    still_open: list[int]
    orders: Orders
    all_known: bool
    """Are these all configurations that there are?"""


class Trial:
    """One counterexample, tried in several ways. Refuted if it cannot be one."""

    def __init__(
        self, history: History, model: Model, scope: Sequence[int], evidence: Evidence, steps: int = MOST_STEPS
    ) -> None:
        self.history, self.model, self.evidence, self.steps = history, model, evidence, steps
        self._calls, self._returns = history.columns.ranks()
        end = self._returns[evidence.accused]
        if end is None or evidence.accused not in evidence.operations:
            raise Refuted("the accused operation never returned, or is not in the counterexample")
        if any(self._calls[index] > end for index in evidence.operations):
            raise Refuted("the counterexample has an operation that was called after the accused one had returned")
        if not set(evidence.operations) <= set(scope):
            raise Refuted("the counterexample has operations that cannot influence each other")
        self.past = [index for index in scope if self._calls[index] < end]
        self._end = end
        self._begin: _Begin | None = None

    def confirm(self) -> Confirmed:
        """(a), (b) and (c). Refuted if one of them does not hold."""
        try:
            stuck = self._stuck(set(self.evidence.operations))
            claim, states = True, self._begin is None or self._begin.all_known
        except OutOfWork:
            return Confirmed(False, self._alone(), False)
        if stuck is None:
            raise Refuted("operations were left out of the counterexample that may explain it")
        if stuck != self.evidence.accused:
            raise Refuted(
                f"operation {self.evidence.accused} is accused, but operation {stuck} cannot be explained before"
            )
        return Confirmed(claim, self._alone(), states)

    def can_do_without(self, operation: int) -> bool | None:
        """(d) Have the others no order, whatever else happened? None: that takes too many steps."""
        try:
            return self._stuck(set(self.evidence.operations) - {operation}) is not None
        except OutOfWork:
            return None

    def _stuck(self, required: set[int]) -> int | None:
        """Where these operations get stuck, any others being optional; None if they have an order."""
        if self.evidence.cut is None:
            orders = Orders(self.history, self.model, self.steps)
            return orders.follow(self.past, set(self.past) - required, until=self._end).stuck
        begin = self._at_the_cut()
        begin.orders.left = self.steps
        cut = self._returns[self.evidence.cut]
        since = [index for index in self.past if cut is not None and self._calls[index] > cut]
        later = [*begin.still_open, *since]
        start = (begin.configurations, begin.still_open)
        return begin.orders.follow(later, set(later) - required, begin=start, until=self._end).stuck

    def _alone(self) -> bool:
        """(b) By themselves, and not before; true after a cut. False if that takes too many steps."""
        evidence = self.evidence
        if evidence.cut is not None:
            return True
        try:
            stuck = Orders(self.history, self.model, self.steps).follow(evidence.operations).stuck
        except OutOfWork:
            return False
        if stuck != evidence.accused:
            what = "there is an order" if stuck is None else f"operation {stuck} cannot be explained before"
            raise Refuted(f"the counterexample alone does not go wrong at operation {evidence.accused}: {what}")
        return True

    def _at_the_cut(self) -> _Begin:
        """(c) The configurations at the cut, and whether they are all there are."""
        if self._begin is None:
            self._begin = self._reached()
        return self._begin

    def _reached(self) -> _Begin:
        evidence = self.evidence
        cut = self._returns[evidence.cut] if evidence.cut in self.past else None
        if cut is None:
            raise Refuted("the cut is not the return of an operation before the accused one")
        before = [index for index in self.past if self._calls[index] < cut]
        still_open = [index for index in before if (back := self._returns[index]) is None or back > cut]
        orders = Orders(self.history, self.model, self.steps + 4 * sum(map(len, evidence.reachable)))
        named = {found for order in evidence.reachable for found in self._led_to(orders, order, before, cut)}
        if not named:
            raise Refuted("no configuration is named that can be reached at the cut")
        orders.left = self.steps
        try:
            needless = frozenset(i for i in still_open if (back := self._returns[i]) is None or back > self._end)
            reach = orders.follow(before, needless, until=cut)
            if reach.stuck is not None:
                raise Refuted(f"operation {reach.stuck} cannot be explained before the cut")
            if not all(any(_covers(orders, one, found, needless) for one in named) for found in reach.configurations):
                raise Refuted("a configuration can be reached at the cut that is not named")
            return _Begin(reach.configurations, still_open, orders, all_known=True)
        except OutOfWork:
            return _Begin(frozenset(named), still_open, orders, all_known=False)

    def _led_to(
        self, orders: Orders, order: Sequence[int], before: Sequence[int], cut: int
    ) -> frozenset[Configuration]:
        """The configurations that an order of the operations before a cut leads to; Refuted if it is none."""
        done = set(order)
        if len(done) < len(order) or not done <= set(before):
            raise Refuted("an order up to the cut repeats an operation, or has one that was called later")
        if any((back := self._returns[index]) is not None and back <= cut and index not in done for index in before):
            raise Refuted("an order up to the cut lacks an operation that had returned")
        if not in_real_time(self.history, order):
            raise Refuted("an order up to the cut is against the order of time")
        states = orders.replay(order)
        if not states:
            raise Refuted("an order up to the cut is not possible")
        early = frozenset(index for index in order if (back := self._returns[index]) is None or back > cut)
        return frozenset((early, state) for state in states)


def in_real_time(history: History, order: Sequence[int]) -> bool:
    """Does no operation stand behind one that was called after its return?"""
    calls, returns = history.columns.ranks()
    latest = -1
    for index in order:
        back = returns[index]
        if back is not None and back < latest:
            return False
        latest = max(latest, calls[index])
    return True


def _covers(orders: Orders, named: Configuration, found: Configuration, needless: frozenset[int]) -> bool:
    """Can all that happens from `found` happen from `named` as well? Then it is enough to name that one.

    So it is if `found` is reached from `named` when more open operations take effect; those that are needless, because they
    return later or never, may also be left alone for ever. An operation that only looks may have taken effect in `named` alone:
    it cannot be of more use later. And of operations that do the same any may be named.
    """
    (early, one), (done, other) = named, found
    more = set(done - early)
    for index in early - done:
        if orders.only_looks(index):
            continue
        twin = next((candidate for candidate in more if orders.do_the_same(index, candidate)), None)
        if twin is None:
            return False
        more.remove(twin)
    return other in orders.fired(one, frozenset(more), needless)
