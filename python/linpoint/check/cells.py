"""Which premises hold of a register, a map or any cell that holds one value? From the Python model alone.

The model is run on all states that the operations of the part lead to. Call those that change a state, or that the proof
takes for sources, *writes*: each must leave the same state wherever it takes effect, and all others must leave every state as it
is. Then, in every order, `match(w, r)`: "w is the last write before r" fulfils

    READWRITE r              r found one of the writes that leave a state in which r is possible, or r did not take effect
    READWRITE r w            match(w, r) → before(w, r)
    READFROM x r w           match(w, r) ∧ before(x, r) → before(x, w), if x is a write that takes effect
    ATOMIC a b c …           not: a before b, b before c, … and the last before a
    USED w r x               match(w, r) → x took effect, if x is w or r

Costs a step of the model per kind of operation and state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from linpoint.check.premises import INITIAL, Clause, Literal, Premises, ProofError, RealTime, listed, round_of
from linpoint.history import History
from linpoint.models import Model, Runner, split

NOWHERE = -1
"""The state that an operation leaves which is possible in no state, or (pending) changes none."""


@dataclass
class Cells:
    """What is known of the operations of one part without any solver."""

    time: RealTime
    leaves: dict[int, int] = field(default_factory=dict)
    """The state that each write leaves, the initial one included."""
    possible: dict[int, frozenset[int]] = field(default_factory=dict)
    """The states in which each operation takes effect; a pending one does where it changes something."""

    @classmethod
    def of(cls, history: History, model: Model, read: Premises) -> Cells:
        """Runs the model. ProofError if it is no cell."""
        sources = {atom[1] for atom in read.atoms.values() if atom[0] == "match"} - {INITIAL}
        sources |= {binding[0] for formula, binding in read.names.values() if formula == "READFROM"} - {INITIAL}
        facts = cls(RealTime.of(history, 1))
        facts._run(history, model, read.scope(history, model, 1), sources)
        return facts

    def _run(self, history: History, model: Model, scope: Sequence[int], sources: set[int]) -> None:
        """Runs one operation of each kind in every state that is ever reached."""
        kinds, _ = split(history, model)
        runner = Runner(model)
        states = [runner.initial()]
        known = set(states)
        self.leaves[INITIAL] = states[0]
        examples = {kinds.codes[op]: history[op] for op in scope}
        after: dict[int, dict[int, list[int]]] = {kind: {} for kind in examples}
        for state in states:  # grows while it is walked
            for kind, example in examples.items():
                after[kind][state] = reached = runner.step(state, example)
                states += dict.fromkeys(new for new in reached if new not in known)
                known.update(reached)
                if len(states) > len(scope) + 1:
                    raise ProofError("it is no cell of one value: there are more states than operations that leave one")
        for op in scope:
            outcome = after[kinds.codes[op]]
            pending = self.time.end(op) is None
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

    def holds(self, formula: str, binding: list[int], clause: Clause) -> bool:
        """Does the clause say no more than this instance of the formula? ProofError if there is no such instance."""
        return self.time.implies(self._instance(formula, binding), clause)

    def _instance(self, formula: str, binding: list[int]) -> list[Literal]:
        match formula, binding:
            case "READWRITE", [found] if found in self.possible:
                fits = [w for w, left in self.leaves.items() if w != found and left in self.possible[found]]
                return [*((("match", w, found), True) for w in fits), (("used", found, found), False)]
            case "READWRITE", [found, write] if found != write:
                return [(("match", write, found), False), (("before", write, found), True)]
            case "READFROM", [other, found, write] if len({other, found, write}) == 3 and other in self.leaves:
                denied = [
                    (("match", write, found), False),
                    (("before", other, found), False),
                    (("used", other, other), False),
                ]
                return [*denied, (("before", other, write), True)]
            case "ATOMIC", _:
                return [*round_of(binding)]
            case "USED", [write, found, op] if op in (write, found):
                return [(("match", write, found), False), (("used", op, op), True)]
        raise ProofError(f"{formula} of {listed(binding)} is no formula that is known")
