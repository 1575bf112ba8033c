"""What does a class of the language declare? Fields, nodes, constants and methods; their bodies come later.

    class TreiberStack(Object):          # an Object
        class Cell(Node):                # a kind of node
            value: Value                 # a field that every `self.Cell(...)` gives
            next: Ref = None             # or with a first value
        SIZE = 4                         # a constant
        top: Ref = None                  # a shared field
        slots: Array[Ref] = Array(SIZE, None)
        lock: Lock = Lock()

Everything that stands in the class and is none of these is refused. Words of the language are known by their import, so a
file that calls something else `cas` is not misunderstood.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeGuard

from linpoint.language import kinds
from linpoint.language.ir import GREATEST, LEAST, NUMBERS, Constant
from linpoint.language.kinds import ANNOTATIONS, BUILTIN_ANNOTATIONS, Kind
from linpoint.language.source import Source, shown

MODULE: Final = "linpoint.language"
SYMBOLS: Final = {"EMPTY": "EMPTY", "LEAST": LEAST, "GREATEST": GREATEST}
FUNCTIONS: Final = frozenset(
    {"atomic", "cas", "choose", "compare_exchange", "fetch_and_add", "free", "swap", "thread_id", "wait"}
)
BUILTINS: Final = frozenset({"isinstance", "len", "range"})
WORDS: Final = FUNCTIONS | {
    "Array",
    "Lock",
    "Node",
    "Object",
    "THREADS",
    "OPERATIONS",
    "Blocked",
    *SYMBOLS,
    *ANNOTATIONS,
}


@dataclass(frozen=True)
class Field:
    """A declared field: `first` is its first cell, `length` is None unless it is an array."""

    name: str
    kind: Kind
    first: int
    length: int | None
    initial: Constant
    required: bool
    is_lock: bool
    node: ast.AST = field(repr=False)

    def names(self) -> list[str]:
        """The names of its cells."""
        return [self.name] if self.length is None else [f"{self.name}[{index}]" for index in range(self.length)]


@dataclass(frozen=True)
class NodeClass:
    """A kind of node."""

    name: str
    number: int
    fields: dict[str, Field]
    pool: int

    def cells(self) -> tuple[str, ...]:
        """The names of all cells."""
        return tuple(name for one in self.fields.values() for name in one.names())


@dataclass
class Declaration:
    """Everything but the bodies of the methods."""

    source: Source
    name: str
    node: ast.ClassDef
    words: dict[str, str]
    """Names in the file that mean a word of the language, or a builtin function: {"cas": "cas", "Void": "EMPTY"}."""
    threads: int
    operations: int
    constants: dict[str, Constant] = field(default_factory=dict)
    """Names of the module."""
    members: dict[str, Constant] = field(default_factory=dict)
    """Constants of the class, as `self.SIZE`."""
    fields: dict[str, Field] = field(default_factory=dict)
    nodes: dict[str, NodeClass] = field(default_factory=dict)
    methods: dict[str, ast.FunctionDef] = field(default_factory=dict)

    def owner_of(self, name: str) -> NodeClass | None:
        """The kind of node that has a field of that name."""
        return next((kind for kind in self.nodes.values() if name in kind.fields), None)

    def word(self, node: ast.AST) -> str:
        """The word of the language that an expression is, or an empty text."""
        return self.words.get(node.id, "") if isinstance(node, ast.Name) else ""


def declare(source: Source, node: ast.ClassDef, threads: int, operations: int) -> Declaration:
    """Reads a class body."""
    found = Declaration(source, node.name, node, _words(source), threads, operations)
    _module_constants(found)
    for one in _lineage(found, node):
        for keyword in one.keywords:
            raise source.refusal(keyword.value, f"{one.name} takes no keyword {keyword.arg}", "leave it out")
        _no_decorators(source, one)
        own: set[str] = set()
        for statement in one.body:
            _member(found, statement, own)
    if not any(not name.startswith("_") for name in found.methods):
        raise source.refusal(node, f"{node.name} has no operation", "write a method whose name does not begin with _")
    return found


def constant_value(found: Declaration, node: ast.expr) -> Constant:
    """The value of an expression that must be known before anything runs."""
    value = try_constant(found, node, in_class=True)
    if isinstance(value, _Unknown):
        raise found.source.refusal(
            node, f"{shown(node)} is not a constant", "write a number, None, True, False or EMPTY"
        )
    return value


class _Unknown:
    """The answer of `try_constant` for everything that is not one."""


UNKNOWN: Final = _Unknown()


def try_constant(found: Declaration, node: ast.expr, in_class: bool = False) -> Constant | _Unknown:
    """The value of a constant expression: literals, names of constants, and calculations with numbers; UNKNOWN otherwise."""
    value = _fold(found, node, in_class)
    if _is_number(value) and value not in NUMBERS:
        hint = f"numbers go from {NUMBERS[0]} to {NUMBERS[-1]}; LEAST and GREATEST are beyond"
        raise found.source.refusal(node, f"the number {shown(node)} does not fit in a cell", hint)
    return value


def annotation_kind(found: Declaration, node: ast.expr | None) -> Kind | None:
    """What an annotation allows; None if it is no type of the language."""
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):  # a quoted annotation
        node = ast.Name(node.value, ast.Load())
    word = found.word(node) or (BUILTIN_ANNOTATIONS.get(node.id, "") if isinstance(node, ast.Name) else "")
    return ANNOTATIONS.get(word)


def _words(source: Source) -> dict[str, str]:
    """Imported words, and builtin functions, unless the file gives their names another meaning."""
    times = Counter(_bound_names(source.tree))
    words = {name: name for name in BUILTINS if not times[name]}
    for statement in source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == MODULE:
            for alias in statement.names:
                if alias.name not in WORDS:
                    hint = f"it has {', '.join(sorted(WORDS))}"
                    raise source.refusal(alias, f"{alias.name} is no word of the language", hint)
                name = alias.asname or alias.name
                if times[name] == 1:
                    words[name] = alias.name
    return words


def _module_constants(found: Declaration) -> None:
    """Constants of the file: names that are given a value once, in a plain assignment."""
    times = Counter(_bound_names(found.source.tree))
    for statement in found.source.tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        else:
            continue
        if isinstance(target, ast.Name) and times[target.id] == 1:
            known = _fold(found, value, False)
            if not isinstance(known, _Unknown):
                found.constants[target.id] = known


def _bound_names(tree: ast.Module) -> Iterator[str]:
    """Names that the module gives a value to, once for each time; also those that a function takes as `global`."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, outside = waiting.pop()
        if isinstance(node, ast.Global):
            yield from node.names
        elif outside and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id
        elif outside and isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif outside and isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        inner = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, outside and not inner) for child in ast.iter_child_nodes(node)]


