"""Does every call come back? Deadlock-, lock-, obstruction- and wait-freedom, each with a run that shows the contrary."""

from __future__ import annotations

from dataclasses import replace

from linpoint.errors import Unfinished
from linpoint.verify.explorer import Explored, Means
from linpoint.verify.interleaving import interleaving
from linpoint.verify.verification import Counterexample

Lasso = tuple[list[int], list[int], int | None]

LOOPING_STATES = 400_000
"""How many states of a client that calls for ever are looked at. Beyond: wait-freedom is not known."""


def progress_of(explored: Explored, means: Means) -> tuple[dict[str, bool | None], dict[str, Counterexample]]:
    """The four properties, and a run for each that does not hold."""
    core, threads = explored.core, range(explored.client.threads)
    (deadlock, waiting), divergence = core.waiting(), explored.divergence
    alone = None
    if divergence is not None:
        alone = next((lasso for thread in threads if (lasso := core.divergence(thread)) is not None), None)
    found: dict[str, Counterexample] = {}
    if deadlock is not None:
        found["deadlock_free"] = _shown(explored, deadlock, "a call is pending and no thread can take a step")
    for name, lasso in (("lock_free", divergence), ("obstruction_free", alone)):
        if lasso is not None:
            who = "threads take" if lasso[2] is None else f"t{lasso[2] + 1} takes"
            alone_too = "" if lasso[2] is None else ", though it runs alone"
            found[name] = _shown(explored, lasso, f"{who} steps for ever and no call returns{alone_too}")
        elif waiting is not None:
            found[name] = _shown(explored, waiting, f"t{(waiting[2] or 0) + 1} has to wait for another thread")
    holds: dict[str, bool | None] = {
        name: name not in found for name in ("deadlock_free", "lock_free", "obstruction_free")
    }
    if "lock_free" in found:
        holds["wait_free"], found["wait_free"] = False, found["lock_free"]
    else:
        holds["wait_free"] = _wait_free(explored, means, found)
    return holds, found


def _wait_free(explored: Explored, means: Means, found: dict[str, Counterexample]) -> bool | None:
    """Explores the object under a client that calls for ever.

    None if that has no end, fails, or the client had to wait with a call because the object held many nodes: more of them may
    do what few cannot. What happens to two threads can happen to two of many, so two are tried first.
    """
    start = explored.core.replay([], False)
    nodes = 0 if start is None else len(start[0][1])
    most = min(LOOPING_STATES, means.states or LOOPING_STATES)
    for threads in sorted({min(2, explored.client.threads), explored.client.threads}):
        client = replace(explored.client, threads=threads)
        try:
            looping = Explored(explored.program, client, replace(means, states=most), looping=nodes + threads)
        except Unfinished:
            return None
        lasso = looping.core.starvation()
        if lasso is not None:
            break
        if looping.core.failure is not None or looping.core.held_back:
            return None
    else:
        return True
    who = f"t{(lasso[2] or 0) + 1}"
    found["wait_free"] = _shown(
        looping, lasso, f"{who} takes steps for ever and its call never returns, while others complete theirs"
    )
    return False


def _shown(explored: Explored, lasso: Lasso, words: str) -> Counterexample:
    stem, cycle, _ = lasso
    return Counterexample("lasso", words, interleaving(explored, stem, cycle))
