"""What may be behind a violation besides the object? Hints where people stumble: guesses, said beside the verdict, which stays.

Only violations are looked at, and only their first operations; of those that are alike only one, where that is enough:
a hint costs a millisecond or so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property

from linpoint.check import Result
from linpoint.history import History, Operation
from linpoint.history.values import show, tag
from linpoint.models import Shipped
from linpoint.models.model import squashed
from linpoint.verdict import Verdict

MOST = 5_000
"""So many operations are looked at."""
READS = frozenset({"read", "get", "peek", "load", "contains"})
"""Operations that look, and are asked at most for a key."""
PLAIN = frozenset({"register", "cas-register", "multi-register", "kv"})
"""Models whose reads ask for nothing but a key."""


def _reads(op: Operation) -> bool:
    return squashed(op.f) in READS


class _Seen:
    """The first operations of a history."""

    def __init__(self, history: History) -> None:
        self.all = history if len(history) <= MOST else history[:MOST]
        self._kinds, self._examples = self.all.columns.distinct()

    @cached_property
    def kinds(self) -> list[Operation]:
        """The first of those that are alike in name, key, value, result and whether they ended well."""
        return [self.all[index] for index in self._examples]

    def count(self, test: Callable[[Operation], bool]) -> int:
        """How many pass a test that tells no operation from another of its kind."""
        passed = [test(op) for op in self.kinds]
        return sum(passed[kind] for kind in self._kinds)


def hints(result: Result) -> list[str]:
    """What to look at before the object is blamed; nothing unless it is a violation."""
    if result.verdict is not Verdict.VIOLATION or result.stuck is None:
        return []
    seen = _Seen(result.history)
    return [
        hint
        for found in (
            _initial(result, seen),
            _order(result, seen.kinds),
            _answers(result, seen.kinds),
            _pairs(seen),
            _lists(seen),
            _keys(seen.kinds),
            _times(seen.all),
        )
        for hint in found
    ]


def _initial(result: Result, seen: _Seen) -> Iterator[str]:
    """A first read of a number that nobody wrote: it may have been there at the beginning."""
    stuck, model = result.stuck, result.model
    if (
        stuck is None
        or not _reads(stuck)
        or not isinstance(stuck.result, (int, float))
        or not isinstance(model, Shipped)
    ):
        return
    if getattr(model, "initial", 0) is not None or len(result.history) > MOST:
        return
    wanted = tag(stuck.result)
    given = (item for op in seen.kinds for item in (op.value, *(op.value if isinstance(op.value, tuple) else ())))
    if any(tag(item) == wanted for item in given):
        return
    if any(not _reads(op) and op.key == stuck.key and op.ret is not None and op.ret < stuck.call for op in seen.all):
        return  # not the first: something else was written before
    shown = show(stuck.result)
    yield f"no operation wrote {shown}. If it was there from the beginning, say so: --model {model.name}:initial={shown}"


def _answers(result: Result, kinds: list[Operation]) -> Iterator[str]:
    """Reads with a value and without a result."""
    if not isinstance(result.model, Shipped) or result.model.name not in PLAIN:
        return
    for op in kinds:
        if _reads(op) and op.ok and op.result is None and op.value is not None and op.key is None:
            where = f"operation {op.index}" if op.line is None else f"line {op.line}"
            yield f"{op} ({where}) has its answer in `value`: what an operation returned belongs into `result`"
            return


def _pairs(seen: _Seen) -> Iterator[str]:
    """Values that are all pairs: Jepsen's independent keys."""

    def counts(op: Operation) -> bool:
        return op.value is not None and squashed(op.f) != "cas"

    values = [op.value for op in seen.kinds if counts(op)]
    if not all(isinstance(value, tuple) and len(value) == 2 for value in values):
        return
    if seen.count(counts) > 1 and all(op.key is None for op in seen.kinds):
        yield "all values are pairs. If they are Jepsen's independent [key value], say so: --independent"


def _lists(seen: _Seen) -> Iterator[str]:
    """Values that are all lists of one: arguments as a function has them."""

    def counts(op: Operation) -> bool:
        return op.value not in (None, ())

    values = [op.value for op in seen.kinds if counts(op)]
    if not all(isinstance(value, tuple) and len(value) == 1 for value in values) or seen.count(counts) < 2:
        return
    if any(op.ok and op.result is not None and not isinstance(op.result, tuple) for op in seen.kinds):
        alone = show(values[0][0])
        yield f"all values are lists of one, and [{alone}] is not {alone}. If they are arguments, write {alone} alone"


def _order(result: Result, kinds: list[Operation]) -> Iterator[str]:
    """A priority queue from which the smallest comes first, by the names of its operations, or the largest."""
    model = result.model
    if not isinstance(model, Shipped) or model.name != "priority-queue":
        return
    order = model.options.get("order", "max")
    other = "min" if order == "max" else "max"
    for op in kinds:
        if other in op.f.lower().replace("-", "_").split("_"):
            yield (
                f"{op.f} speaks of the {'smallest' if other == 'min' else 'largest'}, and the model takes the "
                f"{'largest' if other == 'min' else 'smallest'} first: --model priority-queue:order={other}"
            )
            return


def _times(operations: History) -> Iterator[str]:
    """Times that are floats too large to be exact."""
    if operations.columns.whole_times():
        return
    for op in operations:
        if isinstance(op.call, float) and abs(op.call) >= 2**53:
            apart = f"{math.ulp(op.call):.0f}"
            yield f"times such as {op.call!r} are floats, which are exact to {apart} only: write them as whole numbers"
            return


def _keys(kinds: list[Operation]) -> Iterator[str]:
    """Keys that are a number here and a text there."""
    texts = {op.key for op in kinds if isinstance(op.key, str)}
    numbers = {op.key for op in kinds if type(op.key) is int}
    for number in sorted(numbers):
        if str(number) in texts:
            yield f'the keys {number} and "{number}" are two different keys, a number and a text. Are they meant to be one?'
            return
