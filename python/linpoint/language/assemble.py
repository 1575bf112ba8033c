"""How does code come to be? A growing list of instructions with labels, registers that are lent and given back, and glue.

Targets of jumps are labels until the end, so that an instruction can still be put in front of others. A register belongs to
a name of the source, or to nobody (a temporary). Registers of a name are only reused for that name, so a picture of a state
never shows a value under a wrong name.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from linpoint.language.ir import Instruction, Op

ACCESSES = frozenset(
    {Op.LOAD, Op.STORE, Op.CAS, Op.EXCHANGE_IF, Op.SWAP, Op.FETCH_ADD, Op.LOCK, Op.UNLOCK, Op.FREE, Op.AWAIT}
)
"""Instructions that other threads may notice, or that depend on them."""


class Label:
    """A place in the code that jumps lead to."""


@dataclass
class _Step:
    op: Op
    operands: tuple[int | Label, ...]
    line: int
    column: int
    glued: bool


class Code:
    """The body of one method while it is made."""

    def __init__(self) -> None:
        self._items: list[_Step | Label] = []
        self._names: list[str | None] = []
        self._free: dict[str | None, list[int]] = defaultdict(list)
        self._lent: list[int] = []
        self.glued = False
        """Are the instructions that come next part of an atomic block?"""

    def emit(self, node: ast.AST, op: Op, *operands: int | Label) -> None:
        """Adds an instruction that comes from this node of the source."""
        self._items.append(_Step(op, operands, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), self.glued))

    def place(self, label: Label) -> None:
        """The label means the next instruction. A jump to it that stands right before is not needed."""
        if (
            self._items
            and isinstance(last := self._items[-1], _Step)
            and last.op is Op.JUMP
            and last.operands == (label,)
        ):
            self._items.pop()
        self._items.append(label)

    def begin(self, node: ast.AST) -> None:
        """Opens an atomic block: what follows is glued to it."""
        self.emit(node, Op.BEGIN)
        self.glued = True

    def mark(self) -> int:
        """The present end, for `glue`."""
        return len(self._items)

    def glue(self, mark: int) -> None:
        """Makes everything since the mark one step, if it has two accesses or more; waiting for a lock is a step of its own."""
        steps = [item for item in self._items[mark:] if isinstance(item, _Step)]
        if sum(step.op in ACCESSES for step in steps) < 2 or any(step.op is Op.LOCK for step in steps):
            return
        for step in steps:
            step.glued = True
        self._items.insert(mark, _Step(Op.BEGIN, (), steps[0].line, steps[0].column, False))

    def register(self, name: str | None = None) -> int:
        """A register for a name of the source, until it is given back with `release`."""
        if self._free[name]:
            return self._free[name].pop()
        self._names.append(name)
        return len(self._names) - 1

    def release(self, register: int) -> None:
        """Gives a register back; nobody needs its value any more."""
        self._free[self._names[register]].append(register)

    def temporary(self) -> int:
        """A register without a name, until the end of `temporaries` around it."""
        self._lent.append(self.register())
        return self._lent[-1]

    @contextmanager
    def temporaries(self) -> Iterator[None]:
        """Temporaries that are lent inside are given back at the end."""
        before = len(self._lent)
        yield
        for register in self._lent[before:]:
            self.release(register)
        del self._lent[before:]

    def registers(self) -> tuple[str | None, ...]:
        """One name per register."""
        return tuple(self._names)

    def finish(self) -> tuple[Instruction, ...]:
        """The instructions, with numbers for labels."""
        where: dict[Label, int] = {}
        steps: list[_Step] = []
        for item in self._items:
            if isinstance(item, Label):
                where[item] = len(steps)
            else:
                steps.append(item)
        return tuple(
            Instruction(
                step.op,
                tuple(where[operand] if isinstance(operand, Label) else operand for operand in step.operands),
                step.line,
                step.column,
                step.glued,
            )
            for step in steps
        )
