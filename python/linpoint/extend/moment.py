"""One moment of the Theorem 1 driver: an interrupted call, the base object, and all that its linearization may be by now.

    real        the cells as they are
    not yet     the cells as a specification has them if the call has not taken effect by now
    done        for each point where it may have taken effect: its result there, and the cells of the specification since

Before the call takes effect, the specification has seen the operations of the environment and nothing of the call, so
there is one "not yet". Whenever the environment did something, the call may take effect: it is run alone on the cells
of "not yet" (`linearize`). An operation of the environment keeps those candidates in which it has the same result. No
candidate left: the history so far is no history of an object whose operations are atomic. At the return a candidate
must have the same result and the same cells.

A cell begins to exist when somebody looks at its key, with any content, in all candidates alike: who never looked
cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from linpoint.extend.base import ABSENT, Base, Raised
from linpoint.extend.machine import Endless, Result, advance, frame, operate, run_alone
from linpoint.extend.program import VALUE, Program
from linpoint.extend.values import Skip, Sym, World

MOST_MADE: Final = 5
"""A run alone that makes more objects than this is taken for one that never ends."""
MOST_CELLS: Final = 3
"""Keys that one exploration looks at."""

CellItems: TypeAlias = tuple[tuple[Any, Any], ...]
Facts: TypeAlias = tuple[tuple[tuple[str, tuple[Any, ...]], Any], ...]


class State(NamedTuple):
    """What there is to know of a moment between two operations, in a canonical form."""

    place: int
    """The base operation that the interrupted call makes next."""
    arguments: tuple[Any, ...]
    values: tuple[Any, ...]
    """The locals that are still needed."""
    real: CellItems
    not_yet: CellItems | None
    done: tuple[tuple[Result, CellItems], ...]
    facts: Facts
    nexts: tuple[Sym, ...]
    """Objects that the call has yet to make, and that a candidate counts on already."""
    first: bool = True
    """Has it not called anything yet?"""


class TooManyKeys(Skip):
    """More keys than an exploration looks at."""


class Violated(Exception):
    """No candidate is left. `kind`: "pending" (the environment saw something impossible) or "returned"."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass
class Group:
    """The extension methods that are looked at together, and what they extend."""

    base: Base
    programs: tuple[Program, ...]
    constants: Mapping[int, tuple[Any, ...]]
    period: int = 1
    """Of a counter: what the methods can tell numbers apart by (`n % 2`), and up to which distance."""
    reach: int = 0
    predicates: frozenset[str] = frozenset()
    """Functions that are only asked whether they give something true."""


@dataclass
class Event:
    """One line of a story: who did what."""

    who: str
    """One of "initial" (what a cell held), "call", "own", "other", "return"."""
    name: str
    key: Any
    arguments: tuple[Any, ...]
    result: Result
    line: int = 0


