"""A stack whose nodes are freed as soon as they are taken off. There is a mistake in it: see docs/tutorial-verify.md."""

from linpoint.language import EMPTY, Node, Object, Ref, Value, cas, free


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
                v = t.value
                free(t)
                return v
