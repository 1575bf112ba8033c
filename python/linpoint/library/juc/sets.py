"""A sorted set: `java.util.concurrent.ConcurrentSkipListSet`."""

from __future__ import annotations

from linpoint.library.juc.collection import Collection
from linpoint.library.juc.exceptions import NoSuchElementException


class ConcurrentSkipListSet(Collection):
    """Each element once, in ascending order."""

    def add(self, element: int) -> bool:
        if element in self.elements:
            return False
        self.elements = sorted([*self.elements, element])
        return True

    def first(self) -> int:
        if not self.elements:
            raise NoSuchElementException
        return self.elements[0]

    def last(self) -> int:
        if not self.elements:
            raise NoSuchElementException
        return self.elements[-1]

    def pollFirst(self) -> int | None:
        return self.elements.pop(0) if self.elements else None

    def pollLast(self) -> int | None:
        return self.elements.pop() if self.elements else None

    def ceiling(self, bound: int) -> int | None:
        return min((element for element in self.elements if element >= bound), default=None)

    def floor(self, bound: int) -> int | None:
        return max((element for element in self.elements if element <= bound), default=None)

    def higher(self, bound: int) -> int | None:
        return min((element for element in self.elements if element > bound), default=None)

    def lower(self, bound: int) -> int | None:
        return max((element for element in self.elements if element < bound), default=None)
