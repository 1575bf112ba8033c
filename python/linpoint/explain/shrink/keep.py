"""Which operations may be left out without changing the story?

A smaller history is evidence against the larger one only if the larger one, were it linearizable, would make the
smaller one so too. Then a contradiction in the small history is a contradiction in the large one. Three ways to leave
operations out have this property:

* An operation that only looks may always go.
* Everything about one value may go from a queue, stack, deque, bag or priority queue: what remains keeps its order.
* On an object that is overwritten as a whole, an operation that observes x stays right as long as whoever *may have*
  written x stays. So a write may go if nobody who stays may have read it:

      p0  |-w1-|                         r observes 1. w1 may go: w2 came wholly between the two,
      p1           |-w2-|                so r cannot have read w1, whatever the order was.
      p2                    |-r→1-|

  It stays right, too, if nothing that stays can have come before it but what it would accept, the initial state included:
  so a history may be cut off at the beginning where the object was in its initial state.

Pending operations may take effect or not, so they constrain nothing; they may only help. They stay while we check, and
when the violation stands in spite of them they are left out of the picture. This gives a fourth way, for any model:

* An operation may be forgotten if the history stays impossible when that operation is *pending*, free to take effect
  at any time after its call, or never.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from linpoint.errors import LinpointError
from linpoint.explain.shrink.roles import Left, Role, roles_of
from linpoint.history import History
from linpoint.history.values import tag
from linpoint.models import Model, Shipped, by_kind
from linpoint.models.model import ANY
from linpoint.models.shipped import EMPTY

NEVER = float("inf")
MOST_PASSES = 60
"""How often observers are looked through for those that lost what they may have read."""
MOST_WRITERS = 500
"""How many of the first writers that stay are looked at."""
MOST_FORGOTTEN = 300
"""Larger histories of a model that nothing is known about are shrunk by leaving out, and labelled so."""
CHANGED_BY_FORGETTING = frozenset({"process", "ret", "index", "line"})
"""A model that looks at these tells a forgotten operation from the one that was recorded."""
CONTAINERS = ("queue", "stack", "deque", "priority-queue", "bag")


class Rule:
    """What may be left out together, and what must follow. This one: anything, and the result is labelled a guess."""

    faithful = False
    """Is a violation of what is kept a violation of the whole?"""
    forgets = False
    """Are operations made pending instead of left out?"""

    def __init__(self, history: History) -> None:
        self.units: list[list[int]] = [[index] for index in range(len(history))]
        """Operations that go together, in the order of their first call."""

    def close(self, kept: set[int]) -> set[int]:
        """What remains of `kept` after everything that must follow is gone, too."""
        return kept


class Forgotten(Rule):
    """Any model: operations are made pending, one by one. Exact, but each pending operation makes the search harder."""

    faithful = True
    forgets = True


class Values(Rule):
    """A container: all operations on one value go together; those that found it empty, or only looked, also go alone."""

    faithful = True

    def __init__(self, history: History, model: Shipped) -> None:
        kinds, examples = history.examples()
        names = [None if op is None else _value_of(model, op.index, history) for op in examples]
        looks = [op is not None and model.readonly(op) for op in examples]
        groups: dict[tuple[str, Hashable], list[int]] = {}
        self._lookers: list[tuple[int, Hashable]] = []
        for index, kind in enumerate(kinds):
            name = names[kind]
            if looks[kind] and name is not None:
                self._lookers.append((index, name))
            groups.setdefault(("alone", index) if looks[kind] or name is None else ("value", name), []).append(index)
        self._changes = {name: group for name, group in groups.items() if name[0] == "value"}
        there = {("is", tag(item)) for item in model.initial}
        self._always = {
            index
            for index, kind in enumerate(kinds)
            if names[kind] in there or (names[kind] is None and history[index].pending)
        }
        self.units = [group for group in groups.values() if self._always.isdisjoint(group)]

    def close(self, kept: set[int]) -> set[int]:
        """Who only looked at a value goes with it. Pending removals of nobody knows what stay, and all about initial elements."""
        gone = {index for index, name in self._lookers if not kept.issuperset(self._changes.get(("value", name), ()))}
        return (kept - gone) | self._always


def _value_of(model: Shipped, index: int, history: History) -> Hashable | None:
    """The value an operation is about; None if it found the container empty, or nobody knows."""
    name, value, result = model.understand(history[index])
    about = value if model.table[name].takes == "element" else result
    return None if about is ANY or about is EMPTY else ("is", tag(about))


@dataclass
class _Writers:
    """The writers of one state that were left out, by their calls, with the latest return so far."""

    calls: list[float]
    latest_return: list[float]


class Overwritten(Rule):
    """An object that is overwritten as a whole: observers go when somebody they may have read is gone."""

    faithful = True

    def __init__(self, history: History, kinds: Sequence[int], initial: Left, roles: Sequence[Role]) -> None:
        super().__init__(history)
        self._initial = initial
        calls, returns = history.columns.ranks()
        self._role = [roles[kind] for kind in kinds]
        self._call = [float(rank) for rank in calls]
        self._return = [NEVER if rank is None else float(rank) for rank in returns]
        self._writers = sorted((i for i, role in enumerate(self._role) if role.leaves), key=lambda i: self._call[i])
        self._observers = [i for i, role in enumerate(self._role) if role.observes is not None]
        self._by_return = sorted(
            (i for i in self._writers if self._role[i].surely and self._return[i] != NEVER),
            key=lambda i: self._return[i],
        )

    def close(self, kept: set[int]) -> set[int]:
        """Removes observers that may have read a writer that is gone, until none is left; everything if that takes long."""
        kept = set(kept)
        for _ in range(MOST_PASSES):
            ends, latest = self._overwriters(kept)
            gone = self._gone(kept)
            first = [i for i in self._writers if i in kept][:MOST_WRITERS]
            lost = {
                i
                for i in self._observers
                if i in kept and self._may_have_read(i, gone, ends, latest) and not self._is_first(i, first)
            }
            if not lost:
                return kept
            kept -= lost
        return set()

    def _is_first(self, i: int, first: Sequence[int]) -> bool:
        """Would it accept the initial state and whatever those that stay may leave before it?"""
        accepts = self._role[i].observes
        if accepts is None or not accepts(self._initial):
            return False
        for other in first:
            if self._call[other] > self._return[i]:
                return True
            if other != i and not accepts(self._role[other].leaves[0]):
                return False
        return len(first) < MOST_WRITERS

    def _overwriters(self, kept: set[int]) -> tuple[list[float], list[float]]:
        """Returns of sure writers that stay, in order, and the latest call among those up to each."""
        ends: list[float] = []
        latest: list[float] = []
        for i in self._by_return:
            if i in kept:
                ends.append(self._return[i])
                latest.append(max(self._call[i], latest[-1] if latest else -1.0))
        return ends, latest

    def _gone(self, kept: set[int]) -> dict[Left, _Writers]:
        gone: dict[Left, _Writers] = {}
        for i in self._writers:
            if i not in kept:
                writers = gone.setdefault(self._role[i].leaves[0], _Writers([], []))
                writers.calls.append(self._call[i])
                writers.latest_return.append(
                    max(self._return[i], writers.latest_return[-1] if writers.latest_return else 0.0)
                )
        return gone

    def _may_have_read(self, i: int, gone: dict[Left, _Writers], ends: list[float], latest: list[float]) -> bool:
        """Was a writer that is gone called before `i` returned, and not surely overwritten before `i` was called?"""
        role = self._role[i]
        done = bisect_left(ends, self._call[i])
        since = latest[done - 1] if done else -1.0
        states: Iterable[Left] = role.exactly if role.exactly is not None else gone  # type: ignore[assignment]
        for state in states:
            writers = gone.get(state)
            if writers is None or (role.observes is not None and not role.observes(state)):
                continue
            before = bisect_left(writers.calls, self._return[i])
            if before and writers.latest_return[before - 1] > since:
                return True
        return False


def rule_for(history: History, model: Model) -> Rule:
    """The strongest rule that holds for these operations."""
    if isinstance(model, Shipped) and model.name in CONTAINERS:
        return Values(history, model)
    try:
        kinds, known = by_kind(history, model, lambda kinds: (kinds, roles_of(model, kinds.examples, kinds)))
    except LinpointError:
        return Rule(history)
    if kinds.fields & CHANGED_BY_FORGETTING:
        return Rule(history)
    if known is not None:
        return Overwritten(history, kinds.codes, *known)
    return Forgotten(history) if len(history) <= MOST_FORGOTTEN else Rule(history)
