"""A bag (multiset, pool). A state maps each element to how many copies of it are in."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import show, tag
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import EMPTY, Op, Replay, Shipped, boolean, element, elements, optional_boolean


class Bag(Shipped):
    """Elements in no order: add, take (any of them), remove_value, contains."""

    name = "bag"
    table: ClassVar[dict[str, Op]] = {
        "add": Op("insert put push offer", takes="element"),
        "take": Op("remove poll pop get", takes="nothing", gives=element, reads=lambda _, result: result is EMPTY),
        "remove_value": Op(
            "discard delete", takes="element", gives=optional_boolean, reads=lambda _, result: result is False
        ),
        "contains": Op("has member", takes="element", gives=boolean, reads=True),
    }

    def __init__(self, initial: Sequence[Any] = ()) -> None:
        super().__init__(initial=initial)
        self.initial = counted(elements(initial))

    def add(self, copies: FrozenDict, new: Any) -> Outcome:
        """Put a copy in."""
        return copies.set(new, copies.get(new, 0) + 1), ANY

    def take(self, copies: FrozenDict, _: None) -> list[Outcome]:
        """Take any element out."""
        return [(without(copies, one), one) for one in copies] or [(copies, EMPTY)]

    def remove_value(self, copies: FrozenDict, one: Any) -> Outcome:
        """Take a copy of this element out; was it in?"""
        return (without(copies, one), True) if one in copies else (copies, False)

    def contains(self, copies: FrozenDict, one: Any) -> Outcome:
        """Is it in?"""
        return copies, one in copies

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; a take that names an element is a remove_value, so it is refused."""
        name, value, expected = super().understand(op)
        if name == "take" and value is not None:
            message = f"{op.f} takes any element, but has the value {show(value)}; to remove that one it is called remove_value"
            raise ModelError(message, index_of(op) if index_of(op) >= 0 else None)
        return name, value, expected

    def describe(self, state: FrozenDict) -> str:
        """The elements, copies repeated."""
        return "{" + ", ".join(sorted(show(one) for one, count in state.items() for _ in range(count))) + "}"

    def sequential(self) -> _Replay:
        """Quick replay; a pending take is guessed to take nothing."""
        return _Replay(self)


def counted(items: Iterable[Any]) -> FrozenDict:
    """How often each element occurs."""
    copies = FrozenDict()
    for one in items:
        copies = copies.set(one, copies.get(one, 0) + 1)
    return copies


def without(copies: FrozenDict, one: Any) -> FrozenDict:
    """One copy less."""
    return copies.drop(one) if copies[one] == 1 else copies.set(one, copies[one] - 1)


class _Replay(Replay):
    """The bag as a dict of counts, changed in place."""

    def __init__(self, model: Bag) -> None:
        self._copies: dict[Hashable, int] = {tag(one): count for one, count in model.initial.items()}

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation; False if its result is impossible here."""
        if name == "take":
            if expected is ANY:
                return True
            return not self._copies if expected is EMPTY else self._out(expected)
        if name == "add":
            self._copies[tag(value)] = self._copies.get(tag(value), 0) + 1
            return True
        inside = tag(value) in self._copies
        if name == "remove_value" and inside:
            self._out(value)
        return expected is ANY or expected is inside

    def _out(self, one: Any) -> bool:
        left = self._copies.pop(tag(one), 0) - 1
        if left > 0:
            self._copies[tag(one)] = left
        return left >= 0
