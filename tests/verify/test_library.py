"""Does the library come out as the seed says? Verdicts and quotients of shared/VERIFICATION.md, 2 threads × 2 operations."""

import pytest

import linpoint as lp
from linpoint.library.studies import STUDIES
from linpoint.verify.table1 import agrees

# (O/≈, O/≈div, Θ/≈): what an independent slow model of each case gave.
QUOTIENTS = {
    "treiber": (388, 388, 388),
    "treiber-hp": (388, 388, 388),
    "treiber-hp-fu": (396, 473, 388),
    "ms-queue": (337, 337, 337),
    "dglm-queue": (337, 337, 337),
    "ccas": (253, 253, 215),
    "rdcss": (514, 514, 408),
    "fine-list": (488, 488, 488),
    "hm-list-buggy": (552, 552, 488),
    "hm-list": (496, 496, 488),
    "optimistic-list": (488, 488, 488),
    "lazy-list": (488, 488, 488),
    "two-lock-queue": (373, 373, 337),
    "hw-queue": (179, 216, 162),
}
NOT_LOCK_FREE = {"treiber-hp-fu", "hw-queue"}


def test_every_study_is_known_here() -> None:
    assert set(STUDIES) == set(QUOTIENTS)


@pytest.mark.parametrize("name", QUOTIENTS)
def test_study(name: str) -> None:
    found = lp.verify(name)
    sizes = (found.quotient_states, found.divergence_quotient_states, found.spec_quotient_states)
    assert sizes == QUOTIENTS[name]
    expected = lp.Verdict.VIOLATION if name == "hm-list-buggy" else lp.Verdict.LINEARIZABLE
    assert found.verdict is expected
    if not STUDIES[name].lock_based:
        assert found.lock_free is (name not in NOT_LOCK_FREE)
    assert found.deadlock_free is True
    assert agrees(STUDIES[name], found)


@pytest.mark.parametrize(
    ("name", "threads", "ops", "quotient"),
    [("ms-queue", 2, 5, 2697), ("treiber-hp", 2, 3, None), ("ms-queue", 3, 1, None)],
)
def test_one_value(name: str, threads: int, ops: int, quotient: int | None) -> None:
    found = lp.verify(name, threads=threads, ops=ops, values=1)
    assert found.verdict is lp.Verdict.LINEARIZABLE
    assert found.lock_free is True
    assert quotient is None or found.quotient_states == quotient


def test_the_bug_of_the_hm_list_is_two_removes_of_one_key() -> None:
    shown = lp.verify("hm-list-buggy").counterexample
    assert shown is not None
    assert shown.history is not None
    assert shown.explanation is not None
    removed = [op.value for op in shown.history if op.f == "remove" and op.result is True]
    added = [op.value for op in shown.history if op.f == "add"]
    assert len(removed) == 2
    assert removed[0] == removed[1]
    assert len(added) == 1
    assert lp.check(shown.history, "set").verdict is lp.Verdict.VIOLATION
    assert "remove" in str(shown.explanation)


def test_the_revised_hazard_pointers_are_not_lock_free() -> None:
    shown = lp.verify("treiber-hp-fu").lassos["lock_free"].interleaving
    assert shown is not None
    assert shown.cycle is not None
    cycle = shown.steps[shown.cycle :]
    assert len({step.thread for step in cycle}) == 1
    assert all("hazard[" in action.words for step in cycle for action in step.actions)
    assert len(shown.steps) <= 17


def test_each_queue_is_an_abstract_object_of_the_other() -> None:
    assert lp.verify("ms-queue", abstract="dglm-queue", values=1, ops=3).abstract_bisimilar is True
    different = lp.verify("two-lock-queue", abstract="ms-queue", values=1)
    assert different.abstract_bisimilar is False
    assert different.abstract_difference


def test_methods_choose_the_menu() -> None:
    found = lp.verify("lazy-list", methods=["add", "contains"], values=1)
    assert found.menu == ("add(1)", "contains(1)")
    assert found.verdict is lp.Verdict.LINEARIZABLE
