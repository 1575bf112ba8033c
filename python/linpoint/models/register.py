"""A register, with and without compare-and-set. A state is the value held."""

from __future__ import annotations

from typing import Any, ClassVar

from linpoint.history.values import freeze, same
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, boolean, compared


class Register(Shipped):
    """A register that holds one value: read, write."""

    name = "register"
    table: ClassVar[dict[str, Op]] = {
        "read": Op("get load", gives=compared, reads=True),
        "write": Op("set put store", takes="value"),
    }

    def __init__(self, initial: Any = None) -> None:
        super().__init__(initial=initial)
        self.initial = freeze(initial)

    def read(self, held: Any, _: None) -> Outcome:
        """The value held."""
        return held, held

    def write(self, _held: Any, new: Any) -> Outcome:
        """Hold `new` from now on."""
        return new, ANY


class CasRegister(Register):
    """A register with compare-and-set and swap besides read and write."""

    name = "cas-register"
    table: ClassVar[dict[str, Op]] = {
        **Register.table,
        "cas": Op(
            "compare_and_set compareAndSet compare-and-set compare_and_swap",
            takes="old new",
            gives=boolean,
            reads=lambda value, result: result is False or same(*value),
        ),
        "swap": Op("get_and_set getAndSet exchange", takes="value", gives=compared),
    }

    def cas(self, held: Any, pair: tuple[Any, Any]) -> Outcome:
        """Hold `new` if `old` is held; was it?"""
        old, new = pair
        return (new, True) if same(held, old) else (held, False)

    def swap(self, held: Any, new: Any) -> Outcome:
        """Hold `new`, give back what was held."""
        return new, held
