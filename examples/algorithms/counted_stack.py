"""The stack of stack.py, repaired: a counter beside `top` changes with every push and pop. See docs/tutorial-verify.md."""

from linpoint.language import EMPTY, Int, Node, Object, Ref, Value, atomic, cas, free


class Stack(Object):
    class Cell(Node):
        value: Value
        next: Ref

    top: Ref = None
    count: Int = 0

    def push(self, v: Value) -> None:
        n = self.Cell(value=v, next=None)
        while True:
            t, k = self._look()
            n.next = t
            if cas(self, top=(t, n), count=(k, k + 1)):
                return

    def pop(self) -> Value:
        while True:
            t, k = self._look()
            if t is None:
                return EMPTY
            n = t.next
            if cas(self, top=(t, n), count=(k, k + 1)):
                v = t.value
                free(t)
                return v

    def _look(self) -> tuple[Ref, Int]:
        with atomic():  # pointer and counter are one double word, read in one step
            return self.top, self.count
