"""A LIFO stack. A state is the tuple of its elements, bottom first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from linpoint.models.line import Line
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import EMPTY, Op, Shipped, element, elements

Items = tuple[Any, ...]


class Stack(Shipped):
    """Last in, first out: push, pop, peek. Unbounded."""

    name = "stack"
    table: ClassVar[dict[str, Op]] = {
        "push": Op("add put insert", takes="element"),
        "pop": Op("remove poll take get", gives=element, reads=lambda _, result: result is EMPTY),
        "peek": Op("top", gives=element, reads=True),
    }

    def __init__(self, initial: Sequence[Any] = ()) -> None:
        super().__init__(initial=initial)
        self.initial: Items = elements(initial)

    def push(self, items: Items, new: Any) -> Outcome:
        """Put it on top."""
        return (*items, new), ANY

    def pop(self, items: Items, _: None) -> Outcome:
        """Take the top element off."""
        return (items[:-1], items[-1]) if items else (items, EMPTY)

    def peek(self, items: Items, _: None) -> Outcome:
        """The top element."""
        return items, items[-1] if items else EMPTY

    def sequential(self) -> Line:
        """Quick replay."""
        return Line(self, {"push": ("push", "back"), "pop": ("pop", "back"), "peek": ("peek", "back")})
