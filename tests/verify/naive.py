"""What can an object do, by the text of `linpoint/language/ir.py` alone? An explorer without any cleverness.

Every instruction is a step, no state is renumbered, nothing is collected, no register is forgotten. It shares nothing with
`crates/explore` but that text. Its systems are larger, and divergence-sensitive branching bisimilar to the others.

    .venv/bin/python -m tests.verify.naive --programs 3000 --seed 1
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from linpoint.language.ir import Instruction, Op, Program, Space, shown
from linpoint.lts import Lts
from linpoint.verify.client import Client, written

NONE, FALSE, TRUE, ZERO, LEAST, GREATEST, FIRST_NODE = 0, 1, 2, 36, 16, 155, 156


class Crash(Exception):
    """An instruction fails."""


class TooLarge(Exception):
    """More states than we want to wait for."""


class Waits(Exception):
    """The step is not possible now."""


@dataclass(frozen=True)
class Thread:
    """A thread: its method (from 1; 0 without a call), the instruction, registers, calls made, the result if it returns."""

    method: int = 0
    at: int = 0
    registers: tuple[int, ...] = ()
    calls: int = 0
    result: int | None = None


@dataclass(frozen=True)
class State:
    """Everything. A node is (type, freed, fields)."""

    cells: tuple[int, ...]
    nodes: tuple[tuple[int, bool, tuple[int, ...]], ...]
    threads: tuple[Thread, ...]


def number(value: int) -> int:
    if not LEAST < value < GREATEST:
        raise Crash("not a number")
    return value - ZERO


def as_byte(value: int) -> int:
    if not LEAST < value + ZERO < GREATEST:
        raise Crash("out of range")
    return value + ZERO


def truth(value: int) -> bool:
    if value not in (FALSE, TRUE):
        raise Crash("not a truth value")
    return value == TRUE


class Run:
    """One thread while it runs instructions, on copies that may be changed."""

    def __init__(self, program: Program, state: State, me: int, choices: list[int]) -> None:
        self.program, self.me = program, me
        self.cells, self.nodes = list(state.cells), [(kind, freed, list(fields)) for kind, freed, fields in state.nodes]
        self.registers = list(state.threads[me].registers)
        self.choices, self.chosen = choices, 0
        self.widths: list[int] = []

    def choose(self, among: int) -> int:
        self.widths.append(among)
        self.chosen += 1
        return self.choices[self.chosen - 1] if self.chosen <= len(self.choices) else 0

    def value(self, operand: int) -> int:
        return self.registers[operand] if operand >= 0 else -1 - operand

    def place(self, place: tuple[int, ...]) -> tuple[list[int], int]:
        space, node, first, length, index = place
        chosen = number(self.value(index))
        if not 0 <= chosen < length:
            raise Crash("outside of the array")
        if space == Space.GLOBAL:
            return self.cells, first + chosen
        reference = self.value(node)
        if reference < FIRST_NODE:
            raise Crash("not a node")
        fields = self.nodes[reference - FIRST_NODE][2]
        if first + chosen >= len(fields):
            raise Crash("no such field")
        return fields, first + chosen

    def do(self, step: Instruction) -> int | None:
        """Does one instruction; where to go on, None is the next one."""
        a = step.operands
        op = step.op
        if op in (Op.JUMP, Op.BRANCH):
            return a[0] if op is Op.JUMP else None if truth(self.value(a[0])) else a[1]
        if op in (Op.ASSERT, Op.AWAIT):
            if not truth(self.value(a[0])):
                raise Crash("assertion") if op is Op.ASSERT else Waits
        elif op is Op.STORE:
            cells, at = self.place(a[:5])
            cells[at] = self.value(a[5])
        elif op is Op.LOCK:
            cells, at = self.place(a[:5])
            if cells[at] != NONE:
                raise Waits
            cells[at] = as_byte(self.me)
        elif op is Op.UNLOCK:
            cells, at = self.place(a[:5])
            if cells[at] != as_byte(self.me):
                raise Crash("not held")
            cells[at] = NONE
        elif op is Op.FREE:
            self.free(self.value(a[0]))
        elif op is not Op.BEGIN:
            self.registers[a[0]] = self.result(op, a[1:])
        return None

    def free(self, reference: int) -> None:
        if reference < FIRST_NODE:
            raise Crash("not a node")
        kind, freed, fields = self.nodes[reference - FIRST_NODE]
        if freed:
            raise Crash("freed twice")
        self.nodes[reference - FIRST_NODE] = (kind, True, fields)

    def result(self, op: Op, a: tuple[int, ...]) -> int:
        match op:
            case Op.MOVE:
                return self.value(a[0])
            case Op.NOT:
                return FALSE if truth(self.value(a[0])) else TRUE
            case Op.ME:
                return as_byte(self.me)
            case Op.CHOOSE:
                return as_byte(self.choose(a[0]))
            case Op.IS:
                value = self.value(a[0])
                return TRUE if value >= FIRST_NODE and self.nodes[value - FIRST_NODE][0] == a[1] else FALSE
            case Op.NEW:
                return self.make(a[0], a[1:])
            case Op.CAS:
                return self.cas(a)
        if op in (Op.LOAD, Op.SWAP, Op.FETCH_ADD, Op.EXCHANGE_IF):
            cells, at = self.place(a[:5])
            held = cells[at]
            if op is Op.SWAP:
                cells[at] = self.value(a[5])
            elif op is Op.FETCH_ADD:
                cells[at] = as_byte(number(held) + number(self.value(a[5])))
            elif op is Op.EXCHANGE_IF and held == self.value(a[5]):
                cells[at] = self.value(a[6])
            return held
        return self.combined(op, self.value(a[0]), self.value(a[1]))

    def combined(self, op: Op, one: int, two: int) -> int:
        if op in (Op.EQ, Op.NE):
            kinds = {one in (FALSE, TRUE), two in (FALSE, TRUE)}
            if len(kinds) == 2 and (LEAST < one < GREATEST or LEAST < two < GREATEST):
                raise Crash("mixed")
            return TRUE if (one == two) == (op is Op.EQ) else FALSE
        if op in (Op.LT, Op.LE):
            if not (LEAST <= one <= GREATEST and LEAST <= two <= GREATEST):
                raise Crash("no order")
            return TRUE if one < two or (op is Op.LE and one == two) else FALSE
        first, second = number(one), number(two)
        if op is Op.MOD and second == 0:
            raise Crash("division by zero")
        return as_byte(first + second if op is Op.ADD else first - second if op is Op.SUB else first % second)

    def make(self, kind: int, operands: tuple[int, ...]) -> int:
        fields = [self.value(operand) for operand in operands]
        pool = self.program.types[kind].pool
        if pool and sum(found == kind and not freed for found, freed, _ in self.nodes) >= pool:
            raise Waits
        free = [place for place, (found, freed, _) in enumerate(self.nodes) if freed and found == kind]
        chosen = self.choose(len(free) + 1)
        place = free[chosen - 1] if chosen else len(self.nodes)
        self.nodes[place : place + 1] = [(kind, False, fields)]
        return FIRST_NODE + place

    def cas(self, a: tuple[int, ...]) -> int:
        parts = [a[start : start + 7] for start in range(1, len(a), 7)]
        places = [self.place(part[:5]) for part in parts]
        if any(cells[at] != self.value(part[5]) for (cells, at), part in zip(places, parts, strict=True)):
            return FALSE
        for (cells, at), part in zip(places, parts, strict=True):
            cells[at] = self.value(part[6])
        return TRUE

    def state(self, state: State, thread: Thread) -> State:
        nodes = tuple((kind, freed, tuple(fields)) for kind, freed, fields in self.nodes)
        threads = (*state.threads[: self.me], thread, *state.threads[self.me + 1 :])
        return State(tuple(self.cells), nodes, threads)


class Naive:
    """All states of a program under a client."""

    def __init__(self, program: Program, client: Client, most: int = 50_000) -> None:
        self.program, self.client = program, client
        self.crashes = False
        self.transitions: list[tuple[int, str | None, int]] = []
        first = self.initial()
        numbers, states = {first: 0}, [first]
        for source, state in enumerate(states):
            if len(states) > most:
                raise TooLarge
            for label, after in self.steps(state):
                target = numbers.setdefault(after, len(states))
                if target == len(states):
                    states.append(after)
                self.transitions.append((source, label, target))
        self.states = len(states)

    def lts(self) -> Lts:
        return Lts(self.transitions, states=self.states)

    def initial(self) -> State:
        idle = tuple(Thread() for _ in range(self.client.threads))
        empty = State(
            tuple(NONE for _ in self.program.globals), (), (replace(idle[0], registers=(NONE,) * 64), *idle[1:])
        )
        run, at = Run(self.program, empty, 0, []), 0
        code = self.program.initial.code
        while code[at].op is not Op.RETURN:
            at = self.followed(run, code[at], at)
        return run.state(replace(empty, threads=idle), Thread())

    @staticmethod
    def followed(run: Run, step: Instruction, at: int) -> int:
        target = run.do(step)
        return at + 1 if target is None else target

    def steps(self, state: State) -> Iterator[tuple[str | None, State]]:
        for me, thread in enumerate(state.threads):
            name = f"t{me + 1}"
            if thread.method == 0:
                if thread.calls < self.client.ops:
                    for call, (method, arguments) in zip(
                        self.client.menu, self.client.calls(self.program), strict=True
                    ):
                        registers = len(self.program.methods[method - 1].registers)
                        held = (*arguments, *(NONE,) * (registers - len(arguments)))
                        called = Thread(method, 0, held, thread.calls + 1)
                        yield f"{name}.call.{written(call)}", self.moved(state, me, called)
            elif thread.result is not None:
                method_name = self.program.methods[thread.method - 1].name
                value = shown(thread.result, self.program.symbols)
                yield f"{name}.ret.{method_name}({value})", self.moved(state, me, Thread(calls=thread.calls))
            else:
                for after in self.internal(state, me):
                    yield None, after

    @staticmethod
    def moved(state: State, me: int, thread: Thread) -> State:
        return replace(state, threads=(*state.threads[:me], thread, *state.threads[me + 1 :]))

    def internal(self, state: State, me: int) -> Iterator[State]:
        """One instruction and those that are glued to it, in every way."""
        waiting: list[list[int]] = [[]]
        while waiting:
            choices = waiting.pop()
            run = Run(self.program, state, me, choices)
            try:
                thread = self.advanced(run, state.threads[me])
            except Waits:
                thread = None
            except Crash:
                self.crashes = True
                thread = None
            for place in range(len(choices), len(run.widths)):
                taken = [*choices, *(0 for _ in range(len(choices), place))]
                waiting += [[*taken, other] for other in range(1, run.widths[place])]
            if thread is not None:
                yield run.state(state, thread)

    def advanced(self, run: Run, thread: Thread) -> Thread:
        code, at, rounds = self.program.methods[thread.method - 1].code, thread.at, 0
        while True:
            step = code[at]
            if step.op is Op.RETURN:
                value = run.value(step.operands[0])
                if value >= FIRST_NODE:
                    raise Crash("returns a node")
                return replace(thread, at=at, registers=(), result=value)
            at = self.followed(run, step, at)
            rounds += 1
            if rounds > 1000:
                raise TooLarge
            if not code[at].glued:
                return replace(thread, at=at, registers=tuple(run.registers))


def main() -> None:
    """Compares many random programs and stops at the first difference."""
    from tests.verify.random_programs import compared  # noqa: PLC0415 - it imports this file

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts: dict[str, Any] = {}
    for seed in range(options.seed, options.seed + options.programs):
        found = compared(seed, 15_000)
        counts[found] = counts.get(found, 0) + 1
    print(f"{options.programs} programs: {counts}; all agree")


if __name__ == "__main__":
    main()