def _lineage(found: Declaration, node: ast.ClassDef) -> list[ast.ClassDef]:
    """The class and the classes of the same file that it is derived from, the first of them first."""
    source, chain = found.source, [node]
    times = Counter(_bound_names(source.tree))
    while not (len(chain[0].bases) == 1 and found.word(chain[0].bases[0]) == "Object"):
        bases = [base.id for base in chain[0].bases if isinstance(base, ast.Name)]
        known = [one for one in source.tree.body if isinstance(one, ast.ClassDef) and one.name in bases]
        if len(chain[0].bases) != 1 or len(known) != 1 or known[0] in chain or times[known[0].name] != 1:
            hint = f"write `class {chain[0].name}(Object):`, imported from {MODULE}, or derive it from a class of this file"
            raise source.refusal(chain[0], f"{chain[0].name} is no Object of {MODULE}", hint)
        chain.insert(0, known[0])
    return chain


def _member(found: Declaration, statement: ast.stmt, own: set[str]) -> None:
    """Reads one statement of a class body. Methods and constants may replace inherited ones; fields and nodes may not."""
    source = found.source
    if _is_idle(statement):
        return
    if isinstance(statement, ast.ClassDef):
        _fresh_name(found, statement, statement.name, own)
        found.nodes[statement.name] = _node_class(found, statement)
    elif isinstance(statement, ast.FunctionDef):
        _fresh_name(found, statement, statement.name, own, found.methods)
        _no_decorators(source, statement)
        if statement.name.startswith("__") and statement.name != "__init__":
            raise source.refusal(statement, f"{statement.name} is outside the language", "give the method a plain name")
        found.methods[statement.name] = statement
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        name = statement.target.id
        _fresh_name(found, statement, name, own)
        if statement.value is None:
            raise source.refusal(statement, f"the shared field {name} has no first value", f"write `{name}: … = None`")
        first = sum(len(one.names()) for one in found.fields.values())
        found.fields[name] = _field(found, statement, name, first)
    elif (
        isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
    ):
        name = statement.targets[0].id
        _fresh_name(found, statement, name, own, found.members)
        if _called(found, statement.value) in ("Array", "Lock"):
            raise source.refusal(
                statement, f"{name} has no type", f"write `{name}: {_called(found, statement.value)} = …`"
            )
        found.members[name] = constant_value(found, statement.value)
    elif isinstance(statement, ast.AsyncFunctionDef):
        raise source.refusal(statement, f"{statement.name} is a coroutine", "write `def` instead of `async def`")
    else:
        hint = "a class has fields (`top: Ref = None`), constants, classes of nodes and methods"
        raise source.refusal(statement, f"`{shown(statement)}` cannot stand in a class body", hint)


