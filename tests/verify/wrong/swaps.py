"""Conditional compare-and-swap with one mistake."""

from linpoint.language import Bool, Object, Value, compare_exchange


class LooksTooEarly(Object):
    """The flag is read before the cell is looked at, and no descriptor remembers that the call has begun."""

    a: Value = 1
    flag: Bool = False

    def ccas(self, o: Value, n: Value) -> Value:
        if self.flag:
            return compare_exchange(self, a=(o, n))
        return self.a

    def set_flag(self, b: Bool) -> None:
        self.flag = b
