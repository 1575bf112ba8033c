"""How does a run read in the words of the source? What the core replays becomes an `Interleaving`, and its trace a history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from linpoint.history import History
from linpoint.language import ir
from linpoint.verify.client import Call, symbol, written
from linpoint.verify.explorer import Explored
from linpoint.verify.runs import Action, Interleaving, Memory, NodeView, Step, ThreadView
from linpoint.verify.specification import value_of

NAMED = 1000
"""Values from here on are names of nodes."""


def interleaving(
    explored: Explored, stem: Sequence[int], cycle: Sequence[int] = (), failing: bool = False
) -> Interleaving | None:
    """The run along these transitions."""
    replayed = explored.core.replay([*stem, *cycle], failing)
    if replayed is None:
        return None
    before, taken = replayed
    words = _Words(explored.program)
    return Interleaving(
        program=explored.program.name,
        file=explored.program.file,
        threads=explored.client.threads,
        before=words.memory(before),
        steps=tuple(words.step(*step) for step in taken),
        cycle=len(stem) if cycle else None,
        trace=tuple(label for _, label, *_ in taken if label is not None),
    )


class _Words:
    """Numbers of the core in the words of the source."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._code = [(method, step) for method in (program.initial, *program.methods) for step in method.code]
        self._kinds: dict[int, int] = {}
        """The kind of each node that was met."""

    def value(self, shown: int) -> str:
        return f"#{shown - NAMED + 1}" if shown >= NAMED else ir.shown(shown, self._program.symbols)

    def cell(self, place: tuple[int, int]) -> str:
        node, at = place
        if not node:
            return self._program.globals[at]
        kind = self._kinds.get(node)
        field = f"[{at}]" if kind is None else f".{self._program.types[kind].fields[at]}"
        return self.value(node) + field

    def memory(self, memory: tuple[Any, Any, Any]) -> Memory:
        cells, nodes, threads = memory
        for name, kind, _, _ in nodes:
            self._kinds[name] = kind
        return Memory(
            tuple(zip(self._program.globals, map(self.value, cells), strict=True)),
            tuple(self._node(*node) for node in nodes),
            tuple(self._thread(*thread) for thread in threads),
        )

    def _node(self, name: int, kind: int, freed: bool, values: list[int]) -> NodeView:
        declared = self._program.types[kind]
        fields = tuple(zip(declared.fields, map(self.value, values), strict=True))
        return NodeView(self.value(name), declared.name, freed, fields)

    def _thread(self, position: int | None, returning: bool, registers: list[tuple[int, int]]) -> ThreadView:
        if position is None:
            return ThreadView(None)
        if returning:
            return ThreadView(None, result=self.value(registers[0][1]))
        method, step = self._code[position]
        named = [(method.registers[register], value) for register, value in registers]
        return ThreadView(step.line, tuple((name, self.value(value)) for name, value in named if name is not None))

    def step(
        self, thread: int, label: str | None, seen: list[Any], failed: tuple[str, int] | None, memory: Any
    ) -> Step:
        after = self.memory(memory)
        for what, position, (node, _), *_ in seen:
            if what == "made":
                self._kinds[node] = self._code[position][1].operands[1]
        groups = groupby(seen, key=lambda one: one[1])
        actions = [
            Action(self._code[at][1].line, self._action(self._code[at][1].op, list(group))) for at, group in groups
        ]
        if failed is not None:
            actions.append(Action(self._code[failed[1]][1].line, failed[0]))
        return Step(thread + 1, _event(label), tuple(actions), failed and failed[0], after)

    def _action(self, op: ir.Op, seen: list[Any]) -> str:
        reads = [(self.cell(cell), self.value(value)) for what, _, cell, value, _ in seen if what == "read"]
        writes = [
            (self.cell(cell), self.value(old), self.value(new)) for what, _, cell, old, new in seen if what == "wrote"
        ]
        if op is ir.Op.NEW:
            return f"makes {self.value(seen[0][2][0])}"
        if op is ir.Op.FREE:
            return f"frees {self.value(seen[0][2][0])}"
        if op in (ir.Op.LOCK, ir.Op.UNLOCK):
            return f"{'locks' if op is ir.Op.LOCK else 'unlocks'} {reads[0][0]}"
        if op is ir.Op.STORE:
            return ", ".join(f"{cell} := {new}" for cell, _, new in writes)
        real = [write for write in writes if write[1] != write[2]] or writes
        changed = ", ".join(f"{cell}: {old} → {new}" for cell, old, new in real)
        if op in (ir.Op.CAS, ir.Op.EXCHANGE_IF) and not writes:
            return "fails, " + ", ".join(f"{cell} is {value}" for cell, value in reads)
        return changed or ", ".join(f"{cell} is {value}" for cell, value in reads)


def _event(label: str | None) -> str | None:
    """`t1.call.push(1)` in words."""
    if label is None:
        return None
    _, kind, what = label.split(".", 2)
    return f"call {what}" if kind == "call" else f"return {what.partition('(')[2][:-1]}"


def history_of(trace: Iterable[str], menu: Iterable[Call], symbols: Sequence[str]) -> History:
    """The history of a trace: its times are the positions of its labels."""
    calls = {written(call): call for call in menu}
    names = tuple(map(symbol, symbols))
    values = {ir.shown(byte, names): value_of(byte, symbols) for byte in range(3 + len(symbols))}
    values |= {str(number): number for number in ir.NUMBERS}
    records: list[dict[str, Any]] = []
    open_calls: dict[str, dict[str, Any]] = {}
    for time, label in enumerate(trace):
        thread, kind, what = label.split(".", 2)
        if kind == "call":
            name, arguments = calls[what]
            value = None if not arguments else arguments[0] if len(arguments) == 1 else list(arguments)
            record = {"process": thread, "f": name, "value": value, "call": time, "type": "info"}
            records.append(record)
            open_calls[thread] = record
        else:
            result = what.partition("(")[2][:-1]
            open_calls[thread] |= {"result": values[result], "return": time, "type": "ok"}
    return History(records)
