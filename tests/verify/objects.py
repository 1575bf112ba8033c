"""Small objects with known properties, for the tests."""

from linpoint.language import (
    Array,
    Bool,
    Int,
    Lock,
    Node,
    Object,
    Ref,
    Value,
    Word,
    atomic,
    cas,
    fetch_and_add,
    free,
    wait,
)


class Counter(Object):
    """Wait-free: one instruction."""

    count: Int = 0

    def increment(self):
        return fetch_and_add(self, count=1)


class LoopingCounter(Object):
    """Lock-free: an increment that fails tries again."""

    count: Int = 0

    def increment(self):
        while True:
            seen = self.count
            if cas(self, count=(seen, seen + 1)):
                return seen


class TwoLooks(Object):
    """A register whose reader looks twice."""

    held: Int = 0

    def write(self, v):
        self.held = v

    def read(self):
        seen = 0
        for _ in range(2):
            seen = self.held
        return seen


class LostUpdate(Object):
    """Reads, then writes: two increments may both return 0."""

    count: Int = 0

    def increment(self):
        seen = self.count
        self.count = seen + 1
        return seen


class TwoLocks(Object):
    """Takes its locks in two orders: a deadlock."""

    first: Lock = Lock()
    second: Lock = Lock()
    turns: Int = 0

    def forth(self):
        self.first.acquire()
        self.second.acquire()
        self.second.release()
        self.first.release()

    def back(self):
        self.second.acquire()
        self.first.acquire()
        self.first.release()
        self.second.release()


class Careless(Object):
    """Looks at the top and forgets that it may be gone."""

    class Cell(Node):
        value: Value
        next: Ref

    top: Ref = None

    def push(self, v):
        self.top = self.Cell(value=v, next=self.top)

    def pop(self):
        if self.top is not None:
            v = self.top.value
            self.top = self.top.next
            return v
        return None


class AbaStack(Object):
    """Treiber's stack, freeing what it pops: a freed address comes back while another thread still holds it."""

    class Cell(Node):
        value: Value
        next: Ref

    top: Ref = None

    def push(self, v):
        n = self.Cell(value=v, next=None)
        while True:
            t = self.top
            n.next = t
            if cas(self, top=(t, n)):
                return

    def pop(self):
        while True:
            t = self.top
            if t is None:
                return None
            n = t.next
            if cas(self, top=(t, n)):
                v = t.value
                free(t)
                return v


class Overflow(Object):
    """Counts beyond what a cell holds."""

    count: Int = 100

    def jump(self):
        fetch_and_add(self, count=50)


class Slot(Object):
    """A place for one value; put waits until it is free, take until it is not."""

    held: Word = None

    def put(self, v):
        with atomic():
            wait(self.held is None)
            self.held = v

    def take(self):
        with atomic():
            wait(self.held is not None)
            v = self.held
            self.held = None
            return v


class QuietSet(Object):
    """Says nothing of what it did."""

    present: Array[Bool] = Array(3, False)

    def add(self, k: Int):
        self.present[k] = True

    def remove(self, k: Int):
        self.present[k] = False

    def contains(self, k: Int):
        return self.present[k]


class OddSet(Object):
    """Answers with a number where a set says yes or no."""

    present: Array[Bool] = Array(3, False)

    def add(self, k: Int):
        self.present[k] = True
        return 1
