"""Is a false certificate ever accepted?

A saved violation is changed at random: an operation of the counterexample is taken out or altered, another one is accused, the
verdict is turned. If what the file then says is false by the brute force, `linpoint certify` must reject it.
"""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.independent import program
from tests.independent.brute import System, search
from tests.independent.claims import Counts, Untrue

Certificate = dict[str, Any]


def examine(sound: Certificate, path: Path, system: System, folder: Path, counts: Counts) -> None:
    """Raises Untrue if a false statement was certified."""
    rng = random.Random(path.read_bytes())
    for change in CHANGES:
        false = copy.deepcopy(sound)
        what = change(false, rng, system)
        if what is None:
            continue
        forged = folder / "forged.json"
        forged.write_text(json.dumps(false), encoding="utf-8")
        said = program.linpoint("certify", str(forged), str(path))
        counts[f"tampering: {change.__name__}"] += 1
        if said.status == 0:
            raise Untrue(f"certify accepts a false certificate ({what}): {said.out.strip()}")


def witness(certificate: Certificate, path: Path, system: System, folder: Path, counts: Counts) -> None:
    """An order with two operations exchanged, or one missing, is accepted only if it explains everything as well."""
    rng = random.Random(path.read_bytes())
    order = list(certificate["witness"])
    if len(order) < 2:
        return
    if rng.random() < 0.5:
        first, second = rng.sample(range(len(order)), 2)
        order[first], order[second] = order[second], order[first]
    else:
        order.pop(rng.randrange(len(order)))
    done = {op.number for op in system.ops if op.status == "ok"}
    true = done <= set(order) and system.in_time(order) and bool(system.replay(order))
    forged = folder / "forged.json"
    forged.write_text(json.dumps({**certificate, "witness": order}), encoding="utf-8")
    said = program.linpoint("certify", str(forged), str(path))
    counts[f"tampering: witness, {'still true' if true else 'false'}"] += 1
    if said.status == 0 and not true:
        raise Untrue(f"certify accepts a false witness {order}: {said.out.strip()}")


def records(certificate: Certificate) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = certificate["counterexample"]
    return found


def leave_out(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """Without one operation the rest has an order, with some of the others."""
    members = records(certificate)
    for place in rng.sample(range(len(members)), len(members)):
        rest = [one["operation"] for at, one in enumerate(members) if at != place]
        if search(system, rest, set(system.happened) - set(rest)).ok:
            gone = members.pop(place)
            return f"operation {gone['operation']} left out"
    return None


def alter(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """An operation that is not as the history has it."""
    one = rng.choice(records(certificate))
    name = rng.choice(["f", "value", "call", "process", "result"])
    one[name] = {
        "f": "no such name",
        "value": [["tampered"]],
        "call": -(10**6),
        "process": 10**6,
        "result": [["tampered"]],
    }[name]
    return f"{name} of operation {one['operation']} altered"


def renumber(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    one = rng.choice(records(certificate))
    old = one["operation"]
    one["operation"] = rng.choice([len(system.ops) + 3, -1, "0", None])
    return f"operation {old} renumbered as {one['operation']!r}"


def turn(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """A violation is called linearizable, with some order."""
    certificate["verdict"] = "linearizable"
    certificate["witness"] = system.happened
    return "verdict turned"


def other_history(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    certificate["history"] = "sha256:" + "0" * 64
    return "made for another history"


def count(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    certificate["operations"] += 1
    return "number of operations"


def accuse(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """An operation is accused that is not even part of the counterexample."""
    members = {one["operation"] for one in records(certificate)}
    others = [op for op in system.ops if op.number not in members and op.status == "ok"]
    if not others:
        return None
    op = rng.choice(others)
    fields = ("process", "f", "value", "result", "call", "return")
    certificate["stuck"] = {"index": op.number, "line": op.number + 1, **{name: op.record.get(name) for name in fields}}
    return f"operation {op.number} accused"


CHANGES: list[Callable[[Certificate, random.Random, System], str | None]] = [
    leave_out,
    alter,
    renumber,
    turn,
    other_history,
    count,
    accuse,
]
