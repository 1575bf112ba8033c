"""How can threads share a queue? Four answers: two without locks, one with two, and one that is nothing but an array.

Case studies 4, 5 and 12 and the introduction of X. Yang, J.-P. Katoen, H. Lin, H. Wu, "Proving Linearizability via
Branching Bisimulation", with the known result of each.
"""

from linpoint.language import EMPTY, OPERATIONS, Array, Int, Lock, Node, Object, Ref, Value, cas, fetch_and_add


class LinkedQueue(Object):
    """What the linked queues have in common: elements behind a dummy, which is the node that was taken out last."""

    class Cell(Node):
        """One element."""

        value: Value
        next: Ref

    head: Ref = None
    tail: Ref = None

    def __init__(self) -> None:
        dummy = self.Cell(value=None, next=None)
        self.head = dummy
        self.tail = dummy


class MSQueue(LinkedQueue):
    """Michael and Scott's: linearizable and lock-free.

    M. M. Michael, M. L. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue Algorithms", PODC
    1996. Case study 4, Figure 5. Adding takes two writes: the tail may lag behind by one node, and whoever notices moves it
    on. A dequeue that answers EMPTY took effect when it read `h.next`, which it only knows later.
    """

    def enqueue(self, v: Value) -> None:
        """Put it at the back."""
        x = self.Cell(value=v, next=None)
        while True:
            t = self.tail
            s = t.next
            if t is not self.tail:
                continue
            if s is None:
                if cas(t, next=(None, x)):
                    cas(self, tail=(t, x))
                    return
            else:
                cas(self, tail=(t, s))

    def dequeue(self) -> Value:
        """Take the front element out."""
        while True:
            h = self.head
            t = self.tail
            s = h.next
            if h is not self.head:
                continue
            if h is t:
                if s is None:
                    return EMPTY
                cas(self, tail=(t, s))
            else:
                v = s.value
                if cas(self, head=(h, s)):
                    return v


class DGLMQueue(MSQueue):
    """The variant of Doherty, Groves, Luchangco and Moir: linearizable and lock-free.

    S. Doherty, L. Groves, V. Luchangco, M. Moir, "Formal Verification of a Practical Lock-Free Queue Algorithm", FORTE
    2004. Case study 5. A dequeue looks at the tail only after it has taken an element, to help it along where head has
    overtaken it. Divergence-sensitive branching bisimilar to the queue of Michael and Scott: each can be the other's
    abstract object.
    """

    def dequeue(self) -> Value:
        """Take the front element out."""
        while True:
            h = self.head
            s = h.next
            if h is not self.head:
                continue
            if s is None:
                return EMPTY
            v = s.value
            if cas(self, head=(h, s)):
                t = self.tail
                if t is h:
                    cas(self, tail=(t, s))
                return v


class TwoLockQueue(LinkedQueue):
    """Michael and Scott's queue with two locks: linearizable.

    From the same paper as the lock-free one. Case study 12. An enqueue and a dequeue can go on at the same time; they meet
    only in the field `next` of the dummy, where the queue is empty.
    """

    head_lock: Lock = Lock()
    tail_lock: Lock = Lock()

    def enqueue(self, v: Value) -> None:
        """Put it at the back."""
        x = self.Cell(value=v, next=None)
        with self.tail_lock:
            t = self.tail
            t.next = x
            self.tail = x

    def dequeue(self) -> Value:
        """Take the front element out."""
        with self.head_lock:
            h = self.head
            s = h.next
            if s is None:
                return EMPTY
            v = s.value
            self.head = s
        return v


class HWQueue(Object):
    """Herlihy and Wing's: linearizable, if a dequeue may wait for an element; not lock-free, since it waits by trying.

    M. P. Herlihy, J. M. Wing, "Linearizability: A Correctness Condition for Concurrent Objects", ACM TOPLAS 12(3), 1990.
    Figure 1. An enqueue is two steps, and which of them is its linearization point depends on what dequeues do later. The
    array is as long as there are operations.
    """

    back: Int = 0
    slots: Array[Value] = Array(OPERATIONS, None)

    def enqueue(self, v: Value) -> None:
        """Put it at the back."""
        i = fetch_and_add(self, back=1)
        self.slots[i] = v

    def dequeue(self) -> Value:
        """Take the front element out; try again until there is one."""
        while True:
            last = self.back
            for i in range(last):
                x = self.slots.swap(i, None)
                if x is not None:
                    return x
