"""What `lp.verify` finds in small objects: violations, faults, lassos, limits."""

import pytest

import linpoint as lp
from linpoint.verify import Interleaving
from tests.verify import objects


class Ticket(lp.Model):
    """Each increment returns how many there were before."""

    initial = 0

    def increment(self, count: int, _: None) -> tuple[int, int]:
        return count + 1, count


def run_of(found: lp.Verification) -> Interleaving:
    assert found.counterexample is not None
    assert found.counterexample.interleaving is not None
    return found.counterexample.interleaving


def test_a_wait_free_counter() -> None:
    found = lp.verify(objects.Counter, Ticket(), ops=3)
    assert found.verdict is lp.Verdict.LINEARIZABLE
    assert found.bisimilar is True
    assert (found.lock_free, found.obstruction_free, found.deadlock_free, found.wait_free) == (True,) * 4


def test_wait_freedom_is_claimed_only_where_it_is_known() -> None:
    # The client that calls for ever counts beyond the numbers that a cell holds.
    found = lp.verify(objects.LoopingCounter, Ticket(), ops=2)
    assert found.verdict is lp.Verdict.LINEARIZABLE
    assert found.wait_free is None
    assert found.wait_free_not_known is not None
    assert "-19 to 118" in found.wait_free_not_known
    # A loop of two rounds and no more.
    bounded = lp.verify(objects.TwoLooks, "register:initial=0", ops=2)
    assert (bounded.wait_free, bounded.wait_free_not_known) == (True, None)
    # A writer can keep a reader in its loop.
    assert lp.verify("ms-queue").wait_free is False


def test_a_lost_update_is_found_with_its_interleaving() -> None:
    found = lp.verify(objects.LostUpdate, Ticket(), ops=1)
    assert found.verdict is lp.Verdict.VIOLATION
    run = run_of(found)
    assert [step.event for step in run.steps if step.event] == [
        "call increment()",
        "call increment()",
        "return 0",
        "return 0",
    ]
    reads = [action.words for step in run.steps for action in step.actions if "is" in action.words]
    writes = [action.words for step in run.steps for action in step.actions if ":=" in action.words]
    assert (reads, writes) == (["count is 0"] * 2, ["count := 1"] * 2)
    assert run.source(next(step.line for step in run.steps if step.line)) == "seen = self.count"
    assert found.counterexample is not None
    assert found.counterexample.history is not None
    assert lp.check(found.counterexample.history, Ticket()).verdict is lp.Verdict.VIOLATION


def test_the_run_says_what_is_in_memory_after_each_step() -> None:
    run = run_of(lp.verify(objects.LostUpdate, Ticket(), ops=1))
    count = [dict(step.memory.cells)["count"] for step in run.steps]
    assert count[0] == "0"
    assert count[-1] == "1"
    assert dict(run.before.cells) == {"count": "0"}
    waiting = [view for step in run.steps for view in step.memory.threads if view.variables]
    assert ("seen", "0") in waiting[0].variables


def test_a_deadlock_is_a_run_without_end() -> None:
    class Idle(lp.Model):
        initial = 0

        def forth(self, state: int, _: None) -> tuple[int, None]:
            return state, None

        back = forth

    found = lp.verify(objects.TwoLocks, Idle(), ops=1)
    assert found.verdict is lp.Verdict.LINEARIZABLE
    assert (found.deadlock_free, found.lock_free, found.obstruction_free, found.wait_free) == (False,) * 4
    run = found.lassos["deadlock_free"].interleaving
    assert run is not None
    assert run.cycle is None
    taken = [action.words for step in run.steps for action in step.actions]
    assert taken == ["locks first", "locks second"] or taken == ["locks second", "locks first"]


def test_a_fault_is_a_violation_with_the_line() -> None:
    found = lp.verify(objects.Careless, "stack", ops=2, values=1)
    assert found.verdict is lp.Verdict.VIOLATION
    shown = found.counterexample
    assert shown is not None
    assert shown.kind == "fault"
    assert "not a node" in shown.words
    last = run_of(found).steps[-1]
    assert last.fault is not None
    assert last.line is not None
    assert "self.top.value" in run_of(found).source(last.line) or "self.top.next" in run_of(found).source(last.line)


def test_an_address_that_comes_back_is_the_aba_problem() -> None:
    found = lp.verify(objects.AbaStack, "stack", threads=2, ops=4, values=2)
    assert found.verdict is lp.Verdict.VIOLATION
    words = [action.words for step in run_of(found).steps for action in step.actions]
    made = [word for word in words if word.startswith("makes")]
    assert len(made) > len(set(made)), "the same address was given out twice"
    assert any(word.startswith("frees") for word in words)


def test_a_number_that_does_not_fit_is_unknown() -> None:
    class Nothing(lp.Model):
        initial = 0

        def jump(self, state: int, _: None) -> tuple[int, None]:
            return state, None

    found = lp.verify(objects.Overflow, Nothing())
    assert found.verdict is lp.Verdict.UNKNOWN
    assert found.cause is lp.Cause.GAVE_UP
    assert found.note is not None
    assert "line" in found.note


def test_a_specification_in_the_language_may_wait() -> None:
    same = lp.verify(objects.Slot, objects.Slot, values=1)
    assert same.verdict is lp.Verdict.LINEARIZABLE
    assert same.bisimilar is True
    assert same.deadlock_free is False, "two takes wait for ever"
    assert same.spec_states == same.states


def test_budgets_end_in_unknown() -> None:
    states = lp.verify("ms-queue", states=1000)
    assert states.verdict is lp.Verdict.UNKNOWN
    assert states.cause is lp.Cause.WORK
    assert "more than 1,000 states" in str(states)
    assert "This is known" not in str(states)
    memory = lp.verify("ms-queue", ops=4, memory="100KiB")
    assert memory.verdict is lp.Verdict.UNKNOWN
    assert memory.cause is lp.Cause.MEMORY
    time = lp.verify("ms-queue", timeout=0)
    assert time.verdict is lp.Verdict.UNKNOWN
    assert time.cause is lp.Cause.TIME


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"target": "no-such"}, "no study"),
        ({"target": objects.Counter}, "which specification"),
        ({"target": "treiber", "threads": 9}, "threads"),
        ({"target": "treiber", "ops": 0}, "operations"),
        ({"target": "treiber", "values": 0}, "values"),
        ({"target": "treiber", "methods": ["shove"]}, "no method 'shove'"),
        ({"target": "treiber", "abstract": "ms-queue"}, "no method push"),
        ({"target": "treiber", "abstract": "nobody"}, "no study 'nobody': treiber"),
        ({"target": "treiber", "states": -1}, "states"),
        ({"target": "treiber", "workers": 0}, "cores"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(lp.UsageError, match=words):
        lp.verify(**arguments)  # type: ignore[arg-type]


def test_results_are_compared_as_a_check_compares_them() -> None:
    found = lp.verify(objects.QuietSet, "set", ops=2, values=1)
    assert found.verdict is lp.Verdict.LINEARIZABLE, "null is not compared with true and false"
    with pytest.raises(lp.ModelError, match="add of the object returns 1"):
        lp.verify(objects.OddSet, "set", values=1)


def test_ctrl_c_keeps_what_is_known() -> None:
    def press(_: float, states: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(lp.Interrupted) as stopped:
        lp.verify("ms-queue", threads=4, ops=4, progress=press)
    assert stopped.value.result.cause is lp.Cause.INTERRUPTED
    assert stopped.value.result.verdict is lp.Verdict.UNKNOWN
