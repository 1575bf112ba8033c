"""What may be behind a violation besides the object? Hints where people stumble: guesses, said beside the verdict, which stays.

Only violations are looked at, and only their first operations: a hint costs a few milliseconds at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from linpoint.check import Result
from linpoint.history import Operation
from linpoint.history.values import show, tag
from linpoint.models import Shipped
from linpoint.verdict import Verdict

MOST = 5_000
"""So many operations are looked at."""
READS = frozenset({"read", "get", "peek", "load", "contains"})
"""Operations that look, and are asked at most for a key."""
PLAIN = frozenset({"register", "cas-register", "multi-register", "kv"})
"""Models whose reads ask for nothing but a key."""


def hints(result: Result) -> list[str]:
    """What to look at before the object is blamed; nothing unless it is a violation."""
    if result.verdict is not Verdict.VIOLATION or result.stuck is None:
        return []
    operations = list(islice(result.history, MOST))
    return [
        hint
        for found in (
            _initial(result, operations),
            _order(result, operations),
            _answers(result, operations),
            _pairs(operations),
            _lists(operations),
            _keys(operations),
            _times(operations),
        )
        for hint in found
    ]


def _initial(result: Result, operations: list[Operation]) -> Iterator[str]:
    """A first read of a number that nobody wrote: it may have been there at the beginning."""
    stuck, model = result.stuck, result.model
    if (
        stuck is None
        or stuck.f not in READS
        or not isinstance(stuck.result, (int, float))
        or not isinstance(model, Shipped)
    ):
        return
    if getattr(model, "initial", 0) is not None or len(result.history) > MOST:
        return
    if any(
        op.f not in READS and op.key == stuck.key and op.ret is not None and op.ret < stuck.call for op in operations
    ):
        return  # not the first: something else was written before
    wanted = tag(stuck.result)
    given = (item for op in operations for item in (op.value, *(op.value if isinstance(op.value, tuple) else ())))
    if all(tag(item) != wanted for item in given):
        seen = show(stuck.result)
        yield f"no operation wrote {seen}. If it was there from the beginning, say so: --model {model.name}:initial={seen}"


def _answers(result: Result, operations: list[Operation]) -> Iterator[str]:
    """Reads with a value and without a result."""
    if not isinstance(result.model, Shipped) or result.model.name not in PLAIN:
        return
    for op in operations:
        if op.f in READS and op.ok and op.result is None and op.value is not None and op.key is None:
            where = f"operation {op.index}" if op.line is None else f"line {op.line}"
            yield f"{op} ({where}) has its answer in `value`: what an operation returned belongs into `result`"
            return


def _pairs(operations: list[Operation]) -> Iterator[str]:
    """Values that are all pairs: Jepsen's independent keys."""
    values = [op.value for op in operations if op.value is not None and op.f != "cas"]
    if len(values) < 2 or any(op.key is not None for op in operations):
        return
    if all(isinstance(value, tuple) and len(value) == 2 for value in values):
        yield "all values are pairs. If they are Jepsen's independent [key value], say so: --independent"


def _lists(operations: list[Operation]) -> Iterator[str]:
    """Values that are all lists of one: arguments as a function has them."""
    values = [op.value for op in operations if op.value not in (None, ())]
    if len(values) < 2 or not all(isinstance(value, tuple) and len(value) == 1 for value in values):
        return
    if any(op.ok and op.result is not None and not isinstance(op.result, tuple) for op in operations):
        alone = show(values[0][0])
        yield f"all values are lists of one, and [{alone}] is not {alone}. If they are arguments, write {alone} alone"


def _order(result: Result, operations: list[Operation]) -> Iterator[str]:
    """A priority queue from which the smallest comes first, by the names of its operations, or the largest."""
    model = result.model
    if not isinstance(model, Shipped) or model.name != "priority-queue":
        return
    order = model.options.get("order", "max")
    other = "min" if order == "max" else "max"
    for op in operations:
        if other in op.f.lower().replace("-", "_").split("_"):
            yield (
                f"{op.f} speaks of the {'smallest' if other == 'min' else 'largest'}, and the model takes the "
                f"{'largest' if other == 'min' else 'smallest'} first: --model priority-queue:order={other}"
            )
            return


def _times(operations: list[Operation]) -> Iterator[str]:
    """Times that are floats too large to be exact."""
    for op in operations:
        if isinstance(op.call, float) and abs(op.call) >= 2**53:
            apart = f"{math.ulp(op.call):.0f}"
            yield f"times such as {op.call!r} are floats, which are exact to {apart} only: write them as whole numbers"
            return


def _keys(operations: list[Operation]) -> Iterator[str]:
    """Keys that are a number here and a text there."""
    texts = {op.key for op in operations if isinstance(op.key, str)}
    numbers = {op.key for op in operations if type(op.key) is int}
    for number in sorted(numbers):
        if str(number) in texts:
            yield f'the keys {number} and "{number}" are two different keys, a number and a text. Are they meant to be one?'
            return
