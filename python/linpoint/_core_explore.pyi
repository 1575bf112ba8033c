"""The explorer's part of the compiled core. There is no such module: `_core.pyi` takes these names from here, to stay short."""

from collections.abc import Callable, Sequence
from typing import final

from linpoint._core import Lts

_Lasso = tuple[list[int], list[int], int | None]
_Memory = tuple[list[int], list[tuple[int, int, bool, list[int]]], list[tuple[int | None, bool, list[tuple[int, int]]]]]
_Seen = tuple[str, int, tuple[int, int], int, int]
_Taken = tuple[int, str | None, list[_Seen], tuple[str, int] | None, _Memory]

@final
class Explored:
    """All that a client can make of an object. Runs are positions of transitions."""

    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def failure(self) -> tuple[str, int, bool] | None:
        """(what failed, at which instruction, is it a limit of the explorer)."""

    def lts(self) -> Lts: ...
    def returned(self) -> list[tuple[int, int]]:
        """(method, value) of every return that occurs."""

    def deadlock(self) -> _Lasso | None:
        """(stem, cycle, thread): a call is pending and nobody can go on."""

    def waiting(self) -> _Lasso | None:
        """A thread has to wait for another."""

    def divergence(self, thread: int | None) -> _Lasso | None:
        """A cycle of internal steps, of all threads or of one alone."""

    def starvation(self) -> _Lasso | None:
        """A cycle in which a thread takes steps and its call does not return."""

    def along(self, trace: Sequence[str]) -> list[int] | None:
        """A shortest run with these visible labels."""

    def to_failure(self) -> list[int] | None: ...
    def replay(self, run: Sequence[int], failing: bool) -> tuple[_Memory, list[_Taken]] | None:
        """The memory before, and (thread, label, what was read and written, fault, memory afterwards) of each step."""

def explore_object(
    program: tuple[object, ...],
    calls: Sequence[tuple[int, Sequence[int]]],
    names: tuple[Sequence[str], Sequence[str], Sequence[str]],
    *,
    threads: int,
    ops: int | None,
    patience: int,
    workers: int,
    states: int | None,
    timeout: float | None,
    memory: int,
    progress: Callable[[float, int], object] | None,
) -> Explored:
    """Names are those of calls, methods and symbols. Raises ValueError if the program is none, and Stopped."""

def explore_specification(
    methods: Sequence[int],
    outcomes: Sequence[Sequence[Sequence[tuple[int, int]]]],
    names: tuple[Sequence[str], Sequence[str], Sequence[str]],
    *,
    threads: int,
    ops: int,
    timeout: float | None,
    memory: int,
    progress: Callable[[float, int], object] | None,
) -> Lts:
    """The most general client over an atomic object: outcomes by state and call are (next state, result). Raises Stopped."""
