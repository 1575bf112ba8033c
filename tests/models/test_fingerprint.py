"""Two objects have one fingerprint exactly if a copy of either would be built from the same parts."""

import re
import threading
from collections import OrderedDict, deque
from dataclasses import dataclass
from decimal import Decimal

import pytest

from linpoint.models.fingerprint import Unreadable, fingerprint, markers


class Slotted:
    __slots__ = ("left", "right")


class Plain:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


@dataclass
class Point:
    x: int


def plus(n, m=[]):  # noqa: B006
    return n + len(m)


def node_of(values):
    head = None
    for value in values:
        head = Plain(value=value, next=head)
    return head


SAME = [
    (Plain(a=1), Plain(a=1)),
    (deque([1, 2], maxlen=3), deque([1, 2], maxlen=3)),
    (OrderedDict(a=1), OrderedDict(a=1)),
    (Point(1), Point(1)),
    (Decimal("1.0"), Decimal("1.0")),
    ({1, 2}, {1, 2}),
    (float("nan"), float("nan")),
    ([re.compile("a+")], [re.compile("a+")]),
    (node_of(range(5)), node_of(range(5))),
]

DIFFERENT = [
    (Plain(a=1), Plain(a=True)),
    (Plain(a=1), Plain(b=1)),
    (Plain(a=[]), Plain(a=())),
    ([1], [1.0]),
    ([0.0], [-0.0]),
    (Decimal("1.0"), Decimal("1.00")),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (OrderedDict(a=1), {"a": 1}),
    (deque([1], maxlen=3), deque([1])),
    ([object()], [object()]),
    ([[1], [2]], [[1, 2], []]),
    (["a", b"a"], [b"a", "a"]),
    ([re.compile("a+")], [re.compile("a*")]),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same(one, other) -> None:
    assert fingerprint(one) == fingerprint(other)
    assert hash(fingerprint(one)) == hash(fingerprint(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different(one, other) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_slots_are_read() -> None:
    one, other = Slotted(), Slotted()
    one.left = other.left = 1
    assert fingerprint(one) == fingerprint(other)
    other.right = 2
    assert fingerprint(one) != fingerprint(other)


def test_aliasing_is_part_of_the_state() -> None:
    shared: list[int] = []
    assert fingerprint({"a": shared, "b": shared}) != fingerprint({"a": [], "b": []})


def test_a_cycle_ends() -> None:
    one, other = [], []
    one.append(one)
    other.append(other)
    assert fingerprint(one) == fingerprint(other)


def test_a_long_chain_needs_no_recursion() -> None:
    assert fingerprint(node_of(range(50_000))) == fingerprint(node_of(range(50_000)))


@pytest.mark.parametrize(
    "thing",
    [threading.Lock(), (n for n in [1]), lambda x=SAME: x, plus, [].append],
    ids=["lock", "generator", "default", "function", "bound method"],
)
def test_what_may_hold_anything_cannot_be_read(thing) -> None:
    with pytest.raises(Unreadable):
        fingerprint([thing])


def test_markers_are_found() -> None:
    empty = object()
    assert markers(fingerprint(Plain(a=[empty], b=int))) == [empty]
