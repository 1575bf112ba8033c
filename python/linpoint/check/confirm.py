"""Is a counterexample what it claims to be? Tried by all orders, in Python; no rule and no code of search or shrinking is used.

Three things are looked at, each within a number of steps of the model: (a) the operations have no order together with any subset
of the others, up to the accused return and not before; (b) by themselves they go wrong there, too, and not before;
(c) of a counterexample that begins at a cut, every configuration that can be reached there is followed: all of them if the
past can be walked through within the steps, otherwise those that are named, each after its order was replayed.
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
    calls, returns = history.columns.ranks()
    end = returns[evidence.accused]
    if end is None or evidence.accused not in evidence.operations:
        raise Refuted("the accused operation never returned, or is not in the counterexample")
    if any(calls[index] > end for index in evidence.operations):
        raise Refuted("the counterexample has an operation that was called after the accused one had returned")
    if not set(evidence.operations) <= set(scope):
        raise Refuted("the counterexample has operations that cannot influence each other")
    past = [index for index in scope if calls[index] < end]
    states = True
    try:
        begin = None
        if evidence.cut is not None:
            begin, states = _at_the_cut(history, model, past, evidence, steps)
        claim = _claimed(history, model, past, evidence, begin, steps)
    except OutOfWork:
        claim, states, begin = False, False, None
    alone = evidence.cut is not None or _alone(history, model, evidence, steps)
    return Confirmed(claim, alone, states)


_Begin = tuple[frozenset[Configuration], list[int], Orders]


def _claimed(
    history: History, model: Model, past: list[int], evidence: Evidence, begin: _Begin | None, steps: int
) -> bool:
    """(a) No order with any subset of the others."""
    calls, returns = history.columns.ranks()
    kept, end = set(evidence.operations), returns[evidence.accused]
    if begin is None or evidence.cut is None:
        reach = Orders(history, model, steps).follow(past, set(past) - kept, until=end)
    else:
        configurations, still_open, orders = begin
        orders.left = steps
        cut = returns[evidence.cut]
        since = [index for index in past if cut is not None and calls[index] > cut]
        reach = orders.follow([*still_open, *since], set(since) - kept, begin=(configurations, still_open), until=end)
    if reach.stuck is None:
        raise Refuted("operations were left out of the counterexample that may explain it")
    if reach.stuck != evidence.accused:
        raise Refuted(
            f"operation {evidence.accused} is accused, but operation {reach.stuck} cannot be explained before"
        )
    return True


def _alone(history: History, model: Model, evidence: Evidence, steps: int) -> bool:
    """(b) By themselves, and not before. False if that takes too many steps."""
    try:
        reach = Orders(history, model, steps).follow(evidence.operations)
    except OutOfWork:
        return False
    if reach.stuck != evidence.accused:
        what = "there is an order" if reach.stuck is None else f"operation {reach.stuck} cannot be explained before"
        raise Refuted(f"the counterexample alone does not go wrong at operation {evidence.accused}: {what}")
    return True


def _at_the_cut(history: History, model: Model, past: list[int], evidence: Evidence, steps: int) -> tuple[_Begin, bool]:
    """(c) The configurations at the cut, and whether they are all there are."""
    calls, returns = history.columns.ranks()
    cut = None if evidence.cut is None else returns[evidence.cut]
    if cut is None or evidence.cut not in past:
        raise Refuted("the cut is not the return of an operation before the accused one")
    before = [index for index in past if calls[index] < cut]
    still_open = [index for index in before if (back := returns[index]) is None or back > cut]
    orders = Orders(history, model, steps)
    try:
        reach = orders.follow(before, until=cut)
        if reach.stuck is not None:
            raise Refuted(f"operation {reach.stuck} cannot be explained before the cut")
        return (reach.configurations, still_open, orders), True
    except OutOfWork:
        pass
    orders.left = 4 * sum(len(order) for order in evidence.reachable)
    configurations = {found for order in evidence.reachable for found in _led_to(history, orders, order, before, cut)}
    if not configurations:
        raise Refuted("no configuration is named that can be reached at the cut")
    return (frozenset(configurations), still_open, orders), False


def _led_to(
    history: History, orders: Orders, order: Sequence[int], before: Sequence[int], cut: int
) -> frozenset[Configuration]:
    """The configurations that an order of the operations before a cut leads to; Refuted if it is none."""
    calls, returns = history.columns.ranks()
    done = set(order)
    if len(done) < len(order) or not done <= set(before):
        raise Refuted("an order up to the cut repeats an operation, or has one that was called later")
    if any((back := returns[index]) is not None and back <= cut and index not in done for index in before):
        raise Refuted("an order up to the cut lacks an operation that had returned")
    latest = -1
    for index in order:
        back = returns[index]
        if back is not None and back < latest:
            raise Refuted("an order up to the cut is against the order of time")
        latest = max(latest, calls[index])
    states = orders.replay(order)
    if not states:
        raise Refuted("an order up to the cut is not possible")
    early = frozenset(index for index in order if (back := returns[index]) is None or back > cut)
    return frozenset((early, state) for state in states)
