"""Who calls the object, and what may be called? The most general client: so many threads, so many calls each, from one menu.

A menu is made of methods and values: every method with every combination of values for its parameters, unless a study says
what its usual calls are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from linpoint.errors import UsageError
from linpoint.language.ir import GREATEST, LEAST, NUMBERS, Constant, Program, byte

Call = tuple[str, tuple[Constant, ...]]
"""A method and its arguments."""

MOST_CALLS = 255
"""How many different calls a menu may have."""


@dataclass(frozen=True)
class Client:
    """A bounded client."""

    threads: int
    ops: int
    """Calls per thread."""
    menu: tuple[Call, ...]
    symmetry: tuple[str, ...] = ()
    """Of the runs that differ only in the names of these, one is made: see `symmetry.py`."""
    values: int = 0
    """The values are 1 to this."""

    @property
    def order(self) -> tuple[bool, bool, int]:
        """Are threads and values in order, and how many values are there?"""
        return "threads" in self.symmetry, "values" in self.symmetry, self.values

    def calls(self, program: Program) -> list[tuple[int, list[int]]]:
        """The menu in the numbers of a program, whose methods count from 1."""
        places = {method.name: number for number, method in enumerate(program.methods, 1)}
        return [(places[name], [byte(value, program.symbols) for value in values]) for name, values in self.menu]

    def names(self, program: Program) -> tuple[list[str], list[str], list[str]]:
        """Names of calls, methods and symbols, for labels."""
        methods = ["", *(method.name for method in program.methods)]
        return [written(call) for call in self.menu], methods, [symbol(name) for name in program.symbols]


def symbol(name: str) -> str:
    """A symbol as labels have it: a text that could be taken for another value is quoted."""
    plain = name.isidentifier() and name not in ("None", "False", "True", LEAST, GREATEST)
    return name if plain else repr(name)


def written(call: Call) -> str:
    """A call as people write it: `push(1)`."""
    name, values = call
    return f"{name}({', '.join(map(str, values))})"


def menu_of(program: Program, values: Sequence[int]) -> list[Call]:
    """Every method with every combination of values; a parameter that is declared a truth value gets both."""
    return [
        (method.name, arguments)
        for method in program.methods
        for arguments in product(*((False, True) if name in method.truths else values for name in method.parameters))
    ]


def chosen(menu: Iterable[Call], methods: Sequence[str] | None, program: Program) -> tuple[Call, ...]:
    """The calls of the methods that are asked for, checked against the program."""
    known = {method.name: len(method.parameters) for method in program.methods}
    for name in methods or ():
        if name not in known:
            raise UsageError(f"{program.name} has no method {name!r}; it has {', '.join(known)}")
    calls = tuple(call for call in menu if methods is None or call[0] in methods)
    for name, arguments in calls:
        if len(arguments) != known.get(name):
            raise UsageError(f"the menu calls {written((name, arguments))}, which {program.name} does not have")
    if not 0 < len(calls) <= MOST_CALLS:
        raise UsageError(f"the menu has {len(calls)} different calls; 1 to {MOST_CALLS} are possible")
    return calls


def values_of(count: int) -> tuple[int, ...]:
    """The values or keys 1 to `count`."""
    if not 0 < count < NUMBERS.stop:
        raise UsageError(f"{count} values: 1 to {NUMBERS.stop - 1} are possible")
    return tuple(range(1, count + 1))


def positive(count: int, noun: str, most: int) -> int:
    """The number, if it is possible."""
    if not 0 < count <= most:
        raise UsageError(f"{count} {noun}: 1 to {most} are possible")
    return count
