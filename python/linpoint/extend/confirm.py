"""Is it really a violation? The story is carried out with concrete values, recorded as a history, and judged by `linpoint check`.

What is left of the search is the schedule: who moves when, and with which arguments. The method runs step by step on
an ordinary map, the environment's operations run in between, every result is recorded, and at the end every cell that
was touched is read. The history is then checked against the object whose operations are atomic, the extension methods
among them (`ExtensionModel`): that check knows nothing of candidates, symbols or reductions. Only what it calls a
violation is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from linpoint.check.check import check as check_history
from linpoint.extend.base import ABSENT, Base, Raised
from linpoint.extend.concrete import ConcreteWorld, Table, concretise
from linpoint.extend.explore import Story
from linpoint.extend.machine import Endless, Result, advance, frame, operate, run_alone
from linpoint.extend.moment import MOST_MADE, Group
from linpoint.extend.program import Program
from linpoint.extend.values import Sym
from linpoint.history import History, Operation
from linpoint.models import Model
from linpoint.models.model import fits
from linpoint.verdict import Verdict

NOTHING: Final = "<absent>"
"""What the last look at a key of a dict answers if there is none: `d.get(key, "<absent>")`."""
MOST_STEPS: Final = 50


@dataclass(frozen=True)
class Move:
    """One line of an interleaving."""

    thread: int
    """1 is the interrupted call; 2 is everybody else."""
    line: int
    """Of the extension's own text, 0 for the others."""
    text: str
    """What happens, as a call."""
    result: str
    """What comes back, empty if nothing does."""


@dataclass(frozen=True)
class Violation:
    """A violation that was confirmed: the interleaving, and the history with its model for `lp.check` and `lp.explain`."""

    moves: tuple[Move, ...]
    history: History
    model: Model
    initial: str
    """What the base object holds at first, in words."""
    by_extension: bool
    """Does another thread call an extension method in it?"""
    direct: bool
    """Does another thread operate on the object itself, before the last look?"""


class _Cells(dict[Any, Any]):
    """Cells of an ordinary object; a key that nobody set is absent."""

    def __missing__(self, key: Any) -> Any:
        return ABSENT

    def contents(self) -> tuple[Any, ...]:
        """What all cells hold."""
        return tuple(sorted(((repr(key), repr(content)) for key, content in self.items())))


