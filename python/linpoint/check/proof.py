"""Does a proof show that no order explains a history? A small checker that believes nothing the solver says.

A proof is two files: premises in DIMACS, each with a comment that names a formula and operations, and steps in DRAT. It
proves a violation when (a) every premise holds in every order that explains this history by this model, (b) every step
follows from the clauses before it by unit propagation (assume it false, and some clause has no literal left), and (c) the last
step is the empty clause: then there is no such order. Literals that real time makes false may be missing.

(a) is found out by running the model in Python: `cells.py` does it for registers and maps, `lines.py` for stacks, queues and
deques. Costs what they cost, and one propagation per step of the proof: a thousand steps take a second, ten thousand a minute.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from linpoint.check.cells import Cells
from linpoint.check.lines import Lines
from linpoint.check.premises import Premises, ProofError, codes, listed
from linpoint.history import History
from linpoint.models import Model, parse


@dataclass(frozen=True)
class Proof:
    """A refutation of all orders, as the texts of two files."""

    cnf: str
    """The premises, in DIMACS; comments say what the variables and the clauses are."""
    drat: str
    """What follows from them, in DRAT."""

    def headed(self, model: Model) -> str:
        """The premises with a line that says which model they are about."""
        return f"c model {model}\n{self.cnf}"


def model_of(cnf: str) -> Model:
    """The (shipped) model that premises are about, as their first line says. ProofError if it does not."""
    line = cnf.partition("\n")[0]
    if not line.startswith("c model "):
        raise ProofError("the first line of the premises does not name a model")
    return parse(line.removeprefix("c model "))


def certify_proof(history: History, model: Model, proof: Proof) -> str:
    """Validates a proof that a history is a violation: what was proved, in words. ProofError if it is not proved."""
    read = Premises.of(proof.cnf)
    facts = Lines.of(history, model, read) or Cells.of(history, model, read)
    for number, clause in enumerate(read.clauses, 1):
        if number not in read.names:
            raise ProofError(f"clause {number} names no formula")
        formula, binding = read.names[number]
        if not facts.holds(formula, binding, clause):
            raise ProofError(f"clause {number} says more than {formula} of {listed(binding)}")
    steps = _refuted(read, proof.drat)
    made = f"{len(read.clauses):,} instance{'s'[: len(read.clauses) != 1]} of formulas"
    return f"violation ({model}): no order fulfils {made}, by {steps:,} step{'s'[: steps != 1]} of unit propagation"


def _refuted(read: Premises, drat: str) -> int:
    """Checks the steps; how many there are."""
    known = {literal: code for number in read.atoms for code in (number, -number) for literal in [read.literal(code)]}
    board = _Board(([known[literal] for literal in clause] for clause in read.clauses), max(read.atoms, default=0))
    count, done = 0, False
    for number, line in enumerate(drat.split("\n"), 1):
        words = line.split()
        if not words or words[0] in ("c", "d"):
            continue  # a clause that is never deleted does no harm
        try:
            step = codes(words)
            if not all(abs(code) in read.atoms for code in step):
                raise ValueError(words)
        except ValueError:
            raise ProofError(f"line {number} of the steps cannot be read") from None
        if not board.refutes([-code for code in step]):
            raise ProofError(f"step {number} does not follow from the clauses before it")
        board.add(step)
        count, done = count + 1, not step
    if not done:
        raise ProofError("the last step is not the empty clause")
    return count


class _Board:
    """Clauses, two literals of each watched, and what follows from assumptions; what follows without is concluded once."""

    def __init__(self, clauses: Iterable[list[int]], variables: int) -> None:
        self.watched: list[list[list[int]]] = [[] for _ in range(2 * variables + 1)]
        """By literal; negative ones count from the end."""
        self.true = bytearray(2 * variables + 1)
        self.is_refuted = False
        for clause in clauses:
            self.add(clause)

    def add(self, clause: list[int]) -> None:
        """One more clause, which may be taken as true from now on."""
        if any(self.true[code] for code in clause):
            return
        left = sorted({code for code in clause if not self.true[-code]}, key=lambda code: len(self.watched[code]))
        if len(left) > 1:
            for code in left[:2]:
                self.watched[code].append(left)
        elif not left or self._concludes(left, []):
            self.is_refuted = True

    def refutes(self, assumed: list[int]) -> bool:
        """Does unit propagation end in a contradiction?"""
        concluded: list[int] = []
        found = self.is_refuted or self._concludes(assumed, concluded)
        for code in concluded:
            self.true[code] = 0
        return found

    def _concludes(self, waiting: list[int], concluded: list[int]) -> bool:
        """Adds what follows to `concluded`. Did it end in a contradiction?"""
        true, watched = self.true, self.watched
        while waiting:
            code = waiting.pop()
            if true[-code]:
                return True
            if true[code]:
                continue
            true[code] = 1
            concluded.append(code)
            stays: list[list[int]] = []
            for clause in watched[-code]:
                if clause[0] == -code:
                    clause[0], clause[1] = clause[1], clause[0]
                if true[clause[0]]:
                    stays.append(clause)
                    continue
                for at in range(2, len(clause)):
                    if not true[-clause[at]]:
                        clause[1], clause[at] = clause[at], clause[1]
                        watched[clause[1]].append(clause)
                        break
                else:
                    stays.append(clause)
                    waiting.append(clause[0])
            watched[-code] = stays
        return False
