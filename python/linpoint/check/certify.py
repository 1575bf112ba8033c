"""Is the evidence good? A small checker that believes nothing the search says.

It shares with the search only the order of the events and, for a model of the user's, the code that runs the model.

A witness is an order of operations. It proves a history linearizable when (a) every operation that returned
stands in it exactly once and none that failed does, (b) no operation stands before one that had returned when
it was called, and (c) the model, run in Python, gives the recorded results in that order. (a) and (b) are one
pass; (c) is one step of the model per operation, part by part, so that states stay small.

A violation says "no order exists". For small histories the same is found by trying all orders (`orders.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import partial

from linpoint import _core
from linpoint.check.orders import MOST_STEPS, Orders, OutOfWork
from linpoint.errors import InternalError
from linpoint.history import History, Operation
from linpoint.history.values import tag
from linpoint.models import Kinds, Model, Opaque, Replay, Runner, Shipped, by_kind, is_native, parts_of, split

OK, FAIL, INFO = 0, 1, 2
"""The bytes of `Columns.statuses`."""

MOST_STATES = 5_000
"""A replay that must keep more states than this in mind (pending operations with many outcomes) gives up."""

MOST_OPERATIONS = 40
"""Beyond these a violation as a whole is too large to be confirmed by trying all orders; its counterexample may not be."""


class Contradiction(InternalError):
    """The model, run again, does not say what the search says."""

    def __init__(self, message: str, operation: int) -> None:
        super().__init__(message)
        self.operation = operation


def certify_witness(history: History, model: Model, order: Sequence[int], memory: int | None = None) -> bool:
    """Validates a witness. True: it is one. False: too many outcomes to tell. InternalError: it is not one.

    `memory`: the bytes that the states may weigh; beyond that the answer is False.
    """
    _complete(history, order)
    _in_real_time(history, order)
    try:
        return _accepted(history, model, order, memory)
    except _core.Halted as halted:
        if not halted.args:
            raise  # the time is up, and whoever looks at the clock must know
        return False


def _complete(history: History, order: Sequence[int]) -> None:
    """(a) Every operation that returned, exactly once; a pending one at most once; none that failed."""
    status = history.columns.statuses()
    seen = bytearray(len(status))
    for index in order:
        if not 0 <= index < len(status):
            raise InternalError(f"the witness names an operation {index} that does not exist")
        if seen[index]:
            raise InternalError(f"the witness has operation {index} twice")
        if status[index] == FAIL:
            raise InternalError(f"the witness has operation {index}, which failed")
        seen[index] = 1
    if len(order) < len(status):
        for index, here in enumerate(seen):
            if not here and status[index] == OK:
                raise InternalError(f"the witness lacks operation {index}")


def _in_real_time(history: History, order: Sequence[int]) -> None:
    """(b) No operation stands after one that was called only when it had already returned."""
    calls, returns = history.columns.ranks()
    latest, of = -1, -1
    for index in order:
        end = returns[index]
        if end is not None and end < latest:
            raise InternalError(
                f"the witness has operation {of} before {index}, which had returned when {of} was called"
            )
        if calls[index] > latest:
            latest, of = calls[index], index


def _accepted(history: History, model: Model, order: Sequence[int], memory: int | None) -> bool:
    """(c) The model gives the recorded results in this order."""
    if is_native(model) and isinstance(model, Shipped) and _replayed(history, model, order):
        return True
    if isinstance(model, Opaque):
        model = model.replaying()
    return by_kind(history, model, lambda kinds: _run_through(history, Runner(model, kinds, memory), kinds, order))


def _run_through(history: History, runner: Runner, kinds: Kinds, order: Sequence[int]) -> bool:
    """Runs the model, remembering what it said about operations of one kind; False if there are too many states to keep."""
    examples = kinds.examples
    parts = parts_of(runner.model, examples)
    first = (runner.initial(),)
    states: dict[int, tuple[int, ...]] = defaultdict(lambda: first)
    memo: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
    worthwhile = 4 * len(examples) < len(order)
    for index in order:
        kind = kinds.codes[index]
        part = parts.of_kind[kind]
        before = states[part]
        after = memo.get((before, kind))
        if after is None:
            op = _example(examples, kind)
            after = tuple(dict.fromkeys(next_state for state in before for next_state in runner.step(state, op)))
            if worthwhile:
                memo[before, kind] = after
        if not after:
            was = " or ".join(runner.show(state) for state in before[:3])
            raise Contradiction(f"the witness has operation {index}, {history[index]}, where the state is {was}", index)
        if len(after) > MOST_STATES:
            return False
        states[part] = after
    return True


def _replayed(history: History, model: Shipped, order: Sequence[int]) -> bool:
    """The same on objects that change in place: quick. False may be a wrong guess, so it is no verdict."""
    kinds, first = history.columns.distinct()
    repeated = 2 * len(first) < len(order)  # otherwise operations are not worth remembering: millions need gigabytes
    known: dict[int, Callable[[], bool]] = {}
    objects: dict[Hashable, Replay | None] = {}
    for index in order:
        act = known.get(kinds[index])
        if act is None:
            op = history[index]
            key = None if model.keyed else tag(op.key)
            replay = objects.get(key) or objects.setdefault(key, model.sequential())
            if replay is None:
                return False
            act = partial(replay.do, *model.understand(op))
            if repeated:
                known[kinds[index]] = act
        if not act():
            return False
    return True


def _example(examples: Sequence[Operation | None], kind: int) -> Operation:
    op = examples[kind]
    if op is None:
        raise InternalError(f"operations of kind {kind} both failed and did not")
    return op


def certify_violation(
    history: History, model: Model, stuck: int | None, parts: int = 0, memory: int | None = None
) -> bool | None:
    """Confirms a violation by trying all orders. True: none works. None: too large. InternalError: one works.

    Only the part of the stuck operation is tried: if it has no order, neither has the whole. `parts` is how many the search
    found (0: unknown), `memory` the bytes that the states may weigh.
    """
    if parts == 1 and len(history) > 2 * MOST_OPERATIONS and len(_happened(history)) > MOST_OPERATIONS:
        return None  # no need to ask the model about each of a million operations
    if stuck is None or len(scope := part_of_operation(history, model, stuck)) > MOST_OPERATIONS:
        return None
    judges = [model.replaying(), model] if isinstance(model, Opaque) else [model]
    for judge in judges:
        try:
            reach = Orders(history, judge, MOST_STEPS, memory).follow(scope)
        except OutOfWork:
            continue
        except _core.Halted as halted:
            if not halted.args:
                raise
            continue
        break
    else:
        return None
    if reach.stuck is None:
        raise Contradiction("a violation was reported, but there is an order", stuck)
    return True


def part_of_operation(history: History, model: Model, index: int) -> list[int]:
    """The operations that are judged together with this one, by index; failed ones are left out."""
    kinds, parts = split(history, model)
    part = parts.of_kind[kinds.codes[index]]
    return [i for i in _happened(history) if parts.of_kind[kinds.codes[i]] == part]


def past_of_operation(history: History, model: Model, index: int) -> tuple[int, ...]:
    """Those of them that were called before it returned, in the order of the history."""
    calls, returns = history.columns.ranks()
    end = returns[index]
    return tuple(i for i in part_of_operation(history, model, index) if end is None or calls[i] < end)


def _happened(history: History) -> list[int]:
    return [index for index, status in enumerate(history.columns.statuses()) if status != FAIL]
