"""A stack whose answers tell its height (Horn & Kroening, FORTE 2015, example 9).

The paper proposes to split such a history by height. That is unsound, so we do not: `push(b) → 1` that returns before
`push(a) → 0` is called is fine level by level and impossible as a whole.
"""

from __future__ import annotations

from typing import Any, ClassVar

from linpoint.models.model import ANY, Outcome, fits
from linpoint.models.shipped import EMPTY, Op, Replay, Shipped, element, whole

Items = tuple[Any, ...]


def _height_and_element(recorded: Any) -> Any:
    """[height, element]; 0, [0, null] and the words for empty all mean that it was empty."""
    empty = element(recorded) is EMPTY or (recorded == 0 and not isinstance(recorded, bool))
    return (0, None) if empty else recorded


class HeightStack(Shipped):
    """A stack: push answers the height before, pop the height before and the element."""

    name = "height-stack"
    table: ClassVar[dict[str, Op]] = {
        "push": Op("add", takes="element", gives=whole),
        "pop": Op(
            "remove", gives=_height_and_element, reads=lambda _, result: result is not ANY and fits(result, (0, None))
        ),
    }
    initial: Items = ()

    def __init__(self) -> None:
        super().__init__()

    def push(self, items: Items, new: Any) -> Outcome:
        """Put it on top; the height before."""
        return (*items, new), len(items)

    def pop(self, items: Items, _: None) -> Outcome:
        """Take the top element off; the height before, and the element."""
        return (items[:-1], (len(items), items[-1])) if items else (items, (0, None))

    def sequential(self) -> _Replay:
        """Quick replay."""
        return _Replay()


class _Replay(Replay):
    """The stack as a list, changed in place."""

    def __init__(self) -> None:
        self._items: list[Any] = []

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation; False if its result is impossible here."""
        height = len(self._items)
        if name == "push":
            self._items.append(value)
            return fits(height, expected)
        return fits((height, self._items.pop()) if self._items else (0, None), expected)
