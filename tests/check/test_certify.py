"""The evidence is re-checked: tampered witnesses and false violations do not get through."""

import random

import pytest

import linpoint as lp
from linpoint.check import certify_violation, certify_witness


def records(*rows):
    """(f, value, result, call, return): one process each."""
    names = ("f", "value", "result", "call", "return", "type")
    return [{"process": i} | dict(zip(names, row, strict=False)) for i, row in enumerate(rows)]


HISTORY = lp.History(
    records(
        ("write", 1, None, 0, 1),
        ("write", 2, None, 2, 7),
        ("read", None, 2, 3, 6),
        ("read", None, 1, 4, 8),
        ("write", 9, None, 5, None),
        ("write", 5, None, 5, 6, "fail"),
    )
)


@pytest.mark.parametrize("order", [(0, 3, 1, 2), (0, 3, 1, 2, 4), (0, 3, 4, 1, 2)])
def test_a_witness_passes(order):
    assert certify_witness(HISTORY, lp.models.Register(), order) is True


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ((0, 3, 1), "lacks operation 2"),
        ((0, 3, 1, 2, 2), "has operation 2 twice"),
        ((0, 3, 1, 2, 5), "has operation 5, which failed"),
        ((0, 3, 1, 2, 6), "operation 6 that does not exist"),
        ((0, 3, 1, -1), "operation -1 that does not exist"),
        ((1, 0, 3, 2), "operation 1 before 0, which had returned when 1 was called"),
        ((0, 1, 3, 2), r"operation 3, read\(\) → 1, where the state is 2"),
        ((0, 3, 1, 4, 2), r"operation 2, read\(\) → 2, where the state is 9"),
    ],
)
def test_a_tampered_witness_does_not(order, words):
    with pytest.raises(lp.InternalError, match=words):
        certify_witness(HISTORY, lp.models.Register(), order)


def test_parts_are_replayed_apart():
    history = lp.History(
        [
            {"process": 0, "f": "enq", "value": 1, "key": "a", "call": 0, "return": 1},
            {"process": 0, "f": "enq", "value": 2, "key": "b", "call": 2, "return": 3},
            {"process": 0, "f": "deq", "result": 2, "key": "b", "call": 4, "return": 5},
        ]
    )
    assert certify_witness(history, lp.models.Queue(), (0, 1, 2))


def test_a_wrong_guess_of_the_quick_replay_is_no_verdict():
    """A pending take took 1, not nothing: the quick replay guesses wrong, the thorough one knows."""
    history = lp.History(records(("add", 1, None, 0, 1), ("take", None, None, 2, None), ("contains", 1, False, 4, 5)))
    assert certify_witness(history, lp.models.Bag(), (0, 1, 2))
    with pytest.raises(lp.InternalError):
        certify_witness(history, lp.models.Bag(), (0, 2, 1))


def test_too_many_outcomes_are_admitted():
    adds = [("add", i, None, 2 * i, 2 * i + 1) for i in range(20)]
    takes = [("take", None, None, 100, None)] * 10
    history = lp.History(records(*adds, *takes, ("contains", 0, False, 200, 201)))
    assert certify_witness(history, lp.models.Bag(), range(31)) is False


def test_ones_own_nondeterminism():
    class Coin(lp.Model):
        initial = None

        def toss(self, state, _):
            return [("heads", lp.ANY), ("tails", lp.ANY)]

        def look(self, state, _):
            return state, state

    history = lp.History(
        records(("toss", None, None, 0, 1), ("look", None, "tails", 2, 3), ("look", None, "heads", 4, 5))
    )
    assert certify_witness(history[:2], Coin(), (0, 1))
    with pytest.raises(lp.InternalError, match="where the state is tails"):
        certify_witness(history, Coin(), (0, 1, 2))


def test_every_permutation_is_judged_right():
    """Of all orders of a history those pass that brute force finds; here: exactly two."""
    history = HISTORY.subhistory([0, 1, 2, 3])
    passed = []
    shuffled = list(range(4))
    rng = random.Random(7)
    seen = set()
    while len(seen) < 24:
        rng.shuffle(shuffled)
        if tuple(shuffled) in seen:
            continue
        seen.add(tuple(shuffled))
        try:
            certify_witness(history, lp.models.Register(), tuple(shuffled))
        except lp.InternalError:
            continue
        passed.append(tuple(shuffled))
    assert passed == [(0, 3, 1, 2)]


BAD = lp.History(records(("write", 1, None, 0, 1), ("read", None, 2, 2, 3), ("write", 2, None, 4, None)))


def test_a_violation_is_confirmed():
    assert certify_violation(BAD, lp.models.Register(), 1) is True


def test_a_false_violation_is_found_out():
    with pytest.raises(lp.InternalError, match="there is an order"):
        certify_violation(HISTORY.subhistory([0, 1, 2, 3]), lp.models.Register(), 2)


def test_what_is_too_large_is_admitted():
    many = [("write", i, None, 10 * i, 10 * i + 1) for i in range(60)]
    history = lp.History(records(*many, ("read", None, "x", 1000, 1001)))
    assert certify_violation(history, lp.models.Register(), 60) is None
    wide = [("push", i, None, 0, 1) for i in range(16)]
    history = lp.History(records(*wide, ("pop", None, "x", 2, 3)))
    assert certify_violation(history, lp.models.Stack(), 16) is None
    assert certify_violation(BAD, lp.models.Register(), None) is None


def test_only_the_part_of_the_stuck_operation_is_tried():
    others = [{"process": f"o{i}", "f": "write", "value": i, "key": "other", "call": 0, "return": 9} for i in range(50)]
    history = lp.History([*others, *({**op.to_record(), "key": "x"} for op in BAD)])
    assert certify_violation(history, lp.models.Register(), 51) is True
