"""What the compiled core says of transition systems. There is no such module: `_core.pyi` takes the names from here."""

from collections.abc import Callable, Sequence
from typing import TypedDict, final, type_check_only

_Progress = Callable[[float, int], object]

@final
class Lts:
    """A labelled transition system. None is the label of internal steps."""

    @staticmethod
    def from_transitions(initial: int, states: int, transitions: Sequence[tuple[int, str | None, int]]) -> Lts: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def initial(self) -> int: ...
    def labels(self) -> list[str]:
        """The visible labels that occur, sorted."""

    def row(self, state: int) -> list[tuple[str | None, int]]:
        """The transitions of a state as (label, target)."""

    def facts(self) -> tuple[int, int, int, int]:
        """(reachable states, internal transitions, reachable deadlocks, reachable states on an internal cycle)."""

    def to_aut(self) -> bytes: ...
    def to_dot(self) -> bytes: ...

@type_check_only
class LtsReport(TypedDict):
    """The outcome of a comparison. Nodes of a formula are (kind, parts, label), each after its parts."""

    holds: bool | None
    cause: str | None
    in_first: bool | None
    nodes: list[tuple[str, list[int], str | None]] | None

def lts_read(
    path: str, internal: Sequence[str], *, timeout: float | None, memory: int, progress: _Progress | None
) -> Lts:
    """Reads an Aldebaran file; `-` is standard input. Raises ReadError, OSError or Stopped."""

def lts_reduce(lts: Lts, equivalence: str, *, timeout: float | None, memory: int, progress: _Progress | None) -> Lts:
    """Equivalence: strong, divergence, branching or weak. Raises Stopped."""

def lts_reduce_file(
    path: str,
    internal: Sequence[str],
    equivalence: str,
    *,
    timeout: float | None,
    memory: int,
    progress: _Progress | None,
) -> tuple[int, int, Lts, float, float]:
    """(states, transitions, the reduced system, seconds of reading, seconds of reducing). Raises as the two do."""

def lts_compare(
    lts: Lts, other: Lts, equivalence: str, *, timeout: float | None, memory: int, progress: _Progress | None
) -> LtsReport: ...
def lts_missing_trace(
    lts: Lts, other: Lts, *, timeout: float | None, memory: int, progress: _Progress | None
) -> list[str] | None:
    """A shortest trace of the first system that the second does not have. Raises Stopped."""

_Lasso = tuple[list[int], list[int], int | None]
_Memory = tuple[list[int], list[tuple[int, int, bool, list[int]]], list[tuple[int | None, bool, list[tuple[int, int]]]]]
_Seen = tuple[str, int, tuple[int, int], int, int]
_Taken = tuple[int, str | None, list[_Seen], tuple[str, int] | None, _Memory]

@final
class Explored:
    """All that a client can make of an object. Runs are positions of transitions. What looks at all states may raise Stopped."""

    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def numbering(self) -> float:
        """Seconds that it took to number the states, for the sake of what comes then."""

    @property
    def failure(self) -> tuple[str, int, bool] | None:
        """(what failed, at which instruction, is it a limit of the explorer)."""

    @property
    def held_back(self) -> bool:
        """Did a client that calls for ever wait with a call, since there were many nodes?"""

    def lts(self, *, timeout: float | None, memory: int) -> Lts: ...
    def returned(self) -> list[tuple[int, int]]:
        """(method, value) of every return that occurs."""

    def waiting(self, *, timeout: float | None, memory: int) -> tuple[_Lasso | None, _Lasso | None]:
        """(stem, cycle, thread): a call is pending and nobody can go on; a thread has to wait for another."""

    def divergence(self, thread: int | None, *, timeout: float | None, memory: int) -> _Lasso | None:
        """A cycle of internal steps, of all threads or of one alone."""

    def starvation(self, *, timeout: float | None, memory: int) -> _Lasso | None:
        """A cycle in which a thread takes steps and its call does not return."""

    def along(self, trace: Sequence[str], *, timeout: float | None, memory: int) -> list[int] | None:
        """A shortest run with these visible labels."""

    def to_failure(self, *, timeout: float | None, memory: int) -> list[int] | None: ...
    def replay(self, run: Sequence[int], failing: bool) -> tuple[_Memory, list[_Taken]] | None:
        """The memory before, and (thread, label, what was read and written, fault, memory afterwards) of each step."""

def explore_object(
    program: tuple[object, ...],
    calls: Sequence[tuple[int, Sequence[int]]],
    names: tuple[Sequence[str], Sequence[str], Sequence[str]],
    *,
    threads: int,
    ops: int | None,
    order: tuple[bool, bool, int],
    patience: int,
    workers: int,
    states: int | None,
    timeout: float | None,
    memory: int,
    progress: _Progress | None,
) -> Explored:
    """Names are those of calls, methods and symbols. Raises ValueError if the program is none, and Stopped."""

def explore_specification(
    calls: Sequence[tuple[int, Sequence[int]]],
    outcomes: Sequence[Sequence[Sequence[tuple[int, int]]]],
    names: tuple[Sequence[str], Sequence[str], Sequence[str]],
    *,
    threads: int,
    ops: int,
    order: tuple[bool, bool, int],
    timeout: float | None,
    memory: int,
    progress: _Progress | None,
) -> Lts:
    """The most general client over an atomic object: outcomes by state and call are (next state, result). Raises Stopped."""
