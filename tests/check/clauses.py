"""Does the checker of proofs accept only what holds? Random clauses about random small containers, against all of their orders.

    python -m tests.check.clauses --histories 20000 --seed 1

Every order of a history is played on a line of tokens by `medium.ENDS`, which shares no code with the checker or the models.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator

import linpoint as lp
from linpoint.check.cells import Cells
from linpoint.check.lines import Lines
from linpoint.check.premises import Atom, Literal, Premises, ProofError, canonical
from tests.check.medium import ENDS, Record, container


def small(model: str, rng: random.Random) -> tuple[str, list[Record]]:
    """Four to six operations that happened, some of them pending."""
    spec, step = container(model, rng)
    records: list[Record] = []
    for at in range(rng.randint(4, 6)):
        record = {"process": at, "value": None, **step(), "call": 4 * at - rng.randint(0, 9)}
        record |= {"type": "info", "result": None} if rng.random() < 0.15 else {"return": 4 * at + rng.randint(1, 9)}
        records.append(record)
    return spec, records


def orders(model: str, history: lp.History, initial: list[int]) -> Iterator[set[Atom]]:
    """What is true in each order of the history; what is there at first is numbered from -1 downwards."""
    calls, returns = history.columns.ranks()
    values = {-1 - at: value for at, value in enumerate(initial)} | {at: op.value for at, op in enumerate(history)}
    starts = [-1 - at for at in range(len(initial))]
    waiting: list[tuple[list[int], list[int], set[Atom], dict[int, int]]] = [([], starts, set(), {})]
    while waiting:
        order, line, true, taken = waiting.pop()
        rest = [op for op in range(len(history)) if op not in order]
        if all(returns[op] is None for op in rest):
            place = {op: at for at, op in enumerate([*starts, *order, *rest])}
            told: set[Atom] = {("before", a, b) for a in place for b in place if place[a] < place[b]}
            told |= {("used", op, op) for op in [*starts, *order]}
            gone: set[Atom] = {("gone", a, b) for a, by in taken.items() for b in place if place[by] < place[b]}
            yield true | told | gone
        for op in rest:
            if any((end := returns[other]) is not None and end < calls[op] for other in rest):
                continue
            what, end_of = ENDS[model][history[op].f]
            at = -1 if end_of == "back" else 0
            after = [*order, op]
            if what == "add":
                waiting.append((after, [*line, op] if at else [op, *line], true, taken))
            elif not line:
                if history[op].pending or history[op].result is None:
                    waiting.append((after, line, true, taken))
            elif history[op].pending or values[line[at]] == history[op].result:
                match: Atom = ("match", line[at], op)
                left = line if what == "peek" else line[:-1] if at else line[1:]
                by = taken if what == "peek" else taken | {line[at]: op}
                waiting.append((after, left, true | {match}, by))


def compare(seeds: range) -> Counter[str]:
    """How many clauses were accepted, by formula. AssertionError if one does not hold."""
    found: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        name = rng.choice([*ENDS])
        spec, records = small(name, rng)
        history, model = lp.History(records), lp.models.parse(spec)
        checker = Lines.of(history, model, Premises.of("c atom 1 before 0 1\n"))
        assert checker is not None
        truths = list(orders(name, history, list(model.initial)))
        operations = [*range(-len(model.initial), len(history))]
        finders = [op for op in range(len(history)) if records[op]["value"] is None and not history[op].pending]
        for _ in range(60):
            a, b, c = rng.choices(operations, k=3)
            atoms: list[Atom] = [(rng.choice(["before", "match", "gone"]), *pair) for pair in ((a, b), (b, c), (a, c))]
            atoms = [atom for atom in atoms if atom[1] != atom[2]] + [("used", a, a)] * rng.randint(0, 1)
            literals = [(atom, rng.random() < 0.5) for atom in atoms]
            formula, about = "LIFO", [a]
            kind = rng.random()
            if kind < 0.1 and (known := [op for op in finders if history[op].result is not None]):
                about = [rng.choice(known)]
                formula, adds = "ADDREM", [op for op in operations if rng.random() < 0.8 and op != about[0]]
                literals = [(("match", add, about[0]), True) for add in adds]
            elif kind < 0.2 and a != b and (a < 0 or records[a]["value"] is not None):
                formula, about = "GONE", [a, b]
                takers = [op for op in range(len(history)) if rng.random() < 0.9 and op != a]
                literals = [(("gone", a, b), False), *((("match", a, taker), True) for taker in takers)]
            elif kind < 0.3 and finders:
                formula, about = "HEIGHT", [a, rng.choice(finders)]
                literals = [(("match", *about), False)]
                if a == about[1]:
                    continue
            if rng.random() < 0.2:
                formula, about, literals = another(rng, FORMULAS, operations, literals)
            told = f"seed {seed}: {formula} {about}: {literals}, {records}"
            found[formula] += is_accepted(checker, formula, about, literals, truths, told)
    return found


FORMULAS = ["ATOMIC", "ADDREM", "GONE", "HEIGHT", "LIFO"]


def another(
    rng: random.Random, formulas: list[str], operations: list[int], literals: list[Literal]
) -> tuple[str, list[int], list[Literal]]:
    """What nobody has derived: some formula of some operations, with a clause that may be too short, or empty."""
    return (
        rng.choice(formulas),
        rng.choices(operations, k=rng.randint(1, 4)),
        [literal for literal in literals if rng.random() < 0.5],
    )


def is_accepted(
    checker: Lines | Cells, formula: str, about: list[int], literals: list[Literal], truths: list[set[Atom]], told: str
) -> bool:
    """Is the clause accepted? AssertionError if it is and does not hold in every order."""
    try:
        accepted = checker.holds(formula, about, frozenset(canonical(atom, sign) for atom, sign in literals))
    except ProofError:
        return False
    wrong = accepted and [true for true in truths if not any((atom in true) == sign for atom, sign in literals)]
    assert not wrong, told
    return accepted


def main(compare: Callable[[range], Counter[str]], doc: str | None) -> None:
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--histories", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    seeds = range(asked.seed * 10**9, asked.seed * 10**9 + asked.histories)
    print(dict(compare(seeds)))


if __name__ == "__main__":
    main(compare, __doc__)
