"""A semaphore. A state is the number of permits left."""

from __future__ import annotations

from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.values import show
from linpoint.models.counter import amount, unlike_a_number
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, boolean


class Semaphore(Shipped):
    """Permits that are taken and given back: acquire, release, try_acquire, each of one or more."""

    name = "semaphore"
    table: ClassVar[dict[str, Op]] = {
        "acquire": Op("wait p down", takes="permits"),
        "release": Op("signal v up post", takes="permits"),
        "try_acquire": Op(
            "try_wait tryAcquire", takes="permits", gives=boolean, reads=lambda _, result: result is False
        ),
    }

    def __init__(self, permits: int = 1, bounded: bool = False) -> None:
        super().__init__(permits=permits, bounded=bounded)
        if wanted := unlike_a_number(permits, least=0):
            raise ModelError(f"permits is {wanted}, not {show(permits)}")
        if not isinstance(bounded, bool):
            raise ModelError(f"bounded is true or false, not {show(bounded)}")
        self.initial = permits
        self._most = permits if bounded else None

    def acquire(self, left: int, wanted: int) -> list[Outcome]:
        """Take permits; possible only when there are enough."""
        return [(left - wanted, ANY)] if wanted <= left else []

    def release(self, left: int, given: int) -> list[Outcome]:
        """Give permits back; if bounded, never more than there were at first."""
        return [(left + given, ANY)] if self._most is None or left + given <= self._most else []

    def try_acquire(self, left: int, wanted: int) -> Outcome:
        """Take permits if there are enough; were there?"""
        return (left - wanted, True) if wanted <= left else (left, False)

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; no number means 1."""
        name, value, expected = super().understand(op)
        return name, amount(op, value, least=0), expected
