"""Can a verdict be believed later, by somebody else? A result as a file, and a small checker that re-validates it.

A certificate holds the verdict, the model and the evidence: a witness as an order of operations, a violation as its
minimal counterexample. `validate` believes nothing in it. A witness is replayed on the given history; a counterexample is
compared operation by operation with the given history and judged anew by trying all orders in Python. The search is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from linpoint.check import Counterexample, Result
from linpoint.check.certify import _happened, _try_all, certify_witness, part_of_operation
from linpoint.errors import InternalError, LinpointError
from linpoint.explain.shrink.keep import rule_for
from linpoint.explain.shrink.shrink import Ranks, forgetting, happened, past_of
from linpoint.history import History, Operation
from linpoint.models import Model, Shipped, parse
from linpoint.verdict import Verdict

FORMAT = "linpoint result"
VERSION = 1


class CertificateError(LinpointError):
    """The certificate does not prove what it says."""


def certificate(result: Result, counterexample: Counterexample | None) -> dict[str, Any]:
    """The result with its evidence, fit for JSON."""
    if not isinstance(result.model, Shipped):
        raise LinpointError(
            "only results of shipped models can be saved: a class of your own cannot be found again by name"
        )
    found = result.to_dict()
    return {
        "format": FORMAT,
        "version": VERSION,
        "history": digest(result.history),
        **found,
        "counterexample": None if counterexample is None else records(counterexample),
    }


def records(counterexample: Counterexample) -> list[dict[str, Any]]:
    """The operations of a counterexample in the native JSONL form, each with its number in the original history."""
    pairs = zip(counterexample.operations, counterexample.history, strict=True)
    return [{"operation": index, **op.to_record()} for index, op in pairs]


def digest(history: History) -> str:
    """A fingerprint of the history: SHA-256 of its native form."""
    return "sha256:" + hashlib.sha256(history.columns.to_jsonl()).hexdigest()


def validate(saved: object, history: History) -> str:
    """Re-validates a saved result against its history; what was proved, in words. CertificateError if it is not proved."""
    entries = _entries(saved)
    model = parse(_text(entries, "model"))
    if _text(entries, "history") != digest(history):
        raise CertificateError("it belongs to another history: the fingerprints differ")
    verdict = _text(entries, "verdict")
    if verdict == Verdict.LINEARIZABLE.value:
        order = entries.get("witness")
        if not isinstance(order, list) or not all(type(index) is int for index in order):
            raise CertificateError("a linearizable history needs a witness: a list of operation numbers")
        try:
            if not certify_witness(history, model, order):
                raise CertificateError("the witness leaves too many outcomes open to be replayed")
        except InternalError as error:
            raise CertificateError(str(error)) from None
        return f"linearizable ({model}): the witness of {len(order):,} operations was replayed and is right"
    if verdict == Verdict.VIOLATION.value:
        kept = _counterexample(entries.get("counterexample"), history)
        _impossible(history.take(kept), model, "the counterexample")
        _nothing_matters(history, model, kept)
        return f"violation ({model}): no order explains the {len(kept)} operations of the counterexample, whatever the rest did"
    if verdict == Verdict.UNKNOWN.value:
        raise CertificateError("an unknown verdict proves nothing")
    raise CertificateError(f"there is no verdict {verdict!r}")


def _entries(saved: object) -> dict[str, Any]:
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise CertificateError(f"this is no saved result: it needs the field format: {FORMAT!r}")
    if saved.get("version") != VERSION:
        raise CertificateError(f"this version cannot be read: {saved.get('version')!r}; known is {VERSION}")
    return saved


def _text(entries: dict[str, Any], name: str) -> str:
    value = entries.get(name)
    if not isinstance(value, str):
        raise CertificateError(f"the field {name!r} is missing or no text")
    return value


def _impossible(history: History, model: Model, name: str) -> None:
    """Tries all orders."""
    outcome = _try_all(history, model, _happened(history))
    if outcome is None:
        raise CertificateError(f"{name} is too large to be judged by trying all orders")
    if outcome:
        raise CertificateError(f"{name} is linearizable: {', '.join(map(str, outcome[0]))}")


def _nothing_matters(history: History, model: Model, kept: list[int]) -> None:
    """Could what was left out explain it after all? `linpoint.explain.shrink.keep` says when it cannot.

    Without this a lone read would "prove" a violation against any history whose write of the value was left out.
    """
    ranks = history.columns.ranks()
    last = max(kept, key=lambda index: -1 if (end := ranks[1][index]) is None else end)
    scope = part_of_operation(history, model, last)
    doubt = CertificateError("operations were left out of the counterexample that may explain it")
    for base, origin in _bases(history, model, kept, scope, ranks[1][last], ranks):
        places = {index: place for place, index in enumerate(origin)}
        try:
            if _stands(base, model, [places[index] for index in kept if index in places], len(kept)):
                return
        except CertificateError as error:
            doubt = error
    raise doubt


def _bases(
    history: History, model: Model, kept: list[int], scope: Sequence[int], end: int | None, ranks: Ranks
) -> Iterator[tuple[History, list[int]]]:
    """Histories that are linearizable if the whole is: all of it, its past, and the past of what is about the same values.

    The last is more than the first two: who had returned only later is known not to have touched those values.
    """
    whole = happened(history, scope)
    base = history.take(whole)
    yield past_of(history, scope, end, ranks)
    yield base, whole
    rule = rule_for(base, model)
    if rule.faithful and not rule.forgets:
        named = set(kept)
        inside = {place for place, index in enumerate(whole) if index in named}
        touched = {place for unit in rule.units if not inside.isdisjoint(unit) for place in unit}
        view = rule.close(touched | {op.index for op in base if op.pending})
        yield past_of(history, [whole[place] for place in sorted(view)], end, ranks)


def _stands(base: History, model: Model, kept: list[int], count: int) -> bool:
    """Are these operations of `base` impossible whatever the others did? False if no rule tells."""
    rule = rule_for(base, model)
    inside = set(kept)
    if len(inside) < count or not rule.faithful:
        return False
    if rule.forgets:
        _impossible(forgetting(base, inside), model, "the counterexample, with everything else pending,")
        return True
    pending = {op.index for op in base if op.pending}
    for unit in rule.units:  # a value of which something that returned is left out is left out with all that is pending
        if inside.isdisjoint(unit) and not pending.issuperset(unit):
            pending -= set(unit)
    view = rule.close(inside | pending)
    if not inside <= view or any(view.intersection(unit) and not view.issuperset(unit) for unit in rule.units):
        return False
    _impossible(base.take(sorted(view)), model, "the counterexample, with all pending operations,")
    return True


def _counterexample(saved: object, history: History) -> list[int]:
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
    return list(taken)


def _same(claimed: dict[str, Any], op: Operation) -> bool:
    """Is this the very operation of the history?"""
    try:
        return History([claimed]).columns == History([op]).columns
    except LinpointError:
        return False
