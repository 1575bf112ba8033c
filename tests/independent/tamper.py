"""Is a false certificate ever accepted?

A saved violation is changed at random: an operation of the counterexample is taken out or altered, another one is accused, an
order is changed, a configuration of a cut is struck out, words are altered, the verdict is turned. Where what the file then says
is false by the brute force (`claims.py`) or contradicts itself, `linpoint certify` must reject it.
"""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.independent import claims, program
from tests.independent.brute import System, TooMany
from tests.independent.claims import Counts, Untrue

Certificate = dict[str, Any]


def examine(sound: Certificate, path: Path, system: System, folder: Path, counts: Counts) -> None:
    """Raises Untrue if a false statement was certified."""
    rng = random.Random(path.read_bytes())
    for change in CHANGES:
        forged = copy.deepcopy(sound)
        what = change(forged, rng, system)
        if what is None or forged == sound:
            continue
        if change in JUDGED and holds(forged, system):
            counts[f"tampering: {change.__name__}, still true"] += 1
            continue
        file = folder / "forged.json"
        file.write_text(json.dumps(forged), encoding="utf-8")
        said = program.linpoint("certify", str(file), str(path))
        counts[f"tampering: {change.__name__}"] += 1
        if said.status == 0:
            raise Untrue(f"certify accepts a false certificate ({what}): {said.out.strip()}")


def holds(certificate: Certificate, system: System) -> bool:
    """Is what the changed explanation claims true after all? Whether it is minimal does not matter."""
    try:
        claims.examine({**certificate["explanation"], "minimal": False}, system, Counts())
    except Untrue:
        return False
    except TooMany:
        return True
    return True


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


# --- changes: each says what it did, or None if there was nothing to change ---


def leave_out(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """One operation of the counterexample is missing, everywhere."""
    said = certificate["explanation"]
    others = [number for number in said["operations"] if number != said["accused"]]
    if not others:
        return None
    gone = rng.choice(others)
    said["operations"].remove(gone)
    certificate["counterexample"] = [one for one in certificate["counterexample"] if one["operation"] != gone]
    for candidate in said["candidates"]:
        candidate["order"] = [number for number in candidate["order"] if number != gone]
    said["sequential"] = None
    return f"operation {gone} left out"


def claim(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """What holds after a cut is said to hold whatever else happened."""
    said = certificate["explanation"]
    if said["claim"] != claims.CUT:
        return None
    said["claim"], said["cut"] = claims.ELSE, None
    return "a stronger claim"


def accuse_another(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """Another operation of the counterexample is accused, consistently."""
    said = certificate["explanation"]
    others = [
        number for number in said["operations"] if number != said["accused"] and system.ops[number].status == "ok"
    ]
    if not others:
        return None
    said["accused"] = rng.choice(others)
    certificate["stuck"]["index"] = said["accused"]
    return f"operation {said['accused']} accused"


def order(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """An order that explains every return so far is another one."""
    candidates = [one for one in certificate["explanation"]["candidates"] if len(one["order"]) > 1]
    if not candidates:
        return None
    numbers = rng.choice(candidates)["order"]
    if rng.random() < 0.5:
        numbers.reverse()
    else:
        numbers.pop(rng.randrange(len(numbers)))
    return f"the order {numbers}"


def strike(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """A configuration that can be reached at the cut is not listed."""
    said = certificate["explanation"]
    if not said["cut"] or len(said["cut"]["reachable"]) < 2:
        return None
    said["cut"]["reachable"].pop()
    last = len(said["cut"]["reachable"])
    said["candidates"] = [one for one in said["candidates"] if one["start"] < last]
    return "a configuration struck out"


def move_cut(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    said = certificate["explanation"]
    if not said["cut"]:
        return None
    said["cut"]["returned"] += rng.choice([-1, 1, 100])
    return f"the first {said['cut']['returned']} operations"


def consistent(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    said = certificate["explanation"]
    said["sequential"] = list(reversed(said["sequential"] or said["operations"]))
    return f"sequentially consistent {said['sequential']}"


def alter(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """An operation that is not as the history has it."""
    one = rng.choice(certificate["counterexample"])
    name = rng.choice(["f", "value", "call", "process", "result"])
    one[name] = {"f": "no such name", "value": [["x"]], "call": -(10**6), "process": 10**6, "result": [["x"]]}[name]
    return f"{name} of operation {one['operation']} altered"


def renumber(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    one = rng.choice(certificate["counterexample"])
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


def accuse_outside(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """An operation is accused that is not even part of the counterexample."""
    members = set(certificate["explanation"]["operations"])
    others = [op for op in system.ops if op.number not in members and op.status == "ok"]
    if not others:
        return None
    op = rng.choice(others)
    fields = ("process", "f", "value", "result", "call", "return")
    certificate["stuck"] = {"index": op.number, "line": op.number + 1, **{name: op.record.get(name) for name in fields}}
    return f"operation {op.number} accused"


def words(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """The words name another number of operations than there are."""
    said = certificate["explanation"]["words"]
    at = next((place for place, line in enumerate(said) if " operation" in line and " of " in line), None)
    if at is None:
        return None
    said[at] = said[at].replace(f" of {len(system.ops)} ", f" of {len(system.ops) + 1} ")
    return f"words altered: {said[at]}"


def any_field(certificate: Certificate, rng: random.Random, system: System) -> str | None:
    """Any one text, number or truth value, wherever it stands, is another one."""
    at: Any = certificate
    path: list[Any] = []
    while isinstance(at, (dict, list)) and at:
        path.append(rng.choice(list(at) if isinstance(at, dict) else range(len(at))))
        inside, at = at, at[path[-1]]
    if isinstance(at, (dict, list)) or path[-1] == "start":  # an order may begin in another configuration as well
        return None
    other = not at if isinstance(at, bool) else at + 1 if isinstance(at, (int, float)) else f"{at or ''}!"
    inside[path[-1]] = other
    return f"{'.'.join(map(str, path))}: {other!r} for {at!r}"


Change = Callable[[Certificate, random.Random, System], str | None]

#: After these the claims may still be true; the brute force decides.
JUDGED: list[Change] = [leave_out, claim, accuse_another, order, strike, move_cut, consistent]

CHANGES: list[Change] = [*JUDGED, alter, renumber, turn, other_history, count, accuse_outside, words, any_field]
