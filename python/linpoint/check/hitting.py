"""Which few schedules cover every choice of d operations, and how deep is a history?

Ozkan, Majumdar & Niksic, *Checking Linearizability Using Hitting Families*, PPoPP 2019. A *schedule* is an order of all
operations that respects real time. `hitting_family` is Algorithm 1 (in the core, `crates/check/src/hitting/`), `strongly_hits`
Definition 4.1 as it stands, `depth` the linearizability depth of Definition 4.2. `check(…, method="hitting")` runs the families;
`docs/explanation/hitting.md` explains them.

Operations that failed are in no schedule. Pending ones are: they precede nothing, and a schedule explains a history if it does
so with some of them left out. On a tie of times operations overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from linpoint import _core
from linpoint.budget import Budget
from linpoint.check import own
from linpoint.check.methods import DEEPEST
from linpoint.errors import Unfinished, UsageError
from linpoint.history import History, Operation
from linpoint.history.door import door
from linpoint.models import Model, Shipped, is_native, resolve
from linpoint.verdict import Cause

MOST_AT_ONCE = 4096
"""The first schedule is made alone, then 4, 16, … up to so many at once."""

MOST_OPERATIONS = 64
"""Longer histories have a depth, too, but nobody can wait for it."""


def hitting_family(
    history: History | Iterable[Operation | Mapping[str, Any]],
    d: int,
    *,
    timeout: float | str | None = None,
    memory: int | str | None = None,
) -> Iterator[tuple[Operation, ...]]:
    """The distinct schedules of a strong d-hitting family, made as they are asked for: for every d operations one that hits them.

    There are at most m·n!/(n−d+1)! for n operations of m processes, and at d = n all that there are. Those that came are kept, to
    tell what is new; `Unfinished` is raised when time or memory are used up.
    """
    if type(d) is not int or not 1 <= d <= DEEPEST:
        raise UsageError(f"a depth is a whole number from 1 to {DEEPEST:,}, not {d!r}")
    budget = Budget.start(timeout, memory)
    return _family(history if isinstance(history, History) else History(history), d, budget)


def _family(history: History, d: int, budget: Budget) -> Iterator[tuple[Operation, ...]]:
    operations = list(history)
    family = _core.HittingFamily(history.columns, d)
    count = 1
    while True:
        with door():
            schedules = family.more(count, timeout=budget.left(), memory=budget.memory)
        if not schedules:
            return
        for schedule in schedules:
            yield tuple(operations[index] for index in schedule)
        count = min(4 * count, MOST_AT_ONCE)


def strongly_hits(schedule: Sequence[Operation], operations: Sequence[Operation]) -> bool:
    """Does a schedule take each of these operations as late as real time and those behind it in the list allow? Definition 4.1.

    Whatever stands at or behind the i-th of them is one of the i-th, i+1-th, … or was called after one of those had returned.
    Operations are told apart by their index in the history.
    """
    place = {op.index: at for at, op in enumerate(schedule)}
    if len(place) < len(schedule) or not all(op.index in place for op in operations):
        raise UsageError(
            "a schedule holds every operation of one history once, and so these: take them from the history"
        )
    return all(
        any(op.index == late.index or _precedes(late, op) for late in operations[i:])
        for i, hit in enumerate(operations)
        for op in schedule[place[hit.index] :]
    )


def _precedes(first: Operation, second: Operation) -> bool:
    return not first.pending and first.ret is not None and first.ret < second.call


def depth(
    history: History | Iterable[Operation | Mapping[str, Any]],
    model: Model | type[Model] | str,
    *,
    timeout: float | str | None = None,
    memory: int | str | None = None,
) -> int | None:
    """The linearizability depth of a history, exactly; None if it is not linearizable.

    It is the smallest d for which there are d operations such that *every* schedule that strongly hits them explains the
    history. A history without operations has depth 0. For small histories: up to 64 operations, and `Unfinished` is raised when
    time or memory are used up. The history is taken as a whole, not key by key.
    """
    budget = Budget.start(timeout, memory)
    judge = resolve(model)
    if not isinstance(history, History):
        history = History(history)
    columns = history.columns
    if len(history) - columns.statuses().count(1) > MOST_OPERATIONS:
        raise UsageError(f"the depth of more than {MOST_OPERATIONS} operations cannot be found")
    if is_native(judge) and isinstance(judge, Shipped):
        with door():
            return _core.depth_native(columns, judge.name, judge.options, timeout=budget.left(), memory=budget.memory)

    def ask(asked: own.Asked) -> int | None:
        found = _core.depth_python(columns, asked.adapter, asked.fields, timeout=budget.left(), memory=budget.memory)
        asked.look_back(budget)
        return found

    try:
        with door():
            return own.ask_core(
                history,
                judge,
                budget,
                False,
                ask,
            )
    except own.Stopped as stopped:
        cause = Cause.parse(stopped.cause)
        raise KeyboardInterrupt if cause is Cause.INTERRUPTED else Unfinished(cause) from None
