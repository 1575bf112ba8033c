"""From a Python function to a program of base operations: expressions.

An expression without base operations becomes a tree that is evaluated in one go, because nobody can tell when it was.
A base operation inside an expression becomes an instruction of its own whose result is a local, in Python's order of
evaluation; `and`, `or` and `x if c else y` become branches.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from linpoint.extend.base import SYNONYMS, WHOLE, Base
from linpoint.extend.program import Apply, Call, Const, Equal, Expr, Handler, If, Instruction, Let, New, Not, Var
from linpoint.extend.surroundings import MAKERS, PURE_BUILTINS, PURE_METHODS, Scope, Surroundings, all_arguments, dotted

_SYMBOLS: Final = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


@dataclass(frozen=True)
class Refusal:
    """Something that an encapsulated extension may not do, and where it does it."""

    reason: str
    line: int
    column: int


@dataclass
class Expressions:
    """Makes instructions of expressions; `Lowering` adds the statements."""

    name: str
    function: ast.FunctionDef | ast.AsyncFunctionDef
    base: Base
    target: str
    """What the base object is called: `self._cache`, `registry`, `self`."""
    surroundings: Surroundings
    scope: Scope | None = None
    """The class that the method is in."""
    pure: frozenset[str] = frozenset()
    makers: frozenset[str] = frozenset()
    assume_pure: bool = False
    """Are calls that nobody declared taken for pure ones?"""

    code: list[Instruction] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    parameters: int = 0
    sites: list[str] = field(default_factory=list)
    labels: dict[int, int] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    assumptions: dict[str, None] = field(default_factory=dict)
    shared_names: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    """Names that the function assigns: locals, perhaps not yet bound."""
    aliases: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    """Locals that may hold a value of the base object, or an object made here."""
    catching: int = 0
    """Inside how many `try` statements that catch more than a missing key?"""

    def __post_init__(self) -> None:
        skipped = {self.target.partition(".")[0]} if self.target else set()
        if self.scope is not None:
            skipped |= {"self", "cls"}
        for argument in all_arguments(self.function):
            if argument.arg not in skipped:
                self.local(argument.arg)
        self.parameters = len(self.locals)
        for node in ast.walk(self.function):
            if isinstance(node, ast.Global | ast.Nonlocal):
                self.shared_names |= set(node.names)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.assigned.add(node.id)
        self._find_stored()

    def _find_stored(self) -> None:
        """The locals into which values of the base object, or objects made here, flow."""
        assigned = [
            (target.id, node.value)
            for node in ast.walk(self.function)
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        ]
        before = -1
        while before != len(self.stored):
            before = len(self.stored)
            self.stored |= {name for name, value in assigned if self._reachable(value)}

    def _reachable(self, value: ast.expr) -> bool:
        """May other threads reach what this gives, now or later?"""
        for node in ast.walk(value):
            if isinstance(node, ast.Name) and node.id in self.stored:
                return True
            if isinstance(node, ast.Attribute | ast.Subscript | ast.Name) and self.is_base(node):
                return True
        return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp) or (
            isinstance(value, ast.Call) and self._makes(dotted(value.func))
        )

    # -- instructions

    def emit(self, step: Instruction) -> None:
        """Appends an instruction."""
        self.code.append(step)

    def label(self) -> int:
        """A place to jump to that is not known yet; a negative number."""
        label = -2 - len(self.labels)
        self.labels[label] = -1
        return label

    def label_here(self) -> int:
        """A label for the next instruction."""
        label = self.label()
        self.place(label)
        return label

    def place(self, label: int) -> None:
        """The label is the place of the next instruction."""
        self.labels[label] = len(self.code)

    def jump(self, label: int, line: int) -> None:
        """Goes there."""
        self.emit(If(Const(True), line, label, label))

    def local(self, name: str) -> int:
        """The number of a local."""
        if name not in self.numbers:
            self.numbers[name] = len(self.locals)
            self.locals.append(name)
        return self.numbers[name]

    def kept(self, value: Expr, node: ast.AST) -> Expr:
        """The value in a local of its own, if it is computed."""
        if isinstance(value, Const):
            return value
        number = self.local(f"value {len(self.locals)}")
        self.emit(Let(number, value, getattr(node, "lineno", 0)))
        return Var(number)

    def refuse(self, node: ast.AST, reason: str) -> Expr:
        """Not covered; the analysis goes on, to find what else is not."""
        line, column = self.surroundings.source.position(node)
        if (found := Refusal(reason, line, column)) not in self.refusals:
            self.refusals.append(found)
        return Const(None)

    def handlers(self) -> tuple[tuple[Handler, ...], int]:
        """Where exceptions go; statements know."""
        return (), -1

    def operation(self, name: str, key: Expr, arguments: tuple[Expr, ...], node: ast.AST, wanted: bool = True) -> Expr:
        """A base operation; its result is a local."""
        known = self.base.operations.get(name)
        if known is None:
            return self.refuse(node, f"a {self.base.name} has no operation `{name}`")
        given = len(arguments) + (1 if self.base.keyed else 0)
        if not known[1] <= given <= known[2]:
            return self.refuse(node, f"`{name}` with {given} arguments")
        to = self.local(f"value {len(self.locals)}") if wanted else -1
        handlers, exception = self.handlers()
        self.emit(Call(to, name, key, arguments, getattr(node, "lineno", 0), handlers, exception))
        return Var(to) if wanted else Const(None)

    # -- the base object

    def is_base(self, node: ast.expr) -> bool:
        """Is this the base object?"""
        name = dotted(node)
        return bool(name) and (name == self.target or name in self.aliases)

    def is_alias(self, target: ast.expr, value: ast.expr) -> bool:
        """`cache = self._cache`: from now on the base object has another name."""
        if not (isinstance(target, ast.Name) and self.is_base(value)):
            return False
        stores = [
            node
            for node in ast.walk(self.function)
            if isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Store)
        ]
        if len(stores) > 1 or target.id in self.shared_names:
            self.refuse(target, f"{target.id} is sometimes the base object and sometimes not")
        self.aliases.add(target.id)
        return True

    def mentions_base(self, node: ast.AST) -> bool:
        """Does the base object occur in it?"""
        return any(isinstance(each, ast.expr) and self.is_base(each) for each in ast.walk(node))

    def _base_call(self, node: ast.Call, name: str, wanted: bool) -> Expr:
        """`base.name(…)`."""
        name = SYNONYMS.get(name, name)
        if name in WHOLE and name not in self.base.operations:
            return self.refuse(node, f"`{name}` is about every key at once")
        if node.keywords and not (name in ("get", "pop") and [each.arg for each in node.keywords] == ["default"]):
            return self.refuse(node, f"`{name}` with arguments by name")
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(isinstance(each, ast.Starred) for each in given):
            return self.refuse(node, f"`{name}` with arguments out of a sequence")
        if not self.base.keyed:
            return self.operation(name, Const(0), self._values(given), node, wanted)
        if not given:
            return self.refuse(node, f"`{name}` without a key")
        key, *others = self._values(given)
        return self.operation(name, key, tuple(others), node, wanted)

    def _values(self, nodes: list[ast.expr]) -> tuple[Expr, ...]:
        """Several expressions, from left to right; a local is read before a later one assigns it (`x + (x := 1)`)."""
        values: list[Expr] = []
        for number, node in enumerate(nodes):
            value = self.expression(node)
            later = (each for rest in nodes[number + 1 :] for each in ast.walk(rest))
            values.append(self.kept(value, node) if any(isinstance(each, ast.NamedExpr) for each in later) else value)
        return tuple(values)

    # -- expressions

    def expression(self, node: ast.expr, wanted: bool = True) -> Expr:
        """Lowers an expression; base operations in it are emitted."""
        if self.is_base(node):
            return self.refuse(node, f"{ast.unparse(node)} itself goes elsewhere, and others may change it unseen")
        method = getattr(self, f"_{type(node).__name__.lower()}_value", None)
        if method is None:
            return self.refuse(node, f"`{_short(node)}` is not covered")
        if isinstance(node, ast.Call):
            return self._call_value(node, wanted)
        value: Expr = method(node)
        return value

    def _constant_value(self, node: ast.Constant) -> Expr:
        plain = node.value is None or isinstance(node.value, bool | int | float | str)
        return Const(node.value if plain else repr(node.value))  # what JSON cannot say stands for itself

    def _name_value(self, node: ast.Name) -> Expr:
        if node.id in self.numbers:
            return Var(self.numbers[node.id])
        if node.id in self.shared_names or (lines := self.surroundings.module.assigned.get(node.id)):
            where = f" (line {lines[0]})" if node.id not in self.shared_names and lines else ""
            return self.refuse(node, f"it reads {node.id}, which is assigned elsewhere{where}")
        if node.id in self.assigned:
            return Var(self.local(node.id))
        if node.id in self.surroundings.module.dicts:
            return self.refuse(node, f"it uses {node.id}, another shared dict")
        return Apply(node.id, ())

    def _attribute_value(self, node: ast.Attribute) -> Expr:
        name = dotted(node)
        root = name.partition(".")[0]
        if root in ("self", "cls") and self.scope is not None:
            attribute = name.split(".")[1]
            if attribute in self.scope.dicts:
                return self.refuse(node, f"it uses {root}.{attribute}, another shared dict")
            if lines := self.scope.assigned.get(attribute):
                return self.refuse(node, f"it reads {root}.{attribute}, which line {lines[0]} assigns")
            if name.count(".") > 1 or attribute in self.scope.methods:
                return self.refuse(node, f"it reads {name}, which other threads may change")
            if attribute not in self.scope.begun:
                self.assumptions[f"{name} does not change"] = None
            return Apply(name, ())
        if name and root not in self.numbers and root not in self.stored:
            return Apply(name, ())
        if root in self.stored or not name:
            return self.refuse(node, f"it reads {_short(node)} of an object that other threads may change")
        return Apply(f".{node.attr}", (self.expression(node.value),))

    def _subscript_value(self, node: ast.Subscript) -> Expr:
        if self.is_base(node.value):
            if isinstance(node.slice, ast.Slice):
                return self.refuse(node, "a slice of the base object")
            return self.operation("getitem", self.expression(node.slice), (), node)
        if self._reachable(node.value):
            return self.refuse(node, f"it looks into {_short(node.value)}, which other threads may change")
        if isinstance(node.slice, ast.Slice):
            parts = [each for each in (node.slice.lower, node.slice.upper, node.slice.step) if each is not None]
            return self._apply("slice", [node.value, *parts])
        return self._apply("[]", [node.value, node.slice])

    def _namedexpr_value(self, node: ast.NamedExpr) -> Expr:
        value = self.expression(node.value)
        assert isinstance(node.target, ast.Name)  # noqa: S101 - Python's grammar
        number = self.local(node.target.id)
        self.emit(Let(number, value, node.lineno))
        return Var(number)

    def _tuple_value(self, node: ast.Tuple) -> Expr:
        return self._apply("tuple", node.elts)

    def _joinedstr_value(self, node: ast.JoinedStr) -> Expr:
        texts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        return self._apply(
            f"f{'{}'.join(map(str, texts))!r}",
            [part.value for part in node.values if isinstance(part, ast.FormattedValue)],
        )

    def _starred_value(self, node: ast.Starred) -> Expr:
        return self.expression(node.value)

    def _binop_value(self, node: ast.BinOp) -> Expr:
        return self.arithmetic(node.op, *self._values([node.left, node.right]))

    def arithmetic(self, operator: ast.operator, left: Expr, right: Expr) -> Expr:
        """`left + right`."""
        if self.catching:
            self.refuse(self.function, "a computation inside a `try` that catches more than a missing key")
        return Apply(_SYMBOLS.get(type(operator), type(operator).__name__.lower()), (left, right))

    def _unaryop_value(self, node: ast.UnaryOp) -> Expr:
        if isinstance(node.op, ast.Not):
            return Not(self.expression(node.operand))
        if (
            isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
            and type(node.operand.value) in (int, float)
        ):
            return Const(-node.operand.value)  # type: ignore[operator]
        return self._apply("neg" if isinstance(node.op, ast.USub) else type(node.op).__name__.lower(), [node.operand])

    def _boolop_value(self, node: ast.BoolOp) -> Expr:
        """`a or b`: a if it is true, else b."""
        number, end = self.local(f"value {len(self.locals)}"), self.label()
        for place, part in enumerate(node.values):
            self.emit(Let(number, self.expression(part), part.lineno))
            if place < len(node.values) - 1:
                on = self.label()
                either = (end, on) if isinstance(node.op, ast.Or) else (on, end)
                self.emit(If(Var(number), part.lineno, *either))
                self.place(on)
        self.place(end)
        return Var(number)

    def _ifexp_value(self, node: ast.IfExp) -> Expr:
        number = self.local(f"value {len(self.locals)}")
        yes, no, end = self.label(), self.label(), self.label()
        self.branch(node.test, yes, no)
        self.place(yes)
        self.emit(Let(number, self.expression(node.body), node.lineno))
        self.jump(end, node.lineno)
        self.place(no)
        self.emit(Let(number, self.expression(node.orelse), node.lineno))
        self.place(end)
        return Var(number)

    def _compare_value(self, node: ast.Compare) -> Expr:
        if len(node.ops) > 1:
            pairs = zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
            parts: list[ast.expr] = [ast.copy_location(ast.Compare(a, [op], [b]), node) for a, op, b in pairs]
            if any(self.mentions_base(each) for each in node.comparators[:-1]):
                return self.refuse(node, "a chain of comparisons with base operations in it")
            return self._boolop_value(ast.copy_location(ast.BoolOp(ast.And(), parts), node))
        operator, right = node.ops[0], node.comparators[0]
        negated = isinstance(operator, ast.NotEq | ast.IsNot | ast.NotIn)
        if isinstance(operator, ast.In | ast.NotIn):
            if self.is_base(right) and self.base.keyed:
                value = self.operation("contains", self.expression(node.left), (), node)
            elif isinstance(right, ast.Tuple | ast.List | ast.Set):
                return self._boolop_value(_any_equal(node, right, negated))
            elif self._reachable(right):
                value = self.refuse(node, f"it looks into {_short(right)}, which other threads may change")
            else:
                value = self._apply("in", [node.left, right])
        elif isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            value = Equal(*self._values([node.left, right]))
        else:
            value = Apply(_SYMBOLS[type(operator)], self._values([node.left, right]))
        return Not(value) if negated else value

    def _made_value(self, node: ast.expr) -> Expr:
        """A list, a dict, a lambda: an object that is made here."""
        if self.mentions_base(node):
            return self.refuse(node, f"the base object inside `{_short(node)}`")
        for each in ast.walk(node):
            if isinstance(each, ast.Call):
                self._check_call(each)
        return self._made(_short(node))

    _list_value = _set_value = _dict_value = _lambda_value = _made_value
    _listcomp_value = _setcomp_value = _dictcomp_value = _generatorexp_value = _made_value

    def _made(self, what: str) -> Expr:
        self.sites.append(what)
        return New(len(self.sites) - 1)

    # -- calls

    def _call_value(self, node: ast.Call, wanted: bool = True) -> Expr:
        called = node.func
        if isinstance(called, ast.Attribute) and self.is_base(called.value):
            return self._base_call(node, called.attr, wanted)
        name = dotted(called)
        if name == "len" and len(node.args) == 1 and self.is_base(node.args[0]):
            return self.refuse(node, "`len` is about every key at once")
        parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        named = "".join(f" {keyword.arg or '**'}=" for keyword in node.keywords)
        if not self._check_call(node):
            return Const(None)
        if self._makes(name):
            for part in parts:
                self.expression(part)
            return self._made(_short(node))
        if isinstance(called, ast.Attribute) and not self._known_pure(name) and not self._constant_root(name):
            return self._apply(f".{called.attr}{named}", [called.value, *parts])
        return self._apply(name + named, parts)

    def _check_call(self, node: ast.Call) -> bool:
        """May it be called? What is not declared is refused, or noted as an assumption."""
        called, name = node.func, dotted(node.func)
        if self._known_pure(name) or self._of_a_text(called):
            return True
        if self._makes(name):
            if name.rpartition(".")[2] not in MAKERS and name not in self.makers:
                self.assumptions[f"{name}(…) only makes a new object"] = None
            return True
        if isinstance(called, ast.Attribute) and self._reachable(called.value):
            self.refuse(node, f"it calls `{called.attr}` of a value that other threads may reach")
            return False
        if not name:
            self.refuse(node, f"it calls `{_short(called)}`")
            return False
        if self.assume_pure:
            self.assumptions[
                f"{name}(…) is pure: the same arguments give the same result, and nothing else happens"
            ] = None
            return True
        self.refuse(node, f"it calls `{name}`, which is not declared pure")
        return False

    def _of_a_text(self, called: ast.expr) -> bool:
        """Is it a method of texts, called on a literal or a local?"""
        if not isinstance(called, ast.Attribute) or called.attr not in PURE_METHODS:
            return False
        return isinstance(called.value, ast.Constant | ast.JoinedStr | ast.Name | ast.Call) and not self._constant_root(
            dotted(called.value)
        )

    def _known_pure(self, name: str) -> bool:
        """Was it declared pure, or is it known to be?"""
        if name in self.pure or name.rpartition(".")[2] in self.pure:
            return True
        return name not in self.numbers and (name in PURE_BUILTINS or self.surroundings.is_pure(name))

    def _constant_root(self, name: str) -> bool:
        """Is it a name of the module, or of `self`, rather than of a local?"""
        return bool(name) and name.partition(".")[0] not in self.numbers

    def _makes(self, name: str) -> bool:
        """Is it a class, by its name?"""
        last = name.rpartition(".")[2]
        if name in self.pure or last in self.pure:
            return False
        return (
            name in self.makers or last in self.makers or last in MAKERS or (last[:1].isupper() and not last.isupper())
        )

    def _apply(self, function: str, nodes: list[ast.expr]) -> Expr:
        if self.catching:
            self.refuse(self.function, "a computation inside a `try` that catches more than a missing key")
        return Apply(function, self._values(nodes))

    # -- conditions

    def branch(self, node: ast.expr, yes: int, no: int) -> None:
        """Goes to `yes` if the expression is true, else to `no`."""
        if isinstance(node, ast.BoolOp):
            for part in node.values[:-1]:
                on = self.label()
                self.branch(part, *((yes, on) if isinstance(node.op, ast.Or) else (on, no)))
                self.place(on)
            self.branch(node.values[-1], yes, no)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, no, yes)
        else:
            self.emit(If(self.expression(node), node.lineno, yes, no))


def _any_equal(node: ast.Compare, right: ast.Tuple | ast.List | ast.Set, negated: bool) -> ast.BoolOp:
    """`x in (a, b)` as `x == a or x == b`."""
    operator: ast.cmpop = ast.NotEq() if negated else ast.Eq()
    parts: list[ast.expr] = [ast.copy_location(ast.Compare(node.left, [operator], [each]), node) for each in right.elts]
    parts = parts or [ast.copy_location(ast.Constant(negated), node)]
    return ast.copy_location(ast.BoolOp(ast.And() if negated else ast.Or(), parts), node)


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 40 else text[:39] + "…"
