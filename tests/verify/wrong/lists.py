"""Sorted lists with one mistake each: what is wrong stands in the docstring."""

from linpoint.language import GREATEST, LEAST, Bool, Int, Lock, Node, Object, Ref, cas


class SortedList(Object):
    class Cell(Node):
        key: Int
        next: Ref
        marked: Bool = False
        lock: Lock = Lock()

    head: Ref = None

    def __init__(self) -> None:
        last = self.Cell(key=GREATEST, next=None)
        self.head = self.Cell(key=LEAST, next=last)

    def add(self, key: Int) -> Bool:
        pred, curr = self._locked(key)
        absent: Bool = curr.key != key
        if absent:
            pred.next = self.Cell(key=key, next=curr)
        curr.lock.release()
        pred.lock.release()
        return absent

    def remove(self, key: Int) -> Bool:
        pred, curr = self._locked(key)
        present: Bool = curr.key == key
        if present:
            curr.marked = True
            pred.next = curr.next
        curr.lock.release()
        pred.lock.release()
        return present

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        pred = self.head
        pred.lock.acquire()
        curr = pred.next
        curr.lock.acquire()
        while curr.key < key:
            pred.lock.release()
            pred = curr
            curr = curr.next
            curr.lock.acquire()
        return pred, curr


class LetsGoFirst(SortedList):
    """Hand over hand, but the first lock is released before the next is taken: the node in between can be removed there."""

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        pred = self.head
        pred.lock.acquire()
        curr = pred.next
        while curr.key < key:
            pred.lock.release()
            pred = curr
            pred.lock.acquire()
            curr = pred.next
        curr.lock.acquire()
        return pred, curr


class NeverLooksAgain(SortedList):
    """The optimistic list without validation: neighbours that were found without locks may be neighbours no more."""

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        pred = self.head
        curr = pred.next
        while curr.key < key:
            pred = curr
            curr = curr.next
        pred.lock.acquire()
        curr.lock.acquire()
        return pred, curr


class IgnoresMarks(SortedList):
    """The lazy list, but validation looks at `next` only: an element is added behind a node that is removed already."""

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        while True:
            pred = self.head
            curr = pred.next
            while curr.key < key:
                pred = curr
                curr = curr.next
            pred.lock.acquire()
            curr.lock.acquire()
            if pred.next is curr:
                return pred, curr
            curr.lock.release()
            pred.lock.release()


class DropsTheMark(SortedList):
    """The lock-free list that unlinks a node without marking it: a node that is added behind it at that moment is lost."""

    def add(self, key: Int) -> Bool:
        while True:
            pred, curr = self._found(key)
            if curr.key == key:
                return False
            if cas(pred, next=(curr, self.Cell(key=key, next=curr))):
                return True

    def remove(self, key: Int) -> Bool:
        while True:
            pred, curr = self._found(key)
            if curr.key != key:
                return False
            if cas(pred, next=(curr, curr.next)):
                return True

    def _found(self, key: Int) -> tuple[Ref, Ref]:
        pred = self.head
        curr = pred.next
        while curr.key < key:
            pred = curr
            curr = curr.next
        return pred, curr
