"""Is the brute force itself right? Compared with the plain definition: all permutations of all subsets of tiny histories."""

import itertools
import json
import random
from pathlib import Path

import pytest

from tests.independent import files, generate, own
from tests.independent.brute import System, TooMany, search
from tests.independent.outputs import system_of
from tests.independent.shelf import SYNONYMS, build

HISTORIES = 400


def by_definition(system: System, required: list[int], optional: list[int]) -> bool:
    """Some order of all required and some optional operations obeys time and the object; pending ones may be missing."""
    must = [number for number in required if system.ops[number].status == "ok"]
    may = [number for number in (*required, *optional) if number not in must]
    for size in range(len(may) + 1):
        for some in itertools.combinations(may, size):
            for order in itertools.permutations([*must, *some]):
                pairs = itertools.combinations(order, 2)
                if all(not system.ops[later].before(system.ops[sooner]) for sooner, later in pairs) and system.replay(
                    order
                ):
                    return True
    return False


def tiny(seed: str) -> System:
    rng = random.Random(seed)
    while True:
        name = f"{seed}/{rng.random()}"
        case = own.case(name, list(own.KINDS)) if rng.random() < 0.2 else generate.case(name, list(SYNONYMS))
        if len(case.records) <= 5:
            return system_of(case)


def test_the_search_is_the_definition() -> None:
    verdicts = []
    for seed in range(HISTORIES):
        system = tiny(str(seed))
        expected = by_definition(system, system.happened, [])
        assert search(system, system.happened).ok == expected, f"seed {seed}"
        verdicts.append(expected)
    assert verdicts.count(True) > 100
    assert verdicts.count(False) > 100


def test_optional_operations_stand_for_every_subset() -> None:
    """One search with optional operations says what a loop over all subsets says."""
    impossible = 0
    for seed in range(HISTORIES):
        system = tiny(f"optional {seed}")
        rng = random.Random(seed)
        required = [number for number in system.happened if rng.random() < 0.5]
        optional = [number for number in system.happened if number not in required]
        expected = by_definition(system, required, optional)
        assert search(system, required, optional).ok == expected, f"seed {seed}"
        impossible += not expected
    assert impossible > 20


def test_an_order_that_is_found_is_one() -> None:
    found = 0
    for seed in range(HISTORIES):
        case = generate.case(f"order {seed}", list(SYNONYMS))
        system = system_of(case)
        try:
            order = search(system, system.happened).order
        except TooMany:
            continue
        if order is not None:
            found += 1
            assert system.in_time(order)
            assert system.replay(order)
    assert found > 100


@pytest.mark.parametrize(
    "path", sorted(files.ROOT.glob("corpus/*/*/*.jsonl")), ids=lambda path: "/".join(path.parts[-3:])
)
def test_it_agrees_with_the_corpus(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    records = [record for record in map(json.loads, lines) if "process" in record]
    system = System(records, build(path.parts[-3]))
    assert search(system, system.happened).ok == (path.parts[-2] == "linearizable")


def test_nothing_is_shared_with_the_other_oracle() -> None:
    for path in Path(__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for other in ("agreement", "linpoint.explain", "linpoint.check", "linpoint._core", "linpoint.models"):
            assert f"import {other}" not in text, path.name
            assert f"from {other}" not in text, path.name
            assert f"from tests.{other}" not in text, path.name
