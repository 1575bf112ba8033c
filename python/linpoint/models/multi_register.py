"""Several registers, read and written one by one or in transactions.

A state maps names to values, where they are not the initial ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import freeze, show
from linpoint.models.model import ANY, Outcome, Several
from linpoint.models.shipped import Op, Shipped, compared, with_default

_READS, _WRITES = ("read", "r"), ("write", "w")


class MultiRegister(Shipped):
    """Registers by name: read, write, and transactions over several of them."""

    name = "multi-register"
    table: ClassVar[dict[str, Op]] = {
        "txn": Op(
            "transaction",
            takes="steps",
            gives=compared,
            reads=lambda steps, _: all(kind in _READS for kind, _, _ in steps),
        ),
        "read": Op("get load", takes="key", gives=compared, reads=True),
        "write": Op("set put store", takes="key value"),
    }

    def __init__(self, initial: Any = None) -> None:
        super().__init__(initial=initial)
        self._at_first = freeze(initial)
        self.initial = FrozenDict()

    def read(self, held: FrozenDict, register: Any) -> Outcome:
        """The value of a register."""
        return held, self._get(held, register)

    def write(self, held: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Set a register."""
        return self._set(held, *value), ANY

    def txn(self, held: FrozenDict, steps: tuple[tuple[str, Any, Any], ...]) -> Outcome:
        """Read and write several registers at once; the answer is the list of steps with the reads filled in."""
        answer = []
        for kind, register, value in steps:
            if kind in _WRITES:
                held = self._set(held, register, value)
                answer.append((kind, register, value))
            else:
                answer.append((kind, register, self._get(held, register)))
        return held, tuple(answer)

    def _get(self, held: FrozenDict, register: Any) -> Any:
        return held.get(register, self._default(register))

    def _set(self, held: FrozenDict, register: Any, value: Any) -> FrozenDict:
        return with_default(held, register, value, self._default(register))

    def _default(self, register: Any) -> Any:
        return self._at_first.get(register) if isinstance(self._at_first, Mapping) else self._at_first

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; the steps of a transaction are looked at first, and one without reads may answer null."""
        name, value, expected = super().understand(op)
        if name == "txn":
            steps = _steps(op, value)
            if expected is None and all(kind in _WRITES for kind, _, _ in steps):
                expected = ANY
        return name, value, expected

    def partition(self, op: Operation) -> Hashable:
        """By register; the registers of a transaction stay together."""
        if self._canonical(op.f) != "txn":
            return super().partition(op)
        return Several(register for _, register, _ in _steps(op, op.value))


def _steps(op: Operation, value: Any) -> tuple[tuple[str, Any, Any], ...]:
    """The steps of a transaction, each a [read or write, register, value]."""
    if isinstance(value, tuple) and all(
        isinstance(step, tuple) and len(step) == 3 and step[0] in _READS + _WRITES for step in value
    ):
        return value
    message = f'{op.f} needs a list of ["read", register, null] and ["write", register, value], but has {show(value)}'
    raise ModelError(message, index_of(op) if index_of(op) >= 0 else None)
