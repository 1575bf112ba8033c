"""Orders in words: their last steps, the state they leave, and what the accused operation would have answered there."""

from __future__ import annotations

from collections.abc import Sequence

from linpoint.errors import InternalError, LinpointError
from linpoint.history import History, Operation
from linpoint.models import Model, Runner, parts_of
from linpoint.text import printable

MOST_STEPS = 4
LONGEST_STATE = 60
MOST_REPLAYED = 20_000
"""Longer orders are not replayed to say what the accused operation would have answered."""


def short(state: str) -> str:
    """A state in words, cut to what fits a line."""
    return printable(state if len(state) <= LONGEST_STATE else state[: LONGEST_STATE - 1] + "…")


def steps(history: History, order: Sequence[int]) -> str:
    """The last few steps of an order; nothing if it has none."""
    last = ", ".join(str(history[index]) for index in order[-MOST_STEPS:])
    earlier = len(order) - MOST_STEPS
    return f"… {earlier:,} earlier, then {last}" if earlier > 0 else last


def answers(history: History, model: Model, accused: Operation, orders: Sequence[Sequence[int]]) -> list[str]:
    """For each order what the accused operation would have answered after it. An order that the model refuses is a bug."""
    if any(len(order) > MOST_REPLAYED for order in orders):
        return ["it does not fit there"] * len(orders)
    runner = Runner(model)
    words = []
    for order in orders:
        states = [runner.initial()]
        for op in _of_part(history, model, accused, order):
            states = list(dict.fromkeys(after for state in states for after in runner.step(state, op)))[:100]
            if not states:
                raise InternalError(f"an order was given that the model refuses at operation {op.index}, {op}")
        words.append(_answer(runner, states, accused))
    return words


def _of_part(history: History, model: Model, accused: Operation, order: Sequence[int]) -> list[Operation]:
    """The operations of an order that share their state with the accused one: all, but where nothing was partitioned."""
    operations = [*map(history.__getitem__, order), accused]
    parts = parts_of(model, operations).of_kind
    return [op for op, part in zip(operations, parts, strict=True) if part == parts[-1]][:-1]


def _answer(runner: Runner, states: Sequence[int], accused: Operation) -> str:
    try:
        found = [runner.answers(state, accused) for state in states]
    except (LinpointError, ArithmeticError, LookupError, TypeError, ValueError):
        return "it does not fit there"
    if not found or any(answer is None for answer in found):
        return "it does not fit there"
    distinct = list(dict.fromkeys(word for answer in found for word in answer or ()))
    if not distinct:
        return f"{printable(accused.f)} is not possible there"
    return f"{printable(accused.f)} would answer {' or '.join(distinct[:4])}{' or …' if len(distinct) > 4 else ''}"
