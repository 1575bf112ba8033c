"""Which thread did what, and when? A run of an object: source lines, values read and written, the memory after each step.

A step is what one thread does between two moments at which others may run. Nodes are `#1`, `#2` … in the order in which they were
made; an address that was freed and given out again keeps its name.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Action:
    """What one instruction read or wrote."""

    line: int
    words: str


@dataclass(frozen=True)
class NodeView:
    """A node in memory."""

    name: str
    kind: str
    freed: bool
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ThreadView:
    """A thread: the line it stands before and its variables; or its result; or nothing, if it has no call."""

    line: int | None
    variables: tuple[tuple[str, str], ...] = ()
    result: str | None = None


@dataclass(frozen=True)
class Memory:
    """All that there is between two steps."""

    cells: tuple[tuple[str, str], ...]
    nodes: tuple[NodeView, ...]
    threads: tuple[ThreadView, ...]


@dataclass(frozen=True)
class Step:
    """One step of one thread."""

    thread: int
    """From 1."""
    event: str | None
    """`call push(1)`, `return EMPTY`; None is an internal step."""
    actions: tuple[Action, ...]
    fault: str | None
    memory: Memory

    @property
    def line(self) -> int | None:
        """The source line it is about, if it did anything."""
        return self.actions[0].line if self.actions else None


@dataclass(frozen=True)
class Interleaving:
    """A run. From `cycle` on it repeats for ever; a run without a cycle ends."""

    program: str
    file: str
    threads: int
    before: Memory
    steps: tuple[Step, ...]
    cycle: int | None = None
    trace: tuple[str, ...] = ()
    """Its calls and returns: `t1.call.push(1)`, `t2.ret.pop(EMPTY)`."""

    def source(self, line: int) -> str:
        """A line of the source, without its indentation and without a comment behind it."""
        return linecache.getline(self.file, line).strip().partition("  #")[0]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "trace": list(self.trace),
            "cycle": self.cycle,
            "steps": [
                {
                    "thread": step.thread,
                    "event": step.event,
                    "fault": step.fault,
                    "actions": [
                        {"line": action.line, "source": self.source(action.line), "values": action.words}
                        for action in step.actions
                    ],
                }
                for step in self.steps
            ],
        }
