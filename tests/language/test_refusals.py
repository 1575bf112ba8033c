"""What is outside the language is refused: with file, line, column, a reason, and, where one can be given, a suggestion."""

import re
from pathlib import Path

import pytest

from linpoint.errors import LanguageError, UsageError
from linpoint.language import compile_object

WORDS = (
    "from linpoint.language import (EMPTY, GREATEST, LEAST, OPERATIONS, THREADS, Array, Bool, Int, Lock, Node, Object, Ref,"
    " Value, Word, atomic, cas, choose, compare_exchange, fetch_and_add, free, swap, thread_id, wait)\nLATER = 3\n"
)

CLASS = """\
class A(Object):
    class Cell(Node):
        value: Value
        next: Ref = None
        row: Array[Int] = Array(2, 0)
        guard: Lock = Lock()

    LIMIT = 3
    n: Int = 0
    b: Bool = False
    top: Ref = None
    word: Word = None
    slots: Array[Value] = Array(4, None)
    lock: Lock = Lock()

    def __init__(self):
        self.n = self.LIMIT
        self.top = self.Cell(value=1)
        self.word = self.top

    def _one(self, a):
        return a

    def _two(self, a):
        return a, 1

    def _mixed(self, a):
        if a == 1:
            return a
        return a, 1

    def _again(self, a):
        return self._round(a)

    def _round(self, a):
        return self._again(a)

"""

