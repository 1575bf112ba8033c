"""When are two states the same? After renaming: a symbol is only a name, so symbols are numbered as they appear.

What can no longer matter is dropped, so that a method that tries again and again has finitely many states:

- locals that are not read any more (`Program.live`);
- facts about values that nobody holds any more: should such a value come back, it is as good as a new one;
- candidates whose result the call cannot return any more. A symbol that neither the call, nor a cell, nor a fact
  within reach holds can only come back by a choice of the environment, and a value that is really new would do as
  well, with fewer candidates.

The first two only add behaviours, so "verified" stays true; a violation is confirmed without any of this. Numbers of
a counter are moved towards 0 by multiples of what the methods can tell apart (`_closer`): their order, equality and
remainders stay, and gaps beyond the reach of the methods' own sums are cut. Linear in the state, but for sorting
candidates.
"""

from __future__ import annotations

from typing import Any

from linpoint.extend.machine import Result
from linpoint.extend.moment import CellItems, Moment, State
from linpoint.extend.values import PREDICATES, Sym

DEPTH = 3
"""How often a fact about the result of a fact is kept at most: f(f(f(x)))."""


def canonical(moment: Moment, place: int, first: bool) -> tuple[State, dict[Sym, Sym]]:
    """The state behind a step in its canonical form, and the new name of each symbol that is left."""
    program = moment.program
    moment.settle()
    values = [moment.values[number] for number in program.live[place]]
    held = {value for value in (*moment.arguments, *values) if isinstance(value, Sym)}
    for cells in (moment.real, moment.not_yet or {}):
        held.update(value for pair in cells.items() for value in pair if isinstance(value, Sym))
    reach = held | set(moment.nexts)
    _kept_facts(moment, reach)
    done = [(result, cells) for result, cells in moment.done if not isinstance(result[1], Sym) or result[1] in reach]
    for result, cells in done:
        held.update(value for value in (result[1], *cells.values()) if isinstance(value, Sym))
    facts = _kept_facts(moment, held)
    naming = _Naming(moment)
    arguments = naming.all(moment.arguments)
    named_values = naming.all(values)
    real = naming.cells(moment.real)
    not_yet = None if moment.not_yet is None else naming.cells(moment.not_yet)
    done.sort(
        key=lambda each: (each[0][0], naming.rank(each[0][1]), [naming.rank(each[1][key]) for key in moment.real])
    )
    named_done = tuple(
        dict.fromkeys((naming.result(result), naming.cells(cells, moment.real)) for result, cells in done)
    )
    counted_on = tuple(naming.one(symbol) for symbol in moment.nexts if symbol in naming.names)
    facts.sort(key=lambda fact: (fact[0][0], [naming.rank(each) for each in fact[0][1]], naming.rank(fact[1])))
    named_facts = tuple(((name, naming.all(given)), naming.one(answer)) for (name, given), answer in facts)
    state = State(place, arguments, named_values, real, not_yet, named_done, named_facts, counted_on, first)
    if moment.group.base.whole_numbers:
        state = _closer(state, moment.group.period, moment.group.reach)
    return state, naming.names


def _kept_facts(moment: Moment, held: set[Sym]) -> list[tuple[tuple[str, tuple[Any, ...]], Any]]:
    """The facts about values in `held`, and about their results; `held` grows by these."""
    left = {
        fact: answer
        for fact, answer in moment.world.facts.items()
        if fact[0] != "≠" or not all(isinstance(argument, Sym) for argument in fact[1])
    }
    kept = []
    for _ in range(max(1, min(DEPTH, moment.program.depth))):
        found = [
            (fact, answer)
            for fact, answer in left.items()
            if all(not isinstance(argument, Sym) or argument in held for argument in fact[1])
        ]
        if not found:
            break
        for fact, answer in found:
            del left[fact]
            if isinstance(answer, Sym):
                held.add(answer)
        kept += found
    for fact, answer in left.items():
        if (fact[0] in PREDICATES or fact[0] in moment.group.predicates) and all(
            not isinstance(argument, Sym) or argument in held for argument in fact[1]
        ):
            kept.append((fact, answer))
    return kept


class _Naming:
    """Numbers symbols in the order in which they are met."""

    def __init__(self, moment: Moment) -> None:
        self.names: dict[Sym, Sym] = {}
        self._published = moment.published

    def one(self, value: Any) -> Any:
        if not isinstance(value, Sym):
            return value
        if value not in self.names:
            public = value.public or value in self._published
            self.names[value] = Sym(len(self.names) + 1, value.sort, value.site, public, value.loose)
        return self.names[value]

    def all(self, values: Any) -> tuple[Any, ...]:
        return tuple(self.one(value) for value in values)

    def cells(self, cells: dict[Any, Any], order: dict[Any, Any] | None = None) -> CellItems:
        return tuple((self.one(key), self.one(cells[key])) for key in order or cells)

    def result(self, result: Result) -> Result:
        return result[0], self.one(result[1])

    def rank(self, value: Any) -> tuple[int, Any]:
        """For sorting: literals by what they look like, symbols by their number, those without one by sort and site."""
        if not isinstance(value, Sym):
            return 0, repr(value)
        known = self.names.get(value)
        return (1, f"{known.number:06}") if known is not None else (2, f"{value.sort:06} {value.site:06} {value.loose}")


def _closer(state: State, period: int, reach: int) -> State:
    """The state of a counter with gaps between numbers cut to what can be noticed."""
    numbers: set[int] = set()
    cells = [content for _, content in (*state.real, *(state.not_yet or ()))]
    cells += [content for _, items in state.done for _, content in items]
    cells += [result[1] for result, _ in state.done]
    for value in (*state.values, *state.arguments, *cells):
        if isinstance(value, int) and not isinstance(value, bool):
            numbers.add(value)
    moved: dict[int, int] = {}
    before, shift = -1, 0  # numbers up to -1 stay; a counter starts at 0, and 0 is a number that methods may mention
    for number in sorted(numbers):
        gap = number - before
        if gap > reach + period:
            shift += (gap - reach - 1) // period * period
        moved[number] = number - shift
        before = number
    if not shift:
        return state

    def move(value: Any) -> Any:
        return moved.get(value, value) if isinstance(value, int) and not isinstance(value, bool) else value

    def items(cells: CellItems) -> CellItems:
        return tuple((key, move(content)) for key, content in cells)

    return state._replace(
        values=tuple(map(move, state.values)),
        arguments=tuple(map(move, state.arguments)),
        real=items(state.real),
        not_yet=None if state.not_yet is None else items(state.not_yet),
        done=tuple(((kind, move(value)), items(cells)) for (kind, value), cells in state.done),
    )
