"""Does a certificate prove what it says, and nothing else?"""

from __future__ import annotations

import json
from typing import Any

import pytest

import linpoint as lp
from linpoint.explain.certificate import CertificateError, certificate
from linpoint.explain.validate import validate

STALE = [
    {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
    {"process": 0, "f": "write", "value": 2, "call": 2, "return": 3},
    {"process": 1, "f": "read", "result": 1, "call": 4, "return": 5},
]
FINE = [*STALE[:2], {**STALE[2], "result": 2}]


def saved(records: list[dict[str, Any]]) -> tuple[dict[str, Any], lp.History]:
    history = lp.History(records)
    return json.loads(json.dumps(certificate(lp.explain(lp.check(history, "register"))))), history


def test_an_honest_certificate_holds() -> None:
    assert validate(*saved(FINE)) == "linearizable (register): the witness of 3 operations was replayed and is right"
    words = "violation (register): no order explains the 3 operations of the counterexample, whatever the rest did"
    assert validate(*saved(STALE)) == words


@pytest.mark.parametrize(
    ("witness", "complaint"),
    [
        ([0, 2, 1], "before"),
        ([0, 1], "lacks operation 2"),
        ([0, 1, 2, 2], "twice"),
        ([0, 1, 7], "does not exist"),
        ([1, 0, 2], "before"),
        ("012", "needs a witness"),
        ([0, 1, True], "needs a witness"),
    ],
)
def test_a_tampered_witness_is_rejected(witness: object, complaint: str) -> None:
    certificate, history = saved(FINE)
    with pytest.raises(CertificateError, match=complaint):
        validate({**certificate, "witness": witness}, history)


def changed(certificate: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The certificate with another explanation."""
    return {**certificate, "explanation": {**certificate["explanation"], **changes}}


def test_a_tampered_counterexample_is_rejected() -> None:
    certificate, history = saved(STALE)
    kept = certificate["counterexample"]
    with pytest.raises(CertificateError, match="is not what the history has"):
        validate({**certificate, "counterexample": [{**kept[0], "value": 3}, *kept[1:]]}, history)
    with pytest.raises(CertificateError, match="does not exist"):
        validate({**certificate, "counterexample": [{**kept[0], "operation": 9}]}, history)
    with pytest.raises(CertificateError, match="needs a counterexample"):
        validate({**certificate, "counterexample": None}, history)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"accused": 1}, "accuses two operations"),
        ({"operations": [1, 2]}, "about other operations"),
        ({"claim": "after a cut"}, "claims something else"),
        ({"headline": "VIOLATION (register): no order explains write(2) (process 0, operation 1)"}, "headline"),
        ({"candidates": [{"order": [1, 0], "state": "1", "start": 0}], "order": [1, 0]}, "against the order of time"),
        ({"candidates": [{"order": [2], "state": "1", "start": 0}], "order": [2]}, "not one of the counterexample"),
        ({"cut": {"after": 0, "returned": 1, "part": None, "reachable": []}}, "begins nowhere"),
        ({"words": None}, "cannot be read"),
        ({"words": ["These 3 operations of 9 contradict each other, whatever else happened:"]}, "words say"),
        ({"sequential": [0, 1, 2]}, "not possible"),
    ],
)
def test_a_tampered_explanation_is_rejected(changes: dict[str, Any], complaint: str) -> None:
    certificate, history = saved(STALE)
    with pytest.raises(CertificateError, match=complaint):
        validate(changed(certificate, **changes), history)


def test_a_lone_read_proves_nothing_against_a_history_that_wrote_the_value() -> None:
    certificate, history = saved(STALE)
    lone = certificate["counterexample"][2:]
    words = ["This operation of 3 is impossible, whatever else happened:", "  read() → 1 (process 1, operation 2)"]
    small = {"operations": [2], "candidates": [], "order": [], "sequential": None, "words": words}
    tampered = changed({**certificate, "counterexample": lone}, **small)
    with pytest.raises(CertificateError, match="left out"):
        validate(tampered, history)


def test_it_belongs_to_one_history() -> None:
    certificate, _ = saved(FINE)
    with pytest.raises(CertificateError, match="another history"):
        validate(certificate, lp.History(STALE))


@pytest.mark.parametrize("nonsense", [None, [], {}, {"format": "other"}, {"format": "linpoint result", "version": 1}])
def test_nonsense_is_rejected(nonsense: object) -> None:
    with pytest.raises(CertificateError):
        validate(nonsense, lp.History(FINE))


def test_unknown_proves_nothing() -> None:
    certificate, history = saved(FINE)
    with pytest.raises(CertificateError, match="proves nothing"):
        validate({**certificate, "verdict": "unknown"}, history)


def test_a_crashed_add_whose_value_was_taken_proves_nothing_about_others() -> None:
    history = lp.History(
        [
            {"process": 0, "f": "enqueue", "value": 1, "call": 0},
            {"process": 1, "f": "dequeue", "result": 1, "call": 1, "return": 2},
            {"process": 1, "f": "dequeue", "result": 2, "call": 3, "return": 4},
        ]
    )
    assert "violation" in validate(certificate(lp.explain(lp.check(history, "queue"))), history)
