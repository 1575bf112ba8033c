"""A check with a model of the user's: its code runs under the clock, from its first line to its last.

User code may loop for ever, wait for the network, or eat memory. So everything that runs it is handed to the door
(`_core.guarded`, `_core.check_python`, `_core.explain_python`), which runs it in a thread of its own, looks at the clock and at
Ctrl-C, and raises an exception in user code that stays too long. Code that waits in C (`time.sleep`) is left behind; Python exits
all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from linpoint import _core
from linpoint.budget import Budget
from linpoint.check.adapter import PythonAdapter, last_seconds
from linpoint.history import History
from linpoint.history.door import door
from linpoint.models import Kinds, Model, Opaque, by_kind, from_file, in_order, is_native

T = TypeVar("T")

LONGEST_LOOK = 3.0
"""So many seconds a look ahead, or back, may take: it tries states to which perhaps no order leads, where user code may hang.
What it tries is bounded by steps (`readonly.py`), so the clock decides for slow or hanging code only."""


LONGEST_LOOK_AT_A_CLASS = 1.0
"""The same for a class: what could come first may wait for ever on a new object, as `get` of an empty queue does."""


class Stopped(Exception):
    """User code did not end within the budget, or Ctrl-C was pressed meanwhile; `cause` says which."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


def guarded(work: Callable[[], T], seconds: float | None) -> T:
    """Runs work that calls user code, for so long at most; raises `Stopped` if it did not end."""
    try:
        done = _core.guarded(work, seconds)
    except _core.Halted as halted:
        raise Stopped(*halted.args) from None
    if done[0] is not None:
        raise Stopped(done[0])
    return done[1]


@dataclass(frozen=True)
class Asked:
    """A model in Python as the core sees it."""

    adapter: PythonAdapter
    kinds: Kinds

    @property
    def fields(self) -> list[str]:
        """The fields of an operation that the model reads, beyond the usual ones."""
        return in_order(self.kinds.fields)

    def look_back(self, budget: Budget) -> None:
        """ModelError if the model is found to be none now that the core is done."""
        try:
            guarded(self.adapter.look_back, min(last_seconds(budget), LONGEST_LOOK_AT_A_CLASS))
        except Stopped as stopped:
            if stopped.cause != "time":
                raise

    def holds(self) -> bool:
        """Is an answer of the core one? Not if the model has failed or has looked at a further field since."""
        return self.adapter.failure is None and self.kinds.are_settled()


def ask_core(history: History, model: Model, budget: Budget, partition: bool, ask: Callable[[Asked], T]) -> T:
    """Lets the core work with a model in Python.

    Raises `Stopped` if user code did not end before the core could begin, and ModelError if it failed.
    """
    return by_kind(history, model, lambda kinds: _ask(history, model, kinds, budget, partition, ask))


def _ask(history: History, model: Model, kinds: Kinds, budget: Budget, partition: bool, ask: Callable[[Asked], T]) -> T:
    """The same with operations told apart by these kinds."""
    adapter = guarded(lambda: PythonAdapter(model, kinds, partition, budget), budget.left())
    left = budget.left()
    longest = LONGEST_LOOK_AT_A_CLASS if isinstance(model, Opaque) else LONGEST_LOOK
    try:
        guarded(lambda: adapter.look_ahead(history), longest if left is None else min(left, longest))
    except Stopped as stopped:
        if stopped.cause != "time" or budget.spent():
            raise
        adapter.look_no_further()
    try:
        with door():
            answer = ask(Asked(adapter, kinds))
    except Exception:
        if adapter.failure is None:
            raise
        raise adapter.failure from adapter.failure.__cause__
    if adapter.failure is not None:
        raise adapter.failure from adapter.failure.__cause__
    return answer


def under_the_clock(model: Model | None, work: Callable[[], T], budget: Budget) -> T:
    """Runs work that runs a model in Python: a user's for so long as the budget allows, or `Stopped`. None: no model is run."""
    return work() if model is None or is_native(model) else guarded(work, last_seconds(budget))


def model_from_file(words: str, budget: Budget) -> Model:
    """The model that `FILE.py:Class` means, its code under the clock from the first line on; `Stopped` if it did not end."""
    return guarded(lambda: from_file(words), budget.left())
