"""How is an expression compiled? From left to right, as Python evaluates it, with one access for every field that is read.

An operand is a register or a constant. `value` gives any operand, or puts the value straight into the register that it is
told; `condition` turns a test into jumps, so `and` and `or` read no more than Python would. What is outside the language is
refused here.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import Final

from linpoint.errors import LanguageError
from linpoint.language import ir, kinds
from linpoint.language.assemble import Code, Label
from linpoint.language.declare import SYMBOLS, Declaration, Field, NodeClass, try_constant
from linpoint.language.frames import Frame
from linpoint.language.infer import Inference, is_self
from linpoint.language.ir import Op
from linpoint.language.kinds import Kind
from linpoint.language.source import shown

Place = tuple[int, int, int, int, int]

_COMPARISONS: Final = {
    ast.Eq: Op.EQ,
    ast.Is: Op.EQ,
    ast.NotEq: Op.NE,
    ast.IsNot: Op.NE,
    ast.Lt: Op.LT,
    ast.LtE: Op.LE,
    ast.Gt: Op.LT,
    ast.GtE: Op.LE,
}
_CALCULATIONS: Final = {ast.Add: Op.ADD, ast.Sub: Op.SUB, ast.Mod: Op.MOD}
_STATEMENTS: Final = frozenset({"free", "wait", "acquire", "release", "atomic"})
_REFUSED: Final = {
    ast.NamedExpr: "write the assignment as a statement of its own",
    ast.Lambda: "write a helper method",
    ast.Dict: "use a class of nodes",
    ast.List: "use an Array field",
    ast.Set: "use an Array field",
    ast.ListComp: "write a loop",
    ast.JoinedStr: "return a plain text or a number",
    ast.Tuple: "only a helper may return several values; give them names with `a, b = self._helper()`",
}


class Expressions(ABC):
    """Compiles expressions of one method into `code`."""

    def __init__(self, declaration: Declaration, inference: Inference, symbols: list[str]) -> None:
        self.declaration = declaration
        self.inference = inference
        self.symbols = symbols
        self.code = Code()
        self.frame = Frame("", {}, None, None)

    @abstractmethod
    def helper(self, node: ast.Call, name: str, results: list[int]) -> None:
        """Compiles the body of a helper in place; its results go to these registers."""

    def refusal(self, node: ast.AST, reason: str, suggestion: str = "") -> LanguageError:
        """The error to raise about a node."""
        return self.declaration.source.refusal(node, reason, suggestion)

    def kind(self, node: ast.expr) -> Kind:
        """What an expression may give."""
        return self.inference.expression(self.frame.kinds, node)

    def constant(self, value: ir.Constant) -> int:
        """The operand of a constant; a new symbol gets its number here."""
        if isinstance(value, str) and value not in (*self.symbols, ir.LEAST, ir.GREATEST):
            self.symbols.append(value)
        return ir.constant(value, tuple(self.symbols))

    def value(self, node: ast.expr, into: int | None = None) -> int:
        """An operand that holds the value; the register `into` if one is given."""
        known = self._constant(node)
        if known is not None:
            return self._moved(node, known, into)
        if isinstance(node, ast.Name):
            return self._moved(node, self._name(node), into)
        register = into if into is not None else self.code.temporary()
        self._compute(node, register)
        return register

    def condition(self, node: ast.expr, target: Label, when: bool) -> None:
        """Jumps to the target if the test comes out like `when`, and goes on otherwise."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.condition(node.operand, target, not when)
        elif isinstance(node, ast.BoolOp):
            decisive = isinstance(node.op, ast.Or)  # the first value that is so decides
            skip = Label()
            for part in node.values[:-1]:
                self.condition(part, target if decisive == when else skip, decisive)
            self.condition(node.values[-1], target, when)
            self.code.place(skip)
        else:
            self._demand(node, Kind.BOOL, "is no truth value", exactly=True)
            operand, skip = self.value(node), Label()
            self.code.emit(node, Op.BRANCH, operand, skip if when else target)
            if when:
                self.code.emit(node, Op.JUMP, target)
            self.code.place(skip)

    def place(self, node: ast.expr) -> tuple[Place, Field]:
        """The cell that `self.f`, `n.f`, `self.f[i]` or `n.f[i]` names."""
        index: ast.expr | None = None
        whole = node
        if isinstance(node, ast.Subscript):
            index = node.slice
            node = node.value
        if not isinstance(node, ast.Attribute):
            raise self.refusal(
                node, f"{shown(node)} is neither a field nor an array", "arrays are fields: `self.slots[i]`"
            )
        field, owner = self._field(node)
        if index is None and field.length is not None:
            raise self.refusal(whole, f"{field.name} is an array", f"write `{shown(node)}[i]`")
        if index is not None and field.length is None:
            raise self.refusal(whole, f"{field.name} is no array", "leave out the index")
        base = self._base(node, owner) if owner is not None else None
        zero = self.constant(0)
        if index is not None:
            self._demand(index, Kind.INT, "is no number")
            zero = self.value(index)
        length = field.length or 1
        return (
            ir.shared(field.first, length, zero) if base is None else ir.field(base, field.first, length, zero)
        ), field

    def lock(self, node: ast.expr) -> Place:
        """The cell of a lock."""
        place, field = self.place(node)
        if not field.is_lock:
            raise self.refusal(node, f"{shown(node)} is no lock", "declare it: `lock: Lock = Lock()`")
        if self.frame.in_atomic:
            raise self.refusal(node, "a lock inside `with atomic():` could wait for ever", "lock before the block")
        return place

    def fits(self, node: ast.expr, field: Field, target: ast.AST) -> None:
        """Refuses a value that the field cannot hold."""
        if field.is_lock:
            raise self.refusal(target, f"{field.name} is a lock", "use acquire() and release()")
        if not self.kind(node) & field.kind and not isinstance(node, ast.Tuple):
            hint = f"declare the field {field.name} with another type"
            raise self.refusal(node, f"{shown(node)} does not fit the type of {field.name}", hint)

    def _constant(self, node: ast.expr) -> int | None:
        names = (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
        if any(name in self.frame.kinds.variables for name in names):
            return None
        if isinstance(node, ast.Call):
            return None
        known = try_constant(self.declaration, node)
        return self.constant(known) if known is None or isinstance(known, bool | int | str) else None

    def _moved(self, node: ast.expr, operand: int, into: int | None) -> int:
        if into is None or into == operand:
            return operand
        self.code.emit(node, Op.MOVE, into, operand)
        return into

    def _name(self, node: ast.Name) -> int:
        if node.id in self.frame.kinds.variables:
            if self.frame.assigned is not None and node.id not in self.frame.assigned:
                raise self.refusal(node, f"{node.id} may not have a value yet", "give it one on every way to this line")
            return self.frame.locals[node.id]
        if node.id == "self":
            raise self.refusal(node, "the object itself is no value", "name a field: self.top")
        if node.id in self.declaration.words:
            raise self.refusal(node, f"{node.id} is no value", "")
        hint = "constants are numbers, None, True, False and texts, given once at the top of the file"
        raise self.refusal(node, f"{node.id} is neither a local variable nor a constant", hint)

    def _compute(self, node: ast.expr, into: int) -> None:
        if isinstance(node, ast.Attribute | ast.Subscript):
            place, field = self.place(node)
            if field.is_lock:
                raise self.refusal(node, f"{shown(node)} is a lock, no value", "use acquire(), release() or `with`")
            self.code.emit(node, Op.LOAD, into, *place)
        elif isinstance(node, ast.Compare):
            self._compare(node, into)
        elif isinstance(node, ast.BinOp):
            self._demand(node.left, Kind.INT, "is no number")
            self.calculation(node, node.op, self.value(node.left), node.right, into)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            self._demand(node.operand, Kind.INT, "is no number")
            self.code.emit(node, Op.SUB, into, self.constant(0), self.value(node.operand))
        elif isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            self._truth(node, into)
        elif isinstance(node, ast.IfExp):
            other, end = Label(), Label()
            self.condition(node.test, other, when=False)
            self.value(node.body, into)
            self.code.emit(node, Op.JUMP, end)
            self.code.place(other)
            self.value(node.orelse, into)
            self.code.place(end)
        elif isinstance(node, ast.Call):
            self._call(node, into)
        else:
            hint = next((hint for kind, hint in _REFUSED.items() if isinstance(node, kind)), "")
            raise self.refusal(node, f"{shown(node)} is outside the language", hint)

    def _truth(self, node: ast.expr, into: int) -> None:
        false, end = Label(), Label()
        self.condition(node, false, when=False)
        self.code.emit(node, Op.MOVE, into, self.constant(True))
        self.code.emit(node, Op.JUMP, end)
        self.code.place(false)
        self.code.emit(node, Op.MOVE, into, self.constant(False))
        self.code.place(end)

    def _compare(self, node: ast.Compare, into: int) -> None:
        if len(node.ops) > 1:
            raise self.refusal(node, "two comparisons in one", "write `a < b and b < c`")
        operator, left, right = node.ops[0], node.left, node.comparators[0]
        op = _COMPARISONS.get(type(operator))
        if op is None:
            raise self.refusal(node, f"`{shown(node)}` is outside the language", "compare with each, joined by `or`")
        one, other = self.kind(left), self.kind(right)
        if isinstance(operator, ast.Is | ast.IsNot):
            self._identity(node, one, other)
        if op in (Op.LT, Op.LE):
            self._demand(left, Kind.INT | Kind.SYMBOL, "has no order")
            self._demand(right, Kind.INT | Kind.SYMBOL, "has no order")
        elif {one, other} == {Kind.BOOL, Kind.INT}:
            raise self.refusal(node, "a truth value is compared with a number", "write True or False instead of 1 or 0")
        first, second = self.value(left), self.value(right)
        if isinstance(operator, ast.Gt | ast.GtE):
            first, second = second, first
        self.code.emit(node, op, into, first, second)

    def _identity(self, node: ast.Compare, one: Kind, other: Kind) -> None:
        """`is` means the same as `==` for nodes, None, True and False; for numbers and texts it depends on the interpreter."""
        doubtful = Kind.INT | Kind.SYMBOL
        names = {self.declaration.word(side) for side in (node.left, *node.comparators)}
        if one & doubtful and other & doubtful and not names & SYMBOLS.keys():
            hint = f"write `{shown(node).replace(' is not ', ' != ').replace(' is ', ' == ')}`"
            raise self.refusal(node, f"`{shown(node)}` asks whether two numbers are the same piece of memory", hint)

    def calculation(self, node: ast.AST, operator: ast.operator, first: int, right: ast.expr, into: int) -> None:
        """Compiles `first operator right`."""
        op = _CALCULATIONS.get(type(operator))
        if op is None:
            raise self.refusal(
                node, f"`{shown(node)}` is outside the language", "there are +, - and %; constants also have * and //"
            )
        self._demand(right, Kind.INT, "is no number")
        self.code.emit(node, op, into, first, self.value(right))

    def _call(self, node: ast.Call, into: int) -> None:
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                raise self.refusal(argument, "a call with *", "write the arguments one by one")
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.refusal(keyword.value, "a call with **", "write the arguments one by one")
        if isinstance(node.func, ast.Attribute):
            self._method_call(node, node.func, into)
            return
        word = self.declaration.word(node.func)
        if word in ("cas", "compare_exchange", "swap", "fetch_and_add"):
            self._primitive(node, word, into)
        elif word == "thread_id":
            self._arity(node, 0)
            self.code.emit(node, Op.ME, into)
        elif word == "choose":
            self._arity(node, 1)
            count = try_constant(self.declaration, node.args[0])
            if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                raise self.refusal(node, "choose needs a constant from 1", "write `choose(2)`")
            self.code.emit(node, Op.CHOOSE, into, count)
        elif word == "isinstance":
            self._arity(node, 2)
            kind = self._node_class(node.args[1])
            self.code.emit(node, Op.IS, into, self.value(node.args[0]), kind.number)
        elif word == "len":
            self._arity(node, 1)
            field = self.inference.field(node.args[0])
            if field is None or field.length is None or isinstance(node.args[0], ast.Subscript):
                raise self.refusal(node, f"{shown(node.args[0])} is no array", "len is known of arrays only")
            self.code.emit(node, Op.MOVE, into, self.constant(field.length))
        elif word in _STATEMENTS:
            raise self.refusal(node, f"{shown(node)} gives no value", "write it as a statement of its own")
        else:
            hint = "import the word from linpoint.language, or write a helper method: self._helper(...)"
            raise self.refusal(node, f"{shown(node.func)} is no function of the language", hint)

    def _method_call(self, node: ast.Call, function: ast.Attribute, into: int) -> None:
        name, owner = function.attr, function.value
        if is_self(owner) and name in self.declaration.nodes:
            self._new(node, self.declaration.nodes[name], into)
        elif is_self(owner) and name in self.declaration.methods:
            self.helper(node, name, [into])
        elif name in ("acquire", "release"):
            raise self.refusal(node, f"{shown(node)} gives no value", "write it as a statement of its own")
        elif name == "try_acquire":
            self._arity(node, 0)
            place, me = self.lock(owner), self.code.temporary()
            self.code.emit(node, Op.ME, me)
            self.code.emit(node, Op.CAS, into, 1, *place, self.constant(None), me)
        elif name in ("cas", "compare_exchange", "swap", "fetch_and_add"):
            self._array_primitive(node, name, owner, into)
        elif is_self(owner):
            raise self.refusal(node, f"{self.declaration.name} has no method {name}", "look at its name")
        else:
            raise self.refusal(node, f"{shown(function)} is outside the language", "nodes have fields, no methods")

    def _new(self, node: ast.Call, kind: NodeClass, into: int) -> None:
        if node.args:
            raise self.refusal(
                node.args[0], "fields are given by name", f"write `self.{kind.name}({next(iter(kind.fields), '')}=…)`"
            )
        given: dict[str, int] = {}
        for keyword in node.keywords:
            field = kind.fields.get(keyword.arg or "")
            if field is None or field.is_lock or field.length is not None or field.name in given:
                raise self.refusal(
                    keyword.value, f"{kind.name} takes no {keyword.arg}", f"its fields: {', '.join(kind.fields)}"
                )
            self.fits(keyword.value, field, keyword.value)
            given[field.name] = self.value(keyword.value)
        operands: list[int] = []
        for field in kind.fields.values():
            if field.required and field.name not in given:
                raise self.refusal(node, f"the field {field.name} has no value", f"write `{field.name}=…`")
            operands += [given.get(field.name, self.constant(field.initial))] * (field.length or 1)
        self.code.emit(node, Op.NEW, into, kind.number, *operands)

    def _primitive(self, node: ast.Call, word: str, into: int) -> None:
        example = {"swap": "swap(self, top=new)", "fetch_and_add": "fetch_and_add(self, back=1)"}
        hint = f"write `{example.get(word, f'{word}(self, top=(old, new))')}`"
        if len(node.args) != 1 or not node.keywords or (word != "cas" and len(node.keywords) != 1):
            raise self.refusal(node, f"{word} needs an object or node, and fields by name", hint)
        owner, operands = node.args[0], list[int]()
        base = None if is_self(owner) else self.value(owner)
        for keyword in node.keywords:
            about = ast.copy_location(ast.Attribute(owner, keyword.arg or "", ast.Load()), node)
            field, kind = self._field(about)
            if field.length is not None or field.is_lock:
                raise self.refusal(
                    node, f"{field.name} is no plain field", "arrays have methods: self.slots.cas(i, old, new)"
                )
            if kind is not None and base is not None:
                self._check_type(owner, base, kind)
            place = ir.shared(field.first) if base is None else ir.field(base, field.first)
            operands += [*place, *self._operands(keyword.value, word, field, hint)]
        self._emit_primitive(node, word, into, operands, len(node.keywords))

    def _array_primitive(self, node: ast.Call, word: str, owner: ast.expr, into: int) -> None:
        pairs = word in ("cas", "compare_exchange")
        hint = (
            f"write `self.slots.{word}({'i, old, new' if pairs else 'i, 1' if word == 'fetch_and_add' else 'i, new'})`"
        )
        if len(node.args) != (3 if pairs else 2) or node.keywords:
            raise self.refusal(node, f"{word} of an array has other arguments", hint)
        cell = ast.copy_location(ast.Subscript(owner, node.args[0], ast.Load()), node)
        place, field = self.place(cell)
        for argument in node.args[1:]:
            self.fits(argument, field, argument)
        self._emit_primitive(node, word, into, [*place, *(self.value(argument) for argument in node.args[1:])], 1)

    def _operands(self, node: ast.expr, word: str, field: Field, hint: str) -> list[int]:
        parts = [node]
        if word in ("cas", "compare_exchange"):
            if not (isinstance(node, ast.Tuple) and len(node.elts) == 2):
                raise self.refusal(node, f"{word} needs the pair (old, new)", hint)
            parts = node.elts
        for part in parts:
            self.fits(part, field, part)
        return [self.value(part) for part in parts]

    def _emit_primitive(self, node: ast.Call, word: str, into: int, operands: list[int], count: int) -> None:
        if word == "cas":
            self.code.emit(node, Op.CAS, into, count, *operands)
        else:
            op = {"compare_exchange": Op.EXCHANGE_IF, "swap": Op.SWAP, "fetch_and_add": Op.FETCH_ADD}[word]
            self.code.emit(node, op, into, *operands)

    def _field(self, node: ast.Attribute) -> tuple[Field, NodeClass | None]:
        """The field, and the kind of node that has it; None if the object itself has it."""
        if is_self(node.value):
            field = self.declaration.fields.get(node.attr)
            if field is None:
                known = (
                    "is no field"
                    if node.attr in (*self.declaration.nodes, *self.declaration.methods)
                    else "is not declared"
                )
                raise self.refusal(
                    node, f"self.{node.attr} {known}", f"declare a shared field: `{node.attr}: Ref = None`"
                )
            return field, None
        owner = self.declaration.owner_of(node.attr)
        if owner is None:
            raise self.refusal(node, f"no class of nodes has a field {node.attr}", "declare it in the class of nodes")
        return owner.fields[node.attr], owner

    def _base(self, node: ast.Attribute, owner: NodeClass) -> int:
        self._demand(node.value, Kind.REF, "is never a node")
        base = self.value(node.value)
        self._check_type(node.value, base, owner)
        return base

    def _check_type(self, node: ast.expr, base: int, owner: NodeClass) -> None:
        """Where another kind of node may be: a node that has no such field is a fault, as it is in Python."""
        if self.kind(node) & Kind.REF & ~kinds.NODES[owner.number]:
            fits = self.code.temporary()
            self.code.emit(node, Op.IS, fits, base, owner.number)
            self.code.emit(node, Op.ASSERT, fits)

    def _node_class(self, node: ast.expr) -> NodeClass:
        if isinstance(node, ast.Attribute) and is_self(node.value) and node.attr in self.declaration.nodes:
            return self.declaration.nodes[node.attr]
        raise self.refusal(node, f"{shown(node)} is no class of nodes", "write `isinstance(x, self.Cell)`")

    def _arity(self, node: ast.Call, count: int) -> None:
        if len(node.args) != count or node.keywords:
            raise self.refusal(node, f"{shown(node.func)} takes {count} argument{'s' * (count != 1)}", "")

    def _demand(self, node: ast.expr, kind: Kind, complaint: str, exactly: bool = False) -> None:
        found = self.kind(node)
        if found & kind and (not exactly or found == kind):
            return
        if found == kinds.NOTHING:  # what it is will be refused where it is compiled, with a better reason
            return
        hint = ""
        if kind is Kind.BOOL:
            node_or_none = found & Kind.REF or found is Kind.NONE
            hint = f"write `{shown(node)} is not None`" if node_or_none else f"compare it: `{shown(node)} == …`"
        if kind is Kind.REF:
            hint = "no statement gives it one"
        raise self.refusal(node, f"{shown(node)} {complaint}", hint)
