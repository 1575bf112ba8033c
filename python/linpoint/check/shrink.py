"""Which few operations does a violation come down to? The calls into the core (`crates/check/src/explain.rs`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linpoint import _core
from linpoint._core import Shrunk, Stuck
from linpoint.budget import Budget
from linpoint.check import own
from linpoint.check.orders import MOST_STEPS, Orders, OutOfWork
from linpoint.check.result import Result
from linpoint.history import History
from linpoint.history.door import door
from linpoint.models import Model, Shipped, is_native, split

WORK, WORK_IN_PYTHON = 1_000_000, 40_000
"""How many configurations of a few cells may be visited. Counted: the outcome does not depend on the machine or its load."""


def shrink(result: Result, budget: Budget) -> Shrunk | None:
    """For a violation: few operations that show it, and what is known of them. None if nothing small was found.

    When the budget's time is up the best so far is given.
    """
    evidence, model = result.evidence, result.model
    if not isinstance(evidence, Stuck) or evidence.operation is None:
        return None
    columns = result.history.columns
    request: _core.ExplainRequest = {
        "accused": evidence.operation,
        "conflict": evidence.conflict,
        "work": WORK,
        "timeout": budget.left(),
        "memory": budget.memory,
    }
    if is_native(model) and isinstance(model, Shipped):
        with door():
            return _core.explain_native(columns, model.name, model.options, request)

    def ask(asked: own.Asked) -> Shrunk | None:
        more: _core.ExplainRequest = {**request, "conflict": (), "work": WORK_IN_PYTHON, "timeout": budget.left()}
        return _core.explain_python(columns, asked.adapter, asked.fields, more)

    try:
        return own.ask_core(result.history, model, budget, True, ask)
    except own.Stopped:
        return None


@dataclass(frozen=True)
class Replayed:
    """What the core says of orders that it did not find itself."""

    parts: int
    """How many independent parts the history has."""
    part: str | None
    """The keys of the accused operation's part, in words; None if there is one part only."""
    states: list[list[str] | None]
    """For each order the states it leads to, in words; none if the model refuses it. None: too many to tell."""


def replayed(history: History, model: Model, accused: int, orders: Sequence[Sequence[int]]) -> Replayed:
    """Replays orders of the operations that are judged together with the accused one. No search has a part in it."""
    if is_native(model) and isinstance(model, Shipped):
        with door():
            return Replayed(*_core.states_native(history.columns, model.name, model.options, accused, orders))
    kinds, parts = split(history, model)
    label = parts.labels[parts.of_kind[kinds.codes[accused]]] if parts.count > 1 else None
    return Replayed(parts.count, label, [_states(history, model, order) for order in orders])


def _states(history: History, model: Model, order: Sequence[int]) -> list[str] | None:
    """The states that an order leads to, in the words of a model in Python; None if that takes too many steps."""
    orders = Orders(history, model, MOST_STEPS + 4 * len(order))
    try:
        return [orders.runner.show(state) for state in orders.replay(order)]
    except OutOfWork:
        return None
