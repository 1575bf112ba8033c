"""Does the library come out as the paper says? Table 1 of seed 002 from our own runs, with the sizes of the quotients."""

from __future__ import annotations

from collections.abc import Iterator

from linpoint.library.studies import STUDIES, Study
from linpoint.verdict import Verdict
from linpoint.verify.entry import verify
from linpoint.verify.explorer import Progress
from linpoint.verify.verification import Verification

HEAD = ("", "case study", "linearizable", "lock-free", "states", "O/≈", "O/≈div", "spec", "Θ/≈", "as the paper says")


def library(
    threads: int = 2,
    ops: int = 2,
    *,
    timeout: float | str | None = None,
    memory: int | str | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Study, Verification]]:
    """Verifies every study, in the order of Table 1."""
    for study in STUDIES.values():
        yield study, verify(study.name, threads=threads, ops=ops, timeout=timeout, memory=memory, progress=progress)


def agrees(study: Study, found: Verification) -> bool | None:
    """Is the verdict the known one? Lock-freedom is asked only where the paper does. None: it is not known."""
    if found.verdict is Verdict.UNKNOWN:
        return None
    linearizable = (found.verdict is Verdict.LINEARIZABLE) == study.linearizable
    return linearizable and (study.lock_free is None or found.lock_free == study.lock_free)


def row(study: Study, found: Verification) -> tuple[str, ...]:
    """A line of the table."""
    told = {True: "yes", False: "no", None: "?"}
    linearizable = {Verdict.LINEARIZABLE: "yes", Verdict.VIOLATION: "no", Verdict.UNKNOWN: "?"}[found.verdict]
    lock_free = "(locks)" if study.lock_based else told[found.lock_free]
    sizes = (
        found.states,
        found.quotient_states,
        found.divergence_quotient_states,
        found.spec_states,
        found.spec_quotient_states,
    )
    shown = tuple("" if size is None else f"{size:,}" for size in sizes)
    return (study.number, study.title, linearizable, lock_free, *shown, told[agrees(study, found)])
