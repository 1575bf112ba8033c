"""Which real values show it? A story with symbols becomes one with numbers and texts, in which arithmetic is Python's own.

The search reads `x + 1` as "some function of x". What it finds may need an addition that does not exist, so numbers
are looked for that fit every fact of the story: small ones, by trying. Other pure functions are tables: a function
that is declared pure may be any function. Different symbols get different values. Nothing fits: the story is not
told. Exponential in the symbols that sums are made of, of which there are few.
"""

from __future__ import annotations

from itertools import islice, product
from typing import Any, Final

from linpoint.extend.base import Raised
from linpoint.extend.explore import Story
from linpoint.extend.moment import Group
from linpoint.extend.program import KEY, Program
from linpoint.extend.values import ARITHMETIC, PREDICATES, Sym, World

NUMBERS: Final = (1, 2, 3, 5, 8, 13, 21, 0, -1)
MOST_TRIES: Final = 20_000
_KEYS: Final = ("a", "b", "c", "e", "g", "h")
_VALUES: Final = ("x", "y", "z", "u", "v", "w", "p", "q", "r", "s")
_FALSE: Final = (0, "")

Table = dict[tuple[str, tuple[Any, ...]], Any]


class ConcreteWorld(World):
    """A world without questions: arithmetic is computed, other functions are looked up."""

    def __init__(self, table: Table) -> None:
        super().__init__({}, (), {}, 0, True)
        self.table = table

    def apply(self, function: str, arguments: tuple[Any, ...], sort: int) -> Any:  # noqa: ARG002
        """What the function gives: by Python, by the table, or a text of its own."""
        if (function, arguments) in self.table:
            return self.table[function, arguments]
        if function in ARITHMETIC:
            try:
                return ARITHMETIC[function](*arguments)
            except (TypeError, ArithmeticError) as error:
                raise Raised(type(error).__name__) from None
        if function in PREDICATES:
            return False
        return f"{function}({', '.join(map(str, arguments))})"

    def truth(self, value: Any) -> bool:
        """Is the value true?"""
        return bool(self.table.get(("bool", (value,)), bool(value)))


def concretise(story: Story, group: Group, program: Program) -> tuple[dict[Sym, Any], Table] | None:
    """A value for each symbol, and a table for each function that is not Python's; None if nothing fits."""
    same: dict[Sym, Any] = {}

    def find(value: Any) -> Any:
        while isinstance(value, Sym) and value in same:
            value = same[value]
        return value

    for function, arguments, _ in story.facts:
        if function == "=":
            one, other = find(arguments[0]), find(arguments[1])
            if one != other:
                loose = one if isinstance(one, Sym) and one.loose else other
                if not isinstance(loose, Sym):
                    return None
                same[loose] = other if loose == one else one
    facts = [
        (function, tuple(map(find, arguments)), find(answer))
        for function, arguments, answer in story.facts
        if function != "="
    ]
    symbols = list(dict.fromkeys(found for each in story.symbols if isinstance(found := find(each), Sym)))
    results = {answer for function, _, answer in facts if function in ARITHMETIC and isinstance(answer, Sym)}
    computed = {
        argument
        for function, arguments, _ in facts
        if function in ARITHMETIC
        for argument in arguments
        if isinstance(argument, Sym)
    }
    free = [symbol for symbol in symbols if symbol in computed and symbol not in results]
    plain = [symbol for symbol in symbols if symbol not in computed | results]
    literals = {value for found in group.constants.values() for value in found}
    fixed = _plain_values(plain, facts, literals, program)
    for numbers in islice(product(NUMBERS, repeat=len(free)), MOST_TRIES):
        values = fixed | dict(zip(free, numbers, strict=True))
        table = _fits(facts, values, symbols, literals)
        if table is not None:
            return {
                symbol: values[found] if isinstance(found := find(symbol), Sym) else found for symbol in story.symbols
            }, table
    return None


def _plain_values(
    symbols: list[Sym], facts: list[tuple[str, tuple[Any, ...], Any]], literals: set[Any], program: Program
) -> dict[Sym, Any]:
    """Values for symbols that no sum is made of: texts, and something false where the story says so."""
    false = {arguments[0] for function, arguments, answer in facts if function == "bool" and not answer}
    makers = {
        answer: (function, arguments)
        for function, arguments, answer in facts
        if isinstance(answer, Sym) and answer.loose
    }
    given: dict[Sym, Any] = {}
    names = {True: list(_KEYS), False: list(_VALUES)}
    falses = [value for value in _FALSE if value not in literals]
    for symbol in symbols:
        if symbol.site >= 0:
            text = f"new {program.sites[symbol.site]}"
        elif symbol in makers:
            function, arguments = makers[symbol]
            text = (
                f"{function}({', '.join(str(given.get(each, each)) for each in arguments)})" if arguments else function
            )
        elif symbol in false and falses:
            given[symbol] = falses.pop(0)
            continue
        else:
            pool = names[symbol.sort == KEY]
            text = pool.pop(0) if pool else f"value {symbol.number}"
        number, unique = 1, text
        while unique in given.values() or unique in literals:
            number += 1
            unique = f"{text} {number}"
        given[symbol] = unique
    return given


def _fits(
    facts: list[tuple[str, tuple[Any, ...], Any]], values: dict[Sym, Any], symbols: list[Sym], literals: set[Any]
) -> Table | None:
    """The table of the functions if the values make every fact true, and different symbols different."""
    table: Table = {}
    waiting = list(facts)
    while waiting:  # results of sums become known one after the other
        left = []
        for function, arguments, answer in waiting:
            given = tuple(values.get(each, each) if isinstance(each, Sym) else each for each in arguments)
            if any(isinstance(each, Sym) for each in given):
                left.append((function, arguments, answer))
                continue
            if function == "≠":
                if given[0] == given[1]:
                    return None
                continue
            if function in ARITHMETIC:
                try:
                    found = ARITHMETIC[function](*given)
                except (TypeError, ArithmeticError):
                    return None
                if isinstance(answer, Sym) and answer not in values:
                    values[answer] = found
                if found != (values[answer] if isinstance(answer, Sym) else answer):
                    return None
                continue
            found = values.get(answer, answer) if isinstance(answer, Sym) else answer
            if isinstance(found, Sym):
                left.append((function, arguments, answer))
            elif table.setdefault((function, given), found) != found:
                return None
        if len(left) == len(waiting):
            return None
        waiting = left
    known = [values.get(symbol) for symbol in symbols]
    different = len({repr(value) for value in known}) == len(known) and not any(value in literals for value in known)
    return table if different and all(symbol in values for symbol in symbols) else None