class ExtensionModel(Model):
    """The base object with its extension methods, every operation atomic. A state is the cells, as pairs.

    An operation is called as in the history: `f` is the name, `value` the list of arguments, the key first. A method that
    makes objects may have made any of those that the history names.
    """

    def __init__(
        self, base: Base, programs: Sequence[Program], initial: Mapping[Any, Any], table: Table, made: Sequence[str]
    ) -> None:
        self.initial = _frozen(initial)
        self._base = base
        self._programs = {program.name: program for program in programs}
        self._table = table
        self._made = tuple(made)

    def step(self, state: Any, op: Operation) -> list[Any]:
        """The states that the operation may lead to."""
        arguments = tuple(op.value or ())
        program = self._programs.get(op.f)
        outcomes = self._called(state, op.f, arguments) if program is None else self._run(program, state, arguments)
        return [after for after, result in outcomes if op.pending or fits(result, op.result)]

    def describe(self, state: Any) -> str:
        """The cells."""
        return (
            ", ".join(f"{key} ↦ {content}" if self._base.keyed else str(content) for key, content in state) or "empty"
        )

    def _called(self, state: Any, name: str, arguments: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
        cells = _Cells(state)
        key, rest = (arguments[0], arguments[1:]) if self._base.keyed else (0, arguments)
        try:
            cells[key], result = self._base.operate(name, cells[key], rest)
        except Raised as error:
            yield state, {"raised": error.name}
        else:
            yield _frozen(cells), result

    def _run(self, program: Program, state: Any, arguments: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            picks = waiting.pop()
            names = iter(picks)

            def make(site: int, names: Iterator[str] = names, program: Program = program) -> str:
                found = next(names, None)
                if found is None:
                    raise _OneMore(site, f"new {program.sites[site]}")
                return found

            cells = _Cells(state)
            try:
                result = run_alone(program, arguments, cells, self._base, ConcreteWorld(self._table), make)
            except _OneMore as more:
                held = {content for _, content in state}
                fitting = [name for name in self._made if name.startswith(more.what) and name not in (*picks, *held)]
                if len(picks) < MOST_MADE:
                    waiting += [(*picks, name) for name in (*fitting, f"{more.what} {len(picks)}*")]
                continue
            except Endless:
                continue
            yield _frozen(cells), answer(result)


class _OneMore(Exception):
    def __init__(self, site: int, what: str) -> None:
        super().__init__(site)
        self.what = what


def _frozen(cells: Mapping[Any, Any]) -> tuple[tuple[Any, Any], ...]:
    return tuple(sorted(((key, content) for key, content in cells.items() if content is not ABSENT), key=repr))


def answer(result: Result) -> Any:
    """A result as a history has it."""
    return result[1] if result[0] == "returned" else {"raised": result[1]}


class _Mismatch(Exception):
    """The concrete run does not do what the story says."""


def confirm(story: Story, group: Group, program: Program) -> Violation | None:
    """The story with concrete values, if it is a violation; None if it is not, or no values fit."""
    found = concretise(story, group, program)
    if found is None:
        return None
    try:
        violation = _Performance(story, group, program, *found).violation()
    except (_Mismatch, Endless):
        return None
    verdict = check_history(violation.history, violation.model, timeout=10).verdict
    return violation if verdict is Verdict.VIOLATION else None


class _Performance:
    """Carries out a story."""

    def __init__(self, story: Story, group: Group, program: Program, values: dict[Sym, Any], table: Table) -> None:
        self.group, self.program, self.table = group, program, table
        self.base = group.base
        self.values = values
        self.events = [event for event in story.events if event.who != "initial"]
        first = [event for event in story.events if event.who == "initial"]
        self.first = {self.value(event.key): self.value(event.arguments[0]) for event in first}
        self.cells = _Cells(self.first)
        self.world = ConcreteWorld(table)
        self.moves: list[Move] = []
        self.operations: list[dict[str, Any]] = []
        self.clock = 0
        self.made = [values[symbol] for symbol in story.symbols if symbol.site >= 0]
        self.waiting: dict[int, list[Any]] = {}
        for symbol in story.symbols:
            if symbol.site >= 0:
                self.waiting.setdefault(symbol.site, []).append(values[symbol])
        self.by_extension = self.direct = False

    def value(self, value: Any) -> Any:
        """The concrete value."""
        return self.values[value] if isinstance(value, Sym) else value

    def violation(self) -> Violation:
        """All of it, step by step, and a last look at the cells."""
        start = next(event for event in self.events if event.who == "call")
        arguments = tuple(map(self.value, start.arguments))
        begun = self._tick()
        self.moves.append(Move(1, self.program.line, f"{self.program.name}({_listed(arguments)})", ""))
        locals_ = frame(self.program, arguments)
        place, result = advance(self.program, 0, locals_, self.world, self._make)
        for event in self.events:
            if event.who == "own":
                place, result = self._own(place, result, locals_, tuple(map(self.value, event.arguments)))
            elif event.who == "other":
                self._other(event.name, event.key, tuple(map(self.value, event.arguments)))
        for _ in range(MOST_STEPS):
            if result is not None:
                break
            place, result = self._own(place, result, locals_)
        if result is None:
            raise _Mismatch  # a call that never returns shows that it has no specification, and no more
        line = self.program.code[place].line
        word = "returns" if result[0] == "returned" else "raises"
        came = repr(result[1]) if result[0] == "returned" else str(result[1])
        self.moves.append(Move(1, line, word, came))
        call = {"process": 0, "f": self.program.name, "value": list(arguments), "call": begun}
        self.operations.insert(0, {**call, "return": self._tick(), "result": answer(result)})
        direct = self.direct
        for key in list(self.cells):
            self._look(key)
        model = ExtensionModel(self.base, self.group.programs, self.first, self.table, self.made)
        return Violation(
            tuple(self.moves), History(self.operations), model, self._initially(), self.by_extension, direct
        )

    def _own(
        self, place: int, result: Result | None, locals_: list[Any], expected: tuple[Any, ...] | None = None
    ) -> tuple[int, Result | None]:
        if result is not None:
            raise _Mismatch
        after, key, arguments, came = operate(
            self.program, place, locals_, self.cells, self.base, self.world, self._make
        )
        if expected is not None and arguments != expected:
            raise _Mismatch
        call = self.program.code[place]
        name = getattr(call, "operation", "")
        self.moves.append(Move(1, call.line, self._shown(name, key, arguments), _came(came)))
        if after < 0:
            return place, came
        return advance(self.program, after, locals_, self.world, self._make)

    def _other(self, name: str, key: Any, arguments: tuple[Any, ...]) -> None:
        """An operation of another thread; a swap is the operation of the base object that does it."""
        programs = {program.name: program for program in self.group.programs}
        key = self.value(key)
        begun = self._tick()
        if name in programs and key is None:
            self.by_extension = True
            result = run_alone(programs[name], arguments, self.cells, self.base, self.world, self._make_another)
            given, text = list(arguments), f"{name}({_listed(arguments)})"
        else:
            self.direct = True
            name, arguments = _as_operation(self.base, name, self.cells[key], arguments)
            try:
                self.cells[key], value = self.base.operate(name, self.cells[key], arguments)
                result = ("returned", value)
            except Raised as error:
                result = ("raised", error.name)
            given = [key, *arguments] if self.base.keyed else list(arguments)
            text = self._shown(name, key, arguments)
        self.moves.append(Move(2, 0, text, _came(result)))
        self.operations.append(
            {"process": 1, "f": name, "value": given, "call": begun, "return": self._tick(), "result": answer(result)}
        )

    def _look(self, key: Any) -> None:
        """Reads a cell when all is over."""
        for name in ("get", "read"):
            if name in self.base.operations:
                default = (NOTHING,) if name == "get" else ()
                self._other(name, key, default)
                return
        for name, (_, fewest, _) in self.base.operations.items():
            if fewest == 0:
                self._other(name, key, ())

    def _make(self, site: int) -> Any:
        waiting = self.waiting.get(site)
        if not waiting:
            raise _Mismatch
        return waiting.pop(0)

    def _make_another(self, site: int) -> str:
        self.made.append(f"new {self.program.sites[site]} {len(self.made) + 1}")
        return str(self.made[-1])

    def _shown(self, name: str, key: Any, arguments: tuple[Any, ...]) -> str:
        return shown(name, key, arguments, self.base.keyed)

    def _tick(self) -> int:
        self.clock += 1
        return self.clock

    def _initially(self) -> str:
        if not self.base.keyed:
            return f"it holds {next(iter(self.first.values()))!r}" if self.first else ""
        words = [
            f"{key!r} is absent" if content is ABSENT else f"{key!r} holds {content!r}"
            for key, content in self.first.items()
        ]
        return ", ".join(words)


def _as_operation(base: Base, name: str, cell: Any, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The operation of a map that swaps in this content; any other operation stays as it is."""
    if name in base.operations:
        return name, arguments
    if arguments[0] is ABSENT:
        return "remove", ()
    return ("get", ()) if arguments[0] == cell else ("put", arguments)


def shown(name: str, key: Any, arguments: tuple[Any, ...], keyed: bool) -> str:
    """An operation as Python writes it."""
    if name == "getitem":
        return f"[{key!r}]"
    if name == "setitem":
        return f"[{key!r}] = {arguments[0]!r}"
    if name == "delitem":
        return f"del [{key!r}]"
    if name == "contains":
        return f"{key!r} in it"
    return f"{name}({_listed((key, *arguments) if keyed else arguments)})"


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(repr, values))


def _came(result: Result) -> str:
    return repr(result[1]) if result[0] == "returned" else f"raises {result[1]}"
