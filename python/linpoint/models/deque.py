"""A double-ended queue. A state is the tuple of its elements, front first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from linpoint.models.line import Line
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import EMPTY, Op, Shipped, element, elements

Items = tuple[Any, ...]


def _found_empty(_: Any, result: Any) -> bool:
    return result is EMPTY


class Deque(Shipped):
    """A queue with two ends: push, pop and peek at the front and at the back. Unbounded."""

    name = "deque"
    table: ClassVar[dict[str, Op]] = {
        "push_front": Op("add_first addFirst appendleft push_left", takes="element"),
        "push_back": Op("add_last addLast append push_right", takes="element"),
        "pop_front": Op("poll_first pollFirst popleft pop_left remove_first", gives=element, reads=_found_empty),
        "pop_back": Op("poll_last pollLast pop pop_right remove_last", gives=element, reads=_found_empty),
        "peek_front": Op("peek_first peekFirst peek_left", gives=element, reads=True),
        "peek_back": Op("peek_last peekLast peek_right", gives=element, reads=True),
    }

    def __init__(self, initial: Sequence[Any] = ()) -> None:
        super().__init__(initial=initial)
        self.initial: Items = elements(initial)

    def push_front(self, items: Items, new: Any) -> Outcome:
        """Put it at the front."""
        return (new, *items), ANY

    def push_back(self, items: Items, new: Any) -> Outcome:
        """Put it at the back."""
        return (*items, new), ANY

    def pop_front(self, items: Items, _: None) -> Outcome:
        """Take the front element out."""
        return (items[1:], items[0]) if items else (items, EMPTY)

    def pop_back(self, items: Items, _: None) -> Outcome:
        """Take the back element out."""
        return (items[:-1], items[-1]) if items else (items, EMPTY)

    def peek_front(self, items: Items, _: None) -> Outcome:
        """The front element."""
        return items, items[0] if items else EMPTY

    def peek_back(self, items: Items, _: None) -> Outcome:
        """The back element."""
        return items, items[-1] if items else EMPTY

    def sequential(self) -> Line:
        """Quick replay."""
        return Line(
            self,
            {
                "push_front": ("push", "front"),
                "push_back": ("push", "back"),
                "pop_front": ("pop", "front"),
                "pop_back": ("pop", "back"),
                "peek_front": ("peek", "front"),
                "peek_back": ("peek", "back"),
            },
        )
