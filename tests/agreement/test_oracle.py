"""The oracle is right: on histories judged by hand, and because its two writings agree."""

from typing import Any

import pytest

from tests.agreement.generate import MODELS, history
from tests.agreement.oracle import explained, is_candidate, is_witness, linearizable, naive


def ops(*lines: tuple[Any, ...]) -> list[dict[str, Any]]:
    """(f, value, result, call, return) each on a process of its own."""
    return [
        {"process": process, "f": f, "value": value, "result": result, "call": call, "return": ret}
        for process, (f, value, result, call, ret) in enumerate(lines)
    ]


BY_HAND = [
    ("register", True, ops()),
    ("register", True, ops(("write", 1, None, 0, 1), ("read", None, 1, 2, 3))),
    ("register", False, ops(("write", 1, None, 0, 1), ("read", None, None, 2, 3))),
    ("register:initial=0", True, ops(("read", None, 0, 0, 1))),
    ("register:initial=0", False, ops(("read", None, False, 0, 1))),
    # closed intervals: a return and a call at the same time overlap
    ("register", True, ops(("write", 1, None, 0, 2), ("read", None, None, 2, 3))),
    # a pending write may take effect late, or never, but not before its call
    ("register", True, ops(("write", 1, None, 0, None), ("read", None, None, 1, 2), ("read", None, 1, 3, 4))),
    ("register", False, ops(("write", 1, None, 3, None), ("read", None, 1, 0, 1))),
    # two crashed writes explain two changes, not three
    (
        "register",
        False,
        ops(("write", 1, None, 0, None), ("write", 2, None, 0, None))
        + ops(("read", None, 1, 1, 2), ("read", None, 2, 3, 4), ("read", None, 1, 5, 6)),
    ),
    ("queue", False, ops(("enq", 1, None, 0, 1), ("enq", 2, None, 2, 3), ("deq", None, 2, 4, 5))),
    ("stack", True, ops(("push", 1, None, 0, 1), ("push", 2, None, 2, 3), ("pop", None, 2, 4, 5))),
    ("queue", True, ops(("enq", 1, None, 0, 3), ("deq", None, "empty", 1, 2), ("deq", None, 1, 4, 5))),
    ("bag", True, ops(("add", 1, None, 0, 1), ("add", 2, None, 2, 3), ("take", None, None, 4, None))),
    ("mutex", False, ops(("acquire", None, None, 0, 1), ("acquire", None, None, 2, 3))),
    ("height-stack", False, ops(("push", "b", 1, 0, 1), ("push", "a", 0, 2, 3))),
]


@pytest.mark.parametrize(("spec", "expected", "records"), BY_HAND)
def test_by_hand(spec: str, expected: bool, records: list[dict[str, Any]]) -> None:
    assert linearizable(spec, records) is expected
    assert naive(spec, records) is expected


def test_a_failed_operation_did_not_happen() -> None:
    records = ops(("write", 1, None, 0, 1), ("read", None, None, 2, 3))
    assert not linearizable("register", records)
    records[0]["type"] = "fail"
    assert linearizable("register", records)


@pytest.mark.parametrize("model", MODELS)
def test_both_writings_agree(model: str) -> None:
    small = [history(model, seed) for seed in range(400)]
    small = [(spec, records) for spec, records in small if len(records) <= 5]
    assert len(small) > 100
    for spec, records in small:
        assert naive(spec, records) is linearizable(spec, records), (spec, records)


def test_a_witness_holds_all_that_completed_in_real_time_order() -> None:
    records = ops(("write", 1, None, 0, 1), ("write", 2, None, 0, None), ("read", None, 2, 2, 3))
    assert is_witness("register", records, [0, 1, 2])
    assert not is_witness("register", records, [0, 2])  # 2 was never written
    assert not is_witness("register", records, [1, 2])  # 0 is missing
    assert not is_witness("register", records, [1, 2, 0])  # against real time
    assert not is_witness("register", records, [0, 1, 1, 2])
    assert not is_witness("register", records, [0, 1, 2, 3])


def test_explained_looks_at_the_past_only() -> None:
    records = ops(("write", 1, None, 0, 9), ("read", None, 1, 1, 2), ("read", None, 7, 3, 4), ("write", 7, None, 5, 6))
    assert explained("register", records, 1, returned=True)
    assert explained("register", records, 2, returned=False)
    assert not explained("register", records, 2, returned=True)
    assert is_candidate("register", records, 2, [0, 1])
    assert not is_candidate("register", records, 2, [0])  # 1 has returned and is not explained
    assert not is_candidate("register", records, 2, [0, 1, 3])  # 3 was not yet called
    assert not is_candidate("register", records, 2, [0, 2, 1])  # 7 was not written


def test_explained_knows_what_open_operations_will_return() -> None:
    """The swap could explain the read of 2, but it will return 5, which nobody wrote."""
    records = ops(("swap", 2, 5, 0, 9), ("read", None, 2, 1, 3))
    assert not explained("cas-register", records, 1, returned=True)
    records[0]["result"] = None
    assert explained("cas-register", records, 1, returned=True)


def test_histories_follow_from_their_seed() -> None:
    assert history("queue", 7) == history("queue", 7)
    assert history("queue", 7) != history("queue", 8)
