"""How can threads share a stack without a lock? Treiber's, and two ways to free its nodes.

Case studies 1 to 3 of X. Yang, J.-P. Katoen, H. Lin, H. Wu, "Proving Linearizability via Branching Bisimulation", with the
known result of each.
"""

from linpoint.language import EMPTY, THREADS, Array, Bool, Node, Object, Ref, Value, atomic, cas, free, thread_id


class TreiberStack(Object):
    """Linearizable and lock-free.

    R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986. Case study 1. Memory is collected: a
    node that a thread still refers to is never given out again, so the ABA problem cannot arise. Both operations take
    effect at their `cas`; a pop of the empty stack where it reads top.
    """

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


class TreiberStackHazard(TreiberStack):
    """With hazard pointers: linearizable and lock-free.

    M. M. Michael, "Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects", IEEE TPDS 15(6), 2004. Case study 2.
    Nodes are freed and their addresses used again. A thread announces the node that it is about to use; who has taken a
    node off keeps it in a list of its own until it has read every announcement, each once, and found it in none. So nobody
    ever waits.
    """

    class Retired(Node):
        """An entry in a thread's list of nodes that it has taken off and not yet freed."""

        node: Ref
        rest: Ref

    class Row(Node):
        """What a scan has read; known to its thread only."""

        seen: Array[Ref] = Array(THREADS, None)

    hazard: Array[Ref] = Array(THREADS, None)
    retired: Array[Ref] = Array(THREADS, None)

    def pop(self) -> Value:
        """Take the top element off."""
        me = thread_id()
        while True:
            t = self.top
            if t is None:
                self.hazard[me] = None
                return EMPTY
            self.hazard[me] = t
            if self.top is not t:  # it may have been freed before it was announced
                continue
            n = t.next
            if cas(self, top=(t, n)):
                break
        v = t.value
        self.hazard[me] = None
        self._retire(t)
        return v

    def _retire(self, node: Ref) -> None:
        me = thread_id()
        row = self.Row()
        for j in range(THREADS):
            row.seen[j] = self.hazard[j]
        with atomic():  # the list is this thread's own: nobody can see how it is gone through
            entry = self.Retired(node=node, rest=self.retired[me])
            self.retired[me] = None
            while entry is not None:
                if self._seen(row, entry.node):
                    self.retired[me] = self.Retired(node=entry.node, rest=self.retired[me])
                else:
                    free(entry.node)
                entry = entry.rest

    def _seen(self, row: Ref, node: Ref) -> Bool:
        for j in range(THREADS):  # noqa: SIM110 - plain loops are in the language, generators are not
            if row.seen[j] is node:
                return True
        return False


class TreiberStackHazardFu(TreiberStackHazard):
    """With hazard pointers, revised: linearizable, but **not lock-free**.

    M. Fu, Y. Li, X. Feng, Z. Shao, Y. Zhang, "Reasoning about Optimistic Concurrency Using a Program Logic for History",
    CONCUR 2010. Case study 3. Who has taken a node off waits until nobody announces it, then frees it. Thread 1 pops: it
    reads top and announces the node. Thread 2 pops the same node, and reads thread 1's announcement over and over: a cycle
    without a return, as long as thread 1 takes no step.
    """

    def _retire(self, node: Ref) -> None:
        me = thread_id()
        for j in range(THREADS):
            if j != me:
                while self.hazard[j] is node:
                    pass
        free(node)
