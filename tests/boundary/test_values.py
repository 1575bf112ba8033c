"""Values cross the door unharmed, whatever JSON can say; what cannot cross is refused, never a crash."""

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import linpoint
from linpoint.history.values import from_json
from tests.agreement.answers import freeze

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def plain(value: Any) -> Any:
    """Lists and dicts, as JSON has them."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return list(map(plain, value)) if isinstance(value, tuple) else value


def crossed(value: Any) -> Any:
    """The value after a way into the core and out again. A record wraps what looks wrapped: `{"#map": [["#", 1]]}`."""
    record = {"process": 0, "f": "write", "value": value, "result": value, "call": 0, "return": 1}
    (op,) = linpoint.History([record])
    assert freeze(op.to_record()["result"]) == freeze(op.to_record()["value"])
    return plain(from_json(op.to_record()["value"]))


@given(JSON)
@example({"#": None})
def test_values_come_back_as_they_went(value: Any) -> None:
    assert freeze(crossed(value)) == freeze(value)


@given(JSON, JSON)
def test_the_core_tells_values_apart_as_the_oracle_does(one: Any, other: Any) -> None:
    history = linpoint.History(
        [
            {"process": 0, "f": "write", "value": one, "call": 0, "return": 1},
            {"process": 0, "f": "read", "result": other, "call": 2, "return": 3},
        ]
    )
    equal = freeze(one) == freeze(other)
    for native in (True, False):
        result = linpoint.check(history, "register", native=native)
        assert result.verdict is (linpoint.Verdict.LINEARIZABLE if equal else linpoint.Verdict.VIOLATION)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (0, None, False),
        (1, "1", False),
        (2**64, 2**64, True),
        (2**64, 2**64 + 1, False),
        (2**63, -(2**63), False),
        (0.1, 0.1, True),
        (-0.0, 0, True),
        ([1, [2]], [1, [2.0]], True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ("é", "e\u0301", False),
    ],
)
def test_equality(one: Any, other: Any, equal: bool) -> None:
    swap = [
        {"process": 0, "f": "write", "value": one, "call": 0, "return": 1},
        {"process": 0, "f": "cas", "value": [other, 9], "result": equal, "call": 2, "return": 3},
    ]
    for native in (True, False):
        assert linpoint.check(swap, "cas-register", native=native).verdict is linpoint.Verdict.LINEARIZABLE


@pytest.mark.parametrize("value", [object(), 1j, "\ud800"])
def test_what_cannot_cross_is_refused(value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        crossed(value)


def test_nesting_without_end_is_refused_and_does_not_crash() -> None:
    program = (
        "import linpoint\n"
        "value = []\n"
        "for _ in range(200_000): value = [value]\n"
        "try: linpoint.History([{'process': 0, 'f': 'write', 'value': value, 'call': 0, 'return': 1}])\n"
        "except (linpoint.HistoryError, RecursionError) as error: print('refused')\n"
        "import os; os._exit(0)\n"  # taking the list apart again would itself be deep
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.returncode) == ("refused\n", 0), done.stderr
