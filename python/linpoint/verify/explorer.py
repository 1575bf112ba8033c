"""How is an object explored? A program and a client go in; states, quotients and runs come out. The states stay in the core."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
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


def workers_available() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Explored:
    """An object under a client: every state that can be reached."""

    def __init__(self, program: ir.Program, client: Client, means: Means, looping: int | None = None) -> None:
        """`looping`: the client calls for ever, and waits with a call while there are more nodes than this."""
        self.program, self.client = program, client
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
        self.seconds = time.perf_counter() - begun
        self.states, self.transitions = self.core.states, self.core.transitions

    @cached_property
    def divergence(self) -> tuple[list[int], list[int], int | None] | None:
        """A shortest way into a cycle of internal steps: (stem, cycle, None)."""
        return self.core.divergence(None)

    def lts(self) -> Lts:
        """The system of its calls and returns; everything else is internal."""
        return Lts._of(self.core.lts(), self.program.name)

    def returns(self) -> dict[str, set[int]]:
        """What each method is seen to return, as bytes."""
        found: dict[str, set[int]] = {}
        for method, value in self.core.returned():
            found.setdefault(self.program.methods[method - 1].name, set()).add(value)
        return found
