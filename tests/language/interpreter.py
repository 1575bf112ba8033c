"""What do the instructions mean? A plain interpreter for one thread, written from the text of `linpoint/language/ir.py` alone.

It shares nothing with the compiler but that text, and nothing with the explorer: a second opinion on both. Values are
Python's own; nodes are dictionaries of cells. An address that was freed is given out again, the last one first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from linpoint.language.ir import GREATEST, LEAST, Method, Op, Program, Space

LONGEST = 100_000
"""Steps of one call: more, and it is taken to run for ever."""


class Crash(Exception):
    """A fault of the program: which, and at which instruction."""


class Waits(Exception):
    """The step is not possible, and nobody else is there to make it so."""


@dataclass(frozen=True)
class Symbol:
    """EMPTY and other names."""

    name: str


@dataclass(eq=False)
class Cell:
    """A node."""

    kind: int
    cells: list[Any]
    is_free: bool = False


@dataclass
class Machine:
    """The object in memory, and the one thread that calls it."""

    program: Program
    me: int = 0
    cells: list[Any] = field(default_factory=list)
    freed: dict[int, list[Cell]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cells = [None] * len(self.program.globals)
        assert self._run(self.program.initial, ()) is None

    def call(self, name: str, *arguments: Any) -> Any:
        """Runs an operation from its call to its return."""
        (method,) = (method for method in self.program.methods if method.name == name)
        assert len(arguments) == len(method.parameters)
        return self._run(method, arguments)

    def _run(self, method: Method, arguments: tuple[Any, ...]) -> Any:
        registers: list[Any] = [*arguments, *[None] * (len(method.registers) - len(arguments))]
        position = 0
        for _ in range(LONGEST):
            step = method.code[position]
            position += 1
            if step.op is Op.RETURN:
                result = self._value(registers, step.operands[0])
                if isinstance(result, Cell):
                    raise Crash("a reference is returned")
                return result
            if step.op is Op.JUMP:
                position = step.operands[0]
            elif step.op is Op.BRANCH:
                if not self._truth(registers, step.operands[0]):
                    position = step.operands[1]
            else:
                self._do(step.op, list(step.operands), registers)
        raise Waits

    def _do(self, op: Op, operands: list[int], registers: list[Any]) -> None:
        def value(operand: int) -> Any:
            return self._value(registers, operand)

        if op is Op.BEGIN:
            return
        if op in (Op.STORE, Op.LOCK, Op.UNLOCK):
            row, index = self._place(registers, operands)
            if op is Op.STORE:
                row[index] = value(operands[5])
            elif op is Op.LOCK:
                if row[index] is not None:
                    raise Waits
                row[index] = self.me
            else:
                if row[index] != self.me:
                    raise Crash("a lock that is not held is released")
                row[index] = None
        elif op is Op.ASSERT:
            if not self._truth(registers, operands[0]):
                raise Crash("an assertion fails")
        elif op is Op.AWAIT:
            if not self._truth(registers, operands[0]):
                raise Waits
        elif op is Op.FREE:
            node = value(operands[0])
            if not isinstance(node, Cell) or node.is_free:
                raise Crash("freed twice, or no node")
            node.is_free = True
            self.freed.setdefault(node.kind, []).append(node)
        else:
            registers[operands[0]] = self._result(op, operands[1:], registers)

    def _result(self, op: Op, operands: list[int], registers: list[Any]) -> Any:
        def value(position: int) -> Any:
            return self._value(registers, operands[position])

        match op:
            case Op.MOVE:
                return value(0)
            case Op.EQ:
                return same(value(0), value(1))
            case Op.NE:
                return not same(value(0), value(1))
            case Op.LT:
                return order(value(0)) < order(value(1))
            case Op.LE:
                return order(value(0)) <= order(value(1))
            case Op.ADD:
                return number(value(0)) + number(value(1))
            case Op.SUB:
                return number(value(0)) - number(value(1))
            case Op.MOD:
                return number(value(0)) % number(value(1))
            case Op.NOT:
                return not self._truth(registers, operands[0])
            case Op.IS:
                node = value(0)
                return isinstance(node, Cell) and node.kind == operands[1]
            case Op.ME:
                return self.me
            case Op.CHOOSE:
                return 0
            case Op.NEW:
                return self._new(operands[0], [self._value(registers, operand) for operand in operands[1:]])
            case Op.CAS:
                return self._cas(operands, registers)
        row, index = self._place(registers, operands)
        before = row[index]
        if op is Op.EXCHANGE_IF:
            if same(before, value(5)):
                row[index] = value(6)
        elif op is Op.SWAP:
            row[index] = value(5)
        elif op is Op.FETCH_ADD:
            row[index] = number(before) + number(value(5))
        else:
            assert op is Op.LOAD
        return before

    def _cas(self, operands: list[int], registers: list[Any]) -> bool:
        groups = [operands[at : at + 7] for at in range(1, 1 + 7 * operands[0], 7)]
        places = [self._place(registers, group) for group in groups]
        if not all(
            same(row[index], self._value(registers, group[5]))
            for (row, index), group in zip(places, groups, strict=True)
        ):
            return False
        for (row, index), group in zip(places, groups, strict=True):
            row[index] = self._value(registers, group[6])
        return True

    def _new(self, kind: int, cells: list[Any]) -> Cell:
        assert len(cells) == len(self.program.types[kind].fields)
        if not self.freed.get(kind):
            return Cell(kind, cells)
        node = self.freed[kind].pop()
        node.cells, node.is_free = cells, False
        return node

    def _place(self, registers: list[Any], operands: list[int]) -> tuple[list[Any], int]:
        space, base, first, length, at = operands[:5]
        index = number(self._value(registers, at))
        if not 0 <= index < length:
            raise Crash("an index outside its array")
        if space == Space.GLOBAL:
            return self.cells, first + index
        node = self._value(registers, base)
        if not isinstance(node, Cell):
            raise Crash("an access through what is no node")
        return node.cells, first + index

    def _truth(self, registers: list[Any], operand: int) -> bool:
        found = self._value(registers, operand)
        if not isinstance(found, bool):
            raise Crash("no truth value")
        return found

    def _value(self, registers: list[Any], operand: int) -> Any:
        if operand >= 0:
            return registers[operand]
        code = -1 - operand
        if code < 3:
            return (None, False, True)[code]
        if code < 16:
            return Symbol(self.program.symbols[code - 3])
        if code in (16, 155):
            return Symbol(LEAST if code == 16 else GREATEST)
        assert code < 155
        return code - 36


def same(one: Any, other: Any) -> bool:
    """The same value, the same node; a truth value and a number are not compared."""
    if {type(one), type(other)} == {bool, int}:
        raise Crash("a truth value is compared with a number")
    return one is other or (type(one) is type(other) and one == other)


def number(found: Any) -> int:
    """A number, or a fault."""
    if isinstance(found, bool) or not isinstance(found, int):
        raise Crash("no number")
    return found


def order(found: Any) -> float:
    """Numbers between LEAST and GREATEST."""
    if found == Symbol(LEAST):
        return float("-inf")
    return float("inf") if found == Symbol(GREATEST) else number(found)
