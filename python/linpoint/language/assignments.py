"""How are plain statements compiled? Assignments, assertions, and calls that stand alone.

Values are computed before the place that they go to is looked up, as Python does it, and a value goes straight into the
register of its variable: a copy would only be one more thing for the explorer to tell states apart by.
"""

from __future__ import annotations

import ast

from linpoint.language.assemble import Label
from linpoint.language.expressions import Expressions
from linpoint.language.infer import is_self
from linpoint.language.ir import Op
from linpoint.language.kinds import loaded_names
from linpoint.language.source import shown


class Assignments(Expressions):
    """Compiles statements that have no statements inside."""

    def calls_helper(self, node: ast.AST) -> bool:
        """Is there a call of another method in it?"""
        return any(
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Attribute)
            and is_self(inner.func.value)
            and inner.func.attr in self.declaration.methods
            for inner in ast.walk(node)
        )

    def simple(self, node: ast.stmt) -> None:
        """An assignment, an assertion, or a call as a statement."""
        if isinstance(node, ast.Assign):
            self._assign(node, node.targets, node.value)
        elif isinstance(node, ast.AnnAssign):
            if not isinstance(node.target, ast.Name):
                raise self.refusal(node, "a field gets its type in the class", "write the assignment without a type")
            if node.value is not None:
                self._assign(node, [node.target], node.value)
        elif isinstance(node, ast.AugAssign):
            self._augmented(node)
        elif isinstance(node, ast.Assert):
            holds = Label()
            self.condition(node.test, holds, when=True)
            self.code.emit(node, Op.ASSERT, self.constant(False))
            self.code.place(holds)
        elif isinstance(node, ast.Expr):
            self._expression(node.value)

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            return  # a docstring, or `...`
        if not isinstance(node, ast.Call):
            raise self.refusal(node, f"`{shown(node)}` does nothing", "leave it out")
        word = self.declaration.word(node.func)
        if word == "free":
            self._one_argument(node, "free(node)")
            self.code.emit(node, Op.FREE, self.value(node.args[0]))
        elif word == "wait":
            self._wait(node)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in ("acquire", "release"):
            if node.args or node.keywords:
                raise self.refusal(node, f"{node.func.attr} takes no arguments", "there is try_acquire() too")
            self.code.emit(node, Op.LOCK if node.func.attr == "acquire" else Op.UNLOCK, *self.lock(node.func.value))
        elif (
            self.calls_helper(node)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in self.declaration.methods
        ):
            self.helper(node, node.func.attr, [])
        else:
            self.value(node)

    def _wait(self, node: ast.Call) -> None:
        """The condition is looked at in the step that it allows."""
        self._one_argument(node, "wait(self.count > 0)")
        alone = not self.frame.in_atomic
        if alone:
            self.code.begin(node)
        holds = self.code.temporary()
        true = Label()
        self.code.emit(node, Op.MOVE, holds, self.constant(True))
        self.condition(node.args[0], true, when=True)
        self.code.emit(node, Op.MOVE, holds, self.constant(False))
        self.code.place(true)
        self.code.emit(node, Op.AWAIT, holds)
        if alone:
            self.code.glued = False

    def _one_argument(self, node: ast.Call, example: str) -> None:
        if len(node.args) != 1 or node.keywords:
            raise self.refusal(node, f"{shown(node.func)} takes one argument", f"write `{example}`")

    def _assign(self, node: ast.stmt, targets: list[ast.expr], value: ast.expr) -> None:
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
            self._unpack(node, targets[0], value)
        elif len(targets) == 1 and isinstance(targets[0], ast.Name):
            self.value(value, self.register(targets[0]))
            self.assigned(targets[0])
        else:
            operand = self.value(value)
            for target in targets:
                self._store(node, target, operand, value)

    def _unpack(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> None:
        if isinstance(value, ast.Tuple):
            if len(value.elts) != len(target.elts):
                raise self.refusal(node, f"{len(value.elts)} values for {len(target.elts)} names", "")
            names = [one.id for one in target.elts if isinstance(one, ast.Name)]
            read = loaded_names([ast.Expr(part) for part in value.elts])
            if len(names) == len(target.elts) and not set(names) & set(read):
                for one, part in zip(target.elts, value.elts, strict=True):
                    self._assign(node, [one], part)
                return
            operands = [self.value(part, self.code.temporary()) for part in value.elts]
            for one, operand, part in zip(target.elts, operands, value.elts, strict=True):
                self._store(node, one, operand, part)
            return
        if not (self.calls_helper(value) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
            raise self.refusal(
                value, f"{shown(value)} does not give several values", "write `a, b = self._helper()` or `a, b = x, y`"
            )
        if not all(isinstance(one, ast.Name) for one in target.elts) or len({shown(one) for one in target.elts}) != len(
            target.elts
        ):
            raise self.refusal(
                target, "results of a helper go to different local variables", "name them, then store them"
            )
        registers = [self.register(one) for one in target.elts if isinstance(one, ast.Name)]
        self.helper(value, value.func.attr, registers)
        for one in target.elts:
            self.assigned(one)

    def _store(self, node: ast.stmt, target: ast.expr, operand: int, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.code.emit(node, Op.MOVE, self.register(target), operand)
            self.assigned(target)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            place, field = self.place(target)
            self.fits(value, field, target)
            self.code.emit(node, Op.STORE, *place, operand)
        else:
            raise self.refusal(
                target, f"{shown(target)} cannot be assigned to", "assign to a local variable or a field"
            )

    def _augmented(self, node: ast.AugAssign) -> None:
        """`self.n += 1` reads and writes: two steps, as in Python."""
        if isinstance(node.target, ast.Name):
            register = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            self.calculation(node, node.op, register, node.value, register)
            return
        place, field = self.place(node.target)
        self.fits(ast.copy_location(ast.Constant(0), node.target), field, node.target)
        before, after = self.code.temporary(), self.code.temporary()
        self.code.emit(node, Op.LOAD, before, *place)
        self.calculation(node, node.op, before, node.value, after)
        self.code.emit(node, Op.STORE, *place, after)

    def register(self, target: ast.Name) -> int:
        """The register of a local variable."""
        return self.frame.locals[target.id]

    def assigned(self, target: ast.expr) -> None:
        """From here on the variable has a value."""
        if isinstance(target, ast.Name) and self.frame.assigned is not None:
            self.frame.assigned.add(target.id)
