"""From a Python function to a program of base operations: statements. Expressions are in `expressions.py`.

It is also the encapsulation check (section 5.1 of the paper): the method may use its parameters, locals, literals,
names that nobody assigns again, pure functions, objects that it makes, and the base object through its operations.
Everything else is refused, each with its place; refusals are collected, not raised, so that one run names all of
them. Linear in the function.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from linpoint.extend.expressions import Expressions
from linpoint.extend.program import Apply, Call, Const, Expr, Handler, If, Let, Program, Raise, Return, Var, find_live
from linpoint.extend.surroundings import LOGGING, collecting, dotted

MOST_ROUNDS = 5
"""A loop over `range(n)` is unrolled up to this n."""


@dataclass
class _Loop:
    again: int
    out: int
    tries: int
    """How many `try` statements the loop is in."""


@dataclass
class _Try:
    handlers: tuple[Handler, ...]
    exception: int


@dataclass
class Lowering(Expressions):
    """Makes one program."""

    loops: list[_Loop] = field(default_factory=list)
    tries: list[_Try] = field(default_factory=list)
    caught: list[int] = field(default_factory=list)
    """The locals that hold the names of the exceptions being handled."""

    def program(self) -> Program:
        """The program of the function; `refusals` says what of it is not covered."""
        if isinstance(self.function, ast.AsyncFunctionDef):
            self.refuse(self.function, "it is a coroutine")
        if collecting(self.function):
            self.refuse(self.function, "it looks at any number of arguments at once")
        for statement in self.function.body:
            self.statement(statement)
        self.emit(Return(Const(None), self.function.end_lineno or self.function.lineno))
        return self._finished()

    def _finished(self) -> Program:
        """Labels become places."""
        places = self.labels

        def at(label: int) -> int:
            return places[label] if label < 0 else label

        for number, step in enumerate(self.code):
            if isinstance(step, Let):
                step.next = number + 1
            elif isinstance(step, If):
                step.then, step.otherwise = at(step.then), at(step.otherwise)
            elif isinstance(step, Call):
                step.next = number + 1
                step.handlers = tuple(Handler(each.names, at(each.target)) for each in step.handlers)
        return Program(
            self.name,
            tuple(self.locals[: self.parameters]),
            self.code,
            self.locals,
            self.function.lineno,
            self.sites,
            live=find_live(self.code),
        )

    # -- statements

    def statement(self, node: ast.stmt) -> None:
        """Lowers one statement."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            self.refuse(node, f"a `{_word(node)}` statement")
        else:
            method(node)

    def _body(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            self.statement(node)

    def _pass(self, node: ast.Pass) -> None:
        pass

    def _import(self, node: ast.Import) -> None:
        pass

    _importfrom = _import

    def _expr(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Call):
            first = dotted(value.func).partition(".")[0]
            attributes = set(dotted(value.func).split("."))
            if (first in LOGGING or attributes & LOGGING) and not self.mentions_base(value):
                return
        self.expression(value, wanted=False)

    def _return(self, node: ast.Return) -> None:
        value = Const(None) if node.value is None else self.expression(node.value)
        self.emit(Return(value, node.lineno))

    def _if(self, node: ast.If) -> None:
        yes, no, end = self.label(), self.label(), self.label()
        self.branch(node.test, yes, no)
        self.place(yes)
        self._body(node.body)
        self.jump(end, node.lineno)
        self.place(no)
        self._body(node.orelse)
        self.place(end)

    def _while(self, node: ast.While) -> None:
        again, inside, out = self.label(), self.label(), self.label()
        if node.orelse:
            self.refuse(node.orelse[0], "the `else` of a loop")
        self.place(again)
        self.branch(node.test, inside, out)
        self.place(inside)
        self.loops.append(_Loop(again, out, len(self.tries)))
        self._body(node.body)
        self.loops.pop()
        self.jump(again, node.lineno)
        self.place(out)

    def _for(self, node: ast.For) -> None:
        rounds = _literal_range(node.iter)
        if self.mentions_base(node.iter):
            self.refuse(node.iter, "a loop over the whole map")
            return
        if rounds is None or rounds > MOST_ROUNDS or not isinstance(node.target, ast.Name) or node.orelse:
            self.refuse(node, "a `for` loop other than over a small literal range")
            return
        out = self.label()
        for number in range(rounds):
            again = self.label()
            self.emit(Let(self.local(node.target.id), Const(number), node.lineno))
            self.loops.append(_Loop(again, out, len(self.tries)))
            self._body(node.body)
            self.loops.pop()
            self.place(again)
        self.place(out)

    def _break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1].out if self.loops else self.label_here(), node.lineno)

    def _continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1].again if self.loops else self.label_here(), node.lineno)

    def _assert(self, node: ast.Assert) -> None:
        fine, wrong = self.label(), self.label()
        self.branch(node.test, fine, wrong)
        self.place(wrong)
        self._raise_named(Const("AssertionError"), "AssertionError", node)
        self.place(fine)

    # -- assignments

    def _assign(self, node: ast.Assign) -> None:
        if len(node.targets) == 1 and self.is_alias(node.targets[0], node.value):
            return
        value = self.expression(node.value)
        if len(node.targets) > 1 and not isinstance(value, Const | Var):
            value = self.kept(value, node)
        for target in node.targets:
            self._store(target, value, node)

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and not self.is_alias(node.target, node.value):
            self._store(node.target, self.expression(node.value), node)

    def _augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id in self.numbers:
            left: ast.expr = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            self._store(node.target, self.arithmetic(node.op, self.expression(left), self.expression(node.value)), node)
        elif isinstance(node.target, ast.Subscript) and self.is_base(node.target.value):
            key = self.kept(self.expression(node.target.slice), node)
            before = self.operation("getitem", key, (), node)
            self.operation(
                "setitem", key, (self.arithmetic(node.op, before, self.expression(node.value)),), node, False
            )
        else:
            self._store(node.target, Const(None), node)

    def _store(self, target: ast.expr, value: Expr, node: ast.stmt) -> None:
        if isinstance(target, ast.Name):
            if target.id in self.shared_names:
                self.refuse(target, f"it assigns {target.id}, which it declares global or nonlocal")
            else:
                self.emit(Let(self.local(target.id), value, node.lineno))
        elif isinstance(target, ast.Subscript) and self.is_base(target.value):
            if isinstance(target.slice, ast.Slice):
                self.refuse(target, "a slice of the base object")
            else:
                kept = self.kept(value, node)  # Python computes the value before the key
                self.operation("setitem", self.expression(target.slice), (kept,), node, False)
        elif isinstance(target, ast.Tuple | ast.List) and all(isinstance(each, ast.Name) for each in target.elts):
            kept = self.kept(value, node)
            for number, each in enumerate(target.elts):
                self._store(each, Apply("item", (kept, Const(number))), node)
        elif isinstance(target, ast.Attribute):
            self.refuse(target, f"it assigns {ast.unparse(target)}, which other threads may see")
        else:
            self.refuse(target, f"it changes {ast.unparse(target)} in place")

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript) and self.is_base(target.value):
                self.operation("delitem", self.expression(target.slice), (), node, False)
            elif not isinstance(target, ast.Name):
                self.refuse(target, f"it deletes {ast.unparse(target)}")

    # -- exceptions

    def _raise(self, node: ast.Raise) -> None:
        if node.exc is None:
            if self.caught:
                self._raise_named(Var(self.caught[-1]), None, node)
            else:
                self.refuse(node, "a `raise` without an exception")
            return
        called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = dotted(called).rpartition(".")[2]
        if self.mentions_base(node.exc):
            self.refuse(node.exc, "an exception that is made of the base object")
        if not name or name in self.numbers:
            self.refuse(node, "an exception whose class is not plain to see")
        self._raise_named(Const(name or "Exception"), name, node)

    def _raise_named(self, value: Const | Var, name: str | None, node: ast.stmt) -> None:
        """Goes to the handler of an exception of this name, or ends the call."""
        for block in reversed(self.tries):
            for handler in block.handlers:
                if name is None:
                    self.refuse(node, "a `raise` without an exception inside another `try`")
                    return
                if not handler.names or name in handler.names or _is_a(name, handler.names):
                    self.emit(Let(block.exception, value, node.lineno))
                    self.jump(handler.target, node.lineno)
                    return
        self.emit(Raise(value, node.lineno))

    def _try(self, node: ast.Try) -> None:
        if node.finalbody:
            self.refuse(node.finalbody[0], "a `finally`")
        end = self.label()
        exception = self.local(f"exception {len(self.locals)}")
        handlers = []
        for clause in node.handlers:
            names = _caught_names(clause.type)
            if names is None:
                self.refuse(clause, "an `except` whose class is not plain to see")
                names = ()
            foreign = [name for name in names if not _may_come_from_a_base(name)]
            if foreign and not _raises(node.body, foreign):
                self.refuse(clause, f"it catches {foreign[0]}, which no base operation raises")
            handlers.append(Handler(_widened(names), self.label()))
        wide = any(not handler.names or set(handler.names) - {"KeyError", "LookupError"} for handler in handlers)
        self.catching += wide
        self.tries.append(_Try(tuple(handlers), exception))
        self._body(node.body)
        self.tries.pop()
        self.catching -= wide
        self._body(node.orelse)
        self.jump(end, node.lineno)
        for handler, written in zip(handlers, node.handlers, strict=True):
            self.place(handler.target)
            if written.name:
                self.emit(Let(self.local(written.name), Apply("exception", (Var(exception),)), written.lineno))
            self.caught.append(exception)
            self._body(written.body)
            self.caught.pop()
            self.jump(end, written.lineno)
        self.place(end)

    def handlers(self) -> tuple[tuple[Handler, ...], int]:
        """Where an exception of a base operation goes, the innermost first, and the local that gets its name."""
        blocks = [block for block in reversed(self.tries) if block.handlers]
        if len(blocks) > 1:
            self.refuse(self.function, "a `try` inside another")
        return (blocks[0].handlers, blocks[0].exception) if blocks else ((), -1)

    def _with(self, node: ast.With) -> None:
        shown = ast.unparse(node.items[0].context_expr)
        self.refuse(node, f"it enters `with {shown}`: whether that is a lock that all callers hold is not known here")
        self._body(node.body)


