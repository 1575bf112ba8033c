"""A counter. A state is a whole number of any size; what is added at once has at most 28 digits, as the initial number has."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.operation import index_of
from linpoint.history.values import show
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, whole

MOST_DIGITS: Final = 28
"""Of a number that an operation or an option names."""


class Counter(Shipped):
    """A number that is added to, taken from and read."""

    name = "counter"
    table: ClassVar[dict[str, Op]] = {
        "add": Op("increment inc incr", takes="number", reads=lambda number, _: number == 0),
        "sub": Op("decrement dec decr subtract", takes="number", reads=lambda number, _: number == 0),
        "fetch_add": Op(
            "get_and_add getAndAdd fetch-and-add", takes="number", gives=whole, reads=lambda number, _: number == 0
        ),
        "add_and_get": Op("addAndGet add-and-get", takes="number", gives=whole, reads=lambda number, _: number == 0),
        "read": Op("get load value", gives=whole, reads=True),
    }

    def __init__(self, initial: int = 0) -> None:
        super().__init__(initial=initial)
        if wanted := unlike_a_number(initial):
            raise ModelError(f"initial is {wanted}, not {show(initial)}")
        self.initial = initial

    def add(self, count: int, number: int) -> Outcome:
        """Count up."""
        return count + number, ANY

    def sub(self, count: int, number: int) -> Outcome:
        """Count down."""
        return count - number, ANY

    def fetch_add(self, count: int, number: int) -> Outcome:
        """Count up; the number before."""
        return count + number, count

    def add_and_get(self, count: int, number: int) -> Outcome:
        """Count up; the number after."""
        return count + number, count + number

    def read(self, count: int, _: None) -> Outcome:
        """The number."""
        return count, count

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; no number means 1."""
        name, value, expected = super().understand(op)
        return name, value if name == "read" else amount(op, value), expected


def amount(op: Operation, value: Any, least: int | None = None) -> int:
    """How many: a whole number, 1 if none is given."""
    if value is None:
        return 1
    if wanted := unlike_a_number(value, least):
        message = f"{op.f} needs {wanted}, but has {show(value)}"
        raise ModelError(message, index_of(op) if index_of(op) >= 0 else None)
    return value  # type: ignore[no-any-return]


def unlike_a_number(value: Any, least: int | None = None) -> str | None:
    """What a number must be, in words, if the value is none; None if it is one."""
    if type(value) is not int or (least is not None and value < least):
        return "a whole number" if least is None else f"a whole number of at least {least}"
    return None if abs(value) < 10**MOST_DIGITS else f"a whole number of at most {MOST_DIGITS} digits"
