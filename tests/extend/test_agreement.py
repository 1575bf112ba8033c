"""Random methods: the verdict is that of the definition. More of them: `python -m tests.extend.agree --methods 2000`."""

import pytest

from linpoint.verdict import Verdict
from tests.extend.agree import compare, judged, oracle
from tests.extend.generate import method

SEEDS = [seed for seed in range(300, 360) if "f(" not in method(seed)[1] and ", j" not in method(seed)[1]]


@pytest.mark.parametrize("first", range(0, len(SEEDS), 10))
def test_verdicts_are_those_of_the_definition(first: int) -> None:
    assert [complaint for seed in SEEDS[first : first + 10] if (complaint := compare(seed, 3)) is not None] == []


def test_the_oracle_can_tell() -> None:
    wrong = "def method(d, k, v):\n    if k not in d:\n        d[k] = v\n    return d.get(k)\n"
    right = "def method(d, k, v):\n    return d.setdefault(k, v)\n"
    assert oracle("dict", wrong, {}, 2).violation()
    assert oracle("dict", right, {}, 2).violation() is None
    assert judged("dict", wrong).verdict is Verdict.VIOLATION
    assert judged("dict", right).verdict is Verdict.LINEARIZABLE


def test_methods_of_all_verdicts_are_made() -> None:
    found = {judged(*method(seed)).verdict for seed in range(40)}
    assert found >= {Verdict.LINEARIZABLE, Verdict.VIOLATION}
