"""The methods of the paper: every verdict, every reduction, and how few states it takes."""

import pytest

import linpoint as lp
from linpoint.library.extensions.catalog import ENTRIES, UNKNOWN, verified

RESULTS = {entry.function: (entry, result) for entry, result in verified()}
STATES = {
    "compute_if_absent": 5,
    "inc": 36,
    "read_and_write_true": 17,
    "optimistic_is_even": 17,
    "get_or_put_if_absent": 3,
    "put_if_absent_first": 0,
    "android_tools": 8,
    "add_column_repaired": 61,
}


@pytest.mark.parametrize("function", sorted(RESULTS))
def test_verdict_is_what_is_known(function: str) -> None:
    entry, result = RESULTS[function]
    assert result.refusals == ()
    assert (result.verdict is lp.Verdict.LINEARIZABLE) == entry.linearizable, result
    assert result.states <= 1_000
    assert result.states == STATES.get(function, result.states)


@pytest.mark.parametrize("function", sorted(name for name, (entry, _) in RESULTS.items() if not entry.linearizable))
def test_a_violation_is_one_for_the_checker_too(function: str) -> None:
    result = RESULTS[function][1]
    found = lp.check(result.history, result.model)
    assert found.verdict is lp.Verdict.VIOLATION
    assert lp.explain(found).counterexample
    assert result.interleaving
    assert result.history is not None
    assert any(move.thread == 2 for move in result.interleaving)


def test_every_row_of_the_tables_is_there_or_listed_as_unknown() -> None:
    rows = [(entry.origin, entry.application, entry.cls) for entry in ENTRIES]
    assert (
        sum(origin == "Table 1" for origin, _, _ in rows) + sum(origin == "Table 1" for origin, _, _ in UNKNOWN) == 24
    )
    assert (
        sum(origin == "Table 2" for origin, _, _ in rows) + sum(origin == "Table 2" for origin, _, _ in UNKNOWN) == 28
    )


def test_figure_4_takes_two_extension_calls() -> None:
    result = RESULTS["read_and_write_true"][1]
    assert any("it takes two extension calls" in words for words in result.checked)
    assert next(move.text for move in result.interleaving if move.thread == 2) == "read_and_write_true()"


def test_figure_6_has_its_linearization_point_in_another_thread() -> None:
    result = RESULTS["optimistic_is_even"][1]
    assert result.reduction == "Corollary 1"
    assert any("in another thread" in words for words in result.checked)
    assert any(words.startswith("replaceable") for words in result.checked)


def test_one_key_of_a_map_is_a_generic_register() -> None:
    result = RESULTS["get_or_put_if_absent"][1]
    assert result.reduction == "Corollary 4"
    for name in ("Lemma 2", "Lemma 3", "Corollary 3", "Lemma 4", "Lemma 5"):
        assert any(name in words for words in result.checked), name