@dataclass
class Moment:
    """A state in the making."""

    group: Group
    program: Program
    world: World
    arguments: tuple[Any, ...] = ()
    values: list[Any] = field(default_factory=list)
    real: dict[Any, Any] = field(default_factory=dict)
    not_yet: dict[Any, Any] | None = field(default_factory=dict)
    done: list[tuple[Result, dict[Any, Any]]] = field(default_factory=list)
    nexts: list[Sym] = field(default_factory=list)
    published: set[Sym] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    endless: int = 0
    """A line where the method, run alone, does not come to an end."""
    own_points: bool = False
    """May the call take effect at its own steps only?"""

    def __post_init__(self) -> None:
        self.world.known = self.symbols

    def symbols(self) -> Iterator[Sym]:
        """Every symbol in sight."""
        for value in self.arguments:
            if isinstance(value, Sym):
                yield value
        for value in self.values:
            if isinstance(value, Sym):
                yield value
        for cells in self._all():
            for key, content in cells.items():
                if isinstance(key, Sym):
                    yield key
                if isinstance(content, Sym):
                    yield content
        for (_, value), _ in self.done:
            if isinstance(value, Sym):
                yield value
        for (_, arguments), value in self.world.facts.items():
            if isinstance(value, Sym):
                yield value
            for argument in arguments:
                if isinstance(argument, Sym):
                    yield argument

    def _all(self) -> Iterator[dict[Any, Any]]:
        yield self.real
        if self.not_yet is not None:
            yield self.not_yet
        for _, cells in self.done:
            yield cells

    # -- cells

    def touch(self, key: Any) -> None:
        """Somebody looks at a key: its cell exists from now on, with any content."""
        if key not in self.real:
            if len(self.real) >= MOST_CELLS:
                raise TooManyKeys
            content = self._any_content()
            self.events.append(Event("initial", "", key, (content,), ("returned", None)))
            for cells in self._all():
                cells[key] = content

    def _any_content(self) -> Any:
        base = self.group.base
        if base.states:
            return self.world.ask(base.states)
        if base.whole_numbers:
            return self.world.ask(tuple(range(self.group.reach + self.group.period)))
        absent = (ABSENT,) if base.may_be_absent else ()
        if base.values:
            return self.world.ask((*absent, *base.values))
        if absent and self.world.ask((True, False)):
            return ABSENT
        return self._any_value()

    def _any_value(self) -> Any:
        """Any value that a cell may hold."""
        if self.group.base.values:
            return self.world.ask(self.group.base.values)
        value = self.world.any_value(VALUE)
        if value is None and not self.group.base.holds_none:
            raise Skip
        return value

    # -- the interrupted call

    def begin(self) -> int | None:
        """The call begins, with any arguments; the place of its first base operation, None if it ends without one."""
        program = self.program
        chosen: list[Any] = []
        for number in range(len(program.parameters)):
            self.arguments = tuple(chosen)
            chosen.append(self.world.any_value(program.sorts[number]))
        self.arguments = tuple(chosen)
        self.values = frame(program, self.arguments)
        self.events.append(Event("call", program.name, None, self.arguments, ("returned", None), program.line))
        self.linearize()
        place, result = advance(program, 0, self.values, self.world, self._make)
        if result is not None:
            self._return(result, place)
            return None
        return place

    def own_step(self, place: int) -> int | None:
        """The next base operation of the interrupted call, and its local steps behind it: the next place, None if it returned."""
        program, call = self.program, self.program.code[place]
        if self.own_points:
            self.linearize()
        after, key, arguments, answer = operate(
            program, place, self.values, _View(self, self.real), self.group.base, self.world, self._make
        )
        for content in self.real.values():
            if isinstance(content, Sym) and not content.public:
                self.published.add(content)
        name = getattr(call, "operation", "")
        self.events.append(Event("own", name, key, arguments, answer, call.line))
        if self.own_points:
            self.linearize()
        if after < 0:
            self._return(answer, place)
            return None
        place, result = advance(program, after, self.values, self.world, self._make)
        if result is not None:
            self._return(result, place)
            return None
        return place

    def _return(self, result: Result, place: int) -> None:
        line = self.program.code[place].line
        self.events.append(Event("return", self.program.name, None, (), result, line))
        self.settle()
        result = result[0], self.world.find(result[1])
        if not any(found == result and cells == self.real for found, cells in self.done):
            raise Violated("returned")

    def _make(self, site: int) -> Sym:
        """The call makes an object: one that a candidate counts on, or a new one."""
        for number, symbol in enumerate(self.nexts):
            if symbol.site == site:
                return self.nexts.pop(number)
        return self.world.symbol(self.program.site_sorts[site], site)

    # -- candidates

    def settle(self) -> None:
        """Symbols that turned out to equal another value are written as that value everywhere."""
        if not self.world.same:
            return
        find = self.world.find

        def settled(cells: dict[Any, Any]) -> dict[Any, Any]:
            return {find(key): find(content) for key, content in cells.items()}

        self.arguments = tuple(map(find, self.arguments))
        self.values = list(map(find, self.values))
        self.real = settled(self.real)
        self.not_yet = None if self.not_yet is None else settled(self.not_yet)
        self.done = [((kind, find(value)), settled(cells)) for (kind, value), cells in self.done]

    def linearize(self) -> None:
        """The call may take effect now: every way in which it may do so, run alone, is one more candidate."""
        if self.not_yet is None:
            return
        waiting: list[tuple[int, ...]] = [()]
        while waiting:
            picks = waiting.pop()
            cells = dict(self.not_yet)
            maker = _Picking(self, picks)
            try:
                result = run_alone(self.program, self.arguments, _View(self, cells), self.group.base, self.world, maker)
            except _MorePicks as more:
                waiting += [(*picks, number) for number in range(more.number)]
                continue
            except Endless as error:
                self.endless = error.line
                continue
            found = (result, cells)
            if found not in self.done:
                self.done.append(found)

    def _keep(self, change: Any, wanted: Any) -> None:
        """Keeps the candidates on which the environment's operation has the result that it had; they are changed by it."""
        find = self.world.find
        wanted = wanted[0], find(wanted[1])

        def agrees(cells: dict[Any, Any]) -> bool:
            kind, value = change(cells)
            return (kind, find(value)) == (wanted[0], find(wanted[1]))

        if self.not_yet is not None and not agrees(self.not_yet):
            self.not_yet = None
        self.done = [each for each in self.done if agrees(each[1])]
        if self.not_yet is None and not self.done:
            raise Violated("pending")

    # -- the environment

    def transaction(self) -> None:
        """All cells are overwritten at once, by anything, and were seen: no operation of anybody can do or see more."""
        self.settle()
        seen = dict(self.real)
        for key in list(self.real):
            content = self._any_content()
            self.real[key] = content
            self.events.append(Event("other", "swap", key, (content,), ("returned", seen[key])))
        new = dict(self.real)
        if self.not_yet is not None and self.not_yet != seen:
            self.not_yet = None
        self.done = [each for each in self.done if each[1] == seen]
        if self.not_yet is None and not self.done:
            raise Violated("pending")
        if self.not_yet is not None:
            self.not_yet = dict(new)
        self.done = [(result, dict(new)) for result, _ in self.done]
        if not self.own_points:
            self.linearize()

    def operation(self, by_base: bool, by_extensions: bool) -> None:
        """One operation of another thread: of the base object, or an extension method without an interruption."""
        base = self.group.base
        direct = base.environment if by_base else ()
        others = self.group.programs if by_extensions else ()
        number = self.world.ask(tuple(range(len(direct) + len(others))))
        if number >= len(direct):
            self._other_call(others[number - len(direct)])
        else:
            name, count = direct[number]
            key = self.world.ask(tuple(self.real))
            if base.states:
                arguments = self.world.ask(base.arguments.get(name, ((),)))
            else:
                arguments = tuple(self._any_value() for _ in range(count))

            def change(cells: dict[Any, Any]) -> Result:
                try:
                    cells[key], result = base.operate(name, cells[key], arguments, self.world.equal)
                except Raised as error:
                    return "raised", error.name
                return "returned", result

            result = change(self.real)
            self.events.append(Event("other", name, key, arguments, result))
            self._keep(change, result)
        if not self.own_points:
            self.linearize()

    def _other_call(self, program: Program) -> None:
        arguments = tuple(self.world.any_value(sort) for sort in program.sorts[: len(program.parameters)])
        before = set(self.real)
        made: dict[tuple[int, int], Sym] = {}

        def change(cells: dict[Any, Any]) -> Result:
            counts: dict[int, int] = {}

            def make(site: int) -> Sym:
                counts[site] = number = counts.get(site, 0) + 1
                if (site, number) not in made:
                    made[site, number] = self.world.symbol(program.site_sorts[site])
                return made[site, number]

            view = _View(self, cells)
            try:
                result = run_alone(program, arguments, view, self.group.base, self.world, make)
            except Endless:
                raise Skip from None
            used.update(view.used)
            return result

        used: set[Any] = set()
        result = change(self.real)
        if not used & before:
            raise Skip  # nothing that the interrupted call would notice
        self.events.append(Event("other", program.name, None, arguments, result, program.line))
        self._keep(change, result)


