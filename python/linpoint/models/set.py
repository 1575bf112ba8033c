"""A set. A state holds its elements as the keys of a mapping."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import same, show, tag
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Replay, Shipped, boolean, elements, optional_boolean, whole

Elements = FrozenDict


def _elements(recorded: Any) -> Any:
    """A list of elements in any order; one that stands twice is no set, so nothing equals it."""
    if not isinstance(recorded, tuple):
        raise ValueError(f"a list as result, but has {show(recorded)}")
    distinct = frozenset(map(tag, recorded))
    return distinct if len(distinct) == len(recorded) else recorded


class Set(Shipped):
    """A set of elements: add, remove, contains, and of all elements read and size."""

    name = "set"
    table: ClassVar[dict[str, Op]] = {
        "add": Op("insert put", takes="key", gives=optional_boolean, reads=lambda _, result: result is False),
        "remove": Op("delete discard", takes="key", gives=optional_boolean, reads=lambda _, result: result is False),
        "contains": Op("member has", takes="key", gives=boolean, reads=True),
        "read": Op(gives=_elements, reads=True),
        "size": Op("len count", gives=whole, reads=True),
    }

    def __init__(self, initial: Sequence[Any] = ()) -> None:
        super().__init__(initial=initial)
        self.initial: Elements = FrozenDict((item, True) for item in elements(initial))

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; an element stands in the key or in the value, and a second one is not ignored."""
        name, value, expected = super().understand(op)
        both = op.key is not None and op.value is not None and not same(op.key, op.value)
        if both and name not in ("read", "size"):
            message = f"{name} needs its element as key or as value, not one of each, but has {show(op.value)}"
            raise ModelError(message, index_of(op) if index_of(op) >= 0 else None)
        return name, value, expected

    def add(self, inside: Elements, element: Any) -> Outcome:
        """Put it in; was it out?"""
        return inside.set(element, True), element not in inside

    def remove(self, inside: Elements, element: Any) -> Outcome:
        """Take it out; was it in?"""
        return inside.drop(element), element in inside

    def contains(self, inside: Elements, element: Any) -> Outcome:
        """Is it in?"""
        return inside, element in inside

    def as_recorded(self, inside: Elements, result: object) -> object:
        """A result as a file would have it: the elements of a read, not their tags."""
        return sorted(inside, key=show) if isinstance(result, frozenset) else result

    def read(self, inside: Elements, _: None) -> Outcome:
        """All elements."""
        return inside, frozenset(map(tag, inside))

    def size(self, inside: Elements, _: None) -> Outcome:
        """How many there are."""
        return inside, len(inside)

    def describe(self, state: Elements) -> str:
        """The elements in braces."""
        return "{" + ", ".join(sorted(map(show, state))) + "}"

    def sequential(self) -> _Replay:
        """Quick replay."""
        return _Replay(self)


class _Replay(Replay):
    """The set as a Python set of tags, changed in place."""

    def __init__(self, model: Set) -> None:
        self._inside: set[Hashable] = set(map(tag, model.initial))

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation; False if its result is impossible here."""
        if name == "size":
            return expected is ANY or expected == len(self._inside)
        if name == "read":
            return expected is ANY or expected == self._inside
        element = tag(value)
        known = element in self._inside
        if name == "add":
            self._inside.add(element)
        elif name == "remove":
            self._inside.discard(element)
        return expected is ANY or expected is (not known if name == "add" else known)
