"""Does a proof show that no order explains a history? A small checker that believes nothing the solver says.

A proof is two files: premises in DIMACS, each with a comment that names a formula and operations, and steps in DRAT. It
proves a violation when (a) every premise is an instance of its formula for this history and this model, (b) every step
follows from the clauses before it by unit propagation (assume it false, and some clause has no literal left), and (c) the
last step is the empty clause.

For (a) the model is run in Python on all states that the operations of the part lead to. Call those that change a state, or
that the proof takes for sources, *writes*: each must leave the same state wherever it takes effect, and all others must leave
every state as it is. Then, in every order, `match(w, r)`: "w is the last write before r" fulfils

    READWRITE r              r found one of the writes that leave a state in which r is possible, or r did not take effect
    READWRITE r w            match(w, r) → before(w, r)
    READFROM x r w           match(w, r) ∧ before(x, r) → before(x, w), if x is a write that takes effect
    ATOMIC a b c …           not: a before b, b before c, … and the last before a
    USED w r x               match(w, r) → x took effect, if x is w or r

whatever the order is, so clauses that contradict each other leave none. Literals that real time makes false may be missing.
Costs a step of the model per kind of operation and state, and one propagation per step of the proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from linpoint.check.certify import part_of_operation
from linpoint.errors import LinpointError
from linpoint.history import History
from linpoint.models import Model, Runner, parse, split

INITIAL = -1
"""What was there at first, as an operation."""

NOWHERE = -1
"""The state that an operation leaves which is possible in no state, or (pending) changes none."""

Atom: TypeAlias = tuple[str, int, int]
"""("before", a, b), ("match", w, r) or ("used", a, a)."""
Literal: TypeAlias = tuple[Atom, bool]
Clause: TypeAlias = frozenset[Literal]


class ProofError(LinpointError):
    """Why a proof proves nothing."""


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
    read = _Read.of(proof.cnf)
    facts = _Facts.of(history, model, read)
    for number, clause in enumerate(read.clauses, 1):
        if number not in read.names:
            raise ProofError(f"clause {number} names no formula")
        formula, binding = read.names[number]
        needed = _simplified(facts, formula, binding)
        if needed is not None and not needed <= clause:
            raise ProofError(f"clause {number} says more than {formula} of {_listed(binding)}")
    steps = _refuted(read, proof.drat)
    made = f"{len(read.clauses):,} instance{'s'[: len(read.clauses) != 1]} of formulas"
    return f"violation ({model}): no order fulfils {made}, by {steps:,} step{'s'[: steps != 1]} of unit propagation"


def _listed(operations: Sequence[int]) -> str:
    return ", ".join("what was there at first" if op == INITIAL else f"operation {op}" for op in operations)


@dataclass
class _Read:
    """The premises as they stand in the file."""

    atoms: dict[int, Atom] = field(default_factory=dict)
    names: dict[int, tuple[str, list[int]]] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> _Read:
        read = cls()
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            try:
                if words[:2] == ["c", "atom"]:
                    read.atoms[int(words[2])] = _atom(words[3], [_operation(word) for word in words[4:]])
                elif words[:2] == ["c", "clause"]:
                    read.names[int(words[2])] = words[3], [_operation(word) for word in words[4:]]
                elif words and words[0] not in ("c", "p"):
                    read.clauses.append(frozenset(read.literal(code) for code in _codes(words)))
            except (ValueError, IndexError, KeyError):
                raise ProofError(f"line {number} of the premises cannot be read") from None
        if len({_canonical(atom, True)[0] for atom in read.atoms.values()}) < len(read.atoms):
            raise ProofError("two variables stand for the same")
        return read

    def literal(self, code: int) -> Literal:
        return _canonical(self.atoms[abs(code)], code > 0)

    def operations(self) -> set[int]:
        named = {op for _, binding in self.names.values() for op in binding}
        return {op for _, *about in self.atoms.values() for op in about} | named


def _operation(word: str) -> int:
    return INITIAL if word == "initial" else int(word)


def _atom(kind: str, about: list[int]) -> Atom:
    if kind == "used":
        [operation] = about
        return kind, operation, operation
    first, second = about
    if kind not in ("before", "match") or first == second:
        raise ValueError(kind)
    return kind, first, second


def _codes(words: list[str]) -> list[int]:
    *codes, end = map(int, words)
    if end != 0 or 0 in codes:
        raise ValueError(words)
    return codes


@dataclass
class _Facts:
    """What is known of the operations of one part without any solver."""

    scope: set[int]
    calls: Sequence[int]
    returns: Sequence[int | None]
    leaves: dict[int, int]
    """The state that each write leaves, the initial one included."""
    possible: dict[int, frozenset[int]]
    """The states in which each operation takes effect; a pending one does where it changes something."""

    @classmethod
    def of(cls, history: History, model: Model, read: _Read) -> _Facts:
        named = read.operations() - {INITIAL}
        if not named or not all(0 <= op < len(history) for op in named):
            raise ProofError("it names operations that this history does not have, or none")
        scope = part_of_operation(history, model, min(named))
        if not named <= set(scope):
            raise ProofError("it names operations that failed, or of several parts at once")
        sources = {atom[1] for atom in read.atoms.values() if atom[0] == "match"} - {INITIAL}
        sources |= {binding[0] for formula, binding in read.names.values() if formula == "READFROM"} - {INITIAL}
        calls, returns = history.columns.ranks()
        facts = cls(set(scope), calls, returns, {}, {})
        facts._run(history, model, scope, sources)
        return facts

    def _run(self, history: History, model: Model, scope: Sequence[int], sources: set[int]) -> None:
        """Runs one operation of each kind in every state that is ever reached."""
        kinds, _ = split(history, model)
        runner = Runner(model)
        states = [runner.initial()]
        self.leaves[INITIAL] = states[0]
        examples = {kinds.codes[op]: history[op] for op in scope}
        after: dict[int, dict[int, list[int]]] = {kind: {} for kind in examples}
        for state in states:  # grows while it is walked
            for kind, example in examples.items():
                after[kind][state] = reached = runner.step(state, example)
                states += [new for new in reached if new not in states]
        for op in scope:
            outcome = after[kinds.codes[op]]
            pending = self.returns[op] is None
            changed = {new for state, reached in outcome.items() for new in reached if new != state}
            if changed or op in sources:
                left = changed or {new for reached in outcome.values() for new in reached if not pending} or {NOWHERE}
                if len(left) > 1:
                    raise ProofError(f"operation {op} does not always leave the same")
                [self.leaves[op]] = left
                allowed = [{*left, state} if pending else left for state in outcome]
                if not all(set(reached) <= may for reached, may in zip(outcome.values(), allowed, strict=True)):
                    raise ProofError(f"it is not known what operation {op} did")
            fits = [state for state, reached in outcome.items() if any(new != state or not pending for new in reached)]
            self.possible[op] = frozenset(fits)

    def precedes(self, first: int, second: int) -> bool:
        """Had the first returned when the second was called?"""
        if INITIAL in (first, second):
            return first == INITIAL
        end = self.returns[first]
        return end is not None and end < self.calls[second]

    def is_false(self, atom: Atom) -> bool:
        kind, first, second = atom
        return kind in ("before", "match") and self.precedes(second, first)

    def is_true(self, atom: Atom) -> bool:
        kind, first, second = atom
        if kind == "used":
            return first == INITIAL or self.returns[first] is not None
        return kind == "before" and self.precedes(first, second)


def _simplified(facts: _Facts, formula: str, binding: list[int]) -> Clause | None:
    """What an instance says beyond real time; None if that makes it true."""
    clause: set[Literal] = set()
    for atom, positive in _instance(facts, formula, binding):
        if facts.is_true(atom) or facts.is_false(atom):
            if facts.is_true(atom) == positive:
                return None
            continue
        clause.add(_canonical(atom, positive))
    return frozenset(clause)


def _canonical(atom: Atom, positive: bool) -> Literal:
    """Of two operations one is first: `a before b` is `not b before a`."""
    kind, first, second = atom
    return ((kind, second, first), not positive) if kind == "before" and first > second else (atom, positive)


def _instance(facts: _Facts, formula: str, binding: list[int]) -> Iterable[Literal]:
    """The clause of a formula about these operations. ProofError if it is none."""
    match formula, binding:
        case "READWRITE", [found]:
            fits = [w for w, left in facts.leaves.items() if w != found and left in facts.possible.get(found, ())]
            return [*((("match", w, found), True) for w in fits), (("used", found, found), False)]
        case "READWRITE", [found, write] if found != write:
            return [(("match", write, found), False), (("before", write, found), True)]
        case "READFROM", [other, found, write] if len({other, found, write}) == 3 and other in facts.leaves:
            denied = [
                (("match", write, found), False),
                (("before", other, found), False),
                (("used", other, other), False),
            ]
            return [*denied, (("before", other, write), True)]
        case "ATOMIC", [_, _, *_] if len(set(binding)) == len(binding):
            rest = [*binding[1:], binding[0]]
            return [(("before", a, b), False) for a, b in zip(binding, rest, strict=True)]
        case "USED", [write, found, op] if op in (write, found):
            return [(("match", write, found), False), (("used", op, op), True)]
    raise ProofError(f"{formula} of {_listed(binding)} is no formula that is known")


def _refuted(read: _Read, drat: str) -> int:
    """Checks the steps; how many there are."""
    codes = {literal: code for number in read.atoms for code in (number, -number) for literal in [read.literal(code)]}
    board = _Board([codes[literal] for literal in clause] for clause in read.clauses)
    count, done = 0, False
    for number, line in enumerate(drat.splitlines(), 1):
        words = line.split()
        if not words or words[0] in ("c", "d"):
            continue  # a clause that is never deleted does no harm
        try:
            step = _codes(words)
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
    """Clauses, two literals of each watched, and what follows from assumptions."""

    def __init__(self, clauses: Iterable[list[int]]) -> None:
        self.watched: dict[int, list[list[int]]] = {}
        self.units: list[int] = []
        self.is_refuted = False
        for clause in clauses:
            self.add(clause)

    def add(self, clause: list[int]) -> None:
        clause = sorted(set(clause))
        if not clause:
            self.is_refuted = True
        elif len(clause) == 1:
            self.units += clause
        else:
            for code in clause[:2]:
                self.watched.setdefault(code, []).append(clause)

    def refutes(self, assumed: list[int]) -> bool:
        """Does unit propagation end in a contradiction?"""
        true: set[int] = set()
        waiting = [*assumed, *self.units]
        while waiting and not self.is_refuted:
            code = waiting.pop()
            if -code in true:
                return True
            if code in true:
                continue
            true.add(code)
            stays: list[list[int]] = []
            for clause in self.watched.get(-code, ()):
                if clause[0] == -code:
                    clause[0], clause[1] = clause[1], clause[0]
                other = next((i for i in range(2, len(clause)) if -clause[i] not in true), None)
                if clause[0] in true or other is None:
                    stays.append(clause)
                    waiting.append(clause[0])
                else:
                    clause[1], clause[other] = clause[other], clause[1]
                    self.watched.setdefault(clause[1], []).append(clause)
            self.watched[-code] = stays
        return self.is_refuted
