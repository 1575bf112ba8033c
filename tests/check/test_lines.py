"""Proofs about stacks, queues and deques: what holds of every line of elements is accepted, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest

import linpoint as lp
from linpoint.check import Proof, ProofError, certify_proof
from linpoint.check.lines import Lines
from linpoint.check.premises import INITIAL, Premises
from tests.check import cell_clauses, clauses

Record = dict[str, Any]


def one_by_one(text: str) -> list[Record]:
    """`push 1; pop -> 1`: one operation after the other; `~` before it: it overlaps the one before; `!`: it is pending."""
    records: list[Record] = []
    for at, part in enumerate(text.split(";")):
        call, _, result = part.strip().lstrip("~!").partition(" -> ")
        f, _, value = call.partition(" ")
        told = {"value": int(value) if value else None, "result": int(result) if result not in ("", "null") else None}
        begin = 10 * at - 10 * part.count("~")
        record = {"process": at, "f": f, **told, "call": begin} | (
            {"type": "info"} if "!" in part else {"return": 10 * at + 5}
        )
        records.append(record)
    return records


CONTAINERS: list[tuple[str, list[Record]]] = [
    ("stack", one_by_one("push 1; push 1; push 2; pop -> 1; pop -> 1; pop -> 2")),
    ("stack:initial=[1,2]", one_by_one("push 1; ~push 1; pop -> 1; pop -> 2; pop -> null")),
    (
        "queue",
        one_by_one(
            "enqueue 1; enqueue 2; ~enqueue 1; peek -> 1; dequeue -> 1; dequeue -> 1; !dequeue; dequeue -> null; dequeue -> 2"
        ),
    ),
    (
        "queue",
        one_by_one(
            "!enqueue 1; enqueue 2; dequeue -> 2; enqueue 1; dequeue -> 1; dequeue -> null; peek -> 1; dequeue -> 1; peek -> 1"
        ),
    ),
    (
        "deque:initial=[3]",
        one_by_one("push_front 1; push_back 1; ~push_back 2; pop_back -> 1; pop_front -> 2; peek_front -> 1"),
    ),
]
"""Violations, whose refutations need every kind of premise."""


@pytest.mark.parametrize(("model", "records"), CONTAINERS)
def test_what_is_changed_in_a_proof_is_noticed(model: str, records: list[Record]) -> None:
    history = lp.History(records)
    result = lp.check(history, model, method="solve", proof=True)
    proof = result.proof
    assert proof is not None
    assert "no order fulfils" in certify_proof(history, result.model, proof)
    rows = proof.cnf.splitlines()
    for at, row in enumerate(rows):
        literals = row.split()[:-1]
        if row[0] in "cp":
            continue
        for literal in literals:  # a clause that says more, and one that says the opposite
            for instead in ([], [str(-int(literal))] if len(literals) < 3 else []):
                changed = " ".join([*(word for word in literals if word != literal), *instead, "0"])
                with pytest.raises(ProofError):
                    certify_proof(
                        history, result.model, Proof("\n".join([*rows[:at], changed, *rows[at + 1 :]]), proof.drat)
                    )
    invented = re.sub(
        r"p cnf (\d+) (\d+)", r"c clause 1 LIFO 0 1 2\np cnf \1 \2\n1 0", re.sub("c clause.*\n", "", proof.cnf)
    )
    with pytest.raises(ProofError):
        certify_proof(history, result.model, Proof(invented, proof.drat))
    with pytest.raises(ProofError, match="the last step is not"):
        certify_proof(history, result.model, Proof(proof.cnf, ""))


def test_a_proof_is_about_its_history() -> None:
    for model, records in CONTAINERS:
        proof = lp.check(lp.History(records), model, method="solve", proof=True).proof
        assert proof is not None
        for at, record in enumerate(
            records
        ):  # without this operation, or with another answer, there is an order, or another proof
            others = [records[:at] + records[at + 1 :]]
            if record["result"] is not None:
                others.append([*records[:at], record | {"result": 3 - record["result"]}, *records[at + 1 :]])
            for other in others:
                history = lp.History(other)
                judged = lp.check(history, model)
                if judged.verdict is lp.Verdict.LINEARIZABLE:
                    with pytest.raises(ProofError):
                        certify_proof(history, judged.model, proof)


def test_a_lemma_that_was_dropped_is_missed() -> None:
    spoilt = tried = 0
    for model, records in CONTAINERS:
        history = lp.History(records)
        result = lp.check(history, model, method="solve", proof=True)
        assert result.proof is not None
        numbered = Premises.of(result.proof.cnf)
        tried += len(numbered.clauses)
        for at in range(len(numbered.clauses)):
            kept = [row for row in result.proof.cnf.splitlines() if row[0] == "c" and "clause" not in row]
            names = [numbered.names[number] for number in range(1, len(numbered.clauses) + 1) if number != at + 1]
            rows = [row for row in result.proof.cnf.splitlines() if row[0] not in "cp"]
            kept += [
                f"c clause {number} {name} {' '.join(map(_written, binding))}"
                for number, (name, binding) in enumerate(names, 1)
            ]
            kept += rows[:at] + rows[at + 1 :]
            try:
                certify_proof(history, result.model, Proof("\n".join(kept), result.proof.drat))
            except ProofError as error:
                spoilt += "does not follow" in str(error)
    assert spoilt == tried >= 15, "every premise is needed"


def _written(op: int) -> str:
    return str(op) if op >= 0 else f"initial{INITIAL - op}"


def lines(model: str, records: list[Record]) -> tuple[Lines, lp.History]:
    history = lp.History(records)
    found = Lines.of(history, lp.models.parse(model), Premises.of("c atom 1 before 0 1\n"))
    assert found is not None
    return found, history


def test_only_what_holds_in_every_order_is_accepted() -> None:
    accepted = clauses.compare(range(100))
    assert accepted["LIFO"] > 1000, "by trying all orders of few operations"
    assert min(accepted[formula] for formula in ("ADDREM", "GONE", "HEIGHT")) > 2, "by counting"
    accepted = cell_clauses.compare(range(400))
    assert min(accepted[formula] for formula in cell_clauses.FORMULAS) > 50


def test_what_counts_over_the_whole_history() -> None:
    checker, _ = lines(
        "stack", one_by_one("push 1; push 2; pop -> 2; pop -> 1; push 1; pop -> 1; push 1; push 3; pop -> 1")
    )
    sources = [(("match", add, 5), True) for add in (0, 4, 6)]
    assert checker.holds("ADDREM", [5], frozenset(sources[:2])), "the third was called later"
    assert not checker.holds("ADDREM", [5], frozenset(sources[1:]))
    assert checker.holds("HEIGHT", [0, 5], frozenset([(("match", 0, 5), False)])), "it is out"
    assert checker.holds("HEIGHT", [6, 8], frozenset([(("match", 6, 8), False)])), "another is above it"
    assert not checker.holds("HEIGHT", [4, 5], frozenset([(("match", 4, 5), False)]))
    gone = (("gone", 0, 6), False)
    takers = [(("match", 0, taker), True) for taker in (3, 5)]
    assert checker.holds("GONE", [0, 6], frozenset([gone, *takers]))
    assert not checker.holds("GONE", [0, 6], frozenset([gone, takers[0]]))
    for formula, about in (("ADDREM", [0]), ("GONE", [2, 5]), ("ATOMIC", [1, 1])):
        with pytest.raises(ProofError):
            checker.holds(formula, about, frozenset())
    queue, _ = lines("queue", one_by_one("enqueue 1; enqueue 2; dequeue -> 1; dequeue -> 2; dequeue -> 1"))
    assert not queue.holds("HEIGHT", [0, 4], frozenset([(("match", 0, 4), False)])), "a queue has no height to speak of"
