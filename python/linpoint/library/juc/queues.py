"""First in, first out: `java.util.Queue`, and what the blocking queues add to it."""

from __future__ import annotations

from linpoint.library.juc.collection import Collection
from linpoint.library.juc.exceptions import IllegalStateException, NoSuchElementException

MAX_VALUE = 2**31 - 1
"""Java's largest int: the capacity of what has no limit."""


class Queue(Collection):
    """Elements leave at the head, the first of them. Of `java.util.Queue` and `AbstractQueue`."""

    def offer(self, element: int) -> bool:
        return self.add(element)

    def poll(self) -> int | None:
        return self.elements.pop(0) if self.elements else None

    def peek(self) -> int | None:
        return self.elements[0] if self.elements else None

    def element(self) -> int:
        if not self.elements:
            raise NoSuchElementException
        return self.elements[0]

    def remove(self, *element: int) -> int | bool:  # type: ignore[override]
        """`remove()` takes the head, `remove(x)` takes the first x."""
        if element:
            return super().remove(*element)
        if not self.elements:
            raise NoSuchElementException
        return self.elements.pop(0)


class BlockingQueue(Queue):
    """A queue with a capacity. Of `java.util.concurrent.BlockingQueue` only what never waits."""

    def __init__(self, capacity: int = MAX_VALUE) -> None:
        super().__init__()
        self.capacity = capacity

    def offer(self, element: int) -> bool:
        if len(self.elements) >= self.capacity:
            return False
        self.elements.append(element)
        return True

    def add(self, element: int) -> bool:
        if not self.offer(element):
            raise IllegalStateException
        return True

    def put(self, element: int) -> None:
        """Would wait for room; here there always is some."""
        self.add(element)

    def remainingCapacity(self) -> int:
        return self.capacity - len(self.elements)

    def drainTo(self) -> list[int]:
        """Moves all elements to another collection: the list that is returned."""
        drained, self.elements = self.elements, []
        return drained


class ConcurrentLinkedQueue(Queue):
    """Without a limit."""


class ArrayBlockingQueue(BlockingQueue):
    """With a fixed capacity; the recorder makes it 4."""

    def __init__(self) -> None:
        super().__init__(capacity=4)


class LinkedBlockingQueue(BlockingQueue):
    """With a capacity that is never reached."""


class LinkedTransferQueue(BlockingQueue):
    """Producers may wait for consumers; none ever waits here, since no method that waits is called."""

    def remainingCapacity(self) -> int:
        return MAX_VALUE

    def tryTransfer(self, element: int) -> bool:  # noqa: ARG002
        """Hands over to a consumer that waits."""
        return False

    def hasWaitingConsumer(self) -> bool:
        return False

    def getWaitingConsumerCount(self) -> int:
        return 0
