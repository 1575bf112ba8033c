"""A labelled transition system, and what can be asked of it. The transitions stay in the core."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from linpoint import _core
from linpoint.budget import Budget
from linpoint.errors import Unfinished, UsageError
from linpoint.files import packed, write_file
from linpoint.history.door import door
from linpoint.lts.comparison import Answer, Comparison, Formula
from linpoint.verdict import Cause

EQUIVALENCES: dict[str, str] = {
    "strong": "internal steps count like any other",
    "divergence": "branching, and a state that can take internal steps for ever differs from one that cannot",
    "branching": "internal steps are silent where they decide nothing",
    "weak": "internal steps are silent, also where they decide something",
}
"""The equivalences, from the finest to the coarsest, and what they say of internal steps."""

INTERNAL: tuple[str, ...] = ("tau", "i")
"""Labels of internal steps: `tau` as mCRL2 writes it, `i` as CADP does."""

WRITABLE: tuple[str, ...] = ("aut", "dot")

Progress = Callable[[float, int], object]
"""Called about ten times a second with (0, how many transitions were looked at)."""


class _Limits(TypedDict):
    timeout: float | None
    memory: int
    progress: Progress | None


@dataclass(frozen=True)
class Facts:
    """What can be counted in a system."""

    reachable: int
    """States that can be reached from the initial one."""
    internal: int
    """Internal transitions."""
    deadlocks: int
    """Reachable states without a transition."""
    divergent: int
    """Reachable states that can come back to themselves by internal steps alone."""


class Lts:
    """A labelled transition system. Equal labels are the same action; the label None is an internal step.

    >>> vending = Lts([(0, "coin", 1), (1, None, 2), (1, "tea", 0), (2, "coffee", 0)])
    >>> vending.reduce("branching")
    <Lts: 3 states, 4 transitions, 3 visible labels>
    """

    __slots__ = ("_core", "file")

    file: str | None
    """Where it was read from."""

    def __init__(
        self, transitions: Iterable[tuple[int, str | None, int]], *, initial: int = 0, states: int | None = None
    ) -> None:
        listed = list(transitions)
        highest = max((max(source, target) for source, _, target in listed), default=0)
        lowest = min((min(source, target) for source, _, target in listed), default=0)
        needed = max(highest, initial) + 1
        if min(lowest, initial) < 0 or needed > 2**32 - 2:
            raise UsageError("states are numbers from 0 to 4294967293")
        if states is not None and states < needed:
            raise UsageError(f"state {needed - 1} is mentioned, so there are at least {needed} states, not {states}")
        self._core = _core.Lts.from_transitions(initial, states or needed, listed)
        self.file = None

    @classmethod
    def _of(cls, core: _core.Lts, file: str | None = None) -> Lts:
        made = cls.__new__(cls)
        made._core = core
        made.file = file
        return made

    @property
    def states(self) -> int:
        """How many states there are, reachable or not."""
        return self._core.states

    @property
    def transitions(self) -> int:
        """How many transitions there are."""
        return self._core.transitions

    @property
    def initial(self) -> int:
        """The state it begins in."""
        return self._core.initial

    @property
    def labels(self) -> tuple[str, ...]:
        """The visible labels that occur, sorted."""
        return tuple(self._core.labels())

    def steps(self, state: int) -> tuple[tuple[str | None, int], ...]:
        """The transitions of a state as (label, target); the label None is an internal step."""
        return tuple(self._core.row(state))

    def facts(self) -> Facts:
        """Counts reachable states, internal transitions, deadlocks and divergent states."""
        return Facts(*self._core.facts())

    def reduce(
        self,
        equivalence: str = "branching",
        *,
        timeout: float | str | None = None,
        memory: int | str | None = None,
        budget: Budget | None = None,
        progress: Progress | None = None,
    ) -> Lts:
        """The smallest system that is equivalent: one state per class of the states that can be reached.

        Raises `Unfinished` if the budget is used up.
        """
        chosen = equivalence_named(equivalence)
        with door():
            return Lts._of(_core.lts_reduce(self._core, chosen, **_limits(timeout, memory, budget, progress)))

    def compare(
        self,
        other: Lts,
        equivalence: str = "branching",
        *,
        timeout: float | str | None = None,
        memory: int | str | None = None,
        budget: Budget | None = None,
        progress: Progress | None = None,
    ) -> Comparison:
        """Are the two systems equivalent? If not: a formula that holds in one and not in the other."""
        chosen, begun = equivalence_named(equivalence), time.perf_counter()
        report = _core.lts_compare(self._core, other._core, chosen, **_limits(timeout, memory, budget, progress))
        cause = None if report["cause"] is None else Cause.parse(report["cause"])
        if cause is Cause.INTERRUPTED and report["holds"] is None:
            raise KeyboardInterrupt
        nodes = report["nodes"]
        return Comparison(
            answer={True: Answer.YES, False: Answer.NO, None: Answer.UNKNOWN}[report["holds"]],
            relation=chosen,
            names=self._names(other),
            seconds=time.perf_counter() - begun,
            cause=cause,
            formula=None
            if nodes is None
            else Formula(tuple((kind, tuple(parts), label) for kind, parts, label in nodes), chosen),
            in_first=report["in_first"],
        )

    def included_in(
        self,
        other: Lts,
        *,
        timeout: float | str | None = None,
        memory: int | str | None = None,
        budget: Budget | None = None,
        progress: Progress | None = None,
    ) -> Comparison:
        """Is every trace of this system a trace of the other? If not: a shortest trace that is missing."""
        begun = time.perf_counter()
        cause, trace, answer = None, None, Answer.UNKNOWN
        try:
            with door():
                limits = _limits(timeout, memory, budget, progress)
                trace = _core.lts_missing_trace(self._core, other._core, **limits)
                answer = Answer.YES if trace is None else Answer.NO
        except Unfinished as error:
            cause = error.cause
        found = None if trace is None else tuple(trace)
        return Comparison(answer, "trace", self._names(other), time.perf_counter() - begun, cause, found)

    def to_aut(self) -> str:
        """The system as an Aldebaran file."""
        return self._core.to_aut().decode()

    def to_dot(self) -> str:
        """The system as a graph for Graphviz: internal steps dashed, the initial state with a double border."""
        return self._core.to_dot().decode()

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the system. The format is that of the name: `.aut` or `.dot`, either with `.gz`."""
        name = os.fspath(path)
        data = self._core.to_aut() if format_for(name, format) == "aut" else self._core.to_dot()
        write_file(name, packed(data, name))

    def _names(self, other: Lts) -> tuple[str, str]:
        one, two = self.file or "the first system", other.file or "the second system"
        return (one, two) if one != two else (f"{one} (first)", f"{two} (second)")

    def __repr__(self) -> str:
        name = "" if self.file is None else f" {self.file!r}"
        labels = len(self.labels)
        return (
            f"<Lts{name}: {_count(self.states, 'state')}, {_count(self.transitions, 'transition')}, "
            f"{_count(labels, 'visible label')}>"
        )


