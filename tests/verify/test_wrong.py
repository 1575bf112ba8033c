"""Wrong variants of the library's algorithms are caught: with a history that a checker refuses, and an interleaving to read."""

import ast
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import linpoint as lp
from linpoint.language.source import read_source
from linpoint.library.specifications import ConditionalSwap
from linpoint.verify import Verification

FOLDER = Path(__file__).parent / "wrong"


class Cell(ConditionalSwap):
    """Values of a client begin with 1, and so does the cell."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = 1


class Wrong(NamedTuple):
    target: str
    spec: Any
    ops: int = 2


VARIANTS = [
    Wrong("stacks.py:FreesAtOnce", "stack", 3),
    Wrong("stacks.py:PlainWrite", "stack"),
    Wrong("stacks.py:LinksLate", "stack"),
    Wrong("stacks.py:AnnouncesTooLate", "stack", 3),
    Wrong("queues.py:ReleasesEarly", "queue"),
    Wrong("queues.py:TailFirst", "queue"),
    Wrong("queues.py:OverwritesNext", "queue"),
    Wrong("lists.py:LetsGoFirst", "set"),
    Wrong("lists.py:NeverLooksAgain", "set"),
    Wrong("lists.py:IgnoresMarks", "set"),
    Wrong("lists.py:DropsTheMark", "set"),
    Wrong("swaps.py:LooksTooEarly", Cell),
]
RIGHT = [Wrong("stacks.py:Stack", "stack"), Wrong("queues.py:Queue", "queue"), Wrong("lists.py:SortedList", "set")]


def verified(wrong: Wrong) -> Verification:
    return lp.verify(f"{FOLDER / wrong.target}", wrong.spec, threads=2, ops=wrong.ops)


@pytest.mark.parametrize("wrong", VARIANTS, ids=lambda wrong: wrong.target)
def test_a_wrong_variant_is_caught(wrong: Wrong) -> None:
    found = verified(wrong)
    assert found.verdict is lp.Verdict.VIOLATION
    shown = found.counterexample
    assert shown is not None
    assert shown.kind == "history"
    model = wrong.spec if isinstance(wrong.spec, str) else lp.models.from_class(wrong.spec)
    assert shown.history is not None
    assert lp.check(shown.history, model).verdict is lp.Verdict.VIOLATION, "the history by itself is a violation"
    run = shown.interleaving
    assert run is not None
    assert {step.thread for step in run.steps} == {1, 2}
    name = wrong.target.partition(":")[2]
    lines = {action.line for step in run.steps for action in step.actions}
    assert lines & own_lines(wrong.target), f"the run does not show what {name} does differently"
    text = str(found)
    assert all(run.source(line)[:30] in text for line in lines), "every line that is run stands in the table"


@pytest.mark.parametrize("right", RIGHT, ids=lambda right: right.target)
def test_the_mistake_is_what_is_caught(right: Wrong) -> None:
    """Without it the same class is linearizable."""
    assert verified(right).verdict is lp.Verdict.LINEARIZABLE


def own_lines(target: str) -> set[int]:
    """The lines of the class itself, not of the class that it is derived from."""
    file, _, name = target.partition(":")
    node = read_source(FOLDER / file).find_class(name)
    return set(range(node.lineno, (node.end_lineno or 0) + 1))


def test_every_variant_of_the_folder_is_tried() -> None:
    tried = {wrong.target for wrong in VARIANTS + RIGHT}
    there = {
        f"{path.name}:{name}"
        for path in FOLDER.glob("[a-z]*.py")
        for name, node in read_source(path).definitions()
        if isinstance(node, ast.ClassDef) and "." not in name
    }
    assert there == tried
    assert len(VARIANTS) >= 10
