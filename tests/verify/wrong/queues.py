"""Queues with one mistake each: what is wrong stands in the docstring."""

from linpoint.language import EMPTY, Lock, Node, Object, Ref, Value, cas, swap


class Queue(Object):
    class Cell(Node):
        value: Value
        next: Ref

    head: Ref = None
    tail: Ref = None
    head_lock: Lock = Lock()
    tail_lock: Lock = Lock()

    def __init__(self) -> None:
        dummy = self.Cell(value=None, next=None)
        self.head = dummy
        self.tail = dummy

    def enqueue(self, v: Value) -> None:
        x = self.Cell(value=v, next=None)
        with self.tail_lock:
            t = self.tail
            t.next = x
            self.tail = x

    def dequeue(self) -> Value:
        with self.head_lock:
            s = self.head.next
            if s is None:
                return EMPTY
            self.head = s
            return s.value


class ReleasesEarly(Queue):
    """Dequeue lets the lock go before it moves head: two dequeues return the same element."""

    def dequeue(self) -> Value:
        with self.head_lock:
            s = self.head.next
        if s is None:
            return EMPTY
        self.head = s
        return s.value


class TailFirst(Queue):
    """Enqueue moves tail before it links its node: an element that is in for good is hidden behind one that is not linked yet."""

    def enqueue(self, v: Value) -> None:
        x = self.Cell(value=v, next=None)
        t = swap(self, tail=x)
        t.next = x


class OverwritesNext(Queue):
    """Michael and Scott's enqueue with a plain write where the `cas` on `next` should be: one of two enqueues is lost."""

    def enqueue(self, v: Value) -> None:
        x = self.Cell(value=v, next=None)
        while True:
            t = self.tail
            s = t.next
            if s is None:
                t.next = x
                cas(self, tail=(t, x))
                return
            cas(self, tail=(t, s))