def read(
    path: str | os.PathLike[str],
    *,
    internal: Sequence[str] = INTERNAL,
    timeout: float | str | None = None,
    memory: int | str | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Lts:
    """Reads an Aldebaran file (`.aut`), packed with gzip or not; `-` is standard input.

    `internal` are the labels that mean an internal step. Raises `ReadError` with line and column, or `Unfinished`.
    """
    name = os.fspath(path)
    with door():
        return Lts._of(_core.lts_read(name, list(internal), **_limits(timeout, memory, budget, progress)), name)


@dataclass(frozen=True)
class Reduction:
    """What came of reducing a file."""

    states: int
    """How many states the file has."""
    transitions: int
    reduced: Lts
    load_seconds: float
    reduce_seconds: float


def reduce_file(
    path: str | os.PathLike[str],
    equivalence: str = "branching",
    *,
    internal: Sequence[str] = INTERNAL,
    timeout: float | str | None = None,
    memory: int | str | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Reduction:
    """Reads a file and reduces it. The same as `read(path).reduce(equivalence)` with less memory: the file is not kept."""
    name, chosen = os.fspath(path), equivalence_named(equivalence)
    limits = _limits(timeout, memory, budget, progress)
    with door():
        states, transitions, core, *seconds = _core.lts_reduce_file(name, list(internal), chosen, **limits)
    return Reduction(states, transitions, Lts._of(core), *seconds)


def equivalence_named(name: str) -> str:
    """The name, if there is such an equivalence."""
    if name not in EQUIVALENCES:
        raise UsageError(f"there is no equivalence {name!r}; equivalences: {', '.join(EQUIVALENCES)}")
    return name


def format_for(name: str, format: str | None) -> str:
    """The format to write: the one that is asked for, or that of the file's name."""
    chosen = format or name.removesuffix(".gz").rpartition(".")[2].lower()
    chosen = "dot" if chosen == "gv" else chosen
    if chosen not in WRITABLE:
        raise UsageError(f"which format is {name!r} to be? Call it ….aut or ….dot, or name it: {' or '.join(WRITABLE)}")
    return chosen


def _limits(
    timeout: float | str | None, memory: int | str | None, budget: Budget | None, progress: Progress | None
) -> _Limits:
    budget = Budget.given(timeout, memory, budget)
    return {"timeout": budget.left(), "memory": budget.memory, "progress": progress}


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
