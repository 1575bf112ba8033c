"""What does the explorer run? A small instruction set over cells of one byte; `crates/explore` validates and runs it.

The front end builds a `Program`; `Program.document` is the plain tuple of tuples that crosses into Rust. Every cell (shared
field, array element, node field, lock, register) holds one value and every value says what it is, so the explorer needs no
types to tell a reference from a number:

    byte 0          None
    byte 1, 2       False, True
    byte 3..15      the program's symbols, in order (EMPTY and other names for results)
    byte 16, 155    LEAST and GREATEST, below and above every number
    byte 17..154    the numbers -19..118
    byte 156..255   references to nodes; only the explorer makes them
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

Constant = None | bool | int | str
"""A constant: None, a truth value, a number, or a symbol by its name (LEAST and GREATEST are symbols too)."""

NUMBERS = range(-19, 119)
"""Numbers that fit in a cell."""

SYMBOLS = 13
"""How many symbols a program may have."""

LEAST, GREATEST = "LEAST", "GREATEST"


class Op(IntEnum):
    """The instructions: `d` is a register, `a`, `b` are operands, `P` a place, `t` the index of an instruction of the method."""

    MOVE = 0  # d a
    EQ = 1  # d a b: the same value, the same node
    NE = 2  # d a b
    LT = 3  # d a b: numbers, LEAST and GREATEST
    LE = 4  # d a b
    ADD = 5  # d a b: numbers
    SUB = 6  # d a b
    MOD = 7  # d a b
    NOT = 8  # d a
    IS = 9  # d a type: is it a reference to a node of this type?
    ME = 10  # d: the number of this thread, from 0
    CHOOSE = 11  # d n: any of 0..n-1
    JUMP = 12  # t
    BRANCH = 13  # a t: goes on if a is True, to t if it is False
    RETURN = 14  # a: None, a truth value, a number or a symbol
    ASSERT = 15  # a: a fault unless True
    LOAD = 16  # d P
    STORE = 17  # P a
    CAS = 18  # d k (P old new)*k: if every place holds its old value, all get the new ones; d is whether they did
    EXCHANGE_IF = 19  # d P old new: the same for one place, and d is the value it held
    SWAP = 20  # d P a: d is the value it held
    FETCH_ADD = 21  # d P a: d is the value it held
    LOCK = 22  # P: waits until the place holds None; then it holds this thread's number
    UNLOCK = 23  # P: a fault unless it holds this thread's number
    NEW = 24  # d type a*: one operand per field
    FREE = 25  # a: the address may be given out again
    BEGIN = 26  # no operand: the instructions after it that are glued are one step with it
    AWAIT = 27  # a: the step is not possible unless True


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, and where it comes from."""

    op: Op
    operands: tuple[int, ...]
    line: int
    column: int
    glued: bool = False
    """No other thread takes a step between the instruction before and this one."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its parameters are the first registers."""

    name: str
    parameters: tuple[str, ...]
    registers: tuple[str | None, ...]
    """One name per register, parameters first; None is a value that has no name in the source."""
    code: tuple[Instruction, ...]
    line: int
    truths: tuple[str, ...] = ()
    """The parameters that were declared to be truth values: a client has only True and False for them."""


@dataclass(frozen=True, slots=True)
class NodeType:
    """A kind of node. A field that is an array has one name per element: `next[0]`, `next[1]`."""

    name: str
    fields: tuple[str, ...]
    pool: int = 0
    """How many nodes of the type may be in use at once; an allocation beyond waits. 0: no limit."""


@dataclass(frozen=True, slots=True)
class Program:
    """An object in instructions."""

    name: str
    file: str
    globals: tuple[str, ...]
    """One name per shared cell; an array has one per element: `hazard[0]`, `hazard[1]`. They hold None before `initial` runs."""
    symbols: tuple[str, ...]
    """Names of results and other constants; LEAST and GREATEST need not be listed."""
    types: tuple[NodeType, ...]
    initial: Method
    """Runs once, alone, before the threads: no parameters, ends with RETURN of None."""
    methods: tuple[Method, ...]

    def document(self) -> tuple[object, ...]:
        """What crosses into Rust: (globals, symbols, types, methods), the initial method first; names are only counted."""
        types = tuple((len(kind.fields), kind.pool) for kind in self.types)
        methods = tuple(
            (
                len(method.parameters),
                len(method.registers),
                tuple((int(step.op), tuple(step.operands), step.glued) for step in method.code),
            )
            for method in (self.initial, *self.methods)
        )
        return (len(self.globals), len(self.symbols), types, methods)


def constant(value: Constant, symbols: tuple[str, ...]) -> int:
    """The operand that is a constant. Registers are operands from 0; a constant is -1 minus its byte."""
    return -1 - byte(value, symbols)


def byte(value: Constant, symbols: tuple[str, ...]) -> int:
    """The byte of a constant. Raises ValueError for a number or a symbol that has none."""
    if value is None:
        return 0
    if isinstance(value, bool):
        return 2 if value else 1
    if isinstance(value, int):
        if value not in NUMBERS:
            raise ValueError(f"{value} is not one of the numbers {NUMBERS[0]} to {NUMBERS[-1]}")
        return value + 36
    if value in (LEAST, GREATEST):
        return 16 if value == LEAST else 155
    return 3 + symbols.index(value)


def shown(value: int, symbols: tuple[str, ...]) -> str:
    """A byte in the words of the source; a reference is `#` and the number of its node."""
    if value < 3:
        return ("None", "False", "True")[value]
    if value < 16:
        return symbols[value - 3]
    if value in (16, 155):
        return LEAST if value == 16 else GREATEST
    return str(value - 36) if value < 155 else f"#{value - 155}"


class Space(IntEnum):
    """Where a place is."""

    GLOBAL = 0
    NODE = 1


def shared(cell: int, length: int = 1, index: int = -37) -> tuple[int, int, int, int, int]:
    """The place of a shared cell, or of element `index` (an operand) of an array of `length` cells from `cell`."""
    return (Space.GLOBAL, 0, cell, length, index)


def field(node: int, first: int, length: int = 1, index: int = -37) -> tuple[int, int, int, int, int]:
    """The place of a field of the node that operand `node` refers to, or of an element of an array field."""
    return (Space.NODE, node, first, length, index)
