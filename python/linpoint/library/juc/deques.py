"""Elements come and go at both ends: `java.util.Deque`, which as a queue takes in at the tail and gives from the head."""

from __future__ import annotations

from linpoint.library.juc.exceptions import NoSuchElementException
from linpoint.library.juc.queues import BlockingQueue, Queue


class Deque(Queue):
    """The head is the first end, the tail the last. There is always room."""

    def addFirst(self, element: int) -> None:
        self.elements.insert(0, element)

    def addLast(self, element: int) -> None:
        self.elements.append(element)

    def offerFirst(self, element: int) -> bool:
        self.elements.insert(0, element)
        return True

    def offerLast(self, element: int) -> bool:
        self.elements.append(element)
        return True

    def push(self, element: int) -> None:
        self.elements.insert(0, element)

    def peekFirst(self) -> int | None:
        return self.elements[0] if self.elements else None

    def peekLast(self) -> int | None:
        return self.elements[-1] if self.elements else None

    def pollFirst(self) -> int | None:
        return self.elements.pop(0) if self.elements else None

    def pollLast(self) -> int | None:
        return self.elements.pop() if self.elements else None

    def getFirst(self) -> int:
        self._must_have_one()
        return self.elements[0]

    def getLast(self) -> int:
        self._must_have_one()
        return self.elements[-1]

    def removeFirst(self) -> int:
        self._must_have_one()
        return self.elements.pop(0)

    def removeLast(self) -> int:
        self._must_have_one()
        return self.elements.pop()

    def pop(self) -> int:
        self._must_have_one()
        return self.elements.pop(0)

    def removeFirstOccurrence(self, element: int) -> bool:
        return bool(self.remove(element))

    def removeLastOccurrence(self, element: int) -> bool:
        if element not in self.elements:
            return False
        self.elements.reverse()
        self.elements.remove(element)
        self.elements.reverse()
        return True

    def _must_have_one(self) -> None:
        if not self.elements:
            raise NoSuchElementException


class ConcurrentLinkedDeque(Deque):
    """Without a limit."""


class LinkedBlockingDeque(Deque, BlockingQueue):
    """With a capacity that is never reached."""
