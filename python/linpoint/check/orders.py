"""Has it really no order? Every order, return by return, in plain Python: it shares nothing with the search or with shrinking.

A configuration is (open operations that have taken effect, state). When an operation returns that is *required*, it must have
taken effect: configurations without it let open operations take effect, one after the other, until it has. An *optional*
operation may have taken effect by its return, or never happened. So K and any subset of O have no order exactly if there is
none with K required and O optional. Work is counted in steps of the model; beyond the limit nothing is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from linpoint.history import History, Operation
from linpoint.models import Model, Runner

MOST_STEPS = 60_000
"""How many steps of a model may be taken: about a second."""

Configuration = tuple[frozenset[int], int]
"""Open operations that have taken effect, by index, and the state as the runner numbers it."""


class OutOfWork(Exception):
    """The steps are used up."""


@dataclass(frozen=True)
class Reach:
    """How far the returns can be explained."""

    stuck: int | None
    """The operation whose return no order explains; None: all can be."""
    configurations: frozenset[Configuration]
    """What can be reached behind the last return that is explained."""


class Orders:
    """Follows all orders of some operations of a history at once."""

    def __init__(self, history: History, model: Model, steps: int = MOST_STEPS, memory: int | None = None) -> None:
        self.history = history
        self.runner = Runner(model, memory=memory)
        self.left = steps
        self._calls, self._returns = history.columns.ranks()
        self._known: dict[tuple[int, int], list[int]] = {}
        self._operations: dict[int, Operation] = {}

    def initial(self) -> frozenset[Configuration]:
        """Before the first operation."""
        return frozenset({(frozenset(), self.runner.initial())})

    def follow(
        self,
        operations: Iterable[int],
        optional: Collection[int] = (),
        *,
        begin: tuple[frozenset[Configuration], Collection[int]] | None = None,
        until: int | None = None,
    ) -> Reach:
        """Explains the returns of these operations, in order; those named in `optional` need not have happened.

        `begin`: configurations to begin with, and the operations that were open then. `until`: a rank; later events are not
        looked at. OutOfWork if that takes too many steps.
        """
        configurations, already = (self.initial(), ()) if begin is None else begin
        unneeded = set(optional)
        open_now = set(already)
        unneeded |= {index for index in open_now if self._returns[index] is None}
        for rank, index in self._events(operations, open_now):
            if until is not None and rank > until:
                break
            if rank == self._calls[index]:
                open_now.add(index)
                if self._returns[index] is None:
                    unneeded.add(index)
                continue
            behind = self._returned(configurations, index, open_now, unneeded)
            if not behind:
                return Reach(index, configurations)
            open_now.discard(index)
            configurations = behind
        return Reach(None, configurations)

    def _events(self, operations: Iterable[int], already: Collection[int]) -> list[tuple[int, int]]:
        found = []
        for index in operations:
            if index not in already:
                found.append((self._calls[index], index))
            end = self._returns[index]
            if end is not None:
                found.append((end, index))
        return sorted(found)

    def _returned(
        self, configurations: frozenset[Configuration], index: int, open_now: Collection[int], unneeded: Collection[int]
    ) -> frozenset[Configuration]:
        """The configurations behind the return of an operation."""
        behind = {(done - {index}, state) for done, state in configurations if index in done}
        seekers = [(done, state) for done, state in configurations if index not in done]
        if index in unneeded:
            behind.update(seekers)
        seen = set(seekers)
        while seekers:
            done, state = seekers.pop()
            for other in open_now:
                if other in done:
                    continue
                for after in self._step(state, other):
                    if after == state and other in unneeded:
                        continue  # it changes nothing and need not have happened
                    reached = (done | {other}, after)
                    if other == index:
                        behind.add((done, after))
                    elif reached not in seen:
                        seen.add(reached)
                        seekers.append(reached)
        return frozenset(behind)

    def _step(self, state: int, index: int) -> list[int]:
        found = self._known.get((state, index))
        if found is None:
            operation = self._operations.get(index)
            if operation is None:
                operation = self._operations[index] = self.history[index]
            found = self._known[state, index] = self.runner.step(state, operation)
        self.left -= 1
        if self.left < 0:
            raise OutOfWork
        return found

    def fired(self, state: int, operations: frozenset[int], needless: frozenset[int] = frozenset()) -> frozenset[int]:
        """The states in which all of these have taken effect, in any order; those named as needless perhaps."""
        reached = [(operations, state)]
        seen = set(reached)
        for left, here in reached:  # grows meanwhile
            for index in left:
                new = [(left - {index}, after) for after in self._step(here, index)]
                reached += [found for found in dict.fromkeys(new) if found not in seen]
                seen.update(new)
        return frozenset(here for left, here in reached if left <= needless)

    def only_looks(self, index: int) -> bool:
        """Did this operation change none of the states that were met?"""
        steps = [(state, after) for (state, other), after in self._known.items() if other == index]
        return all(after in ([], [state]) for state, after in steps)

    def do_the_same(self, one: int, other: int) -> bool:
        """Do these two operations lead to the same states from all that were met?"""
        met = dict.fromkeys(state for state, index in self._known if index in (one, other))
        return all(self._step(state, one) == self._step(state, other) for state in met)

    def replay(self, order: Sequence[int]) -> frozenset[int]:
        """The states that operations lead to in this order, from the beginning; empty if the model refuses one."""
        states = {self.runner.initial()}
        for index in order:
            states = {after for state in states for after in self._step(state, index)}
            if not states:
                break
        return frozenset(states)
