"""Is a base object composition-closed, and is a method replaceable by its operations? For finite objects, by trying all states.

A call with its result, m(a)/b, is a partial function from states to states. A sequence of calls is *atomically
equivalent* to one call if the two are the same partial function on states that can be told apart; the calls are
*composition-closed* if every sequence is equivalent to one of them (pairs are enough, by induction). A call c is
*replaceable* by base calls if those that are contained in it cover it (Zomer, Golan-Gueta, Ramalingam & Sagiv,
section 4).

The state of a counter has no end, but what its methods can tell apart has: as many numbers as `Group.period` and
`Group.reach` say stand for all. States times calls squared; meant for tens of states.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from linpoint.extend.base import Base, Raised
from linpoint.extend.concrete import ConcreteWorld
from linpoint.extend.machine import Endless, run_alone
from linpoint.extend.moment import Group
from linpoint.extend.program import Program

Function: TypeAlias = frozenset[tuple[Hashable, Hashable]]
"""Pairs of a state before and a state after."""


@dataclass(frozen=True)
class Answer:
    """Does a property hold, and why or why not?"""

    holds: bool
    words: str


class _Cell(dict[Any, Any]):
    """The one cell of a finite object."""

    def contents(self) -> tuple[Any, ...]:
        return tuple(self.values())


def composition_closed(base: Base) -> Answer:
    """Is every sequence of base calls as good as one base call?"""
    calls = dict(_base_calls(base, base.states))
    single = set(calls.values())
    for (first, one), (second, other) in product(calls.items(), repeat=2):
        both = frozenset((before, after) for before, middle in one for start, after in other if middle == start)
        if both and both not in single:
            return Answer(False, f"not composition-closed: {first} {second} is no single operation")
    return Answer(True, "composition-closed: every two operations in a row are one operation, by trying all states")


def replaceable(group: Group, program: Program) -> Answer | None:
    """Is every call of the method as good as a base call, both ways? None if it has arguments, which are too many to try."""
    base = group.base
    if program.parameters or not (base.states or base.whole_numbers):
        return None
    states: tuple[Hashable, ...] = base.states or tuple(range(2 * (group.period + group.reach)))
    inside = set(states)
    own: dict[Any, set[tuple[Hashable, Hashable]]] = {}
    for state in states:
        cell = _Cell({0: state})
        try:
            result = run_alone(program, (), cell, base, ConcreteWorld({}), _no_object)
        except (Endless, _MakesObjectsError):
            return None
        own.setdefault(result, set()).add((state, cell[0]))
    calls = list(_base_calls(base, states))
    for result, pairs in own.items():
        covered = {pair for _, call in calls if call <= pairs for pair in call}
        if {pair for pair in pairs if pair[1] in inside} - covered:
            return Answer(False, f"not replaceable: no base operations do what {program.name}()/{result[1]!r} does")
    return Answer(True, f"replaceable: every result of {program.name} is that of base operations, both ways (Lemma 1)")


class _MakesObjectsError(Exception):
    pass


def _no_object(_: int) -> Any:
    raise _MakesObjectsError


def _base_calls(base: Base, states: tuple[Hashable, ...]) -> Iterator[tuple[str, Function]]:
    """Every base call with a result, and what it does."""
    for name in base.operations:
        for arguments in base.arguments.get(name, ((),)):
            found: dict[Any, set[tuple[Hashable, Hashable]]] = {}
            for state in states:
                try:
                    after, result = base.operate(name, state, arguments)
                except Raised as error:
                    after, result = state, ("raised", error.name)
                found.setdefault(result, set()).add((state, after))
            for result, pairs in found.items():
                shown = ", ".join(map(repr, arguments))
                yield f"{name}({shown})/{result!r}", frozenset(pairs)
