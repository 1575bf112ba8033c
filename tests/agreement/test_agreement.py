"""linpoint and a brute-force oracle agree on thousands of random small histories of every model."""

import pytest

from tests.agreement.compare import WAYS, judge
from tests.agreement.generate import MODELS

HISTORIES = 3_900  # a model, that is 260 a model and way
assert HISTORIES % len(WAYS) == 0


@pytest.mark.parametrize("model", MODELS)
def test_agrees_with_the_oracle(model: str) -> None:
    linearizable = 0
    for seed in range(HISTORIES):
        opinion, report = judge(model, seed, certify=True)
        assert not report, f"\n{report}"
        linearizable += opinion.linearizable
    assert 0.3 < linearizable / HISTORIES < 0.7, "the generator has lost its balance"
