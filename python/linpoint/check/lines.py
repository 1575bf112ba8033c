"""Which premises hold of a stack, a queue or a deque? From the Python model alone, by trying all orders of few operations.

Elements are told apart by the operation that put them in, though their values may be equal: each is a *token*. `match(a, r)`:
r found the token of a. `gone(b, x)`: the token of b was taken out before x. `used(a)`: a took effect. A premise must hold in
every order in which the model gives the recorded results, however many other operations there are. Few are enough to look at:

    (t a u b)  -- pop -->  (t a u)      Leave out all tokens but some, in a whole run: an add of a token that stays is the
       |                      |         same add, an operation that found one that stays finds it again, and what concerns
     (a b)     -- pop -->   (a)         the others changes nothing.

So a premise about a few operations is true if it is true of the tokens of its adds in every order of its operations that real
time allows, where a token may also be taken, whenever it is at an end, by an operation that the premise does not name, and an
operation may find a token that it does not name. All of these are tried, with the model's own methods; the name of the formula
does not matter. That leaving out tokens commutes with every method is tried on all lines of up to three tokens: the methods
look at an end, and at nothing behind it.

Three premises count over the whole part, and hold for a reason of their own:

    ADDREM r       r found a token whose value it told: of an add of that value that was called before r returned
    GONE b x       gone(b, x): an operation of the part that takes elements, and tells the value of b if it tells one, took b
    HEIGHT a r     not match(a, r), of a stack: every add makes it one higher, every token that is taken one lower, and what
                   is above a token is taken before it (tried as above). So r cannot have found a if, by some moment before
                   r, surely more were taken since a than can have been put in; nor if surely more were put in between the
                   two than can have been taken.

ATOMIC, a round of operations each before the next, holds of no order of anything. Orders are tried once for each shape of a
premise: at most four operations, some thousands of steps of the model. The three that count cost O(n) each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from linpoint.check.premises import INITIAL, Atom, Clause, Literal, Premises, ProofError, RealTime, listed, round_of
from linpoint.history import History
from linpoint.models import Deque, Model, Queue, Shipped, Stack
from linpoint.models.model import ANY, fits
from linpoint.models.shipped import EMPTY

Items = tuple[int, ...]
"""A line of tokens."""

MOST = 4
"""A premise that is tried in all orders names at most so many operations."""


@dataclass(frozen=True)
class _Method:
    """A method of the model, run on tokens."""

    model: Shipped
    name: str

    def __call__(self, items: Items, token: int | None = None) -> tuple[Items, Any]:
        after, result = getattr(self.model, self.name)(items, token)
        return after, result


@dataclass(frozen=True)
class _Seen:
    """An operation, as it is tried."""

    name: str
    adds: bool
    pending: bool
    finds: frozenset[int] = frozenset()
    """The named operations whose tokens it may have found; -1 among them: it may have found nothing."""


@dataclass
class _Run:
    """What has happened so far in one order."""

    items: Items
    used: frozenset[int]
    found: dict[int, int] = field(default_factory=dict)
    """What each operation found."""
    taken: dict[int, int] = field(default_factory=dict)
    """The place in the order at which, or before which, each token was taken; doubled, and odd if at it."""


class Lines:
    """What is known of the operations of one stack, queue or deque without any solver."""

    def __init__(self, history: History, model: Shipped, read: Premises) -> None:
        self._initial: tuple[Any, ...] = model.initial
        self._time = RealTime.of(history, len(self._initial))
        scope = read.scope(history, model, len(self._initial))
        self._understood = {op: model.understand(history[op]) for op in scope}
        self._methods = {name: _Method(model, name) for name in model.table}
        self._adds = {name for name, method in self._methods.items() if method((), 1)[0] == (1,)}
        self._takes = {name for name in self._methods if name not in self._adds and not self._methods[name]((1,))[0]}
        self._must_commute()
        self._is_stack = self._finds_the_last()
        self._tried: dict[object, bool] = {}

    @classmethod
    def of(cls, history: History, model: Model, read: Premises) -> Lines | None:
        """For the part that the premises are about; None if the model is no line of elements."""
        if isinstance(model, Shipped) and type(model) in (Stack, Queue, Deque):
            return cls(history, model, read)
        return None

    def holds(self, formula: str, binding: list[int], clause: Clause) -> bool:
        """Does the clause hold in every order? ProofError if the formula cannot be about these operations."""
        needed: Sequence[Literal]
        match formula, binding:
            case "ATOMIC", _:
                needed = round_of(binding)
            case "ADDREM", [found]:
                needed = [(("match", add, found), True) for add in self._sources(found)]
            case "GONE", [add, end]:
                gone: Atom = ("gone", add, end)
                needed = [(gone, False), *((("match", add, taker), True) for taker in self._takers(add, end))]
            case "HEIGHT", [add, found]:
                if not (self._is_out(add, found) or self._is_buried(add, found)):
                    return False
                needed = [(("match", add, found), False)]
            case _:
                return self._is_true(clause)
        return self._time.implies(needed, clause)

    # What the operations of the part are.

    def _value(self, add: int) -> Any:
        return self._initial[INITIAL - add] if add < 0 else self._understood[add][1]

    def _is_add(self, op: int) -> bool:
        return op < 0 or self._understood[op][0] in self._adds

    def _may_find(self, found: int, add: int) -> bool:
        """Does it tell the value of this add, or none at all?"""
        return fits(self._value(add), self._understood[found][2])

    def _every_add(self) -> list[int]:
        return [*range(-len(self._initial), 0), *(op for op in self._understood if self._is_add(op))]

    def _every_take(self) -> list[int]:
        """Those that take an element if they take effect; one that found nothing does not."""
        return [op for op, (name, _, told) in self._understood.items() if name in self._takes and told is not EMPTY]

    def _sources(self, found: int) -> list[int]:
        told = ANY if self._is_add(found) else self._understood[found][2]
        if told is ANY or told is EMPTY:
            raise ProofError(f"ADDREM of {listed([found])}: it did not find an element that is known")
        return [add for add in self._every_add() if self._may_find(found, add)]

    def _takers(self, add: int, end: int) -> list[int]:
        if not self._is_add(add):
            raise ProofError(f"GONE of {listed([add, end])}: the first puts nothing in")
        possible = (op for op in self._every_take() if op != end and self._may_find(op, add))
        return [op for op in possible if not (self._time.precedes(op, add) or self._time.precedes(end, op))]

    # How high a stack is.

    def _is_out(self, add: int, found: int) -> bool:
        """Were surely more taken since the add, by some moment before the other was called, than can have been put in?"""
        time, since = self._time, self._time.end(add)
        if not self._is_stack or not self._is_add(add) or since is None:
            return False
        changes = [(end, 1) for op in self._every_take() if time.call(op) > since and (end := time.end(op)) is not None]
        changes += [(time.call(op), -1) for op in self._every_add() if op != add and not time.precedes(op, add)]
        height = 0
        for rank, change in sorted(changes):
            height += change
            if height > 0:
                return rank < time.call(found)
        return False

    def _is_buried(self, add: int, found: int) -> bool:
        """Were surely more put in between the two than can have been taken?"""
        time = self._time
        if not self._is_stack or not self._is_add(add):
            return False
        sure = [op for op in self._every_add() if time.precedes(add, op) and time.precedes(op, found)]
        possible = [op for op in self._every_take() if op != found]
        possible = [op for op in possible if not (time.precedes(op, add) or time.precedes(found, op))]
        return len(sure) > len(possible)

    def _finds_the_last(self) -> bool:
        """Does every method find what was added last, and take just that?"""
        for items in _lines():
            for add in self._adds:
                higher, _ = self._methods[add](items, 9)
                for name in self._methods.keys() - self._adds:
                    left, found = self._methods[name](higher)
                    if found != 9 or left != (items if name in self._takes else higher):
                        return False
        return True

    # All orders of few operations.

    def _must_commute(self) -> None:
        """Leaving out tokens commutes with every method. ProofError if it does not."""
        for items in _lines():
            for kept in _subsets((*items, 9)):
                only = tuple(token for token in items if token in kept)
                for name, method in self._methods.items():
                    if name in self._adds:
                        left, want = method(items, 9)[0], method(only, 9)[0] if 9 in kept else only
                    else:
                        left, found = method(items)
                        want, again = method(only) if found in kept or not items else (only, found)
                        if again != found or (found is EMPTY) != (items == ()):
                            raise ProofError(f"{name} does not find the same among fewer elements")
                    if tuple(token for token in left if token in kept) != want:
                        raise ProofError(f"{name} does not leave the same among fewer elements")

    def _is_true(self, clause: Clause) -> bool:
        """Is the clause true in every order of the operations that it names?"""
        named = sorted({op for (_, *about), _ in clause for op in about}, key=lambda op: (op >= 0, abs(op)))
        if sum(op >= 0 for op in named) > MOST:
            return False
        place = {op: at for at, op in enumerate(named)}
        about = frozenset(((kind, place[a], place[b]), positive) for (kind, a, b), positive in clause)
        starts = sum(op < 0 for op in named)
        seen = tuple(self._seen(op, named) for op in named[starts:])
        first = frozenset((place[a], place[b]) for a in named for b in named if self._time.precedes(a, b))
        shape = (seen, starts, first, about)
        if shape not in self._tried:
            self._tried[shape] = all(
                any(_value_of(atom, run, order) == positive for atom, positive in about)
                for order in permutations(range(starts, len(named)))
                if not any((late, early) in first for at, early in enumerate(order) for late in order[at + 1 :])
                for run in self._runs(order, starts, seen)
            )
        return self._tried[shape]

    def _seen(self, op: int, named: list[int]) -> _Seen:
        name, _, told = self._understood[op]
        pending = self._time.end(op) is None
        if name in self._adds:
            return _Seen(name, True, pending)
        finds = {at for at, add in enumerate(named) if self._is_add(add) and self._may_find(op, add)}
        return _Seen(name, False, pending, frozenset({-1} if told is EMPTY else finds))

    def _runs(self, order: Sequence[int], starts: int, seen: tuple[_Seen, ...]) -> Iterator[_Run]:
        """Every way in which the operations can have happened in this order."""
        runs = [_Run(tuple(range(starts)), frozenset(range(starts)))]
        for at, op in enumerate(order):
            runs = [
                after
                for run in runs
                for earlier in self._plundered(run, at)
                for after in self._after(earlier, at, op, seen[op - starts])
            ]
        return iter(runs)

    def _plundered(self, run: _Run, at: int) -> Iterator[_Run]:
        """The run as it is, and after operations that the premise does not name took tokens."""
        waiting = [run]
        for one in waiting:  # grows while it is walked
            yield one
            for name in self._takes if one.items else ():
                left, token = self._methods[name](one.items)
                waiting.append(_Run(left, one.used, one.found, {**one.taken, token: 2 * at}))

    def _after(self, run: _Run, at: int, op: int, seen: _Seen) -> Iterator[_Run]:
        """What the operation may do: take effect, find something that the premise does not name, or (pending) nothing."""
        if seen.adds:
            if seen.pending:
                yield run
            yield _Run(self._methods[seen.name](run.items, op)[0], run.used | {op}, run.found, run.taken)
            return
        if seen.finds == {-1}:
            if not run.items:
                yield _Run(run.items, run.used | {op}, run.found, run.taken)
            return
        if seen.pending:
            yield run
        yield _Run(run.items, run.used | {op}, run.found, run.taken)
        left, token = self._methods[seen.name](run.items)
        if run.items and token in seen.finds:
            taken = {**run.taken, token: 2 * at + 1} if left != run.items else run.taken
            yield _Run(left, run.used | {op}, {**run.found, op: token}, taken)


def _value_of(atom: Atom, run: _Run, order: Sequence[int]) -> bool:
    """Is the atom true of a run? Operations that are not in the order were there at first, one after the other."""
    kind, a, b = atom
    place = {op: at for at, op in enumerate(order)}
    match kind:
        case "before":
            return (place.get(a, -1), a) < (place.get(b, -1), b)
        case "match":
            return run.found.get(b) == a
        case "used":
            return a in run.used
        case _:
            return a in run.taken and run.taken[a] < 2 * place.get(b, -1) + 1


def _lines() -> list[Items]:
    """All lines of up to three tokens, but for their names."""
    return [tuple(range(1, length + 1)) for length in range(4)]


def _subsets(tokens: Items) -> Iterator[set[int]]:
    for number in range(2 ** len(tokens)):
        yield {token for at, token in enumerate(tokens) if number >> at & 1}
