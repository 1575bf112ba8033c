"""Treiber's stack: how can threads share a stack without a lock?

R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986. Case study 1 of Yang, Katoen, Lin and Wu.
Memory is collected: a node that a thread still refers to is never given out again, so the ABA problem cannot arise.
"""

from linpoint.language import EMPTY, Node, Object, Ref, Value, cas


class TreiberStack(Object):
    """Linearizable and lock-free. Both operations take effect at their `cas`; a pop of the empty stack where it reads top."""

    class Cell(Node):
        """One element."""

        value: Value
        next: Ref

    top: Ref = None

    def push(self, v: Value) -> None:
        """Put it on top."""
        n = self.Cell(value=v, next=None)
        while True:
            t = self.top
            n.next = t  # n is still private: no step of its own
            if cas(self, top=(t, n)):
                return

    def pop(self) -> Value:
        """Take the top element off."""
        while True:
            t = self.top
            if t is None:
                return EMPTY
            n = t.next
            if cas(self, top=(t, n)):
                return t.value
