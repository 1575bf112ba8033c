"""Verified methods in real threads, a little; more: `python -m tests.extend.stress`."""

import pytest

import linpoint as lp
from linpoint.verdict import Verdict
from tests.extend.stress import LIBRARY, Alone, impatient, library_method, random_method


@pytest.mark.parametrize("function", LIBRARY, ids=lambda function: function.__name__)
def test_methods_of_the_library(function) -> None:
    with impatient():
        assert library_method(function, 15) is None


def test_random_methods() -> None:
    with impatient():
        assert [complaint for seed in range(500, 530) if (complaint := random_method(seed, 5)) is not None] == []


def test_a_history_that_one_thread_cannot_make_would_be_noticed() -> None:
    def method(d, k, v):
        if k not in d:
            d[k] = v
        return d[k]

    calls = [("x", "x", 0, 3), ("y", "y", 1, 4)]
    lost = [
        {"process": number, "f": "method", "value": ["a", value], "result": result, "call": call, "return": end}
        for number, (value, result, call, end) in enumerate(calls)
    ]
    assert lp.check(lost, Alone("dict", method)).verdict is Verdict.VIOLATION