def _word(node: ast.stmt) -> str:
    words = {
        "AsyncFor": "async for",
        "AsyncWith": "async with",
        "FunctionDef": "def",
        "ClassDef": "class",
        "TryStar": "except*",
    }
    return words.get(type(node).__name__, type(node).__name__.lower())


def _literal_range(node: ast.expr) -> int | None:
    """N of `range(n)`."""
    if isinstance(node, ast.Call) and dotted(node.func) == "range" and len(node.args) == 1 and not node.keywords:
        given = node.args[0]
        if isinstance(given, ast.Constant) and type(given.value) is int:
            return given.value
    return None


def _caught_names(node: ast.expr | None) -> tuple[str, ...] | None:
    """The classes of an `except`; none for a bare one, None if they are not plain names."""
    if node is None:
        return ()
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    names = tuple(dotted(part).rpartition(".")[2] for part in parts)
    return None if "" in names else names


def _widened(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names with the exceptions of base operations that they cover; none means all of them."""
    if {"Exception", "BaseException"} & set(names):
        return ()
    return tuple(
        dict.fromkeys([*names, *(each for each in ("KeyError", "ValueError", "TypeError") if _is_a(each, names))])
    )


def _is_a(name: str, classes: tuple[str, ...]) -> bool:
    """Is an exception of this name one of these classes, as far as Python's own are concerned?"""
    own = getattr(builtins, name, None)
    wanted = [getattr(builtins, each, None) for each in classes]
    return isinstance(own, type) and any(isinstance(each, type) and issubclass(own, each) for each in wanted)


def _may_come_from_a_base(name: str) -> bool:
    return name in ("KeyError", "LookupError", "ValueError", "Exception", "BaseException")


def _raises(body: list[ast.stmt], names: list[str]) -> bool:
    """Does the body itself raise all of these?"""
    raised = {
        dotted(node.exc.func if isinstance(node.exc, ast.Call) else node.exc).rpartition(".")[2]
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Raise) and node.exc is not None
    }
    return set(names) <= raised
