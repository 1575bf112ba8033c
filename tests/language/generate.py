"""Random programs of the language from a seed: every construct, nested at random, always well-typed and always ending.

Variables of one type each have the same first letter: `i` numbers, `p` truth values, `r` nodes or None. Loops end because
they count. Programs may still fail (an access through None, an index outside, an assertion): then both sides must fail.
"""

from __future__ import annotations

import random

HEADER = """\
from linpoint.language import EMPTY, GREATEST, LEAST, OPERATIONS, THREADS
from linpoint.language import Array, Bool, Int, Lock, Node, Object, Ref, Word
from linpoint.language import atomic, cas, compare_exchange, fetch_and_add, free, swap, thread_id, wait

SIZE = 3


class Random(Object):
    class Cell(Node):
        value: Int
        next: Ref = None
        flag: Bool = False
        row: Array[Int] = Array(2, 5)

    class Other(Node):
        left: Ref
        right: Word = None

    K = 4
    n: Int = 0
    m: Int = 2
    b: Bool = True
    top: Ref = None
    other: Ref = None
    word: Word = 1
    slots: Array[Int] = Array(SIZE, 1)
    refs: Array[Ref] = Array(THREADS, None)
    lock: Lock = Lock()
    locks: Array[Lock] = Array(2, Lock())

    def __init__(self):
        self.top = self.Cell(value=7)
        self.other = self.Other(left=self.top)
        self.m = self._twice(self.m)

    def _twice(self, a):
        return (a + a) % 7

    def _next(self, node, a):
        if node is None or a > 3:
            return None
        return node.next

    def _pair(self, a, node: Ref):
        with self.lock:
            if node is not None:
                return node.value, a
            for i in range(2):
                if a == i:
                    return i, self._twice(a)
        return a, 1
"""


