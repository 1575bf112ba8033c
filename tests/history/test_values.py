"""Values are equal exactly when JSON says so."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linpoint.history import FrozenDict
from linpoint.history.values import freeze, same, show, show_key, show_process, tag, thaw

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, True, False),
        (0, False, False),
        (1, 1.0, True),
        (1, "1", False),
        (None, False, False),
        (None, 0, False),
        ([1, 2], (1, 2), True),
        ([1, [True]], (1, (1,)), False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": True}, {"a": 1}, False),
        (2**70, 2**70, True),
        (1e22, 10**22, True),  # a whole float is the integer it equals, however large
        (float(2**53), 2**53, True),
        (-0.0, 0, True),
    ],
)
def test_same(one, other, equal):
    assert same(one, other) is equal
    assert (tag(one) == tag(other)) is equal


def test_nothing_is_mistaken_for_a_tag():
    assert not same(True, ("bool", "true"))
    assert not same((1,), ("list", 1))


@given(JSON)
def test_freezing_makes_hashable_and_thawing_undoes_it(value):
    frozen = freeze(value)
    hash(frozen)
    assert thaw(frozen) == value
    assert same(frozen, value)


@given(JSON)
def test_show_is_json(value):
    assert same(json.loads(show(freeze(value))), value)


def test_show_falls_back_to_repr():
    assert show(1j) == "1j"


def test_a_frozen_dict_tells_true_from_one():
    both = FrozenDict([(1, "one"), (True, "true")])
    assert (len(both), both[1], both[True]) == (2, "one", "true")
    assert 1.0 in both
    assert "1" not in both


def test_a_frozen_dict_gives_copies():
    first = FrozenDict({"a": 1})
    second = first.set("b", 2)
    assert (dict(first), dict(second), dict(second.drop("a"))) == ({"a": 1}, {"a": 1, "b": 2}, {"b": 2})
    assert first.drop("z") is first
    assert second.drop("b") == first == {"a": 1}
    assert hash(second.drop("b")) == hash(first)
    assert repr(second) == "{'a': 1, 'b': 2}"
    with pytest.raises(KeyError, match="'z'"):
        first["z"]


def test_keys_and_processes_that_differ_have_different_names() -> None:
    keys = [1, "1", "x", None, "null", True, "true", 1.5, "1.5", [1], "[1]", '"1"', ""]
    assert len({show_key(key) for key in keys}) == len(keys)
    assert (show_key("x"), show_key("1"), show_key(1), show_key("a b")) == ("x", '"1"', "1", "a b")
    processes = [1, "1", "p1", None, "pnull", "p", "", True, "ptrue", "worker", "paul", '"p1"']
    assert len({show_process(process) for process in processes}) == len(processes)
    assert (show_process(1), show_process("paul"), show_process("p1")) == ("p1", "paul", '"p1"')
