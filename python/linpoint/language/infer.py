"""What may each variable of a method hold, and what may it return? The fixed point that `kinds.py` describes.

A helper is looked at once for every combination of kinds of its arguments, as it is compiled once for every call. A field
may hold nodes of those classes that some method stores there; so all methods are looked at again until no field gets a new
class. Whoever reads a field of a node relies on that: a node of another class is only asked for where it may be
(`expressions.py`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from linpoint.language import kinds
from linpoint.language.declare import Declaration, Field, annotation_kind, try_constant
from linpoint.language.kinds import Kind

DEEPEST_CALL: Final = 20
"""Helpers that call helpers: no deeper."""

_INTEGERS = frozenset({"len", "thread_id", "choose", "fetch_and_add"})
_TRUTHS = frozenset({"cas", "try_acquire", "isinstance"})


@dataclass
class Kinds:
    """What variables may hold, and what the method returns: one kind per value, or None if returns differ in number."""

    variables: dict[str, Kind]
    returns: tuple[Kind, ...] | None = (kinds.NOTHING,)


class Inference:
    """Kinds of expressions, methods and their variables."""

    def __init__(self, declaration: Declaration) -> None:
        self._declaration = declaration
        self._known: dict[tuple[str, tuple[Kind, ...]], Kinds] = {}
        self._stored: dict[tuple[bool, str], Kind] = {}
        """Which nodes a field may refer to: of the object itself (True), or of a node; names of fields are used once."""
        while True:
            before = dict(self._stored)
            self._known.clear()
            for name, node in declaration.methods.items():
                if name == "__init__" or not name.startswith("_"):
                    self.method(name, self.declared(node))
            if self._stored == before:
                break

    def declared(self, node: ast.FunctionDef) -> tuple[Kind, ...]:
        """What a client may pass to an operation."""
        return tuple(
            annotation_kind(self._declaration, parameter.annotation) or kinds.VALUE for parameter in node.args.args[1:]
        )

    def method(self, name: str, arguments: tuple[Kind, ...], depth: int = 0) -> Kinds:
        """The kinds of a method that is called with such arguments."""
        known = self._known.get((name, arguments))
        if known is not None:
            return known
        node = self._declaration.methods[name]
        found = Kinds(dict(zip(parameters(node), arguments, strict=False)))
        if depth > DEEPEST_CALL:  # recursion, or nearly: it will be refused where it is called
            return Kinds(found.variables, (kinds.ANYTHING,))
        while True:
            before = dict(found.variables)
            for inner in ast.walk(node):
                self._assign(found, inner, depth)
                if isinstance(inner, ast.Call):
                    self._call(found, inner, depth)
            if found.variables == before:
                break
        found.returns = self._returns(found, node, depth)
        self._known[name, arguments] = found
        return found

    def expression(self, found: Kinds, node: ast.expr, depth: int = 0) -> Kind:
        """What an expression may give."""
        if isinstance(node, ast.Name) and node.id in found.variables:
            return found.variables[node.id]
        if isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            return Kind.BOOL
        if isinstance(node, ast.BinOp | ast.UnaryOp):
            return Kind.INT
        if isinstance(node, ast.IfExp):
            return self.expression(found, node.body, depth) | self.expression(found, node.orelse, depth)
        if isinstance(node, ast.Constant | ast.Name):
            known = try_constant(self._declaration, node)
            return kinds.of_constant(known) if known is None or isinstance(known, bool | int | str) else kinds.NOTHING
        if isinstance(node, ast.Attribute | ast.Subscript):
            return self._place(node)
        if isinstance(node, ast.Call):
            return self._call(found, node, depth)
        return kinds.NOTHING

    def field(self, node: ast.expr) -> Field | None:
        """The field that `self.f`, `node.f`, `self.f[i]` or `node.f[i]` is about."""
        if isinstance(node, ast.Subscript):
            node = node.value
        if not isinstance(node, ast.Attribute):
            return None
        if is_self(node.value):
            return self._declaration.fields.get(node.attr)
        owner = self._declaration.owner_of(node.attr)
        return owner.fields[node.attr] if owner is not None else None

    def _place(self, node: ast.expr) -> Kind:
        field = self.field(node)
        if field is not None:
            return field.kind & ~Kind.REF | self._stored.get(self._key(node), kinds.NOTHING)
        known = try_constant(self._declaration, node)
        return kinds.of_constant(known) if known is None or isinstance(known, bool | int | str) else kinds.NOTHING

    def _call(self, found: Kinds, node: ast.Call, depth: int) -> Kind:
        name = self._declaration.word(node.func)
        owner: ast.expr | None = None
        if isinstance(node.func, ast.Attribute):
            name, owner = node.func.attr, node.func.value
            if is_self(owner) and name in self._declaration.nodes:
                for keyword in node.keywords:
                    self._store(found, (False, keyword.arg or ""), keyword.value, depth)
                return kinds.NODES[self._declaration.nodes[name].number % len(kinds.NODES)]
            if is_self(owner) and name in self._declaration.methods:
                return self._helper(found, node, name, depth)
        self._change(found, node, name, owner, depth)
        if name in _TRUTHS:
            return Kind.BOOL
        if name in _INTEGERS:
            return Kind.INT
        if name in ("swap", "compare_exchange"):
            if owner is not None:
                return self._place(owner)
            about = [keyword.arg for keyword in node.keywords if keyword.arg]
            if node.args and about:
                return self._place(ast.Attribute(node.args[0], about[0], ast.Load()))
        return kinds.NOTHING

    def _change(self, found: Kinds, node: ast.Call, name: str, owner: ast.expr | None, depth: int) -> None:
        """What `cas` and its like may store."""
        if name not in ("cas", "compare_exchange", "swap"):
            return
        if owner is not None:
            for value in node.args[1:]:
                self._store(found, self._key(owner), value, depth)
        for keyword in node.keywords:
            values = keyword.value.elts if isinstance(keyword.value, ast.Tuple) else [keyword.value]
            for value in values:
                self._store(found, (bool(node.args) and is_self(node.args[0]), keyword.arg or ""), value, depth)

    def _key(self, node: ast.expr) -> tuple[bool, str]:
        """The field that a place is about."""
        if isinstance(node, ast.Subscript):
            node = node.value
        return (is_self(node.value), node.attr) if isinstance(node, ast.Attribute) else (False, "")

    def _store(self, found: Kinds, key: tuple[bool, str], value: ast.expr, depth: int) -> None:
        nodes = self.expression(found, value, depth) & Kind.REF
        self._stored[key] = self._stored.get(key, kinds.NOTHING) | nodes

    def _helper(self, found: Kinds, node: ast.Call, name: str, depth: int) -> Kind:
        returns = self.method(name, self.arguments(found, node, name, depth), depth + 1).returns
        return returns[0] if returns is not None and len(returns) == 1 else kinds.NOTHING

    def arguments(self, found: Kinds, node: ast.Call, name: str, depth: int = 0) -> tuple[Kind, ...]:
        """The kinds with which a helper is called: what was declared, or else what is given."""
        declared = self._declaration.methods[name].args.args[1:]
        given = list(node.args)
        for parameter in declared[len(given) :]:
            given += [keyword.value for keyword in node.keywords if keyword.arg == parameter.arg]
        kinds_given = [self.expression(found, argument, depth) for argument in given]
        return tuple(
            kind
            if (allowed := annotation_kind(self._declaration, parameter.annotation)) is None
            else allowed & ~Kind.REF | kind & Kind.REF
            for parameter, kind in zip(declared, kinds_given, strict=False)
        )

    def _assign(self, found: Kinds, node: ast.AST, depth: int) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._give(found, target, node.value, depth)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._give(found, node.target, node.value, depth)
        elif isinstance(node, ast.AnnAssign):  # without a value, but a variable of the method from here on
            _join(found, node.target, kinds.NOTHING)
        elif isinstance(node, ast.AugAssign | ast.For) and isinstance(node.target, ast.Name):
            _join(found, node.target, Kind.INT)

    def _give(self, found: Kinds, target: ast.expr, value: ast.expr, depth: int) -> None:
        if isinstance(target, ast.Name):
            _join(found, target, self.expression(found, value, depth))
        elif isinstance(target, ast.Attribute | ast.Subscript):
            self._store(found, self._key(target), value, depth)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._give(found, one, part, depth)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            name = value.func.attr
            if name in self._declaration.methods and is_self(value.func.value):
                returns = self.method(name, self.arguments(found, value, name, depth), depth + 1).returns or ()
                for one, kind in zip(target.elts, returns, strict=False):
                    _join(found, one, kind)

    def _returns(self, found: Kinds, node: ast.FunctionDef, depth: int) -> tuple[Kind, ...] | None:
        gathered: list[tuple[Kind, ...]] = [(Kind.NONE,)] if falls_through(node.body) else []
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return):
                values = inner.value.elts if isinstance(inner.value, ast.Tuple) else [inner.value]
                gathered.append(
                    tuple(Kind.NONE if value is None else self.expression(found, value, depth) for value in values)
                )
        if not gathered:
            return (kinds.NOTHING,)  # it never returns
        if len({len(one) for one in gathered}) > 1:
            return None
        result = list(gathered[0])
        for one in gathered[1:]:
            result = [before | kind for before, kind in zip(result, one, strict=True)]
        return tuple(result)


def is_self(node: ast.AST) -> bool:
    """Is it the object itself?"""
    return isinstance(node, ast.Name) and node.id == "self"


def parameters(node: ast.FunctionDef) -> list[str]:
    """The names of a method's parameters without `self`."""
    return [parameter.arg for parameter in node.args.args[1:]]


def falls_through(body: list[ast.stmt]) -> bool:
    """Can the end of these statements be reached?"""
    return all(_passes(statement) for statement in body)


def _passes(node: ast.stmt) -> bool:
    if isinstance(node, ast.Return | ast.Break | ast.Continue):
        return False
    if isinstance(node, ast.If):
        return falls_through(node.body) or falls_through(node.orelse)
    if isinstance(node, ast.With):
        return falls_through(node.body)
    if isinstance(node, ast.While) and is_true(node.test):
        return _breaks(node.body)
    return True


def is_true(node: ast.expr) -> bool:
    """Is it the constant True?"""
    return isinstance(node, ast.Constant) and node.value is True


def _breaks(body: list[ast.stmt]) -> bool:
    """Is there a break of this loop, not of one inside?"""
    waiting: list[ast.stmt] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.If):
            waiting += node.body + node.orelse
        elif isinstance(node, ast.With):
            waiting += node.body
    return False


def _join(found: Kinds, target: ast.expr, kind: Kind) -> None:
    if isinstance(target, ast.Name):
        found.variables[target.id] = found.variables.get(target.id, kinds.NOTHING) | kind
