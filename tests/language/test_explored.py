"""The explorer does what Python does: with one thread, a random program and its class as ordinary Python are bisimilar."""

from itertools import product
from pathlib import Path
from typing import Any

import linpoint as lp
from tests.language.agree import CRASH, as_python, executed
from tests.language.generate import Maker

SEEDS = range(35)
CALLS = list(product(("first", "second"), (1, 2), (False, True)))


def outcomes(cls: type) -> set[str]:
    """Does a sequence of at most two calls crash, wait, or is it answered?"""
    found = set()
    for calls in product(CALLS, repeat=2):
        instance: Any = cls()
        for call in calls:
            answer = as_python(instance, *call)
            found.add(answer if answer in (CRASH, "waits") else "answer")
            if answer in (CRASH, "waits"):
                break
    return found


def test_random_programs_are_explored_as_python_runs_them(tmp_path: Path) -> None:
    seen: dict[str, int] = {}
    for seed in SEEDS:
        text = Maker(seed).program()
        if "free(" in text:  # the explorer tries every allocator, Python has one
            continue
        path = tmp_path / f"program{seed}.py"
        path.write_text(text)
        cls = executed(text, path, threads=1, operations=2)["Random"]
        expected = outcomes(cls)
        if "waits" in expected:
            continue
        try:
            found = lp.verify(f"{path}:Random", cls, threads=1, ops=2, values=2)
        except lp.LanguageError:
            continue
        if CRASH in expected:
            assert found.counterexample is not None, path
            assert found.counterexample.kind == "fault", path
        else:
            assert found.verdict is lp.Verdict.LINEARIZABLE, path
            assert found.bisimilar, path
        seen[CRASH if CRASH in expected else "alike"] = seen.get(CRASH if CRASH in expected else "alike", 0) + 1
    assert min(seen.values()) > 3, seen
    assert len(seen) == 2
