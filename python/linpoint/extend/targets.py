"""Which object does a method extend? Declared by `@extension`, or found by what the file says.

Without a declaration a name counts as a shared dict if the file makes it one: an attribute that the class sets to a
dict, a dict of the module, a dict of the function around. Sharing between threads cannot be seen in a file; who runs
the check knows which classes threads share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from linpoint.extend.base import BASES, SYNONYMS, Base
from linpoint.extend.surroundings import BEGINNINGS, Scope, Surroundings, all_arguments, dotted, makes_dict
from linpoint.language.source import Definition

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Target:
    """A function and the object that it extends."""

    name: str
    function: Function
    base: Base
    on: str
    """What the base object is called in the function."""
    scope: Scope | None = None
    owner: str = ""
    """The class that the method is in, or the function around."""
    pure: frozenset[str] = frozenset()
    makers: frozenset[str] = frozenset()
    declared: bool = False
    complaint: str = ""
    """What is wrong with the declaration."""

    @property
    def shared(self) -> bool:
        """Is the object the same for all methods here? A parameter may be another one in each call."""
        return self.on not in {argument.arg for argument in all_arguments(self.function)} or self.on == "self"

    @property
    def owner_of_base(self) -> str:
        """Where the name of the object belongs: a class or a function; the module for a dict of the module."""
        return self.owner if self.scope is not None or "<locals>" in self.name else ""


def declared_target(name: str, function: Function, scope: Scope | None, owner: str) -> Target | None:
    """What `@extension(…)` says; None without it. Only literals are read: nothing is run."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted(called).rpartition(".")[2] != "extension":
            continue
        options: dict[str, Any] = {}
        complaint = ""
        if isinstance(decorator, ast.Call):
            given = [("base", each) for each in decorator.args[:1]] + [
                (each.arg, each.value) for each in decorator.keywords
            ]
            for key, value in given:
                try:
                    options[str(key)] = ast.literal_eval(value)
                except ValueError:
                    complaint = f"`{key}` of its declaration is not a literal: give the function to lp.extend instead"
        return target_of(name, function, scope, owner, options, complaint)
    return None


def target_of(
    name: str, function: Function, scope: Scope | None, owner: str, options: dict[str, Any], complaint: str = ""
) -> Target:
    """The target of a function with these options of `extension`."""
    first = all_arguments(function)
    on = options.get("on") or (first[0].arg if first else "")
    kind = options.get("base", "dict")
    base = kind if isinstance(kind, Base) else BASES.get(str(kind))
    if base is None:
        return Target(
            name,
            function,
            BASES["dict"],
            on,
            scope,
            owner,
            complaint=f"no base object is called {kind!r}: there is {', '.join(BASES)}",
        )
    base = base.restricted(options.get("operations"), options.get("values"))
    pure, makers = frozenset(options.get("pure", ())), frozenset(options.get("makes", ()))
    return Target(name, function, base, on, scope, owner, pure, makers, True, complaint)


def targets(surroundings: Surroundings, wanted: str = "") -> Iterator[Target]:
    """Every function of a file that may be an extension; with `wanted` that one, whatever it is."""
    enclosing: dict[str, Definition] = dict(surroundings.source.definitions())
    for name, function in enclosing.items():
        if isinstance(function, ast.ClassDef) or (wanted and name != wanted):
            continue
        if not wanted and function.name in BEGINNINGS:
            continue  # nobody else knows the object yet
        outer = name.rpartition(".")[0].removesuffix(".<locals>")
        around = enclosing.get(outer)
        scope = surroundings.classes.get(outer) if isinstance(around, ast.ClassDef) else None
        declared = declared_target(name, function, scope, outer)
        if declared is not None:
            yield declared
            continue
        names = list(_used_dicts(function, scope, around, surroundings))
        if wanted and not names:
            arguments = all_arguments(function)
            names = [argument.arg for argument in arguments if argument.arg not in ("self", "cls")][:1]
        for on in names[:1]:
            yield Target(name, function, _kind_of(function, on), on, scope, outer)


def _used_dicts(
    function: Function, scope: Scope | None, around: Definition | None, surroundings: Surroundings
) -> Iterator[str]:
    """The shared dicts that a function uses, those that it uses first first."""
    outer = set()
    if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
        for statement in around.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and makes_dict(statement.value):
                given = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                outer |= {target.id for target in given if isinstance(target, ast.Name)}
    derived = isinstance(around, ast.ClassDef) and _is_a_dict(around)
    if not (outer or derived or surroundings.module.dicts or (scope is not None and scope.dicts)):
        return
    own = {argument.arg for argument in all_arguments(function)}
    own |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known: dict[str, tuple[int, int]] = {}
    for node in ast.walk(function):
        name = dotted(node) if isinstance(node, ast.Attribute | ast.Name) else ""
        root, _, attribute = name.partition(".")
        of_class = scope is not None and root in ("self", "cls") and attribute in scope.dicts
        of_module = name in surroundings.module.dicts and name not in own
        of_outer = name in outer and name not in own
        itself = derived and name == "self"
        if of_class or of_module or of_outer or itself:
            known.setdefault(name, (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
    if derived and "self" in known and len(known) > 1:
        del known["self"]
    yield from sorted(known, key=known.__getitem__)


def _is_a_dict(cls: ast.ClassDef) -> bool:
    """Does the class derive from dict, and leave its operations as they are?"""
    own = {node.name for node in cls.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    plain = not own & {*BASES["dict"].operations, *SYNONYMS, "__missing__"}
    return plain and any(dotted(base) in ("dict", "OrderedDict", "collections.OrderedDict") for base in cls.bases)


def _kind_of(function: Function, on: str) -> Base:
    """A map if an operation of maps is used, a register or a counter likewise; else a dict."""
    used = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute) and dotted(node.value) == on}
    if used & {"put", "put_if_absent", "putIfAbsent", "replace", "containsKey", "remove"}:
        return BASES["map"]
    if used & {"write", "swap", "compare_and_swap", "compare_and_set", "compareAndSet"}:
        return BASES["register"]
    return BASES["counter"] if used & {"increase", "increment"} else BASES["dict"]