BODIES = [
    # what a statement may be
    ("try:\n    pass\nfinally:\n    pass", "outside the language", "return a value"),
    ("raise ValueError", "outside the language", "return a value"),
    ("def inner(): ...", "outside the language", "helper method"),
    ("class Inner: ...", "outside the language", "class body"),
    ("import os", "outside the language", "top of the file"),
    ("from os import path", "outside the language", "top of the file"),
    ("del x", "outside the language", "free"),
    ("global z", "outside the language", "shared field"),
    ("match x:\n    case 1:\n        pass", "outside the language", "if and elif"),
    ("x.y", "does nothing", "leave it out"),
    ("print(x)", "print is no function of the language", "helper method"),
    ("return 1\nx = 2", "never reached", "leave it out"),
    ("while True:\n    pass\nx = 2", "never reached", ""),
    ("while x == 1:\n    pass\nelse:\n    pass", "a loop with else", "before `break`"),
    ("for i in range(2):\n    pass\nelse:\n    pass", "a loop with else", ""),
    ("for i in [1, 2]:\n    pass", "a loop over [1, 2]", "range(n)"),
    ("for i in range(0, 9, 3):\n    pass", "a loop over", "range(a, b)"),
    ("for i in range(self.top):\n    pass", "self.top is no number", ""),
    ("for i, j in range(2):\n    pass", "plain name", "for i in range"),
    ("for self.n in range(2):\n    pass", "plain name", ""),
    ("with open(x):\n    pass", "outside the language", "with atomic()"),
    ("with atomic() as a:\n    pass", "`with … as`", "leave out"),
    ("with atomic(1):\n    pass", "no arguments", ""),
    ("with atomic():\n    with atomic():\n        pass", "inside an atomic block", "inner one"),
    ("with atomic():\n    self.lock.acquire()", "could wait for ever", "before the block"),
    ("with atomic():\n    with self.lock:\n        pass", "could wait for ever", ""),
    ("with self.top:\n    pass", "is no lock", "Lock = Lock()"),
    ("return self.top", "an operation returns one value", "a field of the node"),
    ("return 1, 2", "an operation returns one value", ""),
    ("assert self.top", "is no truth value", "is not None"),
    ("wait(self.n)", "is no truth value", "compare it"),
    ("wait()", "takes one argument", "wait(self.count > 0)"),
    ("free(self.top, 1)", "takes one argument", "free(node)"),
    ("self.lock.acquire(1)", "takes no arguments", ""),
    ("self.n.release()", "is no lock", ""),
    ("self.top: Ref = None", "type in the class", "without a type"),
    ("[a, b] = x", "cannot be assigned to", ""),
    ("x.y = 1", "no class of nodes has a field y", "declare it"),
    ("self.z = 1", "self.z is not declared", "z: Ref = None"),
    ("self.LIMIT = 1", "self.LIMIT is not declared", ""),
    ("self.slots = 1", "slots is an array", "[i]"),
    ("self.lock = None", "lock is a lock", "acquire()"),
    ("self.top = 3", "3 does not fit the type of top", "another type"),
    ("self.n = None", "None does not fit the type of n", ""),
    ("self.top += 1", "does not fit", ""),
    ("a, b = 1, 2, 3", "3 values for 2 names", ""),
    ("a, b = x", "does not give several values", "self._helper()"),
    ("a, a = self._two(x)", "different local variables", ""),
    ("a, self.n = self._two(x)", "different local variables", "name them"),
    ("a, b, c = self._two(x)", "does not always return as many", "returns"),
    ("a = self._two(x)", "does not always return as many", ""),
    ("a, b = self._mixed(x)", "does not always return as many", ""),
    ("cas = 3", "called cas, a word of the language", "rename"),
    ("for range in range(3):\n    pass", "called range", "rename"),
    ("self._again(1)", "calls itself, by way of _again and _round", "write a loop"),
    ("self.__init__()", "__init__ runs once", ""),
    # what an expression may be
    ("y = z", "z is neither a local variable nor a constant", "top of the file"),
    ("if x == 1:\n    y = 1\nreturn y", "y may not have a value yet", "every way"),
    ("while x == 1:\n    y = 1\nreturn y", "y may not have a value yet", ""),
    ("for i in range(3):\n    pass\nreturn i", "i may not have a value yet", ""),
    ("y = y", "y may not have a value yet", ""),
    ("LATER: Int\nreturn LATER", "LATER may not have a value yet", ""),
    ("y = self", "the object itself is no value", "self.top"),
    ("y = cas", "cas is no value", ""),
    ("y = self.Cell", "self.Cell is no field", ""),
    ("y = self._one", "self._one is no field", ""),
    ("y = self.slots", "slots is an array", "[i]"),
    ("y = self.n[0]", "n is no array", "leave out"),
    ("y = self.slots[self.top]", "is no number", ""),
    ("y = x[0]", "neither a field nor an array", "self.slots[i]"),
    ("y = self.lock", "is a lock, no value", "acquire()"),
    ("y = self.n.next", "self.n is never a node", "no statement"),
    ("y = self.top.size", "no class of nodes has a field size", ""),
    ("y = 1 < x < 3", "two comparisons in one", "and"),
    ("y = x in (1, 2)", "outside the language", "joined by `or`"),
    ("y = x is 1", "same piece of memory", "`x == 1`"),
    ("y = self.n is not x", "same piece of memory", "`self.n != x`"),
    ("y = self.top < x", "self.top has no order", ""),
    ("y = self.b == self.n", "truth value is compared with a number", "True or False"),
    ("y = self.n * 2", "outside the language", "+, - and %"),
    ("y = self.n / 2", "outside the language", ""),
    ("y = self.n + self.top", "self.top is no number", ""),
    ("y = -self.top", "self.top is no number", ""),
    ("y = ~self.n", "outside the language", ""),
    ("y = 200", "does not fit in a cell", "-19 to 118"),
    ("y = -20", "does not fit in a cell", ""),
    ("y = 60 * 2", "does not fit in a cell", ""),
    ("y = 1.5", "outside the language", ""),
    ("y = b'x'", "outside the language", ""),
    ("y = 'EMPTY'", "name of a word", "write EMPTY"),
    ("y = (y := 1)", "outside the language", "statement of its own"),
    ("y = lambda: 1", "outside the language", "helper method"),
    ("y = [1]", "outside the language", "Array"),
    ("y = {1}", "outside the language", "Array"),
    ("y = {}", "outside the language", "class of nodes"),
    ("y = [a for a in x]", "outside the language", "loop"),
    ("y = f'{x}'", "outside the language", "plain text"),
    ("y = 1, 2", "outside the language", "a, b = self._helper()"),
    ("y = yield", "outside the language", ""),
    ("y = await x", "not Python: 'await' outside async function", ""),
    ("y = not self.n", "self.n is no truth value", "compare it"),
    ("y = self.b and self.top", "self.top is no truth value", "is not None"),
    ("if x:\n    pass", "x is no truth value", "compare it"),
    ("while self.word:\n    pass", "self.word is no truth value", "is not None"),
    ("y = 1 if self.top else 2", "self.top is no truth value", ""),
    ("y = self.free()", "has no method free", ""),
    ("y = self.top.pop()", "self.top.pop is outside", "nodes have fields, no methods"),
    ("y = self._one()", "wrong arguments", "(a)"),
    ("y = self._one(1, 2)", "wrong arguments", ""),
    ("y = self._one(1, a=1)", "given twice", ""),
    ("y = self._one(b=1)", "wrong arguments", ""),
    ("y = self._one(*x)", "*", "one by one"),
    ("y = self._one(**x)", "**", "one by one"),
    ("y = thread_id(1)", "takes 0 arguments", ""),
    ("y = choose(x)", "choose needs a constant", "choose(2)"),
    ("y = choose(0)", "choose needs a constant", ""),
    ("y = isinstance(x, Cell)", "Cell is no class of nodes", "self.Cell"),
    ("y = isinstance(x)", "takes 2 arguments", ""),
    ("y = len(x)", "x is no array", ""),
    ("y = len(self.slots[0])", "is no array", ""),
    ("y = free(x)", "gives no value", "statement of its own"),
    ("y = self.lock.acquire()", "gives no value", "statement of its own"),
    ("y = sorted(x)", "sorted is no function of the language", ""),
    ("y = x(1)", "x is no function of the language", ""),
    ("y = self.Cell(1)", "fields are given by name", "self.Cell(value=…)"),
    ("y = self.Cell()", "the field value has no value", "value=…"),
    ("y = self.Cell(value=1, size=2)", "Cell takes no size", "value, next, row, guard"),
    ("y = self.Cell(value=1, row=2)", "Cell takes no row", ""),
    ("y = self.Cell(value=1, guard=None)", "Cell takes no guard", ""),
    ("y = self.Cell(value=1, next=2)", "2 does not fit the type of next", ""),
    ("y = cas(self)", "cas needs an object or node", "(old, new)"),
    ("y = cas(top=(x, x))", "cas needs an object or node", ""),
    ("y = cas(self, top=x)", "pair (old, new)", ""),
    ("y = cas(self, top=(1, 2))", "1 does not fit the type of top", ""),
    ("y = cas(self, size=(1, 2))", "self.size is not declared", ""),
    ("y = cas(self, slots=(1, 2))", "slots is no plain field", "self.slots.cas"),
    ("y = cas(self, lock=(None, 2))", "lock is no plain field", ""),
    ("y = swap(self, top=None, n=1)", "swap needs", "swap(self, top=new)"),
    ("y = fetch_and_add(self)", "fetch_and_add needs", "back=1"),
    ("y = self.slots.cas(1, 2)", "other arguments", "i, old, new"),
    ("y = self.slots.swap(1)", "other arguments", "i, new"),
    ("y = self.slots.fetch_and_add(0, 1, 2)", "other arguments", "i, 1"),
    ("y = self.n.swap(0, 1)", "n is no array", ""),
    ("y = self.lock.try_acquire(1)", "takes 0 arguments", ""),
]


