"""A check with a model of the user's: its code runs under the clock, from its first line to its last.

User code may loop for ever, wait for the network, or eat memory. So everything that runs it is handed to the door
(`_core.guarded`, `_core.check_python`), which runs it in a thread of its own, looks at the clock and at Ctrl-C, and raises an
exception in user code that stays too long. Code that waits in C (`time.sleep`) is left behind; Python exits all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from linpoint import _core
from linpoint.budget import Budget
from linpoint.check.adapter import PythonAdapter
from linpoint.history import History
from linpoint.history.door import door
from linpoint.models import Kinds, Model, by_kind, in_order

T = TypeVar("T")

LONGEST_LOOK = 0.3
"""How long one look for reads may take in user code: the states it tries may be such that no order leads to them."""

LAST_SECONDS = 0.25
"""What comes after the search may take so long even if the search has used up the time."""


class Stopped(Exception):
    """User code did not end within the budget, or Ctrl-C was pressed meanwhile; `cause` says which."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


def guarded(work: Callable[[], T], seconds: float | None) -> T:
    """Runs work that calls user code, for so long at most; raises `Stopped` if it did not end."""
    done = _core.guarded(work, seconds)
    if done[0] is not None:
        raise Stopped(done[0])
    return done[1]


def last_seconds(budget: Budget) -> float | None:
    """What is left for words and replay: a search that ends in the last moment still gets its answer certified."""
    left = budget.left()
    return None if left is None else max(left, LAST_SECONDS)


def search(history: History, model: Model, budget: Budget, options: dict[str, Any]) -> _core.Report:
    """Lets the core search with a model in Python."""
    begun = time.perf_counter()
    try:
        return by_kind(history, model, lambda kinds: _search(history, model, kinds, budget, options))
    except Stopped as stopped:
        return _nothing(time.perf_counter() - begun, stopped.cause)
    except _core.Halted as halted:
        return _nothing(time.perf_counter() - begun, *halted.args)
    except KeyboardInterrupt:
        return _nothing(time.perf_counter() - begun, "interrupted")


def _search(history: History, model: Model, kinds: Kinds, budget: Budget, options: dict[str, Any]) -> _core.Report:
    """The same with operations told apart by these kinds."""
    adapter = guarded(lambda: PythonAdapter(model, kinds, options["partition"], budget.memory), budget.left())
    left = budget.left()
    try:
        guarded(adapter.look_for_reads, LONGEST_LOOK if left is None else min(left, LONGEST_LOOK))
    except Stopped as stopped:
        if stopped.cause != "time" or budget.spent():
            raise
        adapter.look_no_further()
    try:
        with door():
            report = _core.check_python(
                history.columns, adapter, in_order(kinds.fields), **{**options, "timeout": budget.left()}
            )
    except Exception:
        if adapter.failure is None:
            raise
        raise adapter.failure from adapter.failure.__cause__
    if adapter.failure is not None:
        raise adapter.failure from adapter.failure.__cause__
    _describe(report, adapter, budget)
    return report


def _describe(report: _core.Report, adapter: PythonAdapter, budget: Budget) -> None:
    """Puts words for the states in the report. The verdict is known by now: it does not wait for words."""
    shown = [candidate["state"] for candidate in report["candidates"]]
    try:
        words = guarded(lambda: [adapter.words(state) for state in shown], last_seconds(budget)) if shown else []
    except Stopped as stopped:
        name = f"{type(adapter.model).__name__}.describe"
        words = [f"({name} did not end: {stopped.cause})"] * len(shown)
    for candidate, state in zip(report["candidates"], words, strict=True):
        candidate["state"] = state


def _nothing(seconds: float, cause: str) -> _core.Report:
    """The report of a search that never began."""
    return {
        "verdict": "unknown",
        "method": "none",
        "why_method": "",
        "core": [],
        "relevant": [],
        "seconds": seconds,
        "configurations": 0,
        "parts": 1,
        "part": None,
        "cause": cause,
        "witness": None,
        "stuck": None,
        "prefix": [],
        "candidates": [],
        "frontier": [],
    }
