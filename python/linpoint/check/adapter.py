"""A model in Python, as the compiled core sees it: states are numbers, operations are kinds.

The core memoises transitions, so the model's code runs once per distinct (state, operation). Without
partitioning the state is the tuple of the parts' states, so `partition=False` never changes a verdict.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from linpoint import _core
from linpoint.budget import Budget
from linpoint.check.readonly import Steps, find_reads
from linpoint.errors import LinpointError
from linpoint.history import History, Operation
from linpoint.models import Instances, Kinds, Model, Opaque, Runner, is_readonly, parts_of

LONGEST_WORDS = 1.0
"""So many seconds words for states may take."""

LONGEST_ORDER = 64
"""So many operations of one object of a class are run in a few orders, before and after a check."""

LAST_SECONDS = 0.25
"""What comes after a search may take so long even if the search has used up the time."""


def last_seconds(budget: Budget) -> float:
    """What is left for words and replay: a search that ends in the last moment still gets its answer certified."""
    left = budget.left()
    return float("inf") if left is None else max(left, LAST_SECONDS)


class PythonAdapter:
    """Implements `_core.Adapter`. A fault in the model is kept in `failure`, for `check` to raise."""

    def __init__(self, model: Model, kinds: Kinds, partition: bool, budget: Budget) -> None:
        self.failure: BaseException | None = None
        self._model = model
        self._kinds = kinds
        self._budget = budget
        self._runner = Runner(model, kinds, budget.memory)
        self._examples = kinds.examples
        self._parts = parts_of(model, kinds.examples)
        self._reads = [op is not None and is_readonly(model, op) for op in kinds.examples]
        self._runner.named()
        self._runner.initial()
        kinds.settled()
        self._steps: Steps = {}
        self._instances: Instances | None = None
        self._speechless: str | None = None
        """Said of every state after `describe` did not end once."""
        self._product = _Product() if not partition and self._parts.count > 1 else None

    def look_ahead(self, history: History) -> None:
        """Tries which operations are reads, and whether objects of a class influence each other.

        May be given up at any time: then `look_no_further`.
        """
        if isinstance(
            self._model, Opaque
        ):  # a step copies an object or runs it from the start: too dear to look for reads
            instances = Instances(self._model, *self._of_objects(history))
            instances.before()
            self._instances = instances
            return
        reads, steps = find_reads(self._runner, self._examples, self._parts, len(self._kinds.codes))
        self._reads = [known or kind in reads for kind, known in enumerate(self._reads)]
        self._steps = steps

    def look_no_further(self) -> None:
        """Forgets what was tried, after that was stopped in the middle of something."""
        known = self._runner.unhashable
        self._runner = Runner(self._model, self._kinds, self._budget.memory)
        self._runner.unhashable = known

    def look_back(self) -> None:
        """Have objects of a class influenced each other meanwhile?"""
        if self._instances is not None:
            with _FirstFault(self):
                self._instances.after()

    def _of_objects(self, history: History) -> tuple[list[Operation], list[list[Operation]]]:
        """The operations that could be the first on their object, and a few orders of those on one object."""
        calls, returns = history.columns.ranks()
        codes = self._kinds.codes
        parts = [self._parts.of_kind[kind] for kind in codes]
        ends: dict[int, int] = {}
        for part, end in zip(parts, returns, strict=True):
            if end is not None:
                ends[part] = min(end, ends.get(part, end))
        in_order = sorted(range(len(calls)), key=calls.__getitem__)
        happened = [i for i in in_order if self._examples[codes[i]] is not None]
        first = [i for i in happened if calls[i] < ends.get(parts[i], calls[i])]
        whole = [i for i in happened if parts[i] == parts[happened[0]]][:LONGEST_ORDER]
        orders = _few_orders([(calls[i], len(codes) * 2 if (end := returns[i]) is None else end) for i in whole])
        example = [self._example(codes[i]) for i in whole]
        return [self._example(codes[i]) for i in first], [[example[place] for place in order] for order in orders]

    @property
    def examples(self) -> Sequence[Operation | None]:
        """An operation of each kind; None where all of them failed."""
        return self._examples

    def opaque(self) -> Model | None:
        """The model, if it is a class that can be run as it is; not where several objects of it make one state."""
        return self._model if self._model._opaque and self._product is None else None

    @property
    def unhashable(self) -> bool:
        """Is there a state that cannot be hashed?"""
        return self._runner.unhashable

    @property
    def bytes(self) -> int:
        """What the states weigh."""
        return self._runner.bytes

    def initial(self) -> object:
        """The state before the first operation."""
        with _FirstFault(self):
            first = self._runner.initial()
            return first if self._product is None else self._product.number((first,) * self._parts.count)

    def carried(self, state: Any) -> object:
        """The object behind a state, for another adapter of the same model to adopt."""
        return self._runner.state(state)

    def adopt(self, state: object) -> int:
        """The state of an object that another adapter carried."""
        with _FirstFault(self):
            return self._runner.number(state, None)

    def step(self, state: Any, kind: int) -> Sequence[object]:
        """The states that an operation of this kind may lead to."""
        with _FirstFault(self):
            op = self._example(kind)
            if self._product is None:
                return self._known(state, kind, op)
            states, part = self._product.tuple(state), self._parts.of_kind[kind]
            reached = self._known(states[part], kind, op)
            return [self._product.number((*states[:part], after, *states[part + 1 :])) for after in reached]

    def read_only(self, kind: int) -> bool:
        """Does an operation of this kind leave every state as it is?"""
        return self._reads[kind]

    def group(self, kind: int) -> int:
        """The part that operations of this kind belong to."""
        return 0 if self._product is not None else self._parts.of_kind[kind]

    def group_label(self, group: int) -> str:
        """The keys of a part, in words."""
        return "" if self._product is not None else self._parts.labels[group]

    def describe(self, kind: int) -> str:
        """An operation of this kind in words, for complaints."""
        return str(self._examples[kind])

    def show(self, state: Any) -> str:
        """The state in words. They are waited for, but not long: what they are for is known already."""
        with _FirstFault(self):
            if self._speechless is None:
                cause, words = _core.guarded(lambda: self._words(state), min(LONGEST_WORDS, last_seconds(self._budget)))
                if words is not None:
                    return words
                self._speechless = f"({type(self._model).__name__}.describe did not end: {cause})"
            return self._speechless

    def _words(self, state: Any) -> str:
        if self._product is None:
            return self._runner.show(state)
        labelled = zip(self._parts.labels, self._product.tuple(state), strict=True)
        return "{" + ", ".join(f"{label}: {self._runner.show(part)}" for label, part in labelled) + "}"

    def _known(self, state: int, kind: int, op: Operation) -> list[int]:
        """A step that was taken before, or a new one; the core remembers it from here on."""
        known = self._steps.get((state, kind))
        return self._runner.step(state, op) if known is None else known

    def _example(self, kind: int) -> Operation:
        op = self._examples[kind]
        if op is None:
            raise LinpointError(f"the core asked for an operation that failed (kind {kind})")
        return op


def _few_orders(intervals: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Orders of operations, given by call and return, that respect real time: by call, by return, and the latest call first."""
    count = len(intervals)
    latest: list[int] = []
    left = set(range(count))
    while left:
        end = min(intervals[i][1] for i in left)
        latest.append(max((i for i in left if intervals[i][0] <= end), key=lambda i: intervals[i][0]))
        left.remove(latest[-1])
    return [list(range(count)), sorted(range(count), key=lambda i: intervals[i][1]), latest]


class _Product:
    """Numbers for tuples of states."""

    def __init__(self) -> None:
        self._tuples: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._lock = threading.Lock()

    def number(self, states: tuple[int, ...]) -> int:
        with self._lock:
            number = self._numbers.setdefault(states, len(self._tuples))
            if number == len(self._tuples):
                self._tuples.append(states)
            return number

    def tuple(self, number: int) -> tuple[int, ...]:
        return self._tuples[number]


class _FirstFault:
    """Keeps the first fault, whatever the core makes of it on its way through."""

    def __init__(self, adapter: PythonAdapter) -> None:
        self._adapter = adapter

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and self._adapter.failure is None and not isinstance(error, _core.Halted):
            self._adapter.failure = error
