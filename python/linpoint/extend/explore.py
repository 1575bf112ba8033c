"""Is every history of the driver linearizable? A breadth-first search of all its states, which are finitely many.

After Zomer, Golan-Gueta, Ramalingam & Sagiv (ESOP 2014). Two drivers:

- *transactions* (Corollaries 3 and 4): between two base operations of the one interrupted call the environment does
  nothing, or it sees and overwrites all cells that the call looks at, once. No operation of any thread, base or
  extension, sees or does more to these cells, and a row of such steps is one such step, so nothing is missed: what is
  verified here is linearizable. What fails here may need a swap that the base does not have.
- *operations* (Theorem 1): the environment makes base operations and whole extension calls, as many as it likes. What
  fails here, fails.

We changed: the paper's tool interprets abstractly, so one linearizable method of its 52 raised an alarm; ours keeps
literals and values apart by case distinction (`values.py`). States are small and few (tens to hundreds); a step costs
a few runs of the method.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from linpoint.extend.canonical import canonical
from linpoint.extend.machine import UNBOUND, Endless
from linpoint.extend.moment import Event, Group, Moment, State, TooManyKeys, Violated
from linpoint.extend.program import Program
from linpoint.extend.values import MoreAnswers, Skip, Sym, World

MOST_STATES: Final = 5_000
"""A search beyond this gives up."""
MOST_STEPS: Final = 12_000
"""Runs of a step: a state may have many successors."""
MOST_ANSWERS: Final = 24
"""So many questions in one step mean that the method computes on and on."""


@dataclass(frozen=True)
class Driver:
    """What the environment does."""

    transactions: bool
    extensions: bool = False
    """Do other threads call the extension methods too?"""
    operations: bool = True
    """Do they operate on the base object directly?"""
    own_points: bool = False
    """May the call take effect at its own steps only (Lemma 5)?"""


@dataclass
class Found:
    """What a search found."""

    states: int = 0
    verified: bool = False
    violations: list[Trail] = field(default_factory=list)
    """The first few, the shortest first."""
    reason: str = ""
    """Why the search gave up."""
    endless: int = 0
    """A line where the method, run alone, does not come to an end."""
    cells: int = 0
    """The most keys that one state is about."""
    cut: bool = False
    """Was a choice left out because it is about too many keys?"""


@dataclass(frozen=True)
class Trail:
    """How a violation is reached: the answers of each step from the beginning."""

    steps: tuple[tuple[int, ...], ...]
    kind: str


@dataclass
class _Node:
    state: State
    parent: _Node | None
    answers: tuple[int, ...]

    def trail(self, last: tuple[int, ...], kind: str) -> Trail:
        steps, node = [last], self
        while node.parent is not None:
            steps.append(node.answers)
            node = node.parent
        return Trail((*reversed(steps),), kind)


def explore(
    group: Group,
    program: Program,
    driver: Driver,
    wanted: int = 1,
    stop: Callable[[], bool] = lambda: False,
    most_steps: int = MOST_STEPS,
) -> Found:
    """Searches all states of the driver; `wanted` violations are enough, and `stop` is asked between states."""
    found = Found()
    steps = 0
    root = _Node(None, None, ())  # type: ignore[arg-type]  # the moment before the call
    seen: dict[State, None] = {}
    waiting: deque[_Node] = deque([root])
    while waiting:
        node = waiting.popleft()
        if stop():
            found.reason = "time"
            break
        pending: list[tuple[int, ...]] = [()]
        while pending:
            answers = pending.pop()
            steps += 1
            if steps > most_steps or (not steps % 100 and stop()):
                found.reason = f"more than {max(len(seen), 1):,} states, and many steps between them"
                found.states = len(seen)
                return found
            try:
                moment, state, _ = take(group, program, driver, node.state, answers)
            except MoreAnswers as more:
                if len(answers) == MOST_ANSWERS:
                    found.reason = "it computes with values on and on, and no state comes back"
                    return found
                pending += [(*answers, chosen) for chosen in range(len(more.options) - 1, -1, -1)]
                continue
            except Skip as skipped:
                found.cut |= isinstance(skipped, TooManyKeys)
                continue
            except Endless as error:
                found.endless = error.line
                found.reason = f"the loop at line {error.line} goes on without a base operation"
                return found
            except Violated as violated:
                found.violations.append(node.trail(answers, violated.kind))
                if len(found.violations) >= wanted:
                    found.states = len(seen)
                    return found
                continue
            found.endless = found.endless or moment.endless
            if state is not None and state not in seen:
                seen[state] = None
                found.cells = max(found.cells, len(state.real))
                waiting.append(_Node(state, node, answers))
        if len(seen) > MOST_STATES:
            found.reason = f"more than {len(seen):,} states"
            break
    found.states = len(seen)
    found.verified = not found.violations and not found.reason
    return found


def take(
    group: Group, program: Program, driver: Driver, state: State | None, answers: tuple[int, ...], label: Any = None
) -> tuple[Moment, State | None, dict[Sym, Sym]]:
    """One step of the driver with these answers: the moment behind it, its state (None if the call returned), and the renaming.

    `label`, if given, is called with the moment's events and facts whatever comes of the step: for telling a trail.
    """
    moment = _restore(group, program, driver, state, answers)
    try:
        if state is None:
            place = moment.begin()
        elif driver.transactions:
            if not state.first and moment.world.ask((False, True)):
                moment.transaction()
            place = moment.own_step(state.place)
        elif not state.first and moment.world.ask((False, True)):
            moment.operation(driver.operations, driver.extensions)
            place = state.place
        else:
            place = moment.own_step(state.place)
    finally:
        if label is not None:
            label(moment)
    if place is None:
        return moment, None, {}
    after, naming = canonical(moment, place, state is None)
    return moment, after, naming


def _restore(group: Group, program: Program, driver: Driver, state: State | None, answers: tuple[int, ...]) -> Moment:
    """The moment that a state describes."""
    constants = dict(group.constants)
    concrete = group.base.whole_numbers or bool(group.base.states)
    if state is None:
        return Moment(
            group, program, World({}, answers, constants, 0, concrete, group.predicates), own_points=driver.own_points
        )
    values: list[Any] = [UNBOUND] * len(program.locals)
    for number, value in zip(program.live[state.place], state.values, strict=True):
        values[number] = value
    return Moment(
        group,
        program,
        World(dict(state.facts), answers, constants, 1_000, concrete, group.predicates),
        state.arguments,
        values,
        dict(state.real),
        None if state.not_yet is None else dict(state.not_yet),
        [(result, dict(cells)) for result, cells in state.done],
        list(state.nexts),
        own_points=driver.own_points,
    )


@dataclass
class Story:
    """A trail in words to come: events whose symbols have one name throughout, and the facts that hold."""

    events: list[Event] = field(default_factory=list)
    facts: list[tuple[str, tuple[Any, ...], Any]] = field(default_factory=list)
    kind: str = ""
    symbols: list[Sym] = field(default_factory=list)


def tell(group: Group, program: Program, driver: Driver, trail: Trail) -> Story:
    """Goes a trail again and names every symbol once and for all."""
    story = Story(kind=trail.kind)
    names: dict[Sym, Sym] = {}

    def name(value: Any) -> Any:
        if not isinstance(value, Sym):
            return value
        if value not in names:
            names[value] = Sym(len(story.symbols) + 1, value.sort, value.site, True, value.loose)
            story.symbols.append(names[value])
        return names[value]

    def note(moment: Moment) -> None:
        for event in moment.events:
            result = (event.result[0], name(event.result[1]))
            arguments = tuple(map(name, event.arguments))
            story.events.append(Event(event.who, event.name, name(event.key), arguments, result, event.line))
        story.facts += [
            (function, tuple(map(name, given)), name(answer)) for function, given, answer in moment.world.learnt
        ]

    state: State | None = None
    for number, answers in enumerate(trail.steps):
        try:
            _, state, naming = take(group, program, driver, state, answers, note)
        except Violated:
            assert number == len(trail.steps) - 1  # noqa: S101 - a trail ends with its violation
            break
        names = {naming[symbol]: name(symbol) for symbol in naming}
    return story
