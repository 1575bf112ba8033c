"""Which values can ever be compared with which? Values of different sorts count as different, which saves most case distinctions.

    if d.get(k) == limit: return k          stored values and `limit` are one sort, k is another

Two places are of one sort if a value can flow from one to the other or the two are compared: unification, one
union-find for all methods of a group, almost linear. Results are not unified: two runs that return equal values of
different sorts count as different, which can only hide a candidate; a violation is confirmed with concrete values
before it is told.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Final

from linpoint.extend.base import Base
from linpoint.extend.moment import Group
from linpoint.extend.program import (
    KEY,
    VALUE,
    Apply,
    Call,
    Const,
    Equal,
    Expr,
    If,
    Let,
    New,
    Not,
    Program,
    Var,
    expressions,
    subexpressions,
    successors,
)
from linpoint.extend.values import PREDICATES

_VALUE_RESULT: Final = frozenset(
    {"get", "getitem", "setdefault", "pop", "put", "put_if_absent", "read", "swap", "compare_and_swap"}
)
"""Operations whose result is a stored value."""


class _Classes:
    """Union-find."""

    def __init__(self) -> None:
        self._parent: dict[Hashable, Hashable] = {}

    def find(self, item: Hashable) -> Hashable:
        parent = self._parent
        parent.setdefault(item, item)
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    def union(self, one: Hashable, other: Hashable) -> None:
        self._parent[self.find(one)] = self.find(other)


def grouped(base: Base, programs: Iterable[Program]) -> Group:
    """The methods as one group: every local, function and site gets its sort, every sort its literals."""
    every = tuple(programs)
    classes = _Classes()
    literals: list[tuple[Hashable, Any]] = []

    def node(number: int, expression: Expr) -> Hashable:
        if isinstance(expression, Var):
            return "local", number, expression.number
        if isinstance(expression, Const):
            literals.append((place := ("literal", len(literals)), expression.value))
            return place
        if isinstance(expression, Apply):
            return ("function", expression.function) if expression.function not in PREDICATES else "truth"
        if isinstance(expression, New):
            return "site", number, expression.site
        return "truth"

    literals += [("truth", False), ("truth", True)]
    if base.keyed:
        literals.append(("value", None))  # a caller may give None even to a map, which refuses it
    for number, program in enumerate(every):
        for step in program.code:
            for part in (inner for whole in expressions(step) for inner in subexpressions(whole)):
                if isinstance(part, Equal):
                    classes.union(node(number, part.left), node(number, part.right))
            if isinstance(step, Let):
                classes.union(("local", number, step.to), node(number, step.value))
            elif isinstance(step, Call) and not base.states:
                if base.keyed:
                    classes.union(node(number, step.key), "key")
                for argument in step.arguments:
                    classes.union(node(number, argument), "value")
                taken = step.operation in _VALUE_RESULT
                taken |= step.operation in ("replace", "remove") and len(step.arguments) < _values_of(step.operation)
                if step.to >= 0:
                    nothing = step.operation in ("setitem", "delitem", "write", "increase")
                    classes.union(("local", number, step.to), "value" if taken else "nothing" if nothing else "truth")
    numbers: dict[Hashable, int] = {classes.find("key"): KEY}
    numbers[classes.find("value")] = VALUE

    def sort(item: Hashable) -> int:
        return numbers.setdefault(classes.find(item), len(numbers) + 1)

    for number, program in enumerate(every):
        program.sorts = [sort(("local", number, each)) for each in range(len(program.locals))]
        program.site_sorts = [sort(("site", number, each)) for each in range(len(program.sites))]
        program.results = {
            part.function: sort(("function", part.function)) for part in _parts(program) if isinstance(part, Apply)
        }
    predicates = _predicates(every)
    for program in every:
        program.depth = len(
            {part for part in _parts(program) if isinstance(part, Apply) and part.function not in predicates}
        )
    constants: dict[int, dict[Any, None]] = {}
    for item, value in literals:
        constants.setdefault(sort(item), {}).setdefault(value)
    period, reach = _arithmetic(every)
    return Group(base, every, {each: tuple(found) for each, found in constants.items()}, period, reach, predicates)


def _parts(program: Program) -> Iterator[Expr]:
    """Every expression of a program."""
    for step in program.code:
        for whole in expressions(step):
            yield from subexpressions(whole)


def _predicates(programs: tuple[Program, ...]) -> frozenset[str]:
    """Functions that stand in conditions only, so that nothing of what they give matters but whether it is true."""
    asked: set[str] = set()
    used: set[str] = set()
    for program in programs:
        for step in program.code:
            for whole in expressions(step):
                for part in subexpressions(whole):
                    inner = part.operand if isinstance(part, Not) else None
                    if isinstance(inner, Apply):
                        asked.add(inner.function)
                    if isinstance(part, Apply | Equal):
                        below = part.arguments if isinstance(part, Apply) else (part.left, part.right)
                        used |= {each.function for each in below if isinstance(each, Apply)}
                if isinstance(whole, Apply):
                    (asked if isinstance(step, If) else used).add(whole.function)
    return frozenset(asked - used)


def _values_of(operation: str) -> int:
    """With so many values `replace` and `remove` answer true or false."""
    return 2 if operation == "replace" else 1


def _arithmetic(programs: tuple[Program, ...]) -> tuple[int, int]:
    """What methods on a counter can tell apart: the least common multiple of their moduli, and the sum of their literals."""
    period, reach = 1, 1
    for program in programs:
        for part in _parts(program):
            if isinstance(part, Const) and type(part.value) is int:
                reach += abs(part.value)
            if isinstance(part, Apply) and part.function == "%" and isinstance(part.arguments[1], Const):
                modulus = part.arguments[1].value
                if type(modulus) is int and modulus > 0:
                    period = math.lcm(period, modulus)
    return period, reach


def beyond_counting(program: Program) -> str:
    """Why a method on a counter is not covered; empty if it is."""
    loop = any(target <= place for place, step in enumerate(program.code) for target in successors(step) if target >= 0)
    for part in _parts(program):
        if isinstance(part, Apply):
            fixed = part.function == "%" and isinstance(part.arguments[1], Const)
            sums = part.function in ("+", "-") and not loop
            if not (fixed or sums or part.function in ("<", "<=", ">", ">=", "bool")):
                return f"`{part.function}` on the numbers of a counter"
    return ""
