"""The door of the room: `lp.verify`. What it needs is loaded when it is called, so that `import linpoint` stays quick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from linpoint.budget import Budget

if TYPE_CHECKING:
    from linpoint.verify.verification import Verification


def verify(
    target: str | type,
    spec: object = None,
    *,
    threads: int = 2,
    ops: int = 2,
    values: int | None = None,
    methods: Sequence[str] | None = None,
    abstract: str | type | None = None,
    granularity: Literal["access", "statement"] = "access",
    symmetry: Sequence[str] = (),
    states: int | None = None,
    workers: int | None = None,
    timeout: float | str | None = None,
    memory: int | str | None = None,
    budget: Budget | None = None,
    progress: Callable[[float, int], object] | None = None,
) -> Verification:
    """Verifies an algorithm for every interleaving of a bounded client.

    target       a study (`linpoint verify --library` lists them), `file.py:Class`, or a class
    spec         what is allowed: a shipped model in words, a `Model`, an ordinary class, `file.py:Class` or a class of the
                 algorithm language; a study knows its own
    threads, ops so many threads, and calls of each
    values       the arguments are 1 to so many (2)
    methods      only these methods are called
    abstract     an object to compare with: if they are divergence-sensitive branching bisimilar, they share progress properties
    granularity  what one step is: "access", a read or write of shared memory; "statement", all of a statement
    symmetry     of runs that differ only in the names of "threads" or "values", explore one; refused where that may be unsound
    states       give up beyond so many states
    workers      threads of this machine to use; the result is the same on any number of them
    """
    from linpoint.verify.pipeline import Asked, work  # noqa: PLC0415 - see above

    asked = Asked(target, spec, threads, ops, values, methods, abstract, granularity, symmetry)
    return work(asked, Budget.given(timeout, memory, budget), workers, states, progress)
