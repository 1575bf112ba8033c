"""How is a method compiled? Statement by statement; helpers are compiled in place, once for every call.

A `return`, `break` or `continue` that leaves a `with` block releases its lock on the way, after the result was computed.
Variables must have a value on every way to where they are read: a single walk along the structure decides it, because there
is no `goto` and values are never taken away.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from linpoint.language.assemble import Label
from linpoint.language.assignments import Assignments
from linpoint.language.declare import Declaration, annotation_kind
from linpoint.language.frames import Block, Frame, Loop
from linpoint.language.infer import DEEPEST_CALL, Inference, is_true, parameters
from linpoint.language.ir import Method, Op
from linpoint.language.kinds import VALUE, Kind, assigned_names
from linpoint.language.source import shown

LARGEST: Final = 4_000
"""Instructions of one method, helpers included."""
REGISTERS: Final = 40

_REFUSED: Final = {
    ast.Try: "return a value that says what went wrong",
    ast.Raise: "return a value that says what went wrong",
    ast.FunctionDef: "write a helper method of the class",
    ast.ClassDef: "classes of nodes stand in the class body",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.Delete: "nodes go by free(node), or when nobody knows them any more",
    ast.Global: "declare a shared field",
    ast.Nonlocal: "declare a shared field",
    ast.Match: "write if and elif",
    ast.AsyncWith: "write `with`",
    ast.AsyncFor: "write `for`",
}


class Statements(Assignments):
    """Compiles one operation."""

    def __init__(self, declaration: Declaration, inference: Inference, symbols: list[str], by_statement: bool) -> None:
        super().__init__(declaration, inference, symbols)
        self._by_statement = by_statement
        self._calls: list[str] = []

    def method(self, node: ast.FunctionDef) -> Method:
        """The whole method."""
        names = self._parameters(node)
        given = tuple(self._declared(parameter) for parameter in node.args.args[1:])
        registers = {name: self.code.register(name) for name in names}
        self._enter(node, Frame(node.name, registers, None, None), given)
        self.block(node.body)
        if self.frame.assigned is not None:
            self.code.emit(node.body[-1], Op.RETURN, self.constant(None))
        truths = tuple(name for name, kind in zip(names, given, strict=True) if kind is Kind.BOOL)
        return Method(node.name, tuple(names), self.code.registers(), self.code.finish(), node.lineno, truths)

    def initial(self, node: ast.FunctionDef | None) -> Method:
        """First values of the fields, then `__init__`."""
        for field in self.declaration.fields.values():
            for cell in range(field.first, field.first + (field.length or 1)):
                if field.initial is not None:
                    index = self.constant(0)
                    self.code.emit(field.node, Op.STORE, 0, 0, cell, 1, index, self.constant(field.initial))
        if node is None:
            self.code.emit(self.declaration.node, Op.RETURN, self.constant(None))
            return Method("__init__", (), self.code.registers(), self.code.finish(), self.declaration.node.lineno)
        if self._parameters(node):
            raise self.refusal(node, "__init__ has parameters", "use constants; an algorithm begins in one state")
        return self.method(node)

    def block(self, statements: list[ast.stmt]) -> None:
        """One statement after the other."""
        for statement in statements:
            if self.frame.assigned is None:
                raise self.refusal(statement, "this statement is never reached", "leave it out")
            with self.code.temporaries():
                self._statement(statement)
        if self.code.mark() > LARGEST:
            reason = f"{self.frame.name} becomes too large: more than {LARGEST} instructions, helpers included"
            raise self.refusal(statements[0], reason, "call fewer helpers")
        if len(self.code.registers()) > REGISTERS:
            reason = f"{self.frame.name} needs more than {REGISTERS} variables, helpers and nested conditions included"
            raise self.refusal(statements[0], reason, "use fewer variables, or nest less deeply")

    def helper(self, node: ast.Call, name: str, results: list[int]) -> None:
        """Compiles the body of a helper in place; its results go to these registers."""
        function = self.declaration.methods[name]
        if name == "__init__":
            raise self.refusal(node, "__init__ runs once, before everything", "write a helper for both")
        if name in self._calls:
            raise self.refusal(
                node, f"{name} calls itself, by way of {' and '.join([*self._calls[1:], name])}", "write a loop"
            )
        if len(self._calls) > DEEPEST_CALL:
            raise self.refusal(
                node, f"helpers call helpers, more than {DEEPEST_CALL} deep", "put some of them together"
            )
        names = self._parameters(function)
        arguments = self._arguments(node, names)
        given = self.inference.arguments(self.frame.kinds, node, name)
        changed = assigned_names(function.body)
        lent: list[int] = []
        operands: dict[str, int] = {}
        for parameter, argument in zip(names, arguments, strict=True):
            if parameter in changed:
                lent.append(self.code.register(f"{name}.{parameter}"))
                operands[parameter] = self.value(argument, lent[-1])
            else:
                operands[parameter] = self.value(argument)
        outer, end = self.frame, Label()
        frame = Frame(name, operands, results, end, in_atomic=outer.in_atomic)
        lent += self._enter(function, frame, given)
        returns = frame.kinds.returns
        if results and (returns is None or len(returns) != len(results)):
            wanted = f"{len(results)} values are" if len(results) > 1 else "one value is"
            raise self.refusal(
                node, f"{wanted} needed, and {name} does not always return as many", "look at its returns"
            )
        self.block(function.body)
        if frame.assigned is not None:
            for register in results:
                self.code.emit(function.body[-1], Op.MOVE, register, self.constant(None))
            frame.returned.append(True)
        self.code.place(end)
        self._calls.pop()
        self.frame = outer
        if not frame.returned:
            outer.assigned = None
        for register in lent:
            self.code.release(register)

    def _enter(self, node: ast.FunctionDef, frame: Frame, given: tuple[Kind, ...]) -> list[int]:
        """Makes the frame of a method the present one; the registers that were lent for its variables."""
        names = parameters(node)
        helper = frame.end is not None
        frame.kinds = self.inference.method(node.name, given)
        frame.assigned = set(names)
        lent = []
        for name in sorted(assigned_names(node.body) | set(names)):
            if name in self.declaration.words or name == "self":
                raise self.refusal(
                    node, f"a variable of {node.name} is called {name}, a word of the language", "rename it"
                )
            if name not in frame.locals:
                lent.append(self.code.register(f"{node.name}.{name}" if helper else name))
                frame.locals[name] = lent[-1]
        self.frame = frame
        self._calls.append(node.name)
        return lent

    def _parameters(self, node: ast.FunctionDef) -> list[str]:
        takes = node.args
        odd = takes.posonlyargs or takes.kwonlyargs or takes.vararg or takes.kwarg or takes.defaults
        if odd or not takes.args or takes.args[0].arg != "self":
            raise self.refusal(node, f"{node.name} has unusual parameters", f"write `def {node.name}(self, a, b):`")
        return parameters(node)

    def _declared(self, parameter: ast.arg) -> Kind:
        return annotation_kind(self.declaration, parameter.annotation) or VALUE

    def _arguments(self, node: ast.Call, names: list[str]) -> list[ast.expr]:
        given = dict(zip(names, node.args, strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in given:
                raise self.refusal(
                    keyword.value, "a parameter is given twice or by **", "write the arguments one by one"
                )
            given[keyword.arg] = keyword.value
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if starred or len(node.args) > len(names) or set(given) != set(names):
            raise self.refusal(
                node, f"{shown(node)} has the wrong arguments", f"the parameters are ({', '.join(names)})"
            )
        return [given[name] for name in names]

    @contextmanager
    def _step(self, node: ast.AST) -> Iterator[None]:
        """What is compiled inside is one step, if steps are statements; the statements of a helper stay steps of their own."""
        mark = self.code.mark()
        yield
        if self._by_statement and not self.frame.in_atomic and not self.calls_helper(node):
            self.code.glue(mark)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Assert):
            with self._step(node):
                self.simple(node)
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.While):
            self._while(node)
        elif isinstance(node, ast.For):
            self._for(node)
        elif isinstance(node, ast.With):
            self._with(node, node.items)
        elif isinstance(node, ast.Return):
            self._return(node)
        elif isinstance(node, ast.Break | ast.Continue):
            loop = self.frame.loops[-1]
            if isinstance(node, ast.Break) and self.frame.assigned is not None:
                loop.breaks.append(set(self.frame.assigned))
            self._leave(node, loop.depth, loop.end if isinstance(node, ast.Break) else loop.again)
        elif not isinstance(node, ast.Pass):
            hint = next((hint for kind, hint in _REFUSED.items() if isinstance(node, kind)), "")
            raise self.refusal(node, f"`{shown(node)}` is outside the language", hint)

    def _if(self, node: ast.If) -> None:
        other, end = Label(), Label()
        with self._step(node.test):
            self.condition(node.test, other, when=False)
        before = _copy(self.frame.assigned)
        self.block(node.body)
        after = self.frame.assigned
        self.frame.assigned = before
        if node.orelse:
            if after is not None:
                self.code.emit(node, Op.JUMP, end)
            self.code.place(other)
            self.block(node.orelse)
            self.code.place(end)
        else:
            self.code.place(other)
        self.frame.assigned = _both(after, self.frame.assigned)

    def _while(self, node: ast.While) -> None:
        self._no_else(node)
        loop = Loop(Label(), Label(), len(self.frame.blocks))
        self.code.place(loop.again)
        if not is_true(node.test):
            with self._step(node.test):
                self.condition(node.test, loop.end, when=False)
        self._body(node, loop, None if is_true(node.test) else _copy(self.frame.assigned))

    def _for(self, node: ast.For) -> None:
        """Python computes the bounds once, and gives the variable the next number whatever the body did to it."""
        self._no_else(node)
        call = node.iter
        if (
            not isinstance(call, ast.Call)
            or self.declaration.word(call.func) != "range"
            or call.keywords
            or len(call.args) not in (1, 2)
        ):
            raise self.refusal(
                node.iter, f"a loop over {shown(node.iter)}", "write `for i in range(n):` or `range(a, b)`"
            )
        if not isinstance(node.target, ast.Name):
            raise self.refusal(node.target, "the variable of a loop is a plain name", "write `for i in range(n):`")
        for bound in call.args:
            if not self.kind(bound) & Kind.INT:
                raise self.refusal(bound, f"{shown(bound)} is no number", "write a number, a constant or an Int")
        counter, stop = self.code.temporary(), self.code.temporary()
        with self._step(call):
            first = self.value(call.args[0]) if len(call.args) == 2 else self.constant(0)
            self.code.emit(node, Op.MOVE, counter, first)
            stop = self._fixed(call.args[-1], node, stop)
        loop = Loop(Label(), Label(), len(self.frame.blocks))
        self.code.place(loop.again)
        inside = self.code.temporary()
        self.code.emit(node, Op.LT, inside, counter, stop)
        self.code.emit(node, Op.BRANCH, inside, loop.end)
        after = _copy(self.frame.assigned)
        self.code.emit(node, Op.MOVE, self.register(node.target), counter)
        self.code.emit(node, Op.ADD, counter, counter, self.constant(1))
        self.assigned(node.target)
        self._body(node, loop, after)

    def _fixed(self, bound: ast.expr, node: ast.For, register: int) -> int:
        """An operand for a bound that the body cannot change."""
        operand = self.value(bound)
        names = {inner.id for inner in ast.walk(bound) if isinstance(inner, ast.Name)}
        if (
            operand < 0
            or not isinstance(bound, ast.Name)
            or not names & assigned_names([*node.body, ast.Expr(node.target)])
        ):
            return operand
        self.code.emit(node, Op.MOVE, register, operand)
        return register

    def _body(self, node: ast.While | ast.For, loop: Loop, after: set[str] | None) -> None:
        """The body of a loop; `after` is what has a value if its test ends it, None if that cannot be."""
        self.frame.loops.append(loop)
        self.block(node.body)
        self.frame.loops.pop()
        if self.frame.assigned is not None:
            self.code.emit(node, Op.JUMP, loop.again)
        self.code.place(loop.end)
        for assigned in loop.breaks:
            after = assigned if after is None else after & assigned
        self.frame.assigned = after

    def _no_else(self, node: ast.While | ast.For) -> None:
        if node.orelse:
            raise self.refusal(
                node.orelse[0], "a loop with else", "set a variable before `break`, and test it after the loop"
            )

    def _with(self, node: ast.With, items: list[ast.withitem]) -> None:
        if not items:
            self.block(node.body)
            return
        item = items[0]
        if item.optional_vars is not None:
            raise self.refusal(item.optional_vars, "`with … as` is outside the language", "leave out `as`")
        before, atomic = self.frame.in_atomic, self._is_atomic(item.context_expr)
        if atomic and before:
            raise self.refusal(item.context_expr, "an atomic block inside an atomic block", "leave out the inner one")
        if atomic:
            self.code.begin(item.context_expr)
            self.frame.in_atomic = True
            self.frame.blocks.append(Block(None))
        else:
            place = self._kept(self.lock(item.context_expr), node)
            self.code.emit(item.context_expr, Op.LOCK, *place)
            self.frame.blocks.append(Block(place))
        self._with(node, items[1:])
        block = self.frame.blocks.pop()
        self.frame.in_atomic = before
        self.code.glued = before
        if self.frame.assigned is not None and block.place is not None:
            self.code.emit(item.context_expr, Op.UNLOCK, *block.place)

    def _kept(self, place: tuple[int, int, int, int, int], node: ast.With) -> tuple[int, int, int, int, int]:
        """The same place, whatever the body of the block assigns: Python has looked the lock up already."""
        changed = {self.frame.locals[name] for name in assigned_names(node.body) if name in self.frame.locals}
        kept = list(place)
        for position in (1, 4) if place[0] else (4,):
            if kept[position] in changed:
                copy = self.code.temporary()
                self.code.emit(node, Op.MOVE, copy, kept[position])
                kept[position] = copy
        space, base, first, length, index = kept
        return space, base, first, length, index

    def _is_atomic(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and self.declaration.word(node.func) == "atomic":
            if node.args or node.keywords:
                raise self.refusal(node, "atomic takes no arguments", "write `with atomic():`")
            return True
        if self.inference.field(node) is None:
            raise self.refusal(
                node, f"`with {shown(node)}:` is outside the language", "write `with atomic():` or `with self.lock:`"
            )
        return False

    def _return(self, node: ast.Return) -> None:
        frame = self.frame
        values = [] if node.value is None else node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        if frame.results is None:
            if len(values) > 1 or (
                values and self.kind(values[0]) & Kind.REF and not self.kind(values[0]) & ~(Kind.REF | Kind.NONE)
            ):
                advice = "return one of them" if len(values) > 1 else "return a field of the node"
                raise self.refusal(node, f"an operation returns one value, and {shown(node)} is none", advice)
            with self._step(node):
                operand = self.value(values[0]) if values else self.constant(None)
            self._leave(node, 0, None)
            self.code.emit(node, Op.RETURN, operand)
        else:
            with self._step(node):
                operands = self._returned(node, values, frame.results)
            frame.returned.append(True)
            assert frame.end is not None  # noqa: S101 - a helper has an end
            self._leave(node, 0, frame.end, list(zip(frame.results, operands, strict=False)))
        frame.assigned = None

    def _returned(self, node: ast.Return, values: list[ast.expr], results: list[int]) -> list[int]:
        """Operands of the results; none of them is a register that another result would overwrite."""
        if not results:
            for value in values:
                self.value(value)
            return []
        if not values:
            return [self.constant(None)]
        if len(values) == 1 and not self.frame.blocks:
            return [self.value(values[0], results[0])]
        operands = [self.value(value) for value in values]
        for position, operand in enumerate(operands):
            if operand in results[:position]:
                operands[position] = self.code.temporary()
                self.code.emit(node, Op.MOVE, operands[position], operand)
        return operands

    def _leave(
        self, node: ast.stmt, depth: int, target: Label | None, results: list[tuple[int, int]] | None = None
    ) -> None:
        """Leaves the `with` blocks above the depth, delivers results, and jumps; what follows is not reached."""
        glued, atomic = self.code.glued, self.frame.in_atomic
        for block in reversed(self.frame.blocks[depth:]):
            if block.place is None:
                self.code.glued = self.frame.in_atomic = False
            else:
                self.code.emit(node, Op.UNLOCK, *block.place)
        for register, operand in results or []:
            if register != operand:
                self.code.emit(node, Op.MOVE, register, operand)
        if target is not None:
            self.code.emit(node, Op.JUMP, target)
            self.frame.assigned = None
        self.code.glued, self.frame.in_atomic = glued, atomic


def _copy(assigned: set[str] | None) -> set[str] | None:
    return None if assigned is None else set(assigned)


def _both(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other
