"""A lock. A state is "free" or "held"."""

from __future__ import annotations

from typing import ClassVar

from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, boolean


class Mutex(Shipped):
    """A lock that one holds at a time: acquire, release, try_acquire. Who holds it does not matter."""

    name = "mutex"
    table: ClassVar[dict[str, Op]] = {
        "acquire": Op("lock"),
        "release": Op("unlock"),
        "try_acquire": Op("try_lock tryLock tryAcquire", gives=boolean, reads=lambda _, result: result is False),
    }
    initial = "free"

    def __init__(self) -> None:
        super().__init__()

    def acquire(self, state: str, _: None) -> list[Outcome]:
        """Take it; possible only when it is free."""
        return [("held", ANY)] if state == "free" else []

    def release(self, state: str, _: None) -> list[Outcome]:
        """Give it back; possible only when it is held."""
        return [("free", ANY)] if state == "held" else []

    def try_acquire(self, state: str, _: None) -> Outcome:
        """Take it if it is free; was it?"""
        return "held", state == "free"

    def describe(self, state: str) -> str:
        """The state itself."""
        return state
