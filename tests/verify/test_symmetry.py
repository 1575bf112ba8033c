"""Is nothing lost where runs that differ only in names are explored once, and is it refused where it may be?"""

import pytest

import linpoint as lp
from tests.verify.wrong import queues, stacks

BOTH = ("threads", "values")


@pytest.mark.parametrize("name", ["treiber", "ms-queue", "dglm-queue", "two-lock-queue"])
def test_the_verdict_is_the_same_with_fewer_states(name: str) -> None:
    whole = lp.verify(name)
    found = {symmetry: lp.verify(name, symmetry=symmetry) for symmetry in (("threads",), ("values",), BOTH)}
    for one in found.values():
        answers = (one.verdict, one.lock_free, one.obstruction_free, one.deadlock_free)
        assert answers == (whole.verdict, whole.lock_free, whole.obstruction_free, whole.deadlock_free)
        assert one.states is not None
        assert one.spec_states is not None
    states = [one.states or 0 for one in found.values()]
    assert states[2] < min(states[:2])
    assert max(states) < (whole.states or 0)
    assert "differ only in the names of threads and values" in str(found[BOTH])


@pytest.mark.parametrize(
    ("cls", "spec", "ops"),
    [
        (stacks.FreesAtOnce, "stack", 3),
        (stacks.PlainWrite, "stack", 2),
        (queues.ReleasesEarly, "queue", 2),
        (queues.TailFirst, "queue", 2),
        (queues.OverwritesNext, "queue", 2),
    ],
)
def test_violations_are_still_found(cls: type, spec: str, ops: int) -> None:
    verdicts = [lp.verify(cls, spec, ops=ops, symmetry=symmetry).verdict for symmetry in ((), BOTH)]
    assert verdicts[0] is verdicts[1]
    assert verdicts[0] is lp.Verdict.VIOLATION


@pytest.mark.parametrize(
    ("target", "spec", "symmetry", "words"),
    [
        ("treiber-hp", None, "threads", "asks for the number of its thread"),
        ("hw-queue", None, "values", "calculates with numbers"),
        ("lazy-list", None, "values", "calculates with numbers"),
        ("ccas", None, "values", "does not treat all values alike|names one of the values|all values are alike to"),
        ("treiber", "height-stack", "values", "not known of height-stack"),
        ("treiber", None, "names", "no symmetry 'names'"),
    ],
)
def test_what_may_be_unsound_is_refused(target: str, spec: str | None, symmetry: str, words: str) -> None:
    with pytest.raises(lp.UsageError, match=words):
        lp.verify(target, spec, symmetry=[symmetry])


def test_an_abstract_object_is_compared_on_all_runs() -> None:
    with pytest.raises(lp.UsageError, match="leave out the symmetry"):
        lp.verify("ms-queue", abstract="dglm-queue", symmetry=["threads"])
