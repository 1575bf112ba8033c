"""Every history of corpus/ gets its verdict in every way, and the oracle agrees with the folder it is in."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

import linpoint
from linpoint import _core
from linpoint.library import juc
from tests.agreement import oracle
from tests.agreement.compare import WAYS, bad_evidence
from tests.agreement.generate import MODELS
from tests.conftest import ROOT

CORPUS = sorted((ROOT / "corpus").glob("*/*/*.jsonl"))
NAMES = [str(path.relative_to(ROOT / "corpus").with_suffix("")) for path in CORPUS]
JUC = sorted((ROOT / "corpus" / "juc").glob("*/*/*.json"))
JUC_NAMES = [str(path.relative_to(ROOT / "corpus").with_suffix("")) for path in JUC]


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_verdict(path: Path) -> None:
    model, expected = path.parts[-3], path.parts[-2]
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(records) <= 8, "keep it small: the oracle re-judges it"
    assert oracle.linearizable(model, records) is (expected == "linearizable")
    history = linpoint.read(path)
    for way, options in WAYS.items():
        result = linpoint.check(history, model, **options)
        assert str(result.verdict) == expected, way
        assert bad_evidence(model, records, result) is None, way


@pytest.mark.parametrize("path", JUC, ids=JUC_NAMES)
def test_recorded_java(path: Path) -> None:
    """Every way, with the specification as an ordinary class; replayed orders confirm it."""
    cls, expected = getattr(juc, path.parts[-3]), path.parts[-2]
    history = linpoint.read(path)
    for options in ({}, {"method": "breadth-first"}, {"method": "wgl"}):
        for copy in (deepcopy, None):
            result = linpoint.check(history, linpoint.models.from_class(cls, copy=copy), **options)
            assert str(result.verdict) == expected, (options, copy)
            assert result.certified or result.confirmed, (options, copy)


def test_every_java_class_has_both_verdicts() -> None:
    kinds = {path.parts[-3:-1] for path in JUC}
    assert kinds == {(cls.__name__, verdict) for cls in juc.CLASSES for verdict in ("linearizable", "violation")}


def test_every_model_has_both_verdicts() -> None:
    kinds = {tuple(name.split("/")[:2]) for name in NAMES}
    assert kinds == {(model, verdict) for model in MODELS for verdict in ("linearizable", "violation")}


def test_every_history_has_a_source() -> None:
    lines = (ROOT / "corpus" / "SOURCES.md").read_text(encoding="utf-8").splitlines()
    sources = dict(line.strip("| ").split(" | ", 1) for line in lines if line.startswith("| ") and " | " in line)
    sources.pop("history")
    assert set(sources) == {*NAMES, *JUC_NAMES}
    assert all(sources.values())


def test_the_models_of_the_tests_are_those_of_linpoint() -> None:
    assert {model["name"] for model in _core.models()} == set(MODELS)
