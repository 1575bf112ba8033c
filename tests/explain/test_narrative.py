"""Are the words about a violation right?"""

from __future__ import annotations

import linpoint as lp
from linpoint.explain.sequential_consistency import sequential_order


def words(records: list[dict[str, object]], model: str) -> list[str]:
    return list(lp.explain(lp.check(lp.History(records), model)).words)


def test_a_stale_read() -> None:
    assert words(
        [
            {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
            {"process": 0, "f": "write", "value": 2, "call": 2, "return": 3},
            {"process": 1, "f": "read", "result": 1, "call": 4, "return": 5},
        ],
        "register",
    ) == [
        "These 3 operations of 3 contradict each other, whatever else happened:",
        "  write(1) (process 0, operation 0)",
        "  write(2) (process 0, operation 1)",
        "  read() → 1 (process 1, operation 2)",
        "",
        "Among these, every return before read() → 1 is explained by this order, where it does not fit:",
        "  write(1), write(2)",
        "      leaves 2: read would answer 2",
        "",
        "Not linearizable, but these operations are sequentially consistent: write(1), read() → 1, write(2)",
    ]


def test_a_value_that_nobody_wrote() -> None:
    found = words([{"process": 1, "f": "read", "result": 7, "call": 4, "return": 5}], "register")
    assert found[0] == "This operation of 1 is impossible, whatever else happened:"
    assert found[-1] == "      leaves null: read would answer null"


def test_sequential_consistency_is_named() -> None:
    """Each process's own order can be kept: the read may come before the write it missed."""
    found = words(
        [
            {"process": 0, "f": "enqueue", "value": 1, "call": 0, "return": 1},
            {"process": 1, "f": "dequeue", "result": "empty", "call": 2, "return": 3},
            {"process": 1, "f": "enqueue", "value": 2, "call": 4, "return": 5},
        ],
        "queue",
    )
    assert len(found) == 7  # the enqueue of 2 is left out, so no process calls twice and nothing is claimed
    history = lp.History(
        [
            {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
            {"process": 1, "f": "read", "result": None, "call": 2, "return": 3},
            {"process": 1, "f": "read", "result": 1, "call": 4, "return": 5},
        ]
    )
    assert lp.check(history, "register").verdict is lp.Verdict.VIOLATION
    assert sequential_order(history, lp.models.Register(), (0, 1, 2)) == (1, 0, 2)


def test_not_even_sequentially_consistent() -> None:
    history = lp.History(
        [
            {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
            {"process": 0, "f": "read", "result": None, "call": 2, "return": 3},
        ]
    )
    assert sequential_order(history, lp.models.Register(), (0, 1)) is None


def test_only_the_last_of_many_are_listed() -> None:
    ones = [{"process": 0, "f": "enqueue", "value": 1, "call": 2 * i, "return": 2 * i + 1} for i in range(100)]
    last = [{"process": 0, "f": "dequeue", "result": 1, "call": 200 + 2 * i, "return": 201 + 2 * i} for i in range(101)]
    found = words([*ones, *last], "queue")
    assert found[0].startswith("These 201 operations of 201 contradict each other")
    assert found[1] == "  … 161 earlier ones (the saved result has them all)"
    assert found[41] == "  dequeue() → 1 (process 0, operation 200)"


def test_keys_that_only_look_alike_are_told_apart() -> None:
    """1 and "1" are two registers."""
    found = words(
        [
            {"process": 0, "f": "write", "value": 5, "key": "1", "call": 0, "return": 1},
            {"process": 0, "f": "write", "value": 7, "key": 1, "call": 2, "return": 3},
            {"process": 1, "f": "read", "result": 5, "key": 1, "call": 4, "return": 5},
        ],
        "register",
    )
    assert "  1: read() → 5 (process 1, operation 2)" in found
    assert not any(line.startswith('  "1": ') for line in found)