def refused(path: Path, text: str) -> LanguageError:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LanguageError) as caught:
        compile_object(f"{path}:A", threads=2, ops=2)
    return caught.value


def body(text: str) -> str:
    lines = "".join(f"        {line}\n" for line in text.splitlines())
    return f"{WORDS}{CLASS}    def run(self, x):\n{lines}"


@pytest.mark.parametrize(
    ("text", "reason", "suggestion"), BODIES, ids=[case[0].replace("\n", " ")[:40] for case in BODIES]
)
def test_a_method_is_refused(text: str, reason: str, suggestion: str, tmp_path: Path) -> None:
    error = refused(tmp_path / "a.py", body(text))
    assert reason in error.reason, error
    assert suggestion in error.suggestion, error
    assert re.match(r".*a\.py:\d+:\d+: ", str(error)), error
    assert error.line >= WORDS.count("\n") + 3


def test_the_place_is_exact(tmp_path: Path) -> None:
    error = refused(tmp_path / "a.py", body("y = 1\nz = y + self.top"))
    line = body("").count("\n") + 2
    assert (error.file, error.line, error.column) == (str(tmp_path / "a.py"), line, 17)


def test_there_are_many_refusals() -> None:
    """Every body is refused because of itself: without it the class compiles."""
    assert len({case[0] for case in BODIES}) == len(BODIES) > 130


