"""How is a model of the user's asked by a monitor? Its parts at every call, its steps while a window is judged.

Each window gets an adapter of its own (`check/adapter.py`), so states that no configuration holds any more are forgotten with
it; those that are held go from one adapter to the next as the objects that they are. `crates/python/src/own_model.rs` is
the other side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linpoint import _core
from linpoint.budget import Budget
from linpoint.check.adapter import PythonAdapter
from linpoint.errors import ModelError
from linpoint.history import History, Operation
from linpoint.models import Kinds, Model, NewField, in_order, keys_of, looks_of


class Own:
    """A model in Python, as the core asks it."""

    def __init__(self, model: Model, memory: int) -> None:
        self._model = model
        self._memory = memory
        self._kinds: Kinds | None = None
        self._history = History()

    def split(self) -> str:
        """How operations are split into parts: `by key`, `whole`, or `asked`: as `partition` says."""
        if type(self._model).partition is not Model.partition:
            return "asked"
        return "by key" if type(self._model).step is Model.step else "whole"

    def refusal(self, f: str) -> str | None:
        """Why the model does not have this operation, in words; None if it has it, or if only its code can tell."""
        if type(self._model).step is not Model.step:
            return None
        try:
            self._model._method(f)
        except ModelError as error:
            return error.message
        return None

    def keys(self, record: Mapping[str, Any]) -> list[Any] | None:
        """The keys of the parts that an operation is about, as it was called; None: all of them."""
        return keys_of(self._model, looks_of(self._model).at(Operation.from_record(record)))

    def window(self, columns: _core.Columns) -> tuple[PythonAdapter, list[str]]:
        """An adapter for these operations, and the fields by which they are told apart beyond the usual ones."""
        self._history = History.from_columns(columns)
        looks = looks_of(self._model)
        while True:
            seen = frozenset(looks.fields)
            codes, examples = self._history.examples(seen)
            noting = [None if op is None else looks.at(op) for op in examples]
            self._kinds = Kinds(codes, noting, seen, looks)
            try:
                return PythonAdapter(self._model, self._kinds, True, Budget.start(None, self._memory)), in_order(seen)
            except NewField:
                continue

    def begins_anew(self) -> bool:
        """Has the model looked at a field by which the operations of the window were not told apart?"""
        return self._kinds is not None and not self._kinds.are_settled()

    def located(self, error: ModelError) -> ModelError:
        """The error with the operation that it blames as the stream has it, not by its place in the window."""
        if error.operation is None:
            return error
        op = self._history[error.operation]
        located = ModelError(f"{error.message} (process {op.process}, called at event {op.call})")
        located.line = op.line or None
        return located
