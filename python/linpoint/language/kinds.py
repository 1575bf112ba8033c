"""What may a variable hold? A coarse inference, only to refuse early what Python and the explorer would understand differently.

Cells of the explorer say themselves what they hold, so hardly any meaning depends on this file. But Python takes `if t:` for any
`t`, and `x is y` for numbers depends on the interpreter; such things are refused, and to know them one must know what an
expression may be. A kind is a set of possibilities. Fields have the kind that was declared, parameters of operations what
their annotation says, and local variables the union of everything assigned to them, by iteration to a fixed point: a
variable's kind only grows, so there are at most six rounds per variable.
"""

from __future__ import annotations

import ast
from enum import Flag, auto
from typing import Final

from linpoint.language.ir import GREATEST, LEAST


class Kind(Flag):
    """Possibilities; a union of them says what may be there."""

    NONE = auto()
    BOOL = auto()
    INT = auto()
    SYMBOL = auto()
    REF0 = auto()
    REF1 = auto()
    REF2 = auto()
    REF3 = auto()
    REF4 = auto()
    REF5 = auto()
    REF6 = auto()
    REF = REF0 | REF1 | REF2 | REF3 | REF4 | REF5 | REF6


VALUE: Final = Kind.NONE | Kind.BOOL | Kind.INT | Kind.SYMBOL
ANYTHING: Final = VALUE | Kind.REF
NOTHING: Final = Kind(0)

ANNOTATIONS: Final = {
    "Ref": Kind.NONE | Kind.REF,
    "Value": VALUE,
    "Word": ANYTHING,
    "Int": Kind.INT,
    "Bool": Kind.BOOL,
}
"""What a declared type allows."""

BUILTIN_ANNOTATIONS: Final = {"int": "Int", "bool": "Bool"}
"""Python's own names are understood as well."""


NODES: Final = (Kind.REF0, Kind.REF1, Kind.REF2, Kind.REF3, Kind.REF4, Kind.REF5, Kind.REF6)
"""A reference to a node of each class, in the order of their declaration."""


def of_constant(value: object) -> Kind:
    """The kind of a literal."""
    if value is None:
        return Kind.NONE
    if isinstance(value, bool):
        return Kind.BOOL
    return Kind.INT if isinstance(value, int) or value in (LEAST, GREATEST) else Kind.SYMBOL


def assigned_names(nodes: list[ast.stmt]) -> set[str]:
    """Every local name that these statements give a value to."""
    found = set()
    for statement in nodes:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


def loaded_names(nodes: list[ast.stmt]) -> list[str]:
    """Every local name that these statements read, once for each time."""
    return [
        node.id
        for statement in nodes
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
