"""What stands around an extension method? Names of its file that hold a dict, or are assigned again; functions that are pure.

One walk over the file, and all the methods of the file are judged with it. What is imported is not looked at: it is
unknown, and an extension that calls it must declare it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from linpoint.language.source import Source

DICTS: Final = frozenset({"dict", "OrderedDict", "WeakValueDictionary", "WeakKeyDictionary", "Dict", "MutableMapping"})
"""Calls and annotations that make a name the name of a dict."""
PURE_BUILTINS: Final = frozenset(
    """
    abs ascii bin bool bytes callable chr complex divmod float format frozenset hash hex int isinstance
    issubclass len max min oct ord pow range repr round slice str sum tuple type
    """.split()  # noqa: SIM905
)
PURE_METHODS: Final = frozenset(
    """
    casefold encode endswith format isalnum isalpha isdigit isidentifier islower isspace
    isupper join ljust lower lstrip partition removeprefix removesuffix rjust rpartition rsplit rstrip
    split startswith strip upper zfill
    """.split()  # noqa: SIM905
)
"""Methods that only texts (and tuples) have, which never change."""
MAKERS: Final = frozenset({"list", "dict", "set", "object", "bytearray", "deque", "defaultdict"})
"""Calls that make a new object and touch nothing else."""
BEGINNINGS: Final = frozenset({"__init__", "__new__", "__setstate__", "__post_init__"})
"""Methods that run before other threads know the object."""
LOGGING: Final = frozenset({"log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER", "warnings", "print"})
"""Statements that begin with one of these are taken for messages to people, and left out."""


@dataclass
class Scope:
    """The names of a module, a class (`self.name`) or a function."""

    dicts: dict[str, int] = field(default_factory=dict)
    """The names that hold a dict, with the line where it is made."""
    assigned: dict[str, list[int]] = field(default_factory=dict)
    """The lines, outside `__init__` and the module's own level, where a name is assigned."""
    begun: set[str] = field(default_factory=set)
    """Attributes that the class or its `__init__` assigns."""
    methods: set[str] = field(default_factory=set)
    """Methods and properties of the class."""


@dataclass
class Surroundings:
    """A file, as far as its methods depend on it."""

    source: Source
    module: Scope = field(default_factory=Scope)
    classes: dict[str, Scope] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    """Functions at the module's level."""
    _pure: dict[str, bool] = field(default_factory=dict)

    def is_pure(self, name: str) -> bool:
        """Is a function of this file pure: nothing but its arguments, locals, literals and pure calls?"""
        if name in PURE_BUILTINS:
            return True
        if name not in self.functions:
            return False
        if name not in self._pure:
            self._pure[name] = True  # a function that calls itself is pure if the rest of it is
            self._pure[name] = self._only_computes(self.functions[name])
        return self._pure[name]

    def _only_computes(self, function: ast.FunctionDef) -> bool:
        own = {argument.arg for argument in all_arguments(function)}
        own |= {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(function):
            if isinstance(node, _NEVER_PURE) and node is not function:
                return False
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                known = node.id in own or node.id in PURE_BUILTINS or self.is_pure(node.id)
                if not known:
                    return False
            if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                return False
            if isinstance(node, ast.Call):
                called = node.func
                fine = isinstance(called, ast.Name) and self.is_pure(called.id)
                fine |= isinstance(called, ast.Attribute) and called.attr in PURE_METHODS
                if not fine:
                    return False
        return True


_NEVER_PURE: Final = (
    ast.Global,
    ast.Nonlocal,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.With,
    ast.AsyncWith,
    ast.AsyncFor,
    ast.Import,
    ast.ImportFrom,
    ast.Lambda,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Raise,
    ast.Assert,
    ast.Try,
    ast.Delete,
)


def all_arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    """Every parameter; `*args` and `**kwargs` if the function looks at them."""
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *collecting(function)]


def collecting(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    """The parameters that take any number of arguments, if the function looks at them."""
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    both = (function.args.vararg, function.args.kwarg)
    return [each for each in both if each is not None and each.arg in used]


def dotted(node: ast.expr) -> str:
    """`self.cache` for a chain of names; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def makes_dict(value: ast.expr | None, annotation: ast.expr | None = None) -> bool:
    """Is this the beginning of a dict?"""
    if isinstance(value, ast.Dict | ast.DictComp):
        return True
    called = value.func if isinstance(value, ast.Call) else annotation
    if isinstance(called, ast.Subscript):
        called = called.value
    return called is not None and dotted(called).rpartition(".")[2] in DICTS


def survey(source: Source) -> Surroundings:
    """Looks at a file."""
    found = Surroundings(source)
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef):
            found.functions[node.name] = node
        for name, value, annotation, line in _assignments([node]):
            if makes_dict(value, annotation) and "." not in name:
                found.module.dicts.setdefault(name, line)
    for name, node in source.definitions():
        if isinstance(node, ast.ClassDef):
            found.classes[name] = _attributes(node)
    for inner in ast.walk(source.tree):
        if isinstance(inner, ast.Global):
            for each in inner.names:
                found.module.assigned.setdefault(each, []).append(inner.lineno)
    return found


def _attributes(cls: ast.ClassDef) -> Scope:
    """What a class and its methods assign to `self`."""
    scope = Scope()
    for name, value, annotation, line in _assignments(cls.body):
        scope.begun.add(name)
        if "." not in name and makes_dict(value, annotation):
            scope.dicts.setdefault(name, line)
    for method in cls.body:
        if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        scope.methods.add(method.name)
        beginning = method.name in BEGINNINGS
        for name, value, annotation, line in _assignments(ast.walk(method)):
            owner, _, attribute = name.partition(".")
            if owner not in ("self", "cls") or not attribute or "." in attribute:
                continue
            if makes_dict(value, annotation):
                scope.dicts.setdefault(attribute, line)
            if beginning:
                scope.begun.add(attribute)
            else:
                scope.assigned.setdefault(attribute, []).append(line)
    return scope


def _assignments(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr | None, ast.expr | None, int]]:
    """(dotted name, value, annotation, line) for each assignment to a name or an attribute."""
    for node in nodes:
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            continue
        annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                if name := dotted(each):
                    value = node.value if each is target and not isinstance(node, ast.AugAssign) else None
                    yield name, value, annotation, node.lineno
