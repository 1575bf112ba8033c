"""Can a kept verdict be believed? A small checker that proves it anew, and believes nothing in the file.

A witness is replayed on the given history. The operations of a counterexample are compared with those of the given history, and
its claim is tried by all orders in Python (`linpoint.check.confirm`): neither the search nor shrinking has any part in that.
Every order is replayed, every state compared with what the model shows (the core's, `explain/states.rs`; or the user's), and
the words are made anew from what was proved. Only how the answer was found (method, time, configurations, schedules) is taken
as told. What could not be tried within a number of steps is named. Costs about a second for each thing that is tried, and one
replay per order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linpoint.check import (
    METHODS,
    Evidence,
    Orders,
    OutOfWork,
    Refuted,
    Replayed,
    Statistics,
    Trial,
    certify_violation,
    certify_witness,
    in_real_time,
    part_of_operation,
    past_of_operation,
    place,
    replayed,
    same_for,
)
from linpoint.errors import InternalError, LinpointError
from linpoint.explain.certificate import CertificateError, digest, entries_of, judge_of, load, text_of
from linpoint.explain.explanation import Claim, Cut, Explanation
from linpoint.explain.footer import footer_of_violation
from linpoint.explain.narrative import narrative
from linpoint.history import History, Operation
from linpoint.history.values import tag
from linpoint.models import Model, guess
from linpoint.verdict import Verdict

MOST_REPLAYED = 20_000
"""Longer orders are replayed by the core only: the Python models copy their states."""


def validate(saved: object, history: History, own: Model | None = None) -> str:
    """Re-validates a saved result against its history; what was proved, in words. CertificateError if it is not proved.

    `own`: the model, if it is one of the user's; ModelWanted if it is needed and not given.
    """
    entries = entries_of(saved)
    model = judge_of(entries, own)
    if text_of(entries, "history") != digest(history):
        raise CertificateError("it belongs to another history: the fingerprints differ")
    if entries.get("operations") != len(history):
        raise CertificateError(f"the history has {len(history):,} operations, not {entries.get('operations')}")
    _guessed(entries, history, model)
    verdict = text_of(entries, "verdict")
    if verdict == Verdict.LINEARIZABLE.value:
        if any(entries.get(name) is not None for name in ("stuck", "cause", "counterexample", "explanation")):
            raise CertificateError("a linearizable history has nothing that cannot be explained")
        return _witness(entries.get("witness"), history, model)
    if verdict == Verdict.VIOLATION.value:
        proved = _violation(entries, history, model)
        return f"{proved}; the derivation that it keeps was not tried" if entries.get("derivation") else proved
    if verdict == Verdict.UNKNOWN.value:
        raise CertificateError("an unknown verdict proves nothing")
    raise CertificateError(f"there is no verdict {verdict!r}")


def _guessed(entries: dict[str, Any], history: History, model: Model) -> None:
    """If the model was guessed: would it be guessed again, for the same reason?"""
    told = entries.get("guessed")
    if told is None:
        return
    try:
        again, why, rivals = guess(history)
    except LinpointError as error:
        raise CertificateError(f"no model can be guessed: {error}") from None
    if str(again) != str(model) or told != why + same_for(rivals):
        raise CertificateError("its model would not be guessed, or for another reason")


def _witness(order: object, history: History, model: Model) -> str:
    if not isinstance(order, list) or not all(type(index) is int for index in order):
        raise CertificateError("a linearizable history needs a witness: a list of operation numbers")
    try:
        if not certify_witness(history, model, order):
            raise CertificateError("the witness leaves too many outcomes open to be replayed")
    except InternalError as error:
        raise CertificateError(str(error)) from None
    return f"linearizable ({model}): the witness of {len(order):,} operations was replayed and is right"


def _violation(entries: dict[str, Any], history: History, model: Model) -> str:
    """Compares the operations with those of the history, and tries everything that is claimed of them."""
    kept = _recorded(entries.get("counterexample"), history)
    said = load(entries)
    accused = _same_facts(entries, history, said)
    if said.operations != kept or (said.claim is Claim.AFTER_CUT) != (said.cut is not None):
        raise CertificateError("its explanation is about other operations, or claims something else")
    if said.headline != f"{Verdict.VIOLATION.name} ({model}): no order explains {place(history[accused])}":
        raise CertificateError("its headline accuses another operation")
    scope = part_of_operation(history, model, accused)
    reachable = () if said.cut is None else tuple(found.order for found in said.cut.reachable)
    if len(set(reachable)) < len(reachable):
        raise CertificateError("it names a configuration at the cut twice")
    evidence = Evidence(accused, kept, None if said.cut is None else said.cut.after, reachable)
    try:
        trial = Trial(history, model, scope, evidence)
        found = trial.confirm()
        _orders(history, model, said)
        _states(entries, said, scope, history, model)
        _sequential(history, model, said)
        minimal = _minimal(trial, said)
    except Refuted as error:
        raise CertificateError(str(error)) from None
    _confirmed(entries, history, model, said, found.everything)
    if list(said.words) != narrative(said, history, model):
        raise CertificateError("its words say something else than its explanation")
    if not found.claim and not found.alone:
        raise CertificateError("the counterexample is too large to be judged by trying all orders")
    count = f"{len(kept)} operation{'s'[: len(kept) != 1]}"
    what = f"violation ({model}): no order explains the {count} of the counterexample"
    untried = "" if minimal else "; that none of them can be left out was not tried: it takes too many steps"
    if not found.claim:
        return f"{what} by themselves; that no other operation may explain them was not tried: it takes too many steps"
    if said.cut is None:
        return f"{what}, whatever the rest did{untried}"
    if not found.states:
        return (
            f"{what} after the cut, from the states named; that there are no others was not tried: the past is too long"
        )
    return f"{what} after the cut, whatever the rest did since{untried}"


def _same_facts(entries: dict[str, Any], history: History, said: Explanation) -> int:
    """What is stated beside the evidence is what the history says; the operation that is accused."""
    stuck = entries.get("stuck")
    if said.accused is None or not isinstance(stuck, dict) or stuck.get("index") != said.accused:
        raise CertificateError("it accuses two operations, or none")
    if not 0 <= said.accused < len(history):
        raise CertificateError(f"it accuses an operation that does not exist: {said.accused}")
    recorded = {name: value for name, value in stuck.items() if name not in ("index", "line")}
    if not _same(recorded, history[said.accused]) or stuck.get("line") != history[said.accused].line:
        raise CertificateError(f"the accused operation is not what the history has: {history[said.accused]}")
    if (
        not {"witness", "cause", "confirmed", "part"} <= entries.keys()
        or entries["witness"] is not None
        or entries.get("cause") is not None
        or entries.get("certified") is not False
    ):
        raise CertificateError("a violation has no witness, and no cause to be unknown")
    if said.note or said.order != (said.candidates[0].order if said.candidates else ()):
        raise CertificateError("its picture shows another order than its first one")
    return said.accused


def _orders(history: History, model: Model, said: Explanation) -> None:
    """Each order explains every return of the counterexample before the accused one, which does not fit; Refuted if not."""
    accused, (_, returns) = said.accused or 0, history.columns.ranks()
    end = returns[accused]
    before = {index for index in said.operations if (back := returns[index]) is not None and end and back < end}
    begin: list[Sequence[int]] = [()] if said.cut is None else [found.order for found in said.cut.reachable]
    for found in said.candidates:
        order = (*begin[found.start], *found.order)
        if not set(found.order) <= set(said.operations) - {accused} or len(set(order)) < len(order):
            raise Refuted("one of its orders is not one of the counterexample")
        if not before <= set(order):
            raise Refuted("one of its orders lacks an operation that returned before the accused one")
        if not in_real_time(history, (*order, accused)):
            raise Refuted("one of its orders is against the order of time")
        if _possible(history, model, order) is False:
            raise Refuted("one of its orders is not possible")
        if _possible(history, model, (*order, accused)):
            raise Refuted("the accused operation fits behind one of its orders")


def _possible(history: History, model: Model, order: Sequence[int]) -> bool | None:
    """Does the model in Python allow this order? None: it is too long for that, and only the core is asked (`_states`)."""
    if len(order) > MOST_REPLAYED:
        return None
    try:
        return bool(Orders(history, model).replay(order))
    except OutOfWork:
        return None


def _states(entries: dict[str, Any], said: Explanation, scope: Sequence[int], history: History, model: Model) -> None:
    """The states are those that the orders lead to, and the cut is where it is said to be; Refuted if not."""
    accused, cut = said.accused or 0, said.cut
    reachable = [] if cut is None else [found.order for found in cut.reachable]
    begin: list[Sequence[int]] = [()] if cut is None else list(reachable)
    told = [] if cut is None else [found.state for found in cut.reachable]
    behind = [(*begin[found.start], *found.order) for found in said.candidates]
    plainly = [] if cut is None else _without_lookers(history, cut)
    found = replayed(history, model, accused, [*reachable, *behind, *plainly, *((*order, accused) for order in behind)])
    if (entries.get("parts"), entries.get("part")) not in ((found.parts, found.part), (1, None)):
        raise Refuted("it names another part of the history, or another number of parts")
    states = iter(found.states)
    for state in [*told, *(candidate.state for candidate in said.candidates)]:
        led = next(states)
        if led is None:
            raise Refuted("one of its orders may lead to too many states to compare them")
        if state not in led:
            raise Refuted(f"one of its orders does not lead to {state}")
    if any(next(states) != found.states[number] for number in range(len(plainly))):
        raise Refuted("an open operation has taken effect at the cut that is not named")
    if any(states):
        raise Refuted("the accused operation fits behind one of its orders")
    if cut is not None:
        _cut(cut, found, scope, history)
        if cut.past is not None:
            wanted = past_of_operation(history, model, accused)
            if _recorded((entries["explanation"]["cut"])["past"], history) != wanted:
                raise Refuted("what it calls the past of the accused operation is something else")


def _without_lookers(history: History, cut: Cut) -> list[list[int]]:
    """The orders up to the cut without open operations that are not named as effective: they must have changed nothing."""
    _, returns = history.columns.ranks()
    moment = returns[cut.after] or 0
    kept = []
    for found, early in zip(cut.reachable, cut.early, strict=True):
        late = [index for index in found.order if (back := returns[index]) is None or back > moment]
        if [index for index in late if index in early] != list(early):
            raise Refuted("operations are named as open at the cut that are not")
        silent = set(late) - set(early)
        kept.append([index for index in found.order if index not in silent])
    return kept


def _cut(cut: Cut, found: Replayed, scope: Sequence[int], history: History) -> None:
    _, returns = history.columns.ranks()
    moment = returns[cut.after]
    gone = [index for index in scope if moment is not None and (back := returns[index]) is not None and back <= moment]
    if cut.returned != len(gone) or cut.part != found.part:
        raise Refuted(f"the cut is behind {len(gone):,} returns, not {cut.returned}, or in another part")
    calls, _ = history.columns.ranks()
    open_then = {index for index in scope if calls[index] < (moment or 0)} - set(gone)
    named = set.intersection(*map(set, cut.early))
    if cut.others_open is not any(history[index].type != "fail" for index in open_then - named):
        raise Refuted("it is wrong about whether other operations were open at the cut")


def _minimal(trial: Trial, said: Explanation) -> bool:
    """Was it tried that the operations can do without `support`, and without nothing else if they are called minimal?"""
    support = set(said.support)
    if not support <= set(said.operations) - {said.accused} or len(support) < len(said.support):
        raise Refuted("its support is not of the counterexample")
    tried = True
    for index in said.operations:
        supports = index in support
        if index == said.accused or not (supports or said.minimal):
            continue
        dispensable = trial.can_do_without(index)
        if dispensable is None:
            tried = False
        elif dispensable != supports:
            raise Refuted(
                f"operation {index} is said to be {'support' if supports else 'needed'}, and the others "
                + ("contradict each other without it" if dispensable else "can be explained without it")
            )
    return tried


def _confirmed(entries: dict[str, Any], history: History, model: Model, said: Explanation, everything: bool) -> None:
    """What it says of its own confirmation could be said again, and the footer says the same."""
    if said.confirmed not in (True, None) or (said.confirmed and not everything):
        raise CertificateError("it was not confirmed by trying all orders: that takes too many steps")
    if entries.get("confirmed") not in (True, None):
        raise CertificateError("a violation is confirmed, or that takes too many steps")
    if entries.get("confirmed") and not certify_violation(history, model, said.accused):
        raise CertificateError("its part of the history was not confirmed by trying all orders")
    method, seconds, configurations = (
        text_of(entries, "method"),
        entries.get("check_seconds"),
        entries.get("configurations"),
    )
    if method not in METHODS or not isinstance(seconds, (int, float)) or type(configurations) is not int:
        raise CertificateError("it does not say how it was found: method, check_seconds, configurations")
    told: dict[str, Any] = {name: entries[name] for name in ("depth", "schedules", "family") if name in entries}
    if method == "hitting":
        _schedules(told)
    elif told:
        raise CertificateError("it tells of schedules, but its method runs none")
    statistics = Statistics(method, "", seconds, 0.0, configurations, entries["parts"])
    if said.footer != footer_of_violation(statistics, said.confirmed):
        raise CertificateError("its last line says something else than its fields")


def _schedules(told: dict[str, Any]) -> None:
    """Every schedule was run, and none was a witness: the numbers fit each other."""
    family, schedules = told.get("family"), told.get("schedules")
    if (
        "depth" not in told
        or told["depth"] is not None
        or type(schedules) is not int
        or not isinstance(family, list)
        or not all(type(size) is int for size in family)
        or not max(family, default=0) <= schedules <= sum(family)
    ):
        raise CertificateError("its numbers of schedules do not fit a violation, or each other")


def _sequential(history: History, model: Model, said: Explanation) -> None:
    """The order in which the counterexample is sequentially consistent keeps each process's own, and can be replayed."""
    order = said.sequential
    if order is None:
        return
    if len(set(order)) < len(order) or not set(order) <= set(said.operations):
        raise Refuted("its sequential order is not one of the counterexample")
    calls, returns = history.columns.ranks()
    lacking = [index for index in said.operations if history[index].ok and index not in order]
    latest: dict[object, int] = {}
    for index in order:
        process, back = tag(history[index].process), returns[index]
        if back is not None and back < latest.get(process, -1):
            raise Refuted("its sequential order is against that of a process")
        latest[process] = max(calls[index], latest.get(process, -1))
    if lacking:
        raise Refuted("its sequential order is not one of the counterexample")
    if not _possible(history, model, order):
        raise Refuted("its sequential order is not possible")


def _recorded(saved: object, history: History) -> tuple[int, ...]:
    """The operations of the counterexample, each found in the original history."""
    if not isinstance(saved, list) or not saved:
        raise CertificateError("a violation needs a counterexample: a list of operations")
    taken: dict[int, None] = {}
    for record in saved:
        index = record.get("operation") if isinstance(record, dict) else None
        if type(index) is not int or not 0 <= index < len(history):
            raise CertificateError(f"the counterexample names an operation that does not exist: {index!r}")
        if index in taken:
            raise CertificateError(f"the counterexample has operation {index} twice")
        claimed = {name: value for name, value in record.items() if name != "operation"}
        if not _same(claimed, history[index]):
            raise CertificateError(
                f"operation {index} of the counterexample is not what the history has: {history[index]}"
            )
        taken[index] = None
    return tuple(taken)


def _same(claimed: dict[str, Any], op: Operation) -> bool:
    """Is this the very operation of the history, and nothing said of it that is not?"""
    try:
        return claimed.keys() == op.to_record().keys() and History([claimed]).columns == History([op]).columns
    except LinpointError:
        return False
