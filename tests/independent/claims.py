"""Is what an explanation claims true? The machine-readable half: `lp.explain(result).to_dict()`, also kept in certificates.

Every field is checked against the brute force: who is accused, what holds whatever else happened, which configurations can be
reached at a cut, where an order gets stuck, what is minimal, what is sequentially consistent. The words are compared with these
fields in `sentences.py`.
"""

import collections
import contextlib
import random
from collections.abc import Callable, Iterable
from typing import Any

from tests.independent.brute import NEVER, Op, System, TooMany, configurations_at, fired, part_of, search

Counts = collections.Counter[str]
Explanation = dict[str, Any]

#: How many subsets are tried where not all can be.
SAMPLES = 60

ELSE, CUT = "whatever else happened", "after a cut"


class Untrue(Exception):
    """A sentence that does not hold, or that nobody can check."""


def examine(said: Explanation, system: System, counts: Counts) -> None:
    """Raises Untrue at the first claim that does not hold."""
    members, accused = said["operations"], said["accused"]
    if accused is None or accused not in members:
        raise Untrue(f"operation {accused} is accused, the counterexample has {members}")
    if len(set(members)) != len(members) or not set(members) <= set(system.happened):
        raise Untrue(f"no operations of this history: {members}")
    claim = said["claim"]
    counts[f"claim: {claim}"] += 1
    if claim == ELSE:
        whatever_else(said, system, counts)
    elif claim == CUT:
        after_cut(said, system, counts)
    else:
        raise Untrue(f"a violation without a claim: {claim}, {said.get('note')}")
    for candidate in said["candidates"]:
        stuck(said, candidate, system, counts)
    if said["sequential"] is not None:
        sequential(said, system, counts)
    if said["minimal"]:
        minimal(said, system, counts)


def with_some(system: System, members: Iterable[int], others: Iterable[int], counts: Counts) -> tuple[int, ...] | None:
    """An order of the members with some of the others; by samples where there are too many configurations for all subsets."""
    try:
        found = search(system, members, others).order
        counts["added back: every subset"] += 1
        return found
    except TooMany:
        counts["added back: samples"] += 1
    rng = random.Random(repr(members))
    for _ in range(SAMPLES):
        share = rng.random()
        some = [number for number in others if rng.random() < share]
        with contextlib.suppress(TooMany):
            found = search(system, [*members, *some]).order
            if found is not None:
                return found
    return None


def rest(system: System, members: Iterable[int]) -> list[int]:
    return [number for number in system.happened if number not in set(members)]


def whatever_else(said: Explanation, system: System, counts: Counts) -> None:
    """Any subset of the operations that were left out may be added back."""
    order = with_some(system, said["operations"], rest(system, said["operations"]), counts)
    if order is not None:
        raise Untrue(f"whatever else happened? There is an order with some of the others: {order}")


def returned_by(system: System, cut: dict[str, Any]) -> list[int]:
    """The operations that have returned at the cut: of the part that is named, or of the whole history.

    Of several that return at the same time as the last one, those count that every order has.
    """
    last = system.ops[cut["after"]]
    if last.end == NEVER or last.status != "ok":
        raise Untrue(f"a cut after operation {last.number}, which did not return")
    placed = set.intersection(*(set(one["order"]) for one in cut["reachable"]))
    scope = part_of(system, last.number) if cut["part"] else {op.number for op in system.ops}
    ended = [op for op in system.ops if op.number in scope and op.status == "ok" and op.end <= last.end]
    before = [op.number for op in ended if op.end < last.end]
    tied = [op.number for op in ended if op.end == last.end and op.number in placed]
    upto = [op.number for op in ended if op.end == last.end and op.number <= last.number]
    for gone in ([op.number for op in ended], [*before, *tied], [*before, *upto], [*before, last.number]):
        if cut["returned"] == len(gone):
            return gone
    raise Untrue(f"the first {cut['returned']} operations to return? {len(before)} before it, {len(tied)} with it")


def after_cut(said: Explanation, system: System, counts: Counts) -> None:
    """From the configurations at the cut, the members are impossible, whatever else was called since."""
    cut = said["cut"]
    gone = returned_by(system, cut)
    if set(gone) & set(said["operations"]):
        raise Untrue("an operation that returned before the cut is said to be impossible after it")
    needed = [*gone, *said["operations"]]
    order = with_some(system, needed, rest(system, needed), counts)
    if order is not None:
        raise Untrue(f"possible after the cut: {order}")
    reachable(system, cut, gone, counts)