def test_the_class_around_the_bodies_is_in_the_language(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(body("pass"))
    program = compile_object(f"{path}:A", threads=2, ops=2)
    assert [method.name for method in program.methods] == ["run"]


OUTSIDE = [
    ("class B: ...", "no class is called A", "there is B"),
    ("class A: ...", "A is no Object", "class A(Object)"),
    ("class A(Object, int): ...", "A is no Object", ""),
    ("class A(B): ...", "A is no Object", "of this file"),
    ("class A(A): ...", "A is no Object", ""),
    ("class B(Object):\n    def f(self): ...\nB = int\nclass A(B): ...", "A is no Object", ""),
    ("class A(Object):\n    def f(self):\n        break", "not Python: 'break' outside loop", ""),
    (
        "class A(Object):\n    n: Int = 0\n    def f(self):\n        cas(self, n=(0, 1), n=(1, 2))",
        "keyword argument repeated",
        "",
    ),
    (
        "class A(Object):\n    n: Int = 0\n"
        + "".join(f"    def _g{n}(self):\n        self._g{n + 1}()\n" for n in range(400))
        + "    def _g400(self):\n        self.n = 1\n    def f(self):\n        self._g0()\n",
        "helpers call helpers, more than 20 deep",
        "together",
    ),
    (
        "class A(Object):\n    n: Int = 0\n"
        + "".join(
            f"    def _g{n}(self):\n"
            + "".join(" " * (8 + deep) + "if self.n == 1:\n" for deep in range(80))
            + " " * 90
            + f"self._g{n + 1}()\n"
            for n in range(15)
        )
        + "    def _g15(self):\n        self.n = 1\n    def f(self):\n        self._g0()\n",
        "nested too deep",
        "fewer helpers",
    ),
    ("class A(Object, pool=3):\n    def f(self): ...", "takes no keyword pool", ""),
    ("@final\nclass A(Object):\n    def f(self): ...", "has a decorator", "leave it out"),
    ("class A(Object):\n    @property\n    def f(self): ...", "has a decorator", ""),
    ("class A(Object): ...", "has no operation", "does not begin with _"),
    ("class A(Object):\n    def _f(self): ...", "has no operation", ""),
    ("class A(Object):\n    n: Int\n    def f(self): ...", "n has no first value", "= None"),
    ("class A(Object):\n    n = [1]\n    def f(self): ...", "is not a constant", ""),
    ("class A(Object):\n    n: list = None\n    def f(self): ...", "list is no type", "Ref"),
    ("class A(Object):\n    n: Int = None\n    def f(self): ...", "None is no Int", ""),
    ("class A(Object):\n    n: Int = 500\n    def f(self): ...", "does not fit in a cell", ""),
    ("class A(Object):\n    n: Int = f()\n    def f(self): ...", "is not a constant", ""),
    ("class A(Object):\n    _n: Int = 0\n    def f(self): ...", "begins with _", ""),
    ("class A(Object):\n    lock = Lock()\n    def f(self): ...", "lock has no type", "lock: Lock"),
    ("class A(Object):\n    lock: Lock = None\n    def f(self): ...", "is not made here", "Lock()"),
    ("class A(Object):\n    a: Array = None\n    def f(self): ...", "is not made here", "Array(4, None)"),
    ("class A(Object):\n    a: Array = Array(0, None)\n    def f(self): ...", "is no length", "from 1"),
    ("class A(Object):\n    a: Array = Array(x, None)\n    def f(self): ...", "is not a constant", ""),
    ("class A(Object):\n    a: Array[str] = Array(2, None)\n    def f(self): ...", "str is no type", ""),
    ("class A(Object):\n    a: Array[Int] = Array(2, None)\n    def f(self): ...", "does not fit the type of a", ""),
    ("class A(Object):\n    n: Int = 0\n    n: Int = 1\n    def f(self): ...", "A has n already", "another name"),
    ("class A(Object):\n    def f(self): ...\n    def f(self): ...", "A has f already", ""),
    ("class A(Object):\n    def __len__(self): ...", "__len__ is outside", "plain name"),
    ("class A(Object):\n    async def f(self): ...", "is a coroutine", "`def`"),
    ("class A(Object):\n    print()\n    def f(self): ...", "cannot stand in a class body", "fields"),
    ("class A(Object):\n    if True:\n        n: Int = 0\n    def f(self): ...", "cannot stand in a class body", ""),
    ("class A(Object):\n    x, y = 1, 2\n    def f(self): ...", "cannot stand in a class body", ""),
    ("class A(Object):\n    def f(): ...", "unusual parameters", "def f(self"),
    ("class A(Object):\n    def f(self, *a): ...", "unusual parameters", ""),
    ("class A(Object):\n    def f(self, a=1): ...", "unusual parameters", ""),
    ("class A(Object):\n    def f(self, *, a): ...", "unusual parameters", ""),
    ("class A(Object):\n    def __init__(self, a): ...\n    def f(self): ...", "__init__ has parameters", "constants"),
    ("class A(Object):\n    def f(self, cas): ...", "called cas", "rename"),
    ("class A(Object):\n    class C: ...\n    def f(self): ...", "C is not a Node", "class C(Node)"),
    ("class A(Object):\n    class C(Node, pool=0): ...\n    def f(self): ...", "only `pool`", ""),
    ("class A(Object):\n    class C(Node, size=1): ...\n    def f(self): ...", "only `pool`", ""),
    ("class A(Object):\n    class C(Node):\n        def g(self): ...\n    def f(self): ...", "has fields only", ""),
    (
        "class A(Object):\n    class C(Node):\n        v: Int\n        v: Int\n    def f(self): ...",
        "has a field v already",
        "",
    ),
    (
        "class A(Object):\n    class C(Node):\n        v: Int\n    class D(Node):\n        v: Int\n    def f(self): ...",
        "C has a field v already",
        "name of its own",
    ),
    (
        "class B(Object):\n    n: Int = 0\nclass A(B):\n    n: Int = 1\n    def f(self): ...",
        "A has n already",
        "",
    ),
    (
        "class A(Object):\n    a: Array = Array(118, None)\n    b: Array = Array(118, None)\n    def f(self): ...",
        "236 shared cells",
        "",
    ),
    (
        "class A(Object):\n    class C(Node):\n        a: Array = Array(15, None)\n    def f(self): ...",
        "15 cells in C",
        "",
    ),
    (
        "class A(Object):\n" + "".join(f"    class C{n}(Node): ...\n" for n in range(8)) + "    def f(self): ...",
        "8 classes of nodes",
        "",
    ),
    (
        "class A(Object):\n    def f(self):\n" + "".join(f"        x{n} = 1\n" for n in range(41)),
        "needs more than 40 variables",
        "use fewer variables",
    ),
    (
        "class A(Object):\n    n: Int = 0\n"
        + "".join(f"    def _g{n}(self):\n        self._g{n + 1}()\n        self._g{n + 1}()\n" for n in range(12))
        + "    def _g12(self):\n        self.n += 1\n    def f(self):\n        self._g0()\n",
        "too large",
        "fewer helpers",
    ),
    (
        "class A(Object):\n    def f(self, x):\n"
        + "".join(f"        if x == 't{n}':\n            return 1\n" for n in range(14)),
        "14 different texts",
        "numbers",
    ),
]


@pytest.mark.parametrize(
    ("text", "reason", "suggestion"), OUTSIDE, ids=[case[0].replace("\n", " ")[:50] for case in OUTSIDE]
)
def test_a_class_is_refused(text: str, reason: str, suggestion: str, tmp_path: Path) -> None:
    error = refused(tmp_path / "a.py", WORDS + text + "\n")
    assert reason in error.reason, error
    assert suggestion in error.suggestion, error
    assert error.file == str(tmp_path / "a.py")


def test_words_are_known_by_their_import(tmp_path: Path) -> None:
    lost = (
        WORDS.replace(" cas,", "")
        + "def cas(*a): ...\nclass A(Object):\n    n: Int = 0\n    def f(self):\n        cas(self, n=(0, 1))\n"
    )
    assert "cas is no function of the language" in refused(tmp_path / "a.py", lost).reason
    again = lost.replace("import (", "import (cas, ")
    assert "cas is no function of the language" in refused(tmp_path / "a.py", again).reason
    for word in ("*", "CAS"):
        text = f"from linpoint.language import {word}\nclass A(Object):\n    def f(self): ...\n"
        assert "no word of the language" in refused(tmp_path / "a.py", text).reason
    own = f"{WORDS}def len(x): ...\nclass A(Object):\n    a: Array = Array(2, 0)\n    def f(self):\n        return len(self.a)\n"
    assert "len is no function of the language" in refused(tmp_path / "a.py", own).reason
    renamed = (
        "from linpoint.language import Object as O, EMPTY as VOID\nclass A(O):\n    def f(self):\n        return VOID\n"
    )
    (tmp_path / "b.py").write_text(renamed)
    assert compile_object(f"{tmp_path / 'b.py'}:A").symbols == ("EMPTY",)


def test_a_constant_that_changes_is_none(tmp_path: Path) -> None:
    for change in (
        "N = 2",
        "N += 1",
        "def g():\n    global N\n    N = 3",
        "for N in range(3): ...",
        "from os import path as N",
    ):
        text = f"{WORDS}N = 1\n{change}\nclass A(Object):\n    def f(self):\n        return N\n"
        assert "N is neither a local variable nor a constant" in refused(tmp_path / "a.py", text).reason
    (tmp_path / "b.py").write_text(
        f"{WORDS}N = 1\nBIG = 10 ** 9\nclass A(Object):\n    def f(self):\n        return N\n"
    )
    assert compile_object(f"{tmp_path / 'b.py'}:A")


def test_options_that_make_no_sense() -> None:
    with pytest.raises(UsageError, match="granularity is access or statement"):
        compile_object(int, granularity="line")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="at least 1"):
        compile_object(int, threads=0)
    with pytest.raises(UsageError, match="at most 118"):
        compile_object(int, threads=4, ops=30)
    with pytest.raises(UsageError, match=r"write file.py:Class"):
        compile_object("treiber")