def _node_class(found: Declaration, node: ast.ClassDef) -> NodeClass:
    source = found.source
    if not (len(node.bases) == 1 and found.word(node.bases[0]) == "Node"):
        raise source.refusal(node, f"{node.name} is not a Node, directly and only", f"write `class {node.name}(Node):`")
    _no_decorators(source, node)
    pool = 0
    for keyword in node.keywords:
        size = constant_value(found, keyword.value)
        if keyword.arg != "pool" or not _is_number(size) or size < 1:
            raise source.refusal(keyword.value, "only `pool`, a number from 1, may stand here", "leave it out")
        pool = size
    fields: dict[str, Field] = {}
    for statement in node.body:
        if _is_idle(statement):
            continue
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            raise source.refusal(
                statement, "a class of nodes has fields only", "write `next: Ref`, or a method of the object"
            )
        name = statement.target.id
        other = found.owner_of(name)
        if name in fields or other is not None:
            where = other.name if other is not None else node.name
            raise source.refusal(statement, f"{where} has a field {name} already", "give every field a name of its own")
        fields[name] = _field(found, statement, name, sum(len(one.names()) for one in fields.values()))
    return NodeClass(node.name, len(found.nodes), fields, pool)


def _field(found: Declaration, statement: ast.AnnAssign, name: str, first: int) -> Field:
    source, annotation, value = found.source, statement.annotation, statement.value
    if name.startswith("_"):
        raise source.refusal(statement, f"the name of the field {name} begins with _", "give it a plain name")
    made = _called(found, value)
    word = found.word(annotation)
    if isinstance(annotation, ast.Subscript) and found.word(annotation.value) == "Array":
        word = "Array"
    if word == "Lock":
        if made != "Lock" or not isinstance(value, ast.Call) or value.args or value.keywords:
            raise source.refusal(statement, f"the lock {name} is not made here", f"write `{name}: Lock = Lock()`")
        return Field(name, kinds.NOTHING, first, None, None, False, True, statement)
    if word == "Array":
        return _array(found, statement, name, first)
    kind = annotation_kind(found, annotation)
    if kind is None:
        hint = f"write one of {', '.join([*ANNOTATIONS, 'Lock', 'Array[Ref]'])}"
        raise source.refusal(annotation, f"{shown(annotation)} is no type of the language", hint)
    initial = constant_value(found, value) if value is not None else None
    if value is not None and not kinds.of_constant(initial) & kind:
        raise source.refusal(value, f"{shown(value)} is no {shown(annotation)}", "look at the type of the field")
    return Field(name, kind, first, None, initial, value is None, False, statement)


