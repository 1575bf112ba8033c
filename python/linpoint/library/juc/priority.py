"""The least element leaves first: `java.util.concurrent.PriorityBlockingQueue`.

`toString` and `toArray` show the elements in the order of the heap, so the heap must be Java's own: the sifting below follows
`siftUpComparable`, `siftDownComparable`, `removeAt` and `bulkRemove` of Java 17. Python's `heapq` sifts in another way.
"""

from __future__ import annotations

from collections.abc import Callable

from linpoint.library.juc.exceptions import NoSuchElementException
from linpoint.library.juc.queues import MAX_VALUE, BlockingQueue


class PriorityBlockingQueue(BlockingQueue):
    """Without a limit; `elements` is the heap: no element is greater than its children, 2i + 1 and 2i + 2."""

    def offer(self, element: int) -> bool:
        self.elements.append(element)
        self._sift_up(len(self.elements) - 1)
        return True

    def poll(self) -> int | None:
        return self._take(0) if self.elements else None

    def remove(self, *element: int) -> int | bool:  # type: ignore[override]
        """`remove()` takes the least, `remove(x)` the first x of the heap."""
        if not element:
            if not self.elements:
                raise NoSuchElementException
            return self._take(0)
        if element[0] not in self.elements:
            return False
        self._take(self.elements.index(element[0]))
        return True

    def remainingCapacity(self) -> int:
        return MAX_VALUE

    def drainTo(self) -> list[int]:
        """The least first."""
        drained, self.elements = sorted(self.elements), []
        return drained

    def _keep(self, wanted: Callable[[int], bool]) -> bool:
        changed = super()._keep(wanted)
        if changed:
            for place in reversed(range(len(self.elements) // 2)):
                self._sift_down(place)
        return changed

    def _take(self, place: int) -> int:
        """Takes an element out; the last one fills its place."""
        taken, last = self.elements[place], self.elements.pop()
        if place < len(self.elements):
            self.elements[place] = last
            self._sift_down(place)
            if self.elements[place] == last:
                self._sift_up(place)
        return taken

    def _sift_up(self, place: int) -> None:
        heap = self.elements
        while place > 0 and heap[place] < heap[parent := (place - 1) // 2]:
            heap[place], heap[parent] = heap[parent], heap[place]
            place = parent

    def _sift_down(self, place: int) -> None:
        heap = self.elements
        while (child := 2 * place + 1) < len(heap):
            if child + 1 < len(heap) and heap[child] > heap[child + 1]:
                child += 1
            if heap[place] <= heap[child]:
                return
            heap[place], heap[child] = heap[child], heap[place]
            place = child
