"""A FIFO queue. A state is the tuple of its elements, front first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from linpoint.models.line import Line
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import EMPTY, Op, Shipped, element, elements

Items = tuple[Any, ...]


class Queue(Shipped):
    """First in, first out: enqueue, dequeue, peek. Unbounded."""

    name = "queue"
    table: ClassVar[dict[str, Op]] = {
        "enqueue": Op("enq add offer push put send insert", takes="element"),
        "dequeue": Op(
            "deq remove poll pop take get receive recv", gives=element, reads=lambda _, result: result is EMPTY
        ),
        "peek": Op("front head first", gives=element, reads=True),
    }

    def __init__(self, initial: Sequence[Any] = ()) -> None:
        super().__init__(initial=initial)
        self.initial: Items = elements(initial)

    def enqueue(self, items: Items, new: Any) -> Outcome:
        """Put it at the back."""
        return (*items, new), ANY

    def dequeue(self, items: Items, _: None) -> Outcome:
        """Take the front element out."""
        return (items[1:], items[0]) if items else (items, EMPTY)

    def peek(self, items: Items, _: None) -> Outcome:
        """The front element."""
        return items, items[0] if items else EMPTY

    def sequential(self) -> Line:
        """Quick replay."""
        return Line(self, {"enqueue": ("push", "back"), "dequeue": ("pop", "front"), "peek": ("peek", "front")})
