"""Lists that are appended to and read as a whole, as in Jepsen's list-append. A state maps keys to the lists that are not empty.

A transaction is understood if it has one step: several would be a matter of serializability.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import same, show
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, compared

_READS = ("read", "r")


class AppendList(Shipped):
    """Lists by key: append, read, and transactions of one such step."""

    name = "append-list"
    table: ClassVar[dict[str, Op]] = {
        "append": Op(takes="key element"),
        "read": Op("get r", takes="key", gives=compared, reads=True),
        "txn": Op("transaction", takes="step", gives=compared, reads=lambda steps, _: steps[0][0] in _READS),
    }

    def __init__(self) -> None:
        super().__init__()
        self.initial = FrozenDict()

    def append(self, lists: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Put an element behind all others."""
        key, element = value
        return lists.set(key, (*lists.get(key, ()), element)), ANY

    def read(self, lists: FrozenDict, key: Any) -> Outcome:
        """All elements, in order."""
        return lists, lists.get(key, ())

    def txn(self, lists: FrozenDict, steps: tuple[tuple[str, Any, Any]]) -> Outcome:
        """One step; the answer repeats it, with what was read."""
        [(kind, key, item)] = steps
        if kind in _READS:
            return lists, ((kind, key, lists.get(key, ())),)
        return self.append(lists, (key, item))[0], steps

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; null is what an empty list shows, and what a transaction answers if its value says it all."""
        name, value, expected = super().understand(op)
        if name == "read" and expected is not ANY:
            expected = _shown(op, expected)
        if name == "txn":
            [step] = _step(op, value)
            if expected is not ANY:
                expected = _answer(op, step, (step,) if expected is None else expected)
        return name, value, expected

    def partition(self, op: Operation) -> Hashable:
        """By key."""
        if self._canonical(op.f) != "txn":
            return super().partition(op)
        [(_, key, _)] = _step(op, op.value)
        return key  # type: ignore[no-any-return]


def _fault(op: Operation, message: str) -> ModelError:
    return ModelError(message, index_of(op) if index_of(op) >= 0 else None)


def _step(op: Operation, value: Any) -> tuple[tuple[str, Any, Any]]:
    """The step of a transaction: [append, key, element] or [r, key, null]."""
    if op.key is not None:
        raise _fault(op, f"{op.f} names its list in its value and has no key, but has the key {show(op.key)}")
    if isinstance(value, tuple) and len(value) == 1:
        [step] = value
        if isinstance(step, tuple) and len(step) == 3 and step[0] in ("append", *_READS):
            return value
    form = '["append", key, element] or ["r", key, null]'
    why = "several are serializability, not linearizability"
    raise _fault(op, f"{op.f} needs a list of one step, {form} ({why}), but has {show(value)}")


def _answer(op: Operation, step: tuple[str, Any, Any], answer: Any) -> Any:
    """The result of a transaction: its step again, with what was read."""
    kind, key, item = step
    if isinstance(answer, tuple) and len(answer) == 1 and isinstance(answer[0], tuple) and len(answer[0]) == 3:
        [(again, of, shown)] = answer
        if same((again, of), (kind, key)) and (kind in _READS or same(shown, item)):
            return ((kind, key, _shown(op, shown) if kind in _READS else item),)
    raise _fault(
        op, f"a completed {op.f} needs the same list with its read filled in as result, but has {show(answer)}"
    )


def _shown(op: Operation, shown: Any) -> Any:
    """The elements that were read; null is none."""
    if shown is None:
        return ()
    if not isinstance(shown, tuple):
        raise _fault(op, f"a completed {op.f} needs a list as result, but has {show(shown)}")
    return shown
