"""What is common to queues, deques and sets: `java.util.Collection`. Subclasses say how an element comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Collection:
    """Elements in the order in which Java would iterate over them."""

    def __init__(self) -> None:
        self.elements: list[int] = []

    def add(self, element: int) -> bool:
        self.elements.append(element)
        return True

    def addAll(self, elements: Iterable[int]) -> bool:
        """One after the other, until one is refused; true if any came in."""
        changed = False
        for element in elements:
            changed = self.add(element) or changed
        return changed

    def clear(self) -> None:
        self.elements.clear()

    def contains(self, element: int) -> bool:
        return element in self.elements

    def containsAll(self, elements: Iterable[int]) -> bool:
        return all(element in self.elements for element in elements)

    def isEmpty(self) -> bool:
        return not self.elements

    def remove(self, element: int) -> bool:
        """Takes the first occurrence out; true if there was one."""
        if element not in self.elements:
            return False
        self.elements.remove(element)
        return True

    def removeAll(self, elements: list[int]) -> bool:
        return self._keep(lambda element: element not in elements)

    def retainAll(self, elements: list[int]) -> bool:
        return self._keep(lambda element: element in elements)

    def size(self) -> int:
        return len(self.elements)

    def toArray(self) -> list[int]:
        return list(self.elements)

    def toString(self) -> str:
        return f"[{', '.join(map(str, self.elements))}]"

    def _keep(self, wanted: Callable[[int], bool]) -> bool:
        """Keeps the wanted elements; true if any was not."""
        before = len(self.elements)
        self.elements = [element for element in self.elements if wanted(element)]
        return len(self.elements) < before

    def __repr__(self) -> str:
        return self.toString()
