"""Can a verdict be believed later, by somebody else? A result as a file, and a small checker that re-validates it.

A certificate holds the verdict, the model and the whole explanation: `linpoint explain` prints what `linpoint check` said.
`validate` believes nothing in it. A witness is replayed on the given history. The operations of a counterexample are compared
with those of the given history, and its claim is tried by all orders in Python (`linpoint.check.confirm`): neither the search nor
shrinking has any part in that. What could not be tried within a number of steps is named.
"""

from __future__ import annotations

import hashlib
from typing import Any

from linpoint.check import Candidate, Evidence, Orders, Refuted, certify_witness, confirm, part_of_operation, place
from linpoint.errors import InternalError, LinpointError
from linpoint.explain.explanation import Claim, Cut, Explanation
from linpoint.explain.narrative import listed, whatever_else
from linpoint.history import History, Operation
from linpoint.history.values import tag
from linpoint.models import Model, Shipped, parse
from linpoint.text import printable
from linpoint.verdict import Verdict

FORMAT = "linpoint result"
VERSION = 2

MOST_REPLAYED = 20_000
"""Orders that begin after a longer past are not replayed: they claim nothing that the counterexample does not."""


class CertificateError(LinpointError):
    """The certificate does not prove what it says, or cannot be read."""


def certificate(explanation: Explanation) -> dict[str, Any]:
    """The result with its evidence and its explanation, fit for JSON."""
    result = explanation.result
    if result is None:
        raise LinpointError("this explanation was loaded: copy the file it came from")
    if not isinstance(result.model, Shipped):
        raise LinpointError(
            "only results of shipped models can be saved: a class of your own cannot be found again by name"
        )
    return {
        "format": FORMAT,
        "version": VERSION,
        "history": digest(result.history),
        **result.to_dict(),
        **said_of(explanation),
    }


def said_of(explanation: Explanation) -> dict[str, Any]:
    """What `--json` and a saved result say beyond the result itself: the counterexample and the whole explanation."""
    return {"counterexample": records(explanation), "explanation": explanation_to_dict(explanation)}


def records(explanation: Explanation) -> list[dict[str, Any]] | None:
    """The operations of a counterexample in the native JSONL form, each with its number in the original history."""
    return None if explanation.claim is None else _records(explanation)


def _records(explanation: Explanation) -> list[dict[str, Any]]:
    pairs = zip(explanation.operations, explanation.shown, strict=True)
    return [{"operation": index, **op.to_record()} for index, op in pairs]


def explanation_to_dict(explanation: Explanation) -> dict[str, Any]:
    """Everything that an explanation says, fit for JSON."""
    cut = explanation.cut
    return {
        "headline": explanation.headline,
        "accused": explanation.accused,
        "claim": None if explanation.claim is None else str(explanation.claim),
        "operations": list(explanation.operations),
        "support": list(explanation.support),
        "order": list(explanation.points),
        "note": explanation.note,
        "cut": None
        if cut is None
        else {"after": cut.after, "returned": cut.returned, "reachable": [_order(found) for found in cut.reachable]},
        "candidates": [{**_order(found), "start": found.start} for found in explanation.candidates],
        "minimal": explanation.minimal,
        "confirmed": explanation.confirmed,
        "sequential": None if explanation.sequential is None else list(explanation.sequential),
        "words": list(explanation.words),
        "footer": explanation.footer,
    }


def _order(found: Candidate) -> dict[str, Any]:
    return {"order": list(found.order), "state": found.state}


def load(saved: object) -> Explanation:
    """The explanation of a saved violation, as it was. Nothing is judged anew. CertificateError if it cannot be read."""
    entries = _entries(saved)
    if entries.get("counterexample") is None:
        raise CertificateError(f"it has no counterexample: its verdict is {entries.get('verdict')}")
    try:
        said = entries["explanation"]
        shown = History(
            [{name: value for name, value in op.items() if name != "operation"} for op in entries["counterexample"]]
        )
        operations = tuple(op["operation"] for op in entries["counterexample"])
        cut = said["cut"]
        if said["operations"] != list(operations):
            raise CertificateError("its explanation is about other operations than its counterexample")
        return Explanation(
            verdict=Verdict(entries["verdict"]),
            model=str(parse(entries["model"])),
            headline=printable(_text(said, "headline")),
            guessed=None if entries["guessed"] is None else printable(_text(entries, "guessed")),
            total=entries["operations"],
            accused=said["accused"],
            claim=Claim(said["claim"]),
            shown=shown,
            operations=operations,
            support=tuple(said["support"]),
            order=tuple(operations[place] for place in said["order"]),
            note=printable(_text(said, "note")),
            cut=None if cut is None else Cut(cut["after"], cut["returned"], tuple(map(_candidate, cut["reachable"]))),
            candidates=tuple(map(_candidate, said["candidates"])),
            minimal=said["minimal"],
            confirmed=said["confirmed"],
            sequential=None if said["sequential"] is None else tuple(said["sequential"]),
            words=tuple(printable(str(line)) for line in said["words"]),
            footer=printable(_text(said, "footer")),
        )
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        raise CertificateError(f"the explanation cannot be read: {type(error).__name__}: {error}") from None


