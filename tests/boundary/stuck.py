"""A model whose code does not end, wherever you like: `python -m tests.boundary.stuck WHERE HOW` checks with it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import linpoint as lp
from linpoint import Operation

PLACES = ["initial", "partition", "readonly", "step", "late step", "generator", "hash", "eq", "describe"]


def stay(how: str) -> None:
    """Does not come back."""
    while how == "loops":
        pass
    while how == "catches everything":
        with suppress(BaseException):
            time.sleep(0.001)
    time.sleep(1000)


class Stuck(lp.Model):
    """Explains every operation but the last, unless it gets stuck before."""

    def __init__(self, where: str, how: str = "loops") -> None:
        self.where = where
        self.how = how
        self.asked = 0

    def at(self, where: str) -> None:
        if self.where == where:
            stay(self.how)

    @property
    def initial(self) -> Any:
        self.at("initial")
        return Held(self, 0) if self.where in ("hash", "eq") else 0

    def partition(self, op: Operation) -> None:
        self.at("partition")

    def readonly(self, op: Operation) -> bool:
        self.at("readonly")
        return False

    def describe(self, state: Any) -> str:
        self.at("describe")
        return str(state)

    def step(self, state: Any, op: Operation) -> Iterator[Any]:
        self.asked += 1
        self.at("step")
        if self.asked > 40:  # each step of a search of thirty operations is taken twice
            self.at("late step")
        yield state if not isinstance(state, Held) else Held(self, state.number + 1)
        self.at("generator")


class Held:
    """A state whose hash or equality does not end."""

    def __init__(self, model: Stuck, number: int) -> None:
        self.model = model
        self.number = number

    def __hash__(self) -> int:
        self.model.at("hash")
        return 7

    def __eq__(self, other: object) -> bool:
        self.model.at("eq")
        return isinstance(other, Held) and self.number == other.number


class Refusing(Stuck):
    """The same, and the last operation is impossible."""

    def step(self, state: Any, op: Operation) -> Iterator[Any]:
        if op.result:
            yield from super().step(state, op)


def history() -> lp.History:
    """Thirty operations, one after the other; the last answered something else."""
    return lp.History(
        {"process": 0, "f": "go", "value": i, "result": i < 29, "call": 2 * i, "return": 2 * i + 1} for i in range(30)
    )


if __name__ == "__main__":
    place, manner, *limit = sys.argv[1:]
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    try:
        found = lp.check(history(), Refusing(place, manner), timeout=float(limit[0]) if limit else None)
        sys.stdout.write(f"{found.verdict} {found.cause}\n")
    except KeyboardInterrupt as stop:
        sys.stdout.write(f"{type(stop).__name__} {getattr(stop, 'result').verdict}\n")  # noqa: B009
