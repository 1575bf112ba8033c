"""Treiber's stack with one mistake each: what is wrong stands in the docstring."""

from linpoint.language import (
    EMPTY,
    THREADS,
    Array,
    Bool,
    Node,
    Object,
    Ref,
    Value,
    cas,
    free,
    thread_id,
)


class Stack(Object):
    class Cell(Node):
        value: Value
        next: Ref

    top: Ref = None

    def push(self, v: Value) -> None:
        n = self.Cell(value=v, next=None)
        while True:
            t = self.top
            n.next = t
            if cas(self, top=(t, n)):
                return

    def pop(self) -> Value:
        while True:
            t = self.top
            if t is None:
                return EMPTY
            n = t.next
            if cas(self, top=(t, n)):
                return t.value


class FreesAtOnce(Stack):
    """ABA: a node is freed while another thread holds it, comes back as the top with another successor, and `cas` succeeds."""

    def pop(self) -> Value:
        while True:
            t = self.top
            if t is None:
                return EMPTY
            n = t.next
            if cas(self, top=(t, n)):
                v = t.value
                free(t)
                return v


class PlainWrite(Stack):
    """Pop writes top without looking whether it is still what it read: two pops take the same element."""

    def pop(self) -> Value:
        t = self.top
        if t is None:
            return EMPTY
        self.top = t.next
        return t.value


class LinksLate(Stack):
    """Push links its node after it has published it: a pop in between loses everything below."""

    def push(self, v: Value) -> None:
        n = self.Cell(value=v, next=None)
        while True:
            t = self.top
            if cas(self, top=(t, n)):
                n.next = t
                return


class AnnouncesTooLate(Stack):
    """Hazard pointers without the second look at top: the node may have been freed, and used again, before it was announced."""

    hazard: Array[Ref] = Array(THREADS, None)

    def pop(self) -> Value:
        me = thread_id()
        while True:
            t = self.top
            if t is None:
                return EMPTY
            self.hazard[me] = t
            n = t.next
            if cas(self, top=(t, n)):
                break
        v = t.value
        self.hazard[me] = None
        if not self._announced(t):
            free(t)
        return v

    def _announced(self, t: Ref) -> Bool:
        for j in range(THREADS):  # noqa: SIM110
            if self.hazard[j] is t:
                return True
        return False