def reachable(system: System, cut: dict[str, Any], gone: list[int], counts: Counts) -> None:
    """Each configuration can be reached, and there are no others."""
    moment = system.ops[cut["after"]].end
    listed: list[tuple[frozenset[int], Any]] = []
    for one in cut["reachable"]:
        order = one["order"]
        if not set(gone) <= set(order) or not system.in_time(order) or any(system.ops[n].call > moment for n in order):
            raise Untrue(f"not an order up to the cut: {order}")
        states = system.replay(order)
        if not states:
            raise Untrue(f"an impossible order up to the cut: {order}")
        listed += [(frozenset(order) - set(gone), state) for state in states]
    counts["configurations at a cut"] += len(cut["reachable"])
    open_ = [op for op in system.ops if op.status != "fail" and op.number not in gone and op.call <= moment]
    try:
        found = configurations_at(system, gone, open_)
    except TooMany:
        return
    for done, state in found:
        effective = {number for number in done if not looks(system, number)}
        others = cut["others_open"] and not any(
            effective <= entry for entry, _ in listed
        )  # took effect besides, or instead
        if not others and not any(covers(system, entry, (done, state)) for entry in listed):
            raise Untrue(f"at the cut {state} with {sorted(done)} in effect can be reached as well")


Configuration = tuple[frozenset[int], Any]


def covers(system: System, listed: Configuration, found: Configuration) -> bool:
    """Do the two meet, when each does what the other has done already? Then nothing is lost by listing only one.

    What only looks at the state may be done in the listed one: it cannot be of more use later.
    """
    extra = frozenset(number for number in listed[0] - found[0] if not looks(system, number))
    return bool(fired(system, listed[1], found[0] - listed[0]) & fired(system, found[1], extra))


def looks(system: System, number: int) -> bool:
    """Did this operation change no state that was met?"""
    kind = system.ops[number].kind
    return all(after == state for (state, of), states in system.memo.items() if of == kind for after in states)


def stuck(said: Explanation, candidate: dict[str, Any], system: System, counts: Counts) -> None:
    """The order explains every return of the counterexample before the accused operation, which does not fit behind it."""
    accused = system.ops[said["accused"]]
    before = said["cut"]["reachable"][candidate["start"]]["order"] if said["cut"] else []
    order = [*before, *candidate["order"]]
    counts["orders that get stuck"] += 1
    reason = why_not(said, order, accused, system)
    if reason:
        raise Untrue(f"the order {order} {reason}")


def why_not(said: Explanation, order: list[int], accused: Op, system: System) -> str | None:
    if accused.number in order:
        return "has the accused operation in it"
    if len(set(order)) != len(order) or not system.in_time([*order, accused.number]):
        return "is against the order of time"
    for number in said["operations"]:
        if number not in order and number != accused.number and system.ops[number].end < accused.end:
            return f"does not have operation {number}, which returned before"
    states = system.replay(order)
    if not states:
        return "is impossible"
    if any(system.step(state, accused) for state in states):
        return "lets the accused operation fit"
    return None


def in_program_order(system: System) -> Callable[[list[int], int], bool]:
    """May this operation stand behind those, by the order of its process?"""

    def fits(before: list[int], number: int) -> bool:
        op = system.ops[number]
        mine = (system.ops[other] for other in before if system.ops[other].record["process"] == op.record["process"])
        return not any(op.before(other) for other in mine)

    return fits


def sequential(said: Explanation, system: System, counts: Counts) -> None:
    """Sequentially consistent: all that completed, in an order that keeps that of each process."""
    order = said["sequential"]
    counts["sequentially consistent"] += 1
    done = {number for number in said["operations"] if system.ops[number].status == "ok"}
    fits = in_program_order(system)
    kept = all(fits(order[:place], number) for place, number in enumerate(order))
    if not done <= set(order) <= set(said["operations"]) or not kept or not system.replay(order):
        raise Untrue(f"not sequentially consistent: {order}")


def minimal(said: Explanation, system: System, counts: Counts) -> None:
    """Without any one of the operations the rest does not contradict itself, or not at the accused operation.

    What supplied a value that another one saw is kept for the reader's sake.
    """
    counts["minimal"] += 1
    gone = returned_by(system, said["cut"]) if said["cut"] else []
    for number in said["operations"]:
        if number == said["accused"] or number in said["support"] or supplies(system, number, said["operations"]):
            continue
        needed = [*gone, *(other for other in said["operations"] if other != number)]
        try:
            found = search(system, needed, rest(system, needed)).ok
        except TooMany:
            counts["minimal: too wide"] += 1
            continue
        if not found and search(system, needed).stuck == said["accused"]:
            counts["remark: minimal, but one more could be left out"] += 1
            return


def supplies(system: System, number: int, members: list[int]) -> bool:
    """Is something in this operation's argument part of what another one answered?"""
    given = leaves(system.ops[number].value)
    return any(given & leaves(system.ops[other].result) for other in members if other != number)


def leaves(value: Any) -> set[Any]:
    """The single values in a value."""
    if isinstance(value, tuple) and value[0] in ("list", "map"):
        return {leaf for item in value[1:] for leaf in leaves(item)}
    return {value} - {None}
