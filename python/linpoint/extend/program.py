"""What does an extension method do? A small program: local steps, branches, base operations, returns.

The front end (`lower.py`) makes it of a Python function; everything behind reads only this. An instruction is one of
five, and an expression is a tree of six kinds of nodes. `live` says which locals are still read after an instruction:
the others are forgotten, so that states which differ only in them are one. Linear in the program, but for the
fixpoint of `live`, which goes round once per nested loop.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Var:
    """A local, by its number; the parameters come first."""

    number: int


@dataclass(frozen=True, slots=True)
class Const:
    """A literal."""

    value: Any


@dataclass(frozen=True, slots=True)
class Apply:
    """A function that depends on its arguments only: `len(x)`, `x + 1`, or one that was declared pure."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """Are two values equal?"""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """Is a value false?"""

    operand: Expr


@dataclass(frozen=True, slots=True)
class New:
    """An object that is made here, unlike any other: `[]`, `Session()`."""

    site: int
    """Which of the places that make objects."""


Expr: TypeAlias = Var | Const | Apply | Equal | Not | New


@dataclass(frozen=True, slots=True)
class Handler:
    """Where an exception of one of these names goes; no names: any."""

    names: tuple[str, ...]
    target: int


@dataclass(slots=True)
class Let:
    """A local gets a value."""

    to: int
    value: Expr
    line: int
    next: int = -1


@dataclass(slots=True)
class If:
    """Goes one way or the other."""

    condition: Expr
    line: int
    then: int = -1
    otherwise: int = -1


@dataclass(slots=True)
class Call:
    """A base operation: the only instruction that other threads can see, or come between."""

    to: int
    """The local that gets the result, -1: none does."""
    operation: str
    key: Expr
    arguments: tuple[Expr, ...]
    line: int
    handlers: tuple[Handler, ...] = ()
    exception: int = -1
    """The local that gets the name of an exception that is handled."""
    next: int = -1


@dataclass(slots=True)
class Return:
    """The end, with a result."""

    value: Expr
    line: int


@dataclass(slots=True)
class Raise:
    """The end, with an exception; its name is the value."""

    value: Expr
    line: int


Instruction: TypeAlias = Let | If | Call | Return | Raise

KEY, VALUE = 0, 1
"""The sorts of keys and of stored values; what is never compared with them has sorts of its own."""


@dataclass
class Program:
    """One extension method."""

    name: str
    parameters: tuple[str, ...]
    code: list[Instruction]
    locals: list[str]
    line: int = 0
    sites: list[str] = field(default_factory=list)
    """What is made at each site, in the words of the program."""
    sorts: list[int] = field(default_factory=list)
    """The sort of each local. Values of different sorts are never compared, so they count as different."""
    constants: dict[int, tuple[Hashable, ...]] = field(default_factory=dict)
    """The literals of each sort."""
    results: dict[str, int] = field(default_factory=dict)
    """The sort of what each pure function gives."""
    site_sorts: list[int] = field(default_factory=list)
    live: list[tuple[int, ...]] = field(default_factory=list)
    """Per instruction: the locals that are read from there on, before they are written."""

    depth: int = 0
    """How many functions are applied at most one after the other on the way to a base operation: their number at most."""

    def calls(self) -> list[Call]:
        """The base operations, in the order of the text."""
        return [step for step in self.code if isinstance(step, Call)]


def subexpressions(expression: Expr) -> Iterator[Expr]:
    """The expression and everything within it."""
    waiting: list[Expr] = [expression]
    while waiting:
        found = waiting.pop()
        yield found
        if isinstance(found, Apply):
            waiting += found.arguments
        elif isinstance(found, Equal):
            waiting += (found.left, found.right)
        elif isinstance(found, Not):
            waiting.append(found.operand)


def expressions(step: Instruction) -> tuple[Expr, ...]:
    """What an instruction evaluates."""
    if isinstance(step, Let | Return | Raise):
        return (step.value,)
    if isinstance(step, If):
        return (step.condition,)
    return (step.key, *step.arguments)


def successors(step: Instruction) -> tuple[int, ...]:
    """Where it may go on."""
    if isinstance(step, Let):
        return (step.next,)
    if isinstance(step, If):
        return (step.then, step.otherwise)
    if isinstance(step, Call):
        return (step.next, *(handler.target for handler in step.handlers))
    return ()


def find_live(code: list[Instruction]) -> list[tuple[int, ...]]:
    """For each instruction the locals that are read from there on before they are written: backwards, to a fixpoint."""
    read = [
        {part.number for whole in expressions(step) for part in subexpressions(whole) if isinstance(part, Var)}
        for step in code
    ]
    live: list[set[int]] = [set() for _ in code]
    changed = True
    while changed:
        changed = False
        for place in range(len(code) - 1, -1, -1):
            step = code[place]
            after: set[int] = set().union(*(live[target] for target in successors(step)))
            if isinstance(step, Let):
                after.discard(step.to)
            elif isinstance(step, Call):
                after -= {step.to, step.exception} if not step.handlers else {step.exception}
            before = after | read[place]
            if before != live[place]:
                live[place], changed = before, True
    return [tuple(sorted(found)) for found in live]
