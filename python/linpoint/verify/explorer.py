"""How is an object explored? A program and a client go in; states, quotients and runs come out. The states stay in the core."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

from linpoint import _core
from linpoint.budget import Budget
from linpoint.history.door import door
from linpoint.language import ir
from linpoint.lts import Lts
from linpoint.verify.client import Client

Progress = Callable[[float, int], object]
"""Called about ten times a second, while an object is explored, with (0, how many states were met)."""


class Limits(TypedDict):
    """What one step into the core may use."""

    timeout: float | None
    memory: int
    progress: Progress | None


class Walk(TypedDict):
    """What one look at all states may use."""

    timeout: float | None
    memory: int


Lasso = tuple[list[int], list[int], int | None]
"""Stem, cycle, and the thread that does not get on; None is all of them."""


@dataclass(frozen=True)
class Means:
    """What a verification may use."""

    budget: Budget
    workers: int
    """Threads of the machine."""
    states: int | None
    """How many states may be explored; None: as many as fit."""
    progress: Progress | None

    def limits(self) -> Limits:
        """What is left for one step."""
        return {"timeout": self.budget.left(), "memory": self.budget.memory, "progress": self.progress}

    def walk(self) -> Walk:
        """What is left for a look at what was explored."""
        return {"timeout": self.budget.left(), "memory": self.budget.memory}


def workers_available() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Explored:
    """An object under a client: every state that can be reached."""

    def __init__(self, program: ir.Program, client: Client, means: Means, looping: int | None = None) -> None:
        """`looping`: the client calls for ever, and waits with a call while there are more nodes than this."""
        self.program, self.client, self._means = program, client, means
        begun = time.perf_counter()
        with door():
            self.core = _core.explore_object(
                program.document(),
                client.calls(program),
                client.names(program),
                threads=client.threads,
                ops=client.ops if looping is None else None,
                order=client.order if looping is None else (False, False, 0),
                patience=looping or 0,
                workers=means.workers,
                states=means.states,
                **means.limits(),
            )
        self.numbering = self.core.numbering
        self.seconds = time.perf_counter() - begun - self.numbering
        self.states, self.transitions = self.core.states, self.core.transitions

    @cached_property
    def divergence(self) -> Lasso | None:
        """A shortest way into a cycle of internal steps: (stem, cycle, None)."""
        with door():
            return self.core.divergence(None, **self._means.walk())

    def divergence_alone(self) -> Lasso | None:
        """The same with steps of one thread only in the cycle; the first thread that has one."""
        for thread in range(self.client.threads):
            with door():
                lasso = self.core.divergence(thread, **self._means.walk())
            if lasso is not None:
                return lasso
        return None

    def waiting(self) -> tuple[Lasso | None, Lasso | None]:
        """A shortest way into a deadlock, and one to a thread that has to wait for another one."""
        with door():
            return self.core.waiting(**self._means.walk())

    def starvation(self) -> Lasso | None:
        """A cycle in which a thread takes steps and its call does not return."""
        with door():
            return self.core.starvation(**self._means.walk())

    def along(self, trace: Sequence[str]) -> list[int] | None:
        """A shortest run with these calls and returns."""
        with door():
            return self.core.along(list(trace), **self._means.walk())

    def to_failure(self) -> list[int] | None:
        """A shortest run to what failed."""
        with door():
            return self.core.to_failure(**self._means.walk())

    def lts(self) -> Lts:
        """The system of its calls and returns; everything else is internal."""
        with door():
            return Lts._of(self.core.lts(**self._means.walk()), self.program.name)

    def returns(self) -> dict[str, set[int]]:
        """What each method is seen to return, as bytes."""
        found: dict[str, set[int]] = {}
        for method, value in self.core.returned():
            found.setdefault(self.program.methods[method - 1].name, set()).add(value)
        return found
