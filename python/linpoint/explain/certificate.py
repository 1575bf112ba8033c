"""How is a verdict kept, so that another reader can read it later? A result and its explanation as a file, and back.

A certificate holds the verdict, the model and the whole explanation: `linpoint explain` prints what `linpoint check` said, and
`validate.py` proves it anew. So it states nothing that cannot be proved, but for how the answer was found: method, time,
configurations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from linpoint.check import Candidate
from linpoint.errors import LinpointError
from linpoint.explain.explanation import Claim, Cut, Explanation, Past
from linpoint.history import History
from linpoint.models import Model, is_native, parse
from linpoint.text import printable
from linpoint.verdict import Verdict

FORMAT = "linpoint result"
VERSION = 5

UNPROVED = frozenset({"prefix", "candidates", "frontier", "why_method", "certify_seconds"})
"""How far the search came, and why that search: the explanation says more, and can be proved."""


class CertificateError(LinpointError):
    """The certificate does not prove what it says, or cannot be read."""


class ModelWanted(CertificateError):
    """The model that it is about must be given again, or must not be: nothing is proved or refuted."""


def certificate(explanation: Explanation) -> dict[str, Any]:
    """The result with its evidence and its explanation, fit for JSON."""
    result = explanation.result
    if result is None:
        raise LinpointError("this explanation was loaded: copy the file it came from")
    own = None if is_native(result.model) else type(result.model).__name__
    return {
        "format": FORMAT,
        "version": VERSION,
        "history": digest(result.history),
        "own_model": own,
        **{name: value for name, value in result.to_dict().items() if name not in UNPROVED},
        **(said_of(explanation) if explanation.claim is not None else {"counterexample": None, "explanation": None}),
    }


def said_of(explanation: Explanation) -> dict[str, Any]:
    """What `--json` and a saved result say beyond the result itself: the counterexample and the whole explanation."""
    return {"counterexample": records(explanation), "explanation": explanation_to_dict(explanation)}


def records(explanation: Explanation) -> list[dict[str, Any]] | None:
    """The operations of a counterexample in the native JSONL form, each with its number in the original history."""
    return None if explanation.claim is None else _records(explanation.operations, explanation.shown)


def _records(operations: Iterable[int], shown: History) -> list[dict[str, Any]]:
    return [{"operation": index, **op.to_record()} for index, op in zip(operations, shown, strict=True)]


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
        else {
            "after": cut.after,
            "returned": cut.returned,
            "others_open": cut.others_open,
            "part": cut.part,
            "past": None if cut.past is None else _records(cut.past.operations, cut.past.history),
            "reachable": [
                {**_order(found), "early": list(early)} for found, early in zip(cut.reachable, cut.early, strict=True)
            ],
        },
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
    entries = entries_of(saved)
    if entries.get("counterexample") is None:
        raise CertificateError(f"it has no counterexample: its verdict is {entries.get('verdict')}")
    try:
        said = entries["explanation"]
        operations, shown = _operations(entries["counterexample"])
        cut = said["cut"]
        if said["operations"] != list(operations):
            raise CertificateError("its explanation is about other operations than its counterexample")
        if any(found["start"] >= (1 if cut is None else len(cut["reachable"])) for found in said["candidates"]):
            raise CertificateError("one of its orders begins nowhere")
        return Explanation(
            verdict=Verdict(entries["verdict"]),
            model=printable(text_of(entries, "model")) if own_model(entries) else str(parse(entries["model"])),
            headline=printable(text_of(said, "headline")),
            guessed=None if entries["guessed"] is None else printable(text_of(entries, "guessed")),
            total=entries["operations"],
            accused=_number(said["accused"]),
            claim=Claim(said["claim"]),
            shown=shown,
            operations=operations,
            support=_numbers(said["support"]),
            order=tuple(operations[place] for place in said["order"]),
            note=printable(text_of(said, "note")),
            cut=None if cut is None else _cut(cut),
            candidates=tuple(map(_candidate, said["candidates"])),
            minimal=bool(said["minimal"]),
            confirmed=said["confirmed"],
            sequential=None if said["sequential"] is None else _numbers(said["sequential"]),
            words=tuple(printable(str(line)) for line in said["words"]),
            footer=printable(text_of(said, "footer")),
        )
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        raise CertificateError(f"the explanation cannot be read: {type(error).__name__}: {error}") from None


def _cut(saved: dict[str, Any]) -> Cut:
    reachable, part = saved["reachable"], saved["part"]
    return Cut(
        after=_number(saved["after"]),
        returned=_number(saved["returned"]),
        reachable=tuple(map(_candidate, reachable)),
        early=tuple(_numbers(found["early"]) for found in reachable),
        others_open=bool(saved["others_open"]),
        part=None if part is None else printable(text_of(saved, "part")),
        past=None if saved["past"] is None else Past(*_operations(saved["past"])),
    )


def _operations(saved: list[dict[str, Any]]) -> tuple[tuple[int, ...], History]:
    """The operations of records, and a history of these."""
    shown = History([{name: value for name, value in op.items() if name != "operation"} for op in saved])
    return tuple(_number(op["operation"]) for op in saved), shown


def _number(saved: object) -> int:
    if type(saved) is not int:
        raise TypeError(f"an operation is a number, not {saved!r}")
    return saved


def _numbers(saved: list[object]) -> tuple[int, ...]:
    return tuple(map(_number, saved))


def _candidate(saved: dict[str, Any]) -> Candidate:
    return Candidate(saved["order"], saved["state"], saved.get("start", 0))


def digest(history: History) -> str:
    """A fingerprint of the history: SHA-256 of its native form."""
    return "sha256:" + hashlib.sha256(history.columns.to_jsonl()).hexdigest()


def entries_of(saved: object) -> dict[str, Any]:
    """The fields of a saved result; CertificateError if it is none."""
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise CertificateError(f"this is no saved result: it needs the field format: {FORMAT!r}")
    if saved.get("version") != VERSION:
        raise CertificateError(f"this version cannot be read: {saved.get('version')!r}; known is {VERSION}")
    return saved


def own_model(entries: dict[str, Any]) -> str | None:
    """The class that the result is about, if it is none of the shipped models. Nothing is looked up, and nothing run."""
    if "own_model" not in entries:
        raise CertificateError("it does not say whose model it is about")
    return None if entries["own_model"] is None else printable(text_of(entries, "own_model"))


def judge_of(entries: dict[str, Any], given: Model | None) -> Model:
    """The model that a saved result is about: a shipped one by its name, one of the user's as it is given again."""
    own = own_model(entries)
    if own is None:
        if given is not None:
            raise ModelWanted("this result is about a shipped model, which it names: --model is for one of your own")
        return parse(text_of(entries, "model"))
    if given is None:
        raise ModelWanted(
            f"this result is about a model of your own, {own}, and a saved result runs no code: name it, --model FILE.py:{own}"
        )
    if own != type(given).__name__ or text_of(entries, "model") != str(given):
        raise CertificateError(f"it is about another model: {own}, {text_of(entries, 'model')}")
    return given


def text_of(entries: dict[str, Any], name: str) -> str:
    """The text in a field; CertificateError if there is none."""
    value = entries.get(name)
    if not isinstance(value, str):
        raise CertificateError(f"the field {name!r} is missing or no text")
    return value
