"""Values and answers of the plain sequential objects: which values are equal, and which results an answer allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any


class Illegal(Exception):
    """This call cannot happen in the present state."""


class Truth:
    """true or false; Python's own would be equal to 1 and 0."""

    def __init__(self, value: bool) -> None:
        self.value = value

    def __repr__(self) -> str:
        return str(self.value)


TRUE, FALSE = Truth(True), Truth(False)
EMPTY = "empty"


class Answer:
    """An answer that allows more than one recorded result."""

    def __init__(self, *allowed: Hashable) -> None:
        self.allowed = allowed


ANYTHING = Answer()
NOTHING = Answer(None, EMPTY)


def freeze(value: Any) -> Hashable:
    """A hashable value, equal to another exactly when models.md calls the two equal."""
    if value is True or value is False:
        return TRUE if value else FALSE
    if isinstance(value, list):
        return tuple(freeze(item) for item in value)
    if isinstance(value, dict):
        return frozenset((key, freeze(item)) for key, item in value.items())
    return value


def thaw(value: Any) -> Any:
    if isinstance(value, Truth):
        return value.value
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    if isinstance(value, frozenset):
        return {key: thaw(item) for key, item in value}
    return value


def truth(condition: bool) -> Truth:
    return TRUE if condition else FALSE


def perhaps(condition: bool) -> Answer:
    """A `bool?`: null was not recorded."""
    return Answer(None, truth(condition))


def fits(recorded: Hashable, answer: Any) -> bool:
    """Could an object that answers this have been recorded like that?"""
    if answer is ANYTHING:
        return True
    return recorded in answer.allowed if isinstance(answer, Answer) else recorded == answer


class Element(Answer):
    """An element that came out. Null and "empty" never stand for one: they say that there was none."""

    def __init__(self, element: Hashable) -> None:
        super().__init__(*([] if element is None or element == EMPTY else [element]))
        self.element = element


class AnyOrder:
    """A list whose order does not matter."""

    def __init__(self, items: Iterable[Hashable]) -> None:
        self.items = tuple(items)

    def __eq__(self, recorded: object) -> bool:
        return isinstance(recorded, tuple) and Counter(recorded) == Counter(self.items)

    __hash__ = None  # type: ignore[assignment]


def priority(element: Any) -> Any:
    """What an element is ordered by: the first item if it is a list that has one, otherwise itself."""
    return element[0] if isinstance(element, tuple) and element else element


def rank(value: Any) -> tuple[Any, ...]:
    """Null < false < true < numbers < texts < lists, item by item < maps, all equal."""
    if value is None:
        return (0,)
    if isinstance(value, Truth):
        return (1, value.value)
    if isinstance(value, int | float):
        return (2, value)
    if isinstance(value, str):
        return (3, value)
    if isinstance(value, tuple):
        return (4, tuple(rank(item) for item in value))
    return (5,)
