"""What do objects that no shipped model describes answer when one thread calls them? Ordinary classes, one method per operation.

They are the specifications of `studies.py`: each method is one atomic step. A method that must wait raises `Blocked` and
changes nothing.
"""

from __future__ import annotations

from typing import Any

from linpoint.errors import Blocked


class ConditionalSwap:
    """A cell and a flag: the cell changes only while the flag is set."""

    def __init__(self) -> None:
        self.cell: Any = 0
        self.flag = False

    def ccas(self, old: Any, new: Any) -> Any:
        """If the cell holds `old` and the flag is set, give it `new`; what it held."""
        found = self.cell
        if found == old and self.flag:
            self.cell = new
        return found

    def set_flag(self, flag: bool) -> None:
        """Set or clear the flag."""
        self.flag = flag


class DoubleCompareSwap:
    """A control word and a data word: the data word changes only while the control word has the value that is named."""

    def __init__(self) -> None:
        self.control: Any = 0
        self.data: Any = 0

    def rdcss(self, control: Any, old: Any, new: Any) -> Any:
        """If the data word holds `old` and the control word `control`, give the data word `new`; what it held."""
        found = self.data
        if found == old and self.control == control:
            self.data = new
        return found

    def write(self, value: Any) -> None:
        """Give the control word a value."""
        self.control = value


class BlockingQueue:
    """First in, first out; a dequeue of the empty queue waits."""

    def __init__(self) -> None:
        self.elements: list[Any] = []

    def enqueue(self, element: Any) -> None:
        """Put it at the back."""
        self.elements.append(element)

    def dequeue(self) -> Any:
        """Take the front element out."""
        if not self.elements:
            raise Blocked("the queue is empty")
        return self.elements.pop(0)
