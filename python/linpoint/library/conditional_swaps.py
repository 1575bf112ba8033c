"""How can one word change only if a second word has a certain value? CCAS and RDCSS.

A call first puts a descriptor of itself into the word; whoever meets one completes that call before its own. Case studies 6
and 7 of X. Yang, J.-P. Katoen, H. Lin, H. Wu, "Proving Linearizability via Branching Bisimulation", with the known result
of each.
"""

from linpoint.language import Bool, Node, Object, Ref, Value, Word, cas, compare_exchange


class CCAS(Object):
    """Conditional compare-and-swap: linearizable and lock-free.

    A. J. Turon, J. Thamsborg, A. Ahmed, L. Birkedal, D. Dreyer, "Logical Relations for Fine-Grained Concurrency", POPL
    2013. Case study 6. The cell changes only if a flag is set. A call may take effect in another thread: where that one
    reads the flag for it.
    """

    class Descriptor(Node):
        """A call that has begun."""

        old: Value
        new: Value

    a: Word = 0
    flag: Bool = False

    def ccas(self, o: Value, n: Value) -> Value:
        """If the cell holds `o` and the flag is set, give it `n`; what it held."""
        d = self.Descriptor(old=o, new=n)
        while True:
            r = compare_exchange(self, a=(o, d))
            if not isinstance(r, self.Descriptor):
                break
            self._complete(r)
        if r == o:
            self._complete(d)
        return r

    def set_flag(self, b: Bool) -> None:
        """Set or clear the flag."""
        self.flag = b

    def _complete(self, d: Ref) -> None:
        if self.flag:
            cas(self, a=(d, d.new))
        else:
            cas(self, a=(d, d.old))


class RDCSS(Object):
    """Restricted double-compare single-swap: linearizable and lock-free.

    T. L. Harris, K. Fraser, I. A. Pratt, "A Practical Multi-Word Compare-and-Swap Operation", DISC 2002. Case study 7. The
    data word changes only if the control word has the value that the call names. A call may take effect in another thread:
    where that one reads the control word for it.
    """

    class Descriptor(Node):
        """A call that has begun."""

        control: Value
        old: Value
        new: Value

    a1: Value = 0
    a2: Word = 0

    def rdcss(self, o1: Value, o2: Value, n2: Value) -> Value:
        """If the data word holds `o2` and the control word `o1`, give the data word `n2`; what it held."""
        d = self.Descriptor(control=o1, old=o2, new=n2)
        while True:
            r = compare_exchange(self, a2=(o2, d))
            if not isinstance(r, self.Descriptor):
                break
            self._complete(r)
        if r == o2:
            self._complete(d)
        return r

    def write(self, v: Value) -> None:
        """Give the control word a value."""
        self.a1 = v

    def _complete(self, d: Ref) -> None:
        if self.a1 == d.control:
            cas(self, a2=(d, d.new))
        else:
            cas(self, a2=(d, d.old))