def _candidate(saved: dict[str, Any]) -> Candidate:
    return Candidate(saved["order"], saved["state"], saved.get("start", 0))


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
        return _witness(entries.get("witness"), history, model)
    if verdict == Verdict.VIOLATION.value:
        return _violation(entries, history, model)
    if verdict == Verdict.UNKNOWN.value:
        raise CertificateError("an unknown verdict proves nothing")
    raise CertificateError(f"there is no verdict {verdict!r}")


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
    """Compares the operations with those of the history, and tries the claim."""
    kept = _counterexample(entries.get("counterexample"), history)
    said = load(entries)
    accused = _same_facts(entries, history, said)
    if said.operations != kept or (said.claim is Claim.AFTER_CUT) != (said.cut is not None):
        raise CertificateError("its explanation is about other operations, or claims something else")
    if said.headline != _headline(model, history, accused):
        raise CertificateError("its headline accuses another operation")
    for candidate in said.candidates:
        if not set(candidate.order) <= set(kept) - {said.accused} or len(set(candidate.order)) < len(candidate.order):
            raise CertificateError("one of its orders is not one of the counterexample")
    begin = [whatever_else(len(kept), len(history)), *listed(history, kept)]
    if said.cut is None and list(said.words[: len(begin)]) != begin:
        raise CertificateError("its words claim something else")
    orders = () if said.cut is None else tuple(found.order for found in said.cut.reachable)
    scope = part_of_operation(history, model, accused)
    evidence = Evidence(accused, kept, None if said.cut is None else said.cut.after, orders)
    try:
        found = confirm(history, model, scope, evidence)
        _candidates_fit(history, model, said)
        _sequential(history, model, said)
    except Refuted as error:
        raise CertificateError(str(error)) from None
    count = f"{len(kept)} operation{'s'[: len(kept) != 1]}"
    what = f"violation ({model}): no order explains the {count} of the counterexample"
    if not found.claim and not found.alone:
        raise CertificateError("the counterexample is too large to be judged by trying all orders")
    if not found.claim:
        return f"{what} by themselves; that no other operation may explain them was not tried: it takes too many steps"
    if said.cut is None:
        return f"{what}, whatever the rest did"
    if not found.states:
        return (
            f"{what} after the cut, from the states named; that there are no others was not tried: the past is too long"
        )
    return f"{what} after the cut, whatever the rest did since"


def _same_facts(entries: dict[str, Any], history: History, said: Explanation) -> int:
    """What is stated beside the evidence is what the history says; the operation that is accused."""
    stuck = entries.get("stuck")
    if said.accused is None or not isinstance(stuck, dict) or stuck.get("index") != said.accused:
        raise CertificateError("it accuses two operations, or none")
    if not 0 <= said.accused < len(history):
        raise CertificateError(f"it accuses an operation that does not exist: {said.accused}")
    recorded = {name: value for name, value in stuck.items() if name not in ("index", "line")}
    if not _same(recorded, history[said.accused]):
        raise CertificateError(f"the accused operation is not what the history has: {history[said.accused]}")
    if entries.get("operations") != len(history):
        raise CertificateError(f"the history has {len(history):,} operations, not {entries.get('operations')}")
    if entries.get("witness") is not None or entries.get("cause") is not None or entries.get("certified"):
        raise CertificateError("a violation has no witness, and no cause to be unknown")
    return said.accused


def _headline(model: Model, history: History, accused: int) -> str:
    return f"{Verdict.VIOLATION.name} ({model}): no order explains {place(history[accused])}"


def _candidates_fit(history: History, model: Model, said: Explanation) -> None:
    """Each order can be replayed and is not against the order of time; Refuted if not."""
    calls, returns = history.columns.ranks()
    begin = [()] if said.cut is None else [found.order for found in said.cut.reachable]
    orders = Orders(history, model, 4 * sum(len(begin[found.start]) + len(found.order) for found in said.candidates))
    for found in said.candidates:
        if len(begin[found.start]) > MOST_REPLAYED:
            continue
        latest = -1
        order = (*begin[found.start], *found.order)
        for index in order:
            back = returns[index]
            if back is not None and back < latest:
                raise Refuted("one of its orders is against the order of time")
            latest = max(latest, calls[index])
        if not orders.replay(order):
            raise Refuted("one of its orders is not possible")


def _sequential(history: History, model: Model, said: Explanation) -> None:
    """The order in which the counterexample is sequentially consistent keeps each process's own, and can be replayed."""
    order = said.sequential
    if order is None:
        return
    calls, returns = history.columns.ranks()
    lacking = [index for index in said.operations if history[index].ok and index not in order]
    latest: dict[object, int] = {}
    for index in order:
        process, back = tag(history[index].process), returns[index]
        if back is not None and back < latest.get(process, -1):
            raise Refuted("its sequential order is against that of a process")
        latest[process] = max(calls[index], latest.get(process, -1))
    if lacking or len(set(order)) < len(order) or not set(order) <= set(said.operations):
        raise Refuted("its sequential order is not one of the counterexample")
    if not Orders(history, model, 4 * len(order)).replay(order):
        raise Refuted("its sequential order is not possible")


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


def _counterexample(saved: object, history: History) -> tuple[int, ...]:
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
    """Is this the very operation of the history?"""
    try:
        return History([claimed]).columns == History([op]).columns
    except LinpointError:
        return False
