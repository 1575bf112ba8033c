"""A derivation in words: every step names its operations, its law and what it follows from."""

import json

import linpoint as lp
from linpoint.explain.derivation import MANY, derivation

HISTORY = lp.History(
    [
        {"process": 0, "f": "enqueue", "value": 1, "call": 0, "return": 1},
        {"process": 0, "f": "enqueue", "value": 2, "call": 2, "return": 3},
        {"process": 0, "f": "dequeue", "result": 2, "call": 4, "return": 5},
        {"process": 0, "f": "dequeue", "result": 1, "call": 6, "return": 7},
    ]
)


def test_every_step_is_a_line() -> None:
    result = lp.check(HISTORY, "queue", method="saturate")
    head, *lines = derivation(result)
    assert head == f"How the contradiction follows, in {len(lines)} steps:"
    assert lines[0].startswith("  1. dequeue() → 2 [2] found what enqueue(2) [1] left: it can be no other (ADDREM")
    assert "  2. enqueue(1) [0] before enqueue(2) [1]: the first returned before the second was called" in lines
    assert lines[-1].endswith("first in, first out (FIFO)")
    assert "a contradiction about enqueue(1) [0]" in lines[-1]
    assert head in str(lp.explain(result))


def test_what_was_there_at_first_has_a_name() -> None:
    history = lp.History(
        [
            {"process": 0, "f": "enqueue", "value": 2, "call": 0, "return": 1},
            {"process": 0, "f": "dequeue", "result": 2, "call": 2, "return": 3},
        ]
    )
    lines = derivation(lp.check(history, lp.models.Queue(initial=[1]), method="saturate"))
    assert any(
        "the initial contents before enqueue(2) [0]: what is there at first is there before any operation" in line
        for line in lines
    ), lines


def test_elements_that_were_there_at_first_are_told_apart() -> None:
    history = lp.History([{"process": 1, "f": "dequeue", "result": 2, "call": 3, "return": 4}])
    result = lp.check(history, "queue:initial=[1,2]", method="saturate")
    _, found, order, _ = derivation(result)
    assert "dequeue() → 2 [0] found initial element 2" in found
    assert "initial element 1 before initial element 2: they are there in this order" in order
    assert (result.derivation[1].first, result.derivation[1].second) == (-1, -2)


def test_nobody_is_accused_where_the_place_was_not_found() -> None:
    result = lp.check(HISTORY, "queue", method="saturate", memory="1KiB")
    assert (result.verdict, result.stuck) == (lp.Verdict.VIOLATION, None)
    assert result.headline == "VIOLATION (queue): no order explains the results"
    assert "✗" not in str(lp.explain(result))


def test_a_long_one_ends_with_its_last_steps() -> None:
    """Each push precedes the pop of the one below it, so it is before the pop that found nothing, and so is its own pop."""
    count = 20
    pushes = [
        {"process": value, "f": "push", "value": value, "call": 10 * value, "return": 10 * value + 12}
        for value in range(count)
    ]
    pops = [
        {"process": value, "f": "pop", "result": value, "call": 10 * value + 23, "return": 600 + value}
        for value in range(count - 1)
    ]
    last = {"process": count, "f": "pop", "result": count - 1, "call": 550, "return": 560}
    empty = {"process": count, "f": "pop", "result": "empty", "call": 13, "return": 500}
    result = lp.check(lp.History([*pushes, *pops, last, empty]), "stack", method="saturate")
    assert len(result.derivation) > MANY
    _, left_out, *lines = derivation(result)
    assert left_out.strip().startswith(f"… {len(result.derivation) - MANY} earlier ones")
    assert len(lines) == MANY
    assert "a contradiction" in lines[-1]


def test_it_is_in_the_json_and_only_there_where_it_was_found() -> None:
    result = lp.check(HISTORY, "queue", method="saturate")
    steps = json.loads(json.dumps(result.to_dict()))["derivation"]
    assert [step["law"] for step in steps] == [step.law for step in result.derivation]
    assert all(premise < place for place, step in enumerate(steps) for premise in step["premises"])
    for method in ("auto", "symbolic"):
        other = lp.check(HISTORY, "queue", method=method)
        assert other.derivation == ()
        assert "derivation" not in other.to_dict()
        assert derivation(other) == []
