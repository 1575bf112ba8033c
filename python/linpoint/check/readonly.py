"""Which operations never change the state? Said by the model, or found by trying.

The search takes a read at once, without branching, if it knows that it is one: on 10,000 operations of 20 clients that is the
difference between a minute and a blink. A model may say so (`readonly`). Where it does not, we walk every state
that any order of the operations could reach, if they are few: an operation that left all of them as they are is a read.
Sound, because the walk ignores results of other operations and real time, so it meets every state the search can meet
and more. The walk takes at most `STEPS_PER_OPERATION` steps per operation of the history and `MOST_STEPS` in all, whatever the
load of the machine; when that is not enough nothing is concluded. The search takes the same steps from memory afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.models import Parts, Runner

STEPS_PER_OPERATION = 4
MOST_STEPS = 5_000

Steps = dict[tuple[int, int], list[int]]
"""(state, kind of operation) → the states it leads to."""


def find_reads(
    runner: Runner, examples: Sequence[Operation | None], parts: Parts, operations: int
) -> tuple[frozenset[int], Steps]:
    """The kinds of operations that are reads in every state they can meet, and all steps that were taken to find out."""
    steps: Steps = {}
    reads: set[int] = set()
    if callable(runner.model.readonly):
        return frozenset(), steps  # the model answers for itself
    members: list[list[tuple[int, Operation]]] = [[] for _ in range(parts.count)]
    for kind, op in enumerate(examples):
        if op is not None:
            members[parts.of_kind[kind]].append((kind, op))
    most = min(MOST_STEPS, STEPS_PER_OPERATION * operations)
    for part in sorted(members, key=len):
        try:
            changing = _walk(runner, part, steps, most)
        except ModelError:
            if runner.impure is not None:
                raise
            break  # perhaps a state that no real order reaches; if one does, the search will meet the fault again
        if changing is None:
            break
        reads |= {kind for kind, _ in part} - changing
    return frozenset(reads), steps


def _walk(runner: Runner, part: Sequence[tuple[int, Operation]], steps: Steps, most: int) -> set[int] | None:
    """Visits every state that the operations of a part can reach in any order; the kinds that change one of them.

    None if there are too many states.
    """
    states = [runner.initial()]
    seen = set(states)
    changing: set[int] = set()
    for state in states:  # grows while we walk
        for kind, op in part:
            if len(steps) >= most or runner.is_heavy():
                return None
            reached = steps[state, kind] = runner.step(state, op)
            if reached not in ([], [state]):
                changing.add(kind)
                states += [after for after in reached if after not in seen]
                seen.update(reached)
    return changing