class _MorePicks(Exception):
    """A candidate makes an object, and may take one of several."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _Picking:
    """Gives a candidate its objects: one that the interrupted call has made, or the next that it will make."""

    def __init__(self, moment: Moment, picks: tuple[int, ...]) -> None:
        self._moment = moment
        self._picks = picks
        self._made: list[Sym] = []

    def __call__(self, site: int) -> Sym:
        moment = self._moment
        if len(self._made) == MOST_MADE:
            raise Endless(moment.program.line)
        pool = sorted({symbol for symbol in moment.symbols() if symbol.site == site} | set(moment.nexts))
        pool = [symbol for symbol in pool if symbol.site == site and symbol not in self._made]
        if not any(symbol in moment.nexts for symbol in pool):
            made = moment.world.symbol(moment.program.site_sorts[site], site)
            moment.nexts.append(made)
            pool.append(made)
        if len(self._made) >= len(self._picks):
            raise _MorePicks(len(pool))
        self._made.append(pool[self._picks[len(self._made)]])
        return self._made[-1]


class _View:
    """Cells as a run sees them, in which a key that nobody looked at comes to exist everywhere."""

    def __init__(self, moment: Moment, cells: dict[Any, Any]) -> None:
        self._moment = moment
        self._cells = cells
        self.used: set[Any] = set()

    def __getitem__(self, key: Any) -> Any:
        key = self._known(key)
        self.used.add(key)
        if key not in self._cells:
            self._moment.touch(key)
            self._cells[key] = self._moment.real[key]
        return self._cells[key]

    def __setitem__(self, key: Any, content: Any) -> None:
        self._cells[self._known(key)] = content

    def _known(self, key: Any) -> Any:
        """The key as it is known: one that a function gave may equal another."""
        key = self._moment.world.find(key)
        if key not in self._cells:
            for other in list(self._cells):
                if self._moment.world.equal(key, other):
                    return other
        return key

    def contents(self) -> tuple[Any, ...]:
        """What all cells hold."""
        return tuple(self._cells.values())
