"""What does a proof claim? The premises of a proof file, read, and what real time says of them.

Premises are DIMACS; comments say what each variable stands for (`c atom 3 before 0 2`) and which formula, applied to which
operations, each clause is (`c clause 1 LIFO 0 3 1`). Operations are numbers of the history; `initial` is what was there at first,
`initial0`, `initial1`, … where that is several things. Linear in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from linpoint.check.certify import part_of_operation
from linpoint.errors import LinpointError
from linpoint.history import History
from linpoint.models import Model

T = TypeVar("T")

INITIAL = -1
"""What was there at first, as an operation; the second thing is -2, and so on."""

Atom: TypeAlias = tuple[str, int, int]
"""("before", a, b), ("match", w, r), ("used", a, a) or ("gone", a, x)."""
Literal: TypeAlias = tuple[Atom, bool]
Clause: TypeAlias = frozenset[Literal]

KINDS = ("before", "match", "gone")
"""The atoms about two operations."""


class ProofError(LinpointError):
    """Why a proof proves nothing."""


@dataclass
class Premises:
    """The premises as they stand in the file."""

    atoms: dict[int, Atom] = field(default_factory=dict)
    names: dict[int, tuple[str, list[int]]] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Premises:
        """Reads a file. ProofError if that cannot be done."""
        read = cls()
        for number, line in enumerate(text.split("\n"), 1):
            words = line.split()
            try:
                if words[:2] == ["c", "atom"]:
                    _new(read.atoms, int(words[2]), _atom(words[3], [_operation(word) for word in words[4:]]))
                elif words[:2] == ["c", "clause"]:
                    _new(read.names, int(words[2]), (words[3], [_operation(word) for word in words[4:]]))
                elif words and words[0] not in ("c", "p"):
                    read.clauses.append(frozenset(read.literal(code) for code in codes(words)))
            except (ValueError, IndexError, KeyError):
                raise ProofError(f"line {number} of the premises cannot be read") from None
        if not all(1 <= number <= len(read.atoms) for number in read.atoms):
            raise ProofError("the variables are not numbered from 1")
        if len({canonical(atom, True)[0] for atom in read.atoms.values()}) < len(read.atoms):
            raise ProofError("two variables stand for the same")
        return read

    def literal(self, code: int) -> Literal:
        """What a literal of DIMACS stands for."""
        return canonical(self.atoms[abs(code)], code > 0)

    def scope(self, history: History, model: Model, starts: int) -> list[int]:
        """All operations of the part that it is about, where `starts` things were there at first, or a ProofError."""
        named = {op for _, binding in self.names.values() for op in binding}
        named |= {op for _, *about in self.atoms.values() for op in about}
        recorded = {op for op in named if op >= 0}
        if not recorded or not all(-starts <= op < len(history) for op in named):
            raise ProofError("it names operations that this history does not have, or none")
        scope = part_of_operation(history, model, min(recorded))
        if not recorded <= set(scope):
            raise ProofError("it names operations that failed, or of several parts at once")
        return scope


def _new(told: dict[int, T], number: int, what: T) -> None:
    if number in told:
        raise ValueError(number)
    told[number] = what


def _operation(word: str) -> int:
    if word.startswith("initial"):
        return INITIAL - int(word.removeprefix("initial") or 0)
    return int(word)


def _atom(kind: str, about: list[int]) -> Atom:
    if kind == "used":
        [operation] = about
        return kind, operation, operation
    first, second = about
    if kind not in KINDS or first == second:
        raise ValueError(kind)
    return kind, first, second


def codes(words: list[str]) -> list[int]:
    """The literals of a line of DIMACS or DRAT. ValueError if it is none."""
    *found, end = map(int, words)
    if end != 0 or 0 in found:
        raise ValueError(words)
    return found


def canonical(atom: Atom, positive: bool) -> Literal:
    """Of two operations one is first: `a before b` is `not b before a`."""
    kind, first, second = atom
    return ((kind, second, first), not positive) if kind == "before" and first > second else (atom, positive)


def listed(operations: Sequence[int]) -> str:
    """Operations in words."""
    return ", ".join("what was there at first" if op < 0 else f"operation {op}" for op in operations)


@dataclass(frozen=True)
class RealTime:
    """When operations were called and returned; `starts` things were there at first, one after the other."""

    calls: Sequence[int]
    returns: Sequence[int | None]
    starts: int

    @classmethod
    def of(cls, history: History, starts: int) -> RealTime:
        """That of a history."""
        calls, returns = history.columns.ranks()
        return cls(calls, returns, starts)

    def call(self, op: int) -> int:
        """The rank of its call."""
        return self.calls[op] if op >= 0 else INITIAL - op - self.starts

    def end(self, op: int) -> int | None:
        """The rank of its return; None if it is pending."""
        return self.returns[op] if op >= 0 else self.call(op)

    def precedes(self, first: int, second: int) -> bool:
        """Had the first returned when the second was called?"""
        end = self.end(first)
        return end is not None and end < self.call(second)

    def is_false(self, atom: Atom) -> bool:
        """Whatever the order is."""
        kind, first, second = atom
        return kind in ("before", "match") and self.precedes(second, first)

    def is_true(self, atom: Atom) -> bool:
        """Whatever the order is."""
        kind, first, second = atom
        if kind == "used":
            return self.end(first) is not None
        return kind == "before" and self.precedes(first, second)

    def simplified(self, literals: Sequence[Literal]) -> Clause | None:
        """What a clause says beyond real time; None if that makes it true."""
        clause: set[Literal] = set()
        for atom, positive in literals:
            if self.is_true(atom) or self.is_false(atom):
                if self.is_true(atom) == positive:
                    return None
                continue
            clause.add(canonical(atom, positive))
        return frozenset(clause)

    def implies(self, instance: Sequence[Literal], clause: Clause) -> bool:
        """Is the clause true because this instance of a formula is, or by real time alone?

        An instance that real time makes true says nothing: from `not a before b`, where b had returned when a was called, nothing
        else follows.
        """
        needed = self.simplified(instance)
        return (needed is not None and needed <= clause) or self.simplified([*clause]) is None


def round_of(operations: Sequence[int]) -> list[Literal]:
    """Not: each before the next, and the last before the first. ProofError if one comes twice."""
    if len(operations) < 2 or len(set(operations)) < len(operations):
        raise ProofError(f"ATOMIC of {listed(operations)} is no round")
    rest = [*operations[1:], operations[0]]
    return [(("before", a, b), False) for a, b in zip(operations, rest, strict=True)]
