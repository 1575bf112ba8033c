"""A row of elements with two ends, changed in place: quick replay for queues, stacks and deques.

Immutable tuples, as the models use them, cost O(length) a step; replaying a queue of thousands of elements needs O(1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Literal

from linpoint.models.model import fits
from linpoint.models.shipped import EMPTY, Replay, Shipped

Action = tuple[Literal["push", "pop", "peek"], Literal["front", "back"]]


class Line(Replay):
    """Replays operations of `model`, each of which pushes, pops or peeks at one end."""

    def __init__(self, model: Shipped, actions: Mapping[str, Action]) -> None:
        self._actions = actions
        self._items = deque(model.initial)

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation; False if its result is impossible here."""
        what, end = self._actions[name]
        items = self._items
        if what == "push":
            items.append(value) if end == "back" else items.appendleft(value)
            return True
        if not items:
            return fits(EMPTY, expected)
        if not fits(items[-1 if end == "back" else 0], expected):
            return False
        if what == "pop":
            items.pop() if end == "back" else items.popleft()
        return True
