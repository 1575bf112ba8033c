"""The lock-free list of Harris and Michael: how can a node be unlinked while another thread inserts behind it?

M. Herlihy, N. Shavit, "The Art of Multiprocessor Programming", 2008, chapter 9.8. Case studies 9-1 (as printed first) and
9-2 (with the errata) of Yang, Katoen, Lin and Wu. Reference and mark of a node's successor change together: marking a node
makes every `cas` on its `next` fail.
"""

from linpoint.language import GREATEST, LEAST, Bool, Int, Node, Object, Ref, atomic, cas


class HMList(Object):
    """The revised version: linearizable and lock-free."""

    class Cell(Node):
        """One element; `marked` belongs to `next`. The first and the last one stay for ever."""

        key: Int
        next: Ref
        marked: Bool = False

    head: Ref = None

    def __init__(self) -> None:
        last = self.Cell(key=GREATEST, next=None)
        self.head = self.Cell(key=LEAST, next=last)

    def add(self, key: Int) -> Bool:
        """Put it in; was it out?"""
        while True:
            pred, curr = self._find(key)
            if curr.key == key:
                return False
            node = self.Cell(key=key, next=curr)
            if cas(pred, next=(curr, node), marked=(False, False)):
                return True

    def remove(self, key: Int) -> Bool:
        """Take it out; was it in?"""
        while True:
            pred, curr = self._find(key)
            if curr.key != key:
                return False
            succ = curr.next
            if cas(curr, next=(succ, succ), marked=(False, True)):
                cas(pred, next=(curr, succ), marked=(False, False))
                return True

    def contains(self, key: Int) -> Bool:
        """Is it in?"""
        curr = self.head
        while curr.key < key:
            curr = curr.next
        return curr.key == key and not curr.marked

    def _find(self, key: Int) -> tuple[Ref, Ref]:
        """The last unmarked node below the key and the one after it; unlinks marked nodes on the way."""
        pred = self.head
        curr = pred.next
        while True:
            with atomic():  # reference and mark are one word
                succ = curr.next
                marked = curr.marked
            if marked:
                if cas(pred, next=(curr, succ), marked=(False, False)):
                    curr = succ
                else:
                    pred = self.head
                    curr = pred.next
            elif curr.key >= key:
                return pred, curr
            else:
                pred = curr
                curr = succ


class HMListBuggy(HMList):
    """As printed first: **not linearizable**. Two removes of one key both answer true.

    `attemptMark` succeeds whenever the reference is the expected one, whatever the mark was, so the second remove marks a
    node that is marked already.
    """

    def remove(self, key: Int) -> Bool:
        """Take it out; was it in?"""
        while True:
            pred, curr = self._find(key)
            if curr.key != key:
                return False
            succ = curr.next
            if self._attempt_mark(curr, succ):
                cas(pred, next=(curr, succ), marked=(False, False))
                return True

    def _attempt_mark(self, node: Ref, expected: Ref) -> Bool:
        with atomic():
            if node.next is not expected:
                return False
            node.marked = True
            return True