def _array(found: Declaration, statement: ast.AnnAssign, name: str, first: int) -> Field:
    source, value = found.source, statement.value
    hint = f"write `{name}: Array[Ref] = Array(4, None)`"
    if _called(found, value) != "Array" or not isinstance(value, ast.Call) or len(value.args) != 2 or value.keywords:
        raise source.refusal(statement, f"the array {name} is not made here", hint)
    kind, is_lock = kinds.ANYTHING, _called(found, value.args[1]) == "Lock"
    if isinstance(statement.annotation, ast.Subscript):
        inside = statement.annotation.slice
        named = annotation_kind(found, inside)
        if named is None and found.word(inside) != "Lock":
            raise source.refusal(inside, f"{shown(inside)} is no type of the language", hint)
        kind = named if named is not None else kinds.NOTHING
    length = constant_value(found, value.args[0])
    if not _is_number(length) or length < 1:
        raise source.refusal(value.args[0], f"{shown(value.args[0])} is no length", "write a number from 1")
    initial = None if is_lock else constant_value(found, value.args[1])
    if not is_lock and not kinds.of_constant(initial) & kind:
        raise source.refusal(value.args[1], f"{shown(value.args[1])} does not fit the type of {name}", hint)
    return Field(name, kind, first, length, initial, False, is_lock, statement)


def _fresh_name(
    found: Declaration, node: ast.AST, name: str, own: set[str], replaced: Mapping[str, object] | None = None
) -> None:
    """Refuses a name that the class has already, unless it replaces an inherited one of the same sort."""
    taken = name in found.members or name in found.fields or name in found.nodes or name in found.methods
    if name in own or (taken and name not in (replaced or {})):
        raise found.source.refusal(node, f"{found.name} has {name} already", "give it another name")
    own.add(name)


def _fold(found: Declaration, node: ast.expr, in_class: bool) -> Constant | _Unknown:
    if isinstance(node, ast.Constant):
        if node.value in SYMBOLS:  # the text "EMPTY" is not EMPTY, and there is no byte for it
            hint = f"write {node.value}, or another text"
            raise found.source.refusal(node, f"the text {node.value!r} has the name of a word", hint)
        plain = node.value is None or isinstance(node.value, bool | int | str)
        return node.value if plain else UNKNOWN  # type: ignore[return-value]
    if isinstance(node, ast.Name):
        return _named(found, node.id, in_class)
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and not in_class
    ):
        return found.members.get(node.attr, UNKNOWN)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _fold(found, node.operand, in_class)
        return -inner if _is_number(inner) else UNKNOWN
    if isinstance(node, ast.BinOp):
        left, right = _fold(found, node.left, in_class), _fold(found, node.right, in_class)
        if _is_number(left) and _is_number(right):
            return _calculate(node.op, left, right)
    return UNKNOWN


def _named(found: Declaration, name: str, in_class: bool) -> Constant | _Unknown:
    if in_class and name in found.members:
        return found.members[name]
    word = found.words.get(name)
    if word in ("THREADS", "OPERATIONS"):
        return found.threads if word == "THREADS" else found.operations
    if word in SYMBOLS:
        return SYMBOLS[word]
    return found.constants.get(name, UNKNOWN)


def _calculate(operator: ast.operator, left: int, right: int) -> Constant | _Unknown:
    """Numbers that cannot grow beyond reason: what does not fit in a cell needs no exact value."""
    if max(abs(left), abs(right)) > 1 << 32 or (right == 0 and isinstance(operator, ast.FloorDiv | ast.Mod)):
        return UNKNOWN
    function = _CALCULATIONS.get(type(operator))
    return UNKNOWN if function is None else function(left, right)


_CALCULATIONS: Final[dict[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: int.__add__,
    ast.Sub: int.__sub__,
    ast.Mult: int.__mul__,
    ast.FloorDiv: int.__floordiv__,
    ast.Mod: int.__mod__,
}


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _called(found: Declaration, node: ast.expr | None) -> str:
    return found.word(node.func) if isinstance(node, ast.Call) else ""


def _is_idle(statement: ast.stmt) -> bool:
    """A docstring, `...` or `pass`."""
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or text


def _no_decorators(source: Source, node: ast.ClassDef | ast.FunctionDef) -> None:
    for decorator in node.decorator_list:
        raise source.refusal(decorator, f"{node.name} has a decorator", "leave it out")
