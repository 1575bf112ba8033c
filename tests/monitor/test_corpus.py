"""Every small history of the corpus, told as a stream: the verdict after every event is that of the check."""

from __future__ import annotations

from pathlib import Path

import pytest

import linpoint as lp
from tests.monitor.agree import disagreement_of

CORPUS = Path(__file__).parents[2] / "corpus"
MODELS = ["queue", "stack", "priority-queue", "bag", "deque", "register", "cas-register", "set"]
FEW = 40
"""Longer histories take long, for every prefix is checked."""


def histories() -> list[tuple[str, Path]]:
    """Files with the models they are about."""
    found = [(model, path) for model in MODELS for path in sorted((CORPUS / model).glob("*/*.jsonl"))]
    return [(model, path) for model, path in found if len(path.read_text().splitlines()) <= FEW]


@pytest.mark.parametrize(("model", "path"), histories(), ids=lambda given: getattr(given, "stem", given))
def test_told_as_a_stream(model: str, path: Path) -> None:
    records = [op.to_record() for op in lp.read(path)]
    records = [record | {"process": place} for place, record in enumerate(records)]
    words = f"{model}:initial=0" if model == "cas-register" else model
    assert disagreement_of(records, words, path.stem) is None
