"""How few locks does a sorted list need? Three sets as linked lists, each with fewer locks than the one before.

M. Herlihy, N. Shavit, "The Art of Multiprocessor Programming", 2008, chapter 9. Case studies 8, 10 and 11 of X. Yang, J.-P.
Katoen, H. Lin, H. Wu, "Proving Linearizability via Branching Bisimulation", with the known result of each. The list without
any lock is in `hm_list.py`.
"""

from linpoint.language import GREATEST, LEAST, Bool, Int, Lock, Node, Object, Ref


class FineList(Object):
    """A lock in every node, hand over hand: linearizable.

    Chapter 9.5. Case study 8. A thread holds the locks of two neighbours, and takes the next one before it lets the first
    one go. Operations cannot overtake each other on their way through the list.
    """

    class Cell(Node):
        """One element; the first and the last one stay for ever."""

        key: Int
        next: Ref
        lock: Lock = Lock()

    head: Ref = None

    def __init__(self) -> None:
        last = self.Cell(key=GREATEST, next=None)
        self.head = self.Cell(key=LEAST, next=last)

    def add(self, key: Int) -> Bool:
        """Put it in; was it out?"""
        pred, curr = self._locked(key)
        absent: Bool = curr.key != key
        if absent:
            pred.next = self.Cell(key=key, next=curr)
        curr.lock.release()
        pred.lock.release()
        return absent

    def remove(self, key: Int) -> Bool:
        """Take it out; was it in?"""
        pred, curr = self._locked(key)
        present: Bool = curr.key == key
        if present:
            pred.next = curr.next
        curr.lock.release()
        pred.lock.release()
        return present

    def contains(self, key: Int) -> Bool:
        """Is it in?"""
        pred, curr = self._locked(key)
        present: Bool = curr.key == key
        curr.lock.release()
        pred.lock.release()
        return present

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        """The last node below the key and the one after it, both locked."""
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


class OptimisticList(FineList):
    """Searched without locks, then looked at again: linearizable.

    Chapter 9.6. Case study 10. Two neighbours are found without a lock, then locked, and the list is gone through once
    more: are they still in it, and neighbours?
    """

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        """The last node below the key and the one after it, locked and still neighbours."""
        while True:
            pred = self.head
            curr = pred.next
            while curr.key < key:
                pred = curr
                curr = curr.next
            pred.lock.acquire()
            curr.lock.acquire()
            if self._valid(pred, curr):
                return pred, curr
            curr.lock.release()
            pred.lock.release()

    def _valid(self, pred: Ref, curr: Ref) -> Bool:
        """Is pred in the list, and curr its successor?"""
        node = self.head
        while node.key <= pred.key:
            if node is pred:
                return pred.next is curr
            node = node.next
        return False


class LazyList(Object):
    """Nodes say when they are removed: linearizable.

    S. Heller, M. Herlihy, V. Luchangco, M. Moir, W. N. Scherer III, N. Shavit, "A Lazy Concurrent List-Based Set
    Algorithm", Parallel Processing Letters 17(4), 2007. Case study 11. A node is marked before it is unlinked; locked
    neighbours are valid if neither is marked, so the list need not be gone through again, and `contains` takes no lock. A
    `contains` that fails may take effect while another thread adds.
    """

    class Cell(Node):
        """One element; the first and the last one stay for ever."""

        key: Int
        next: Ref
        marked: Bool = False
        lock: Lock = Lock()

    head: Ref = None

    def __init__(self) -> None:
        last = self.Cell(key=GREATEST, next=None)
        self.head = self.Cell(key=LEAST, next=last)

    def add(self, key: Int) -> Bool:
        """Put it in; was it out?"""
        pred, curr = self._locked(key)
        absent: Bool = curr.key != key
        if absent:
            pred.next = self.Cell(key=key, next=curr)
        curr.lock.release()
        pred.lock.release()
        return absent

    def remove(self, key: Int) -> Bool:
        """Take it out; was it in?"""
        pred, curr = self._locked(key)
        present: Bool = curr.key == key
        if present:
            curr.marked = True
            pred.next = curr.next
        curr.lock.release()
        pred.lock.release()
        return present

    def contains(self, key: Int) -> Bool:
        """Is it in?"""
        curr = self.head
        while curr.key < key:
            curr = curr.next
        return curr.key == key and not curr.marked

    def _locked(self, key: Int) -> tuple[Ref, Ref]:
        """The last node below the key and the one after it, locked, unmarked and still neighbours."""
        while True:
            pred = self.head
            curr = pred.next
            while curr.key < key:
                pred = curr
                curr = curr.next
            pred.lock.acquire()
            curr.lock.acquire()
            if not pred.marked and not curr.marked and pred.next is curr:
                return pred, curr
            curr.lock.release()
            pred.lock.release()
