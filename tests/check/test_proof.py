"""A violation that the solver finds comes with a proof, and the checker of proofs believes nothing that is not shown."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import linpoint as lp
from linpoint.check import Proof, ProofError, certify_proof, model_of
from tests.check.proofs import MODELS, compare
from tests.check.test_lines import CONTAINERS
from tests.conftest import ROOT

STALE = [
    {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
    {"process": 1, "f": "write", "value": 1, "call": 0, "return": 3},
    {"process": 2, "f": "write", "value": 2, "call": 4, "return": 5},
    {"process": 0, "f": "read", "result": 1, "call": 6, "return": 7},
]
TAKING_TURNS = [
    {"process": 0, "f": "write", "value": 1, "call": 0, "return": 9},
    {"process": 1, "f": "write", "value": 2, "call": 0, "return": 9},
    *(
        {"process": 2, "f": "read", "result": value, "call": 10 + 2 * at, "return": 11 + 2 * at}
        for at, value in enumerate([1, 2, 1])
    ),
]


def proved(records: list[dict[str, object]], model: str = "register") -> tuple[lp.History, Proof]:
    history = lp.History(records)
    result = lp.check(history, model, method="solve", proof=True)
    assert result.verdict is lp.Verdict.VIOLATION
    assert result.proof is not None
    return history, result.proof


UNSOLVED = {f"medium-{model}" for model in ("append-list", "bag", "mutex", "priority-queue", "semaphore", "set")}


@pytest.mark.parametrize("model", [model for model in MODELS if model not in UNSOLVED])
def test_every_refutation_is_proved(model: str) -> None:
    found = compare(model, range(40 if model.startswith("medium") else 150))
    assert found["proofs"] > 10
    assert found["linearizable"] > 10


@pytest.mark.parametrize("model", sorted(UNSOLVED - {"medium-semaphore"}))  # which takes seconds where it is hard
def test_what_the_solver_declines_a_theory_decides(model: str) -> None:
    found = compare(model, range(40), method="symbolic")
    assert found["violation"] > 10
    assert found["linearizable"] > 10


@pytest.mark.parametrize("records", [STALE, TAKING_TURNS])
def test_what_is_changed_is_noticed(records: list[dict[str, object]]) -> None:
    history, proof = proved(records)
    assert "by" in certify_proof(history, lp.models.Register(), proof)
    rows = proof.cnf.splitlines()
    for at, row in enumerate(rows):
        if row[0] in "cp":
            continue
        for literal in row.split()[:-1]:  # a clause with a literal less says more than its formula, and so on
            less = " ".join(word for word in row.split() if word != literal)
            with pytest.raises(ProofError):
                certify_proof(
                    history, lp.models.Register(), Proof("\n".join([*rows[:at], less, *rows[at + 1 :]]), proof.drat)
                )
    with pytest.raises(ProofError, match="names no formula"):
        certify_proof(history, lp.models.Register(), Proof(re.sub(r"c clause.*\n", "", proof.cnf), proof.drat))


def test_a_proof_needs_its_steps_and_its_history() -> None:
    history, proof = proved(TAKING_TURNS)
    with pytest.raises(ProofError, match="the last step is not the empty clause"):
        certify_proof(history, lp.models.Register(), Proof(proof.cnf, ""))
    with pytest.raises(ProofError, match="does not follow"):
        certify_proof(history, lp.models.Register(), Proof(re.sub(r"(p cnf.*\n)[^§]*", r"\1", proof.cnf), "0\n"))
    fine = lp.History([*TAKING_TURNS[:-1], {**TAKING_TURNS[-1], "result": 2}])
    with pytest.raises(ProofError, match="says more than READWRITE"):
        certify_proof(fine, lp.models.Register(), proof)
    with pytest.raises(ProofError, match="says more than READWRITE"):
        certify_proof(history, lp.models.Register(initial=1), Proof(proof.cnf.replace("initial", "0"), proof.drat))
    for broken in ("1 2\n", "c atom 1 around 0 1\n", "c atom x\n", "c atom 1 match 0 99\n"):
        with pytest.raises(ProofError):
            certify_proof(history, lp.models.Register(), Proof(proof.cnf + broken, proof.drat))


def test_only_the_solver_writes_proofs() -> None:
    with pytest.raises(lp.UsageError, match="a proof is for"):
        lp.check(lp.History(STALE), "register", proof=True)
    assert lp.check(lp.History(STALE[:3]), "register", method="solve", proof=True).proof is None
    with pytest.raises(ProofError, match="does not name a model"):
        model_of("p cnf 0 0\n")


@pytest.mark.timeout(1200)  # the checker is built once
def test_a_stock_checker_accepts_the_steps(tmp_path: Path) -> None:
    """`rate` of the crates of Rust checks DRAT; the premises it takes as they are."""
    tools = ROOT / "target" / "tools"
    cargo = shutil.which("cargo")
    assert cargo is not None
    if not (tools / "bin" / "rate").exists():
        command = [cargo, "install", "--quiet", "--root", str(tools), "--version", "0.3.0", "rate"]
        subprocess.run(command, check=True, capture_output=True)
    for model, records in (("register", STALE), ("register", TAKING_TURNS), *CONTAINERS):
        _, proof = proved(records, model)
        premises, steps = tmp_path / "p.cnf", tmp_path / "p.drat"
        premises.write_text(proof.cnf, encoding="utf-8")
        steps.write_text(proof.drat, encoding="utf-8")
        checked = subprocess.run([tools / "bin" / "rate", premises, steps], capture_output=True, text=True, check=False)
        assert "s VERIFIED" in checked.stdout, checked.stdout


TRUE_ANYWAY = "c clause 1 ATOMIC 0 1\np cnf 0 1\n0\n"
NOBODY_FINDS = "c atom 1 match 0 1\nc clause 1 READWRITE initial\nc clause 2 READWRITE initial\np cnf 1 2\n1 0\n-1 0\n"
TWICE = "c atom 1 before 0 1\nc clause 1 ATOMIC 0 1\n1 0\nc atom 1 before 1 0\n"


@pytest.mark.parametrize(
    ("model", "first", "second"),
    [
        ("register", "write", "read"),
        ("stack", "push", "pop"),
        ("queue", "enqueue", "dequeue"),
        ("counter", "add", "read"),
    ],
)
@pytest.mark.parametrize("cnf", [TRUE_ANYWAY, NOBODY_FINDS, TWICE])
def test_nothing_proves_that_what_is_linearizable_is_not(model: str, first: str, second: str, cnf: str) -> None:
    """Real time proves nothing else; what was there at first found nothing; a name is given once; a counter is no cell."""
    history = lp.History(
        [
            {"process": 0, "f": first, "value": 1, "call": 0, "return": 1},
            {"process": 0, "f": second, "result": 1, "call": 2, "return": 3},
        ]
    )
    assert lp.check(history, model).verdict is lp.Verdict.LINEARIZABLE
    with pytest.raises(ProofError):
        certify_proof(history, lp.models.parse(model), Proof(cnf, "0\n"))


def test_a_line_ends_at_a_line_feed_only() -> None:
    history, proof = proved([{"process": 0, "f": "read", "result": "q", "call": 0, "return": 1}], "register:initial=a")
    odd = lp.models.parse('register:initial="a\u2028b\u0085c"')
    certify_proof(history, odd, Proof(proof.headed(odd), proof.drat))
