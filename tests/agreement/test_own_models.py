"""linpoint and a brute force agree on models that look at any field of an operation."""

from tests.agreement.own_models import LOOKS, WAYS, WRITTEN, complaint, model_of

HISTORIES = 2_880
assert HISTORIES % (2 * len(WAYS) * len(WRITTEN)) == 0


def test_own_models_agree_with_the_oracle() -> None:
    linearizable = 0
    for seed in range(HISTORIES):
        right, words = complaint(seed)
        assert not words, f"\n{words}"
        linearizable += right
    assert 0.3 < linearizable / HISTORIES < 0.7, "the generator has lost its balance"


def test_every_field_is_looked_at() -> None:
    names = {type(model_of(seed)).__name__ for seed in range(12)}
    assert names == {"Table", *(model.__name__ for model in WRITTEN)}
    assert len(LOOKS) == len(set(LOOKS))