class Maker:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"program/{seed}")
        self.lines: list[str] = []
        self.depth = 0
        self.loops = 0
        self.atomic = False

    def program(self) -> str:
        """The text of the whole file."""
        for name in ("first", "second"):
            self.lines += ["", f"    def {name}(self, i0: Int, p0: Bool):"]
            self.write(2, "i1 = 1", "i2 = i0 % 3", "p1 = not p0", "r0 = self.top", "r1 = None")
            self.block(2, 6)
            self.write(2, f"return {self.pick('i1', 'i2', 'p1', 'None', 'EMPTY', 'self.n', '(i0 + i1) % 5', 'self.b')}")
        return HEADER + "\n".join(self.lines) + "\n"

    def pick(self, *words: str) -> str:
        """One of them."""
        return self.random.choice(words)

    def write(self, level: int, *lines: str) -> None:
        """Lines at a level of indentation."""
        self.lines += ["    " * level + line for line in lines]

    def number(self, deep: int = 2) -> str:
        """A numeric expression with a small value."""
        plain = self.pick(
            "i0", "i1", "i2", "0", "1", "-2", "SIZE", "self.K", "self.n", "self.m", "OPERATIONS", "len(self.slots)"
        )
        if deep == 0:
            return plain
        small = self.number(deep - 1)
        return self.pick(
            plain,
            f"({small} + {self.number(deep - 1)}) % 6",
            f"({small} - {self.number(deep - 1)}) % 5",
            f"-({small}) % 4",
            f"self.slots[{small} % {self.pick('SIZE', '4')}]",
            f"({small} if {self.truth(deep - 1)} else {self.number(deep - 1)})",
            "r0.value",
            "self.top.value",
            f"r0.row[{small} % 2]",
            f"self._twice({small})",
            f"fetch_and_add(self, n={self.pick('1', '-1')})",
            f"swap(self, m={small})",
            f"self.slots.swap({small} % SIZE, {self.pick('i1', '0')})",
            f"self.slots.compare_exchange({small} % SIZE, i1, 2)",
            f"compare_exchange(self, m=({small}, 1))",
            "thread_id()",
        )

    def truth(self, deep: int = 2) -> str:
        """A truth value."""
        plain = self.pick("p0", "p1", "self.b", "True", "r0 is None", "r1 is not None", "r0 is r1", "r0 == self.top")
        if deep == 0:
            return plain
        return self.pick(
            plain,
            f"{self.number(deep - 1)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.number(deep - 1)}",
            f"({self.truth(deep - 1)} and {self.truth(deep - 1)})",
            f"({self.truth(deep - 1)} or {self.truth(deep - 1)} or {self.truth(0)})",
            f"not {self.truth(deep - 1)}",
            f"cas(self, n=({self.number(deep - 1)}, 1), b=({self.truth(0)}, False))",
            "cas(r0, next=(r1, r0), value=(r0.value, 3))",
            f"self.slots.cas(i2 % SIZE, {self.number(deep - 1)}, 4)",
            f"isinstance({self.pick('self.word', 'r0', 'self.other')}, self.{self.pick('Cell', 'Other')})",
            f"({self.truth(deep - 1)} if p1 else {self.truth(0)})",
            "r0.flag",
            f"{self.number(0)} < GREATEST",
            f"(LEAST {self.pick('<', '>', '<=')} i1)",
        )

    def node(self) -> str:
        """A node or None."""
        return self.pick(
            "r0",
            "r1",
            "self.top",
            "None",
            f"self.Cell(value={self.number(1)}, next={self.pick('r0', 'r1', 'None', 'self.top')})",
            f"self.Cell(flag={self.truth(0)}, value=i1)",
            f"self._next({self.pick('r0', 'r1', 'self.top')}, {self.number(1)})",
            f"swap(self, top={self.pick('r0', 'r1')})",
            "r0.next",
            "self.other",
            "self.refs[0]",
            "self.other.left",
        )

    def block(self, level: int, most: int) -> None:
        """Statements."""
        for _ in range(self.random.randint(1, most)):
            self.statement(level)

    def statement(self, level: int) -> None:
        """One statement."""
        self.depth += 1
        choice = self.random.randrange(26 if self.depth < 4 else 13)
        number, truth, node = self.number(), self.truth(), self.node()
        if choice < 3:
            self.write(level, f"{self.pick('i1', 'i2', 'self.n', 'self.m', 'self.slots[i2 % SIZE]')} = {number}")
        elif choice < 5:
            self.write(level, f"{self.pick('p1', 'p1', 'self.b')} = {truth}")
        elif choice < 7:
            self.write(level, f"{self.pick('r0', 'r1', 'self.top', 'r0.next', 'self.refs[0]')} = {node}")
        elif choice == 7:
            self.write(
                level, f"i1, i2 = {self.pick('i2, i1', f'{number}, i1', f'self._pair({number}, r0)', 'i2, self.n')}"
            )
        elif choice == 8:
            self.write(level, f"{self.pick('i1', 'self.n', 'self.slots[i1 % 3]')} {self.pick('+=', '-=')} {number}")
            self.write(level, "i1, self.n = i1 % 9, self.n % 9")
        elif choice == 9:
            self.write(
                level,
                self.pick(
                    "self.word = r0",
                    "self.word = i1",
                    "self.other = self.Other(left=r0, right=i2)",
                    "r1 = r0 = self.top",
                ),
            )
        elif choice == 10:
            self.write(
                level,
                self.pick(
                    "free(r1)",
                    f"assert {truth}",
                    "wait(i1 < 90)",
                    "pass",
                    "self._twice(i1)",
                    f"assert {self.truth(0)} or i0 < 90",
                ),
            )
        elif choice == 11:
            self.write(level, self.pick("r0.value = i1", "r0.row[i1 % 2] = i2", "r0.flag = p1", "i1: Int = i2"))
        elif choice == 12:
            if self.loops and self.random.random() < 0.7:
                self.write(level, f"if {truth}:")
                self.write(level + 1, self.pick("break", "continue"))
            else:
                self.write(level, f"if {truth}:")
                self.write(level + 1, f"return {self.pick('i1', 'p1', 'EMPTY', 'self.m')}")
        else:
            self.compound(level, choice, truth)
        self.depth -= 1

    def compound(self, level: int, choice: int, truth: str) -> None:
        """A statement with statements inside."""
        if choice < 17:
            self.write(level, f"if {truth}:")
            self.block(level + 1, 3)
            if choice > 14:
                self.write(level, self.pick("else:", f"elif {self.truth()}:"))
                self.block(level + 1, 2)
        elif choice < 20:
            self.loop(
                level,
                f"for {self.pick('i1', 'i2', 'j')} in range({self.pick('3', 'i1 % 4', '1, 3', 'i2 % 3, SIZE', 'i2')}):",
            )
        elif choice < 22:
            self.write(level, f"k{self.depth} = 0")
            self.loop(level, f"while k{self.depth} < 3 and {truth}:", f"k{self.depth} += 1")
        elif choice == 22:
            self.write(level, f"k{self.depth} = 0")
            self.loop(level, "while True:", f"k{self.depth} += 1", f"if k{self.depth} > 3:", "    break")
        elif choice < 25 and not self.atomic:
            self.atomic = True
            self.write(level, "with atomic():")
            self.block(level + 1, 3)
            self.atomic = False
        elif not self.atomic:
            self.write(level, self.pick("with self.locks[i2 % 2]:", "with self.locks[1]:"))
            self.block(level + 1, 2)
        else:
            self.write(level, "pass")

    def loop(self, level: int, head: str, *first: str) -> None:
        """A loop that begins with these lines."""
        self.loops += 1
        self.write(level, head)
        self.write(level + 1, *first)
        self.block(level + 1, 2)
        self.loops -= 1
