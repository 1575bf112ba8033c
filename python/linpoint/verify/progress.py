"""Does every call come back? Deadlock-, lock-, obstruction- and wait-freedom, each with a run that shows the contrary."""

from __future__ import annotations

from dataclasses import dataclass, replace

from linpoint.errors import Unfinished
from linpoint.language.ir import Method, Op
from linpoint.verdict import Cause
from linpoint.verify.explorer import Explored, Lasso, Means
from linpoint.verify.interleaving import interleaving
from linpoint.verify.verification import Counterexample

LOOPING_STATES = 400_000
"""How many states of a client that calls for ever are looked at. Beyond: wait-freedom is not known."""


@dataclass(frozen=True)
class Progress:
    """What is known of the four properties."""

    holds: dict[str, bool | None]
    shown: dict[str, Counterexample]
    """A run for each that does not hold."""
    not_known: str | None
    """Why wait-freedom is not known."""


def progress_of(explored: Explored, means: Means) -> Progress:
    """The four properties, with runs."""
    (deadlock, waiting), divergence = explored.waiting(), explored.divergence
    alone = None if divergence is None else explored.divergence_alone()
    found: dict[str, Counterexample] = {}
    if deadlock is not None:
        found["deadlock_free"] = _shown(
            explored, deadlock, "a call is pending and no thread can take a step", "deadlock"
        )
    for name, lasso in (("lock_free", divergence), ("obstruction_free", alone)):
        if lasso is not None:
            who = "threads take" if lasso[2] is None else f"t{lasso[2] + 1} takes"
            alone_too = "" if lasso[2] is None else ", though it runs alone"
            found[name] = _shown(explored, lasso, f"{who} steps for ever and no call returns{alone_too}")
        elif waiting is not None:
            found[name] = _shown(explored, waiting, "a thread has to wait for another one", "wait")
    holds: dict[str, bool | None] = {
        name: name not in found for name in ("deadlock_free", "lock_free", "obstruction_free")
    }
    if "lock_free" in found:
        found["wait_free"] = found["lock_free"]
        return Progress(holds | {"wait_free": False}, found, None)
    holds["wait_free"], not_known = _wait_free(explored, means, found)
    return Progress(holds, found, not_known)


def _wait_free(explored: Explored, means: Means, found: dict[str, Counterexample]) -> tuple[bool | None, str | None]:
    """Explores the object under a client that calls for ever: the answer, or why there is none.

    A client that calls for ever waits with a call while the object holds many nodes; if it ever did, more of them may do what few
    cannot. What happens to two threads can happen to two of many, so two are tried first.
    """
    if not any(map(_goes_back, explored.program.methods)):
        return True, None  # nobody waits, and no call has a loop
    start = explored.core.replay([], False)
    nodes = 0 if start is None else len(start[0][1])
    most = min(LOOPING_STATES, means.states or LOOPING_STATES)
    for threads in sorted({min(2, explored.client.threads), explored.client.threads}):
        client = replace(explored.client, threads=threads)
        try:
            looping = Explored(explored.program, client, replace(means, states=most), looping=nodes + threads)
        except Unfinished as error:
            many = error.cause is Cause.WORK
            return None, f"with calls for ever there are more than {most:,} states" if many else f"out of {error.cause}"
        lasso = looping.starvation()
        if lasso is not None:
            who = f"t{(lasso[2] or 0) + 1}"
            words = f"{who} takes steps for ever and its call never returns, while others complete theirs"
            found["wait_free"] = _shown(looping, lasso, words)
            return False, None
        if looping.core.failure is not None:
            return None, f"with calls for ever {looping.core.failure[0]}"
        if looping.core.held_back:
            return None, "with calls for ever the object grows for ever"
    return True, None


def _goes_back(method: Method) -> bool:
    """Does a method have a loop? Jumps name the instruction they lead to."""
    jumps = [(at, step) for at, step in enumerate(method.code) if step.op in (Op.JUMP, Op.BRANCH)]
    return any(step.operands[-1] <= at for at, step in jumps)


def _shown(explored: Explored, lasso: Lasso, words: str, kind: str = "lasso") -> Counterexample:
    stem, cycle, thread = lasso
    run = interleaving(explored, stem, cycle)
    if run is not None and not cycle:
        threads = run.steps[-1].memory.threads if run.steps else ()
        waiting = [
            f"t{number} waits before line {view.line}"
            for number, view in enumerate(threads, 1)
            if view.line is not None and thread in (None, number - 1)
        ]
        words += f": {', '.join(waiting)}"
    return Counterexample(kind, words, run)
