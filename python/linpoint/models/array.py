"""An array of registers. A state maps indices to values, where they are not the initial one."""

from __future__ import annotations

from typing import Any, ClassVar

from linpoint.history import FrozenDict
from linpoint.history.values import freeze, same
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, boolean, compared, with_default


class Array(Shipped):
    """Registers by index: read, write, cas."""

    name = "array"
    table: ClassVar[dict[str, Op]] = {
        "read": Op("get load", takes="key", gives=compared, reads=True),
        "write": Op("set put store", takes="key value"),
        "cas": Op(
            "compare_and_set compareAndSet compare-and-set compare_and_swap",
            takes="key old new",
            gives=boolean,
            reads=lambda value, result: result is False or same(*value[1:]),
        ),
    }

    def __init__(self, initial: Any = None) -> None:
        super().__init__(initial=initial)
        self._default = freeze(initial)
        self.initial = FrozenDict()

    def read(self, cells: FrozenDict, index: Any) -> Outcome:
        """The value at an index."""
        return cells, cells.get(index, self._default)

    def write(self, cells: FrozenDict, value: tuple[Any, Any]) -> Outcome:
        """Set the value at an index."""
        return with_default(cells, *value, self._default), ANY

    def cas(self, cells: FrozenDict, value: tuple[Any, Any, Any]) -> Outcome:
        """Set it to `new` if it is `old`; was it?"""
        index, old, new = value
        if not same(cells.get(index, self._default), old):
            return cells, False
        return with_default(cells, index, new, self._default), True
