"""Random objects in instructions, from a seed: shared cells, a list, a lock, atomic blocks, choices, loops, freed nodes.

Registers 0 to 3 hold a number, a node or None, a truth value, a number. Most programs are well-typed; some fail, and then
both explorers must see it.
"""

from __future__ import annotations

import random

from linpoint.budget import Budget
from linpoint.language.ir import Instruction, Method, NodeType, Op, Program, constant, field, shared
from linpoint.lts import Answer
from linpoint.verify.client import Client
from linpoint.verify.explorer import Explored, Means
from tests.verify.naive import Naive, TooLarge

NUMBER, LIST, LOCK, FLAG = 0, 1, 2, 3
"""The shared cells."""
N, R, B, M = 0, 1, 2, 3
"""The registers."""


def _constant(value: bool | int | str | None) -> int:
    return constant(value, ("EMPTY",))


class Maker:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"instructions/{seed}")
        self.code: list[Instruction] = []
        self.frees = self.random.random() < 0.4

    def program(self) -> Program:
        """Two methods over four cells."""
        start = [(Op.STORE, (*shared(NUMBER), _constant(0))), (Op.STORE, (*shared(FLAG), _constant(False)))]
        if self.random.random() < 0.5:
            start += [(Op.NEW, (R, 0, _constant(5), _constant(None))), (Op.STORE, (*shared(LIST), R))]
        initial = [Instruction(op, operands, 1, 0) for op, operands in start]
        initial.append(Instruction(Op.RETURN, (_constant(None),), 1, 0))
        methods = tuple(self.method(name) for name in ("first", "second"))
        node = NodeType("Cell", ("value", "next"), self.random.choice((0, 0, 0, 2)))
        registers = ("n", "r", "b", "m")
        setup = Method("initial", (), registers, tuple(initial), 1)
        return Program("Random", "random", ("number", "list", "lock", "flag"), ("EMPTY",), (node,), setup, methods)

    def method(self, name: str) -> Method:
        """A few snippets, a loop perhaps, and a return."""
        self.code = []
        self.emit(Op.MOVE, R, _constant(None))
        self.emit(Op.MOVE, B, _constant(False))
        self.emit(Op.MOVE, M, N)
        loop = len(self.code)
        for _ in range(self.random.randint(1, 4)):
            self.snippet()
        if self.random.random() < 0.3:
            self.emit(Op.BRANCH, B, loop)  # again while it is False
        self.emit(Op.RETURN, self.random.choice((N, M, B, _constant(None), _constant("EMPTY"))))
        return Method(name, ("n",), ("n", "r", "b", "m"), tuple(self.code), 1)

    def emit(self, op: Op, *operands: int, glued: bool = False) -> None:
        self.code.append(Instruction(op, operands, 1, 0, glued))

    def cell(self) -> tuple[int, ...]:
        return self.random.choice((shared(NUMBER), shared(LIST), shared(FLAG)))

    def snippet(self) -> None:
        """A piece of an algorithm."""
        pieces = [self.numbers, self.nodes, self.guarded, self.locked, self.atomic, self.decide, self.publish]
        self.random.choice(pieces)()

    def numbers(self, glued: bool = False) -> None:
        pick = self.random.choice
        match self.random.randrange(6):
            case 0:
                self.emit(Op.LOAD, pick((N, M)), *shared(NUMBER), glued=glued)
            case 1:
                self.emit(Op.STORE, *shared(NUMBER), pick((N, M, _constant(2))), glued=glued)
            case 2:
                self.emit(Op.FETCH_ADD, M, *shared(NUMBER), _constant(pick((1, -1))), glued=glued)
            case 3:
                self.emit(Op.CAS, B, 1, *shared(NUMBER), pick((N, M)), _constant(3), glued=glued)
            case 4:
                self.emit(Op.EXCHANGE_IF, M, *shared(NUMBER), N, _constant(1), glued=glued)
            case _:
                self.emit(Op.SWAP, B, *shared(FLAG), pick((B, _constant(True))), glued=glued)

    def nodes(self) -> None:
        self.emit(Op.NEW, R, 0, self.random.choice((N, M)), self.random.choice((R, _constant(None))))

    def publish(self) -> None:
        match self.random.randrange(4):
            case 0:
                self.emit(Op.STORE, *shared(LIST), R)
            case 1:
                self.emit(Op.LOAD, R, *shared(LIST))
            case 2:
                self.emit(Op.SWAP, R, *shared(LIST), R)
            case _:
                self.emit(Op.CAS, B, 1, *shared(LIST), _constant(None), R)

    def guarded(self) -> None:
        """Something with a node, if there is one."""
        self.emit(Op.NE, B, R, _constant(None))
        after = len(self.code) + (3 if self.frees else 2)
        self.emit(Op.BRANCH, B, after)
        match self.random.randrange(6):
            case 0:
                self.emit(Op.LOAD, N, *field(R, 0))
            case 1:
                self.emit(Op.STORE, *field(R, 0), M)
            case 2:
                self.emit(Op.LOAD, R, *field(R, 1))
            case 3:
                self.emit(Op.STORE, *field(R, 1), self.random.choice((R, _constant(None))))
            case 4:
                self.emit(Op.CAS, B, 2, *field(R, 0), N, M, *field(R, 1), _constant(None), R)
            case _:
                self.emit(Op.IS, B, R, 0)
        if self.frees:
            self.emit(*self.random.choice(((Op.FREE, R), (Op.MOVE, M, N), (Op.MOVE, M, N))))

    def locked(self) -> None:
        self.emit(Op.LOCK, *shared(LOCK))
        self.numbers()
        self.emit(Op.UNLOCK, *shared(LOCK))

    def atomic(self) -> None:
        self.emit(Op.BEGIN)
        if self.random.random() < 0.4:
            self.emit(Op.LOAD, B, *shared(FLAG), glued=True)
            self.emit(Op.NOT, B, B, glued=True)
            self.emit(Op.AWAIT, B, glued=True)
        for _ in range(2):
            self.numbers(glued=True)

    def decide(self) -> None:
        match self.random.randrange(4):
            case 0:
                self.emit(Op.CHOOSE, N, 2)
            case 1:
                self.emit(Op.ME, M)
            case 2:
                self.emit(Op.LT, B, N, M)
            case _:
                self.emit(Op.EQ, B, N, _constant(1))


def compared(seed: int, most: int) -> str:
    """Explores one random program both ways: what came of it, or AssertionError."""
    program = Maker(seed).program()
    client = Client(2, 1 + seed % 2, (("first", (1,)), ("second", (2,))))
    try:
        slow = Naive(program, client, most)
    except TooLarge:
        return "too large"
    means = Means(Budget.start(), 1 + seed % 3, None, None)
    fast = Explored(program, client, means)
    if slow.crashes:
        assert fast.core.failure is not None, f"seed {seed}: only the naive explorer sees the failure"
        return "fails"
    assert fast.core.failure is None, f"seed {seed}: {fast.core.failure}"
    found = fast.lts().compare(slow.lts(), "divergence")
    assert found.answer is Answer.YES, f"seed {seed}: {found}"
    assert fast.states <= slow.states, f"seed {seed}"
    return "the same"
