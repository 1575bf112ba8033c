"""linpoint and a brute force agree on ordinary classes, copied or replayed, and so do the shipped models that say the same."""

from tests.agreement.opaque import KINDS, WAYS, complaint

HISTORIES = 200
assert HISTORIES % (len(KINDS) * len(WAYS)) == 0


def test_ordinary_classes_agree_with_the_oracle() -> None:
    linearizable = 0
    for seed in range(HISTORIES):
        right, words = complaint(seed)
        assert not words, f"\n{words}"
        linearizable += right
    assert 0.3 < linearizable / HISTORIES < 0.8, "the generator has lost its balance"
