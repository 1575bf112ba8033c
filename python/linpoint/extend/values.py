"""Which values may there be? Literals, and symbols that stand for any value that is different from all others in sight.

A method that only compares, passes on and returns values cannot tell one value from another, so one symbol stands for
all of them, and what is found holds for every value there is (data independence). A question whose answer depends on
the values is asked of the *world*: is this fresh value equal to one that is known, what does this pure function give
for it, is it true? Each answer is tried; an answer that was given stays (congruence: equal arguments, equal results).

    x = f(k)        a symbol of its own; whether it equals another is asked when somebody compares the two
    y = f(k)        the same symbol again

A step of the exploration is a function of the state and of the answers. It is run with the answers known so far; when
it asks one question more, it is run again for each answer to that one (`explore.py`). That costs a repetition per
question, and makes every step an ordinary straight function. An object that is made (`New`) is a symbol that other
threads cannot know until it is stored.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

from linpoint.extend.base import Raised

S = TypeVar("S")


class Sym(NamedTuple):
    """A value of which only its identity is known."""

    number: int
    sort: int
    site: int = -1
    """Where it was made by the extension itself; -1: it came from outside."""
    public: bool = True
    """May other threads know it?"""
    loose: int = 0
    """Did a pure function give it? Then it may yet turn out to equal another value; with 2, a sum, never None."""


class Skip(Exception):
    """Choices that contradict each other, or lead nowhere."""


ARITHMETIC: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "neg": operator.neg,
}
"""Functions whose results are computed where the arguments are numbers."""
PREDICATES: Final = frozenset({"<", "<=", ">", ">=", "≠", "bool", "isinstance", "in", "callable", "hasattr"})
"""Functions that answer True or False."""


class MoreAnswers(Exception):
    """A step asked a question that has no answer yet."""

    def __init__(self, options: tuple[Any, ...]) -> None:
        super().__init__()
        self.options = options


class World:
    """The answers of one run: facts about values, and choices."""

    def __init__(
        self,
        facts: dict[tuple[str, tuple[Any, ...]], Any],
        answers: tuple[int, ...],
        constants: dict[int, tuple[Hashable, ...]],
        first_free: int,
        concrete: bool = False,
        predicates: frozenset[str] = frozenset(),
    ) -> None:
        self.facts = facts
        self.fresh = first_free
        """The number of the next symbol."""
        self.learnt: list[tuple[str, tuple[Any, ...], Any]] = []
        """The facts that were new in this run."""
        self._answers = answers
        self._asked = 0
        self._constants = constants
        self._concrete = concrete
        self._predicates = predicates
        self.same: dict[Sym, Any] = {}
        """Symbols that turned out to equal another value in this run."""
        self.known: Callable[[], Iterator[Sym]] = lambda: iter(())
        """The symbols in sight; set by whoever runs a step."""

    def ask(self, options: tuple[S, ...]) -> S:
        """One of the options: each is tried in a run of its own."""
        if len(options) == 1:
            return options[0]
        if self._asked == len(self._answers):
            raise MoreAnswers(options)
        self._asked += 1
        return options[self._answers[self._asked - 1]]

    def symbol(self, sort: int, site: int = -1) -> Sym:
        """A value unlike all others."""
        self.fresh += 1
        return Sym(self.fresh, sort, site, site < 0)

    def any_value(self, sort: int) -> Any:
        """Any value of a sort: a literal, a public symbol in sight, or one unlike all these."""
        seen = {self.find(symbol) for symbol in self.known() if symbol.sort == sort}
        literals = sorted(self._constants.get(sort, ()), key=lambda value: value is None)  # None makes a poor example
        symbols = sorted(symbol for symbol in seen if isinstance(symbol, Sym) and symbol.public)
        chosen = self.ask(tuple(range(len(symbols) + 1 + len(literals))))
        if chosen == len(symbols):
            return self.symbol(sort)
        return symbols[chosen] if chosen < len(symbols) else literals[chosen - len(symbols) - 1]

    def apply(self, function: str, arguments: tuple[Any, ...], sort: int) -> Any:
        """What a pure function gives: computed for numbers where that is meant, else a fact."""
        arguments = tuple(map(self.find, arguments))
        if self._concrete or not any(isinstance(argument, Sym) for argument in arguments):
            known = self._computed(function, arguments, sort)
            if known is not _UNKNOWN:
                return known
        fact = (function, arguments)
        if fact not in self.facts:
            if function in PREDICATES or function in self._predicates:
                answer: Any = self.ask((False, True))
            else:
                self.fresh += 1
                public = all(not isinstance(argument, Sym) or argument.public for argument in arguments)
                answer = Sym(self.fresh, sort, -1, public, 2 if function in ARITHMETIC else 1)
            self.facts[fact] = answer
            self.learnt.append((function, arguments, answer))
        return self.find(self.facts[fact])

    # -- equality

    def find(self, value: Any) -> Any:
        """The value that a symbol turned out to equal, or itself."""
        if self.same:
            while isinstance(value, Sym) and value in self.same:
                value = self.same[value]
        return value

    def equal(self, one: Any, other: Any) -> bool:
        """Are two values equal? If one of them came from a function that may be open: then it is asked, and stays so."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return True
        loose = [value for value in (one, other) if isinstance(value, Sym) and value.loose]
        if not loose or (loose[0].loose == 2 and (one is None or other is None)):
            return False
        if loose[0].public and any(isinstance(value, Sym) and not value.public for value in (one, other)):
            return False  # a function of what everybody knows does not give an object that nobody else knows
        pair = ("≠", (one, other) if repr(one) < repr(other) else (other, one))
        if pair in self.facts:
            return False
        if not self.ask((False, True)):
            self.facts[pair] = True
            self.learnt.append(("≠", (one, other), True))
            return False
        self.learnt.append(("=", (one, other), True))
        self._merge(loose[0], other if loose[0] == one else one)
        return True

    def _merge(self, loose: Sym, value: Any) -> None:
        """A symbol is another value from now on, and so are the results of functions of the two (congruence)."""
        self.same[loose] = value
        again = True
        while again:
            again = False
            facts: dict[tuple[str, tuple[Any, ...]], Any] = {}
            for (function, arguments), given in self.facts.items():
                fact = (function, tuple(map(self.find, arguments)))
                answer = self.find(given)
                if function == "≠" and fact[1][0] == fact[1][1]:
                    raise Skip
                if function == "bool" and not isinstance(fact[1][0], Sym) and answer != bool(fact[1][0]):
                    raise Skip
                before = facts.setdefault(fact, answer)
                if before != answer:
                    first = before if isinstance(before, Sym) and before.loose else answer
                    if not (isinstance(first, Sym) and first.loose):
                        raise Skip
                    self.same[first] = answer if first == before else before
                    again = True
            self.facts = facts

    def _computed(self, function: str, arguments: tuple[Any, ...], sort: int) -> Any:
        """The result for literals. A literal that no symbol was told from cannot appear from nowhere: it is a fact as well."""
        if function not in ARITHMETIC or any(isinstance(argument, Sym) for argument in arguments):
            return _UNKNOWN
        try:
            found = ARITHMETIC[function](*arguments)
        except (TypeError, ArithmeticError) as error:
            raise Raised(type(error).__name__) from None
        if self._concrete or isinstance(found, bool) or found in self._constants.get(sort, ()):
            return found
        return _UNKNOWN

    def truth(self, value: Any) -> bool:
        """Is the value true? Of a symbol that is a fact like any other."""
        value = self.find(value)
        if not isinstance(value, Sym):
            return bool(value)
        return bool(self.apply("bool", (value,), -1))


_UNKNOWN: Final = object()
