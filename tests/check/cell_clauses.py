"""Does the checker of proofs accept of a register only what holds? Random clauses about small registers, against all orders.

    python -m tests.check.cell_clauses --histories 20000 --seed 1

Every order is played here on one variable. What counts as a write is a matter of definition, and the checker's: whatever changes
some state, or is named as what somebody found.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import linpoint as lp
from linpoint.check.cells import Cells
from linpoint.check.premises import Atom, Literal, Premises
from tests.check import clauses
from tests.check.medium import Record

FORMULAS = ["READWRITE", "READFROM", "ATOMIC", "USED"]


def small(rng: random.Random) -> tuple[str, list[Record]]:
    """Two to five operations on a register over few values; not all of them may be possible."""
    initial = rng.choice([None, None, 0])
    records: list[Record] = []
    for at in range(rng.randint(2, 5)):
        f, value = rng.choice(["read", "write", "write", "cas", "swap"]), rng.randrange(3)
        record: Record = {
            "process": at,
            "f": f,
            "call": 4 * at - rng.randint(0, 9),
            "return": 4 * at + rng.randint(1, 9),
        }
        if f == "cas":
            record |= {"value": [rng.randrange(3), value], "result": rng.random() < 0.5}
        else:
            record |= {
                "value": value if f != "read" else None,
                "result": rng.choice([None, 0, 1, 2]) if f != "write" else None,
            }
        if rng.random() < 0.2:
            del record["return"]
            record |= {"type": "info", "result": None}
        records.append(record)
    return "cas-register" if initial is None else f"cas-register:initial={initial}", records


def after(op: lp.Operation, held: Any) -> Any:
    """What is held after it, where its result is possible; `...` where it is not."""
    if op.f == "write":
        return op.value
    if op.f == "cas":
        before, new = op.value
        does = held == before
        return ... if not op.pending and op.result != does else new if does else held
    if not op.pending and op.result != held:
        return ...
    return op.value if op.f == "swap" else held


def orders(history: lp.History, initial: Any, writes: set[int]) -> Iterator[set[Atom]]:
    """What is true in each order. A pending operation took effect if it changed something; -1 is what was there at first."""
    calls, returns = history.columns.ranks()
    waiting: list[tuple[list[int], list[int], Any, set[Atom]]] = [([], [-1], initial, set())]
    while waiting:
        order, sources, held, true = waiting.pop()
        rest = [op for op in range(len(history)) if op not in order]
        if not rest:
            place = {op: at for at, op in enumerate([-1, *order])}
            yield true | {("before", a, b) for a in place for b in place if place[a] < place[b]} | {("used", -1, -1)}
        for op in rest:
            if any((end := returns[other]) is not None and end < calls[op] for other in rest):
                continue
            new = after(history[op], held)
            if history[op].pending:
                waiting.append(([*order, op], sources, held, true))
                if new == held:
                    continue
            if new is not ...:
                told: set[Atom] = {("used", op, op), ("match", sources[-1], op)}
                waiting.append(([*order, op], [*sources, op] if op in writes else sources, new, true | told))


def compare(seeds: range) -> Counter[str]:
    """How many clauses were accepted, by formula. AssertionError if one does not hold."""
    found: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        spec, records = small(rng)
        history, model = lp.History(records), lp.models.parse(spec)
        checker = Cells.of(history, model, Premises.of("c atom 1 before 0 1\n"))
        truths = list(orders(history, model.initial, set(checker.leaves)))
        operations = [*range(-1, len(history))]
        for _ in range(40):
            about = rng.choices(operations, k=rng.randint(1, 3))
            pairs = [(a, b) for a in about for b in operations if a != b]
            some = [
                pair if rng.random() < 0.5 else pair[::-1]
                for pair in rng.sample(pairs, min(len(pairs), rng.randint(0, 4)))
            ]
            literals: list[Literal] = [((rng.choice(["before", "match"]), *pair), rng.random() < 0.5) for pair in some]
            literals += [(("used", op, op), rng.random() < 0.5) for op in about if rng.random() < 0.4]
            formula = rng.choice(FORMULAS)
            if formula == "READWRITE" and rng.random() < 0.7:  # its own clause, perhaps with a literal less
                sources = [op for op in operations if op != about[0] and rng.random() < 0.9]
                about, literals = (
                    about[:1],
                    [*((("match", op, about[0]), True) for op in sources), (("used", about[0], about[0]), False)],
                )
            told = f"seed {seed}: {formula} {about}: {literals}, {records}"
            found[formula] += clauses.is_accepted(checker, formula, about, literals, truths, told)
    return found


if __name__ == "__main__":
    clauses.main(compare, __doc__)
