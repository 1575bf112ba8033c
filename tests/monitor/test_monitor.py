"""The monitor in a program: verdicts while it runs, from one thread and from many."""

import inspect
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

import linpoint as lp
from tests.agreement.generate import MODELS
from tests.conftest import ROOT
from tests.monitor.agree import disagreement


@pytest.mark.parametrize("model", MODELS)
def test_the_verdict_after_every_event_is_that_of_the_prefix(model: str) -> None:
    assert [wrong for seed in range(12) if (wrong := disagreement(model, seed)) is not None] == []


def test_a_violation_is_told_with_its_event_and_the_operations_that_show_it() -> None:
    with lp.Monitor("register:initial=0") as monitor:
        assert monitor.violation is None
        monitor.ret(monitor.call("a", "write", 1))
        monitor.ret(monitor.call("b", "read"), 0)
        monitor.ret(monitor.call("b", "read"), 1)
    assert monitor.verdict is lp.Verdict.VIOLATION
    violation = monitor.violation
    assert violation is not None
    assert (violation.event, violation.accused.f, violation.line) == (4, "read", None)
    assert "no order explains read() → 0 (process b, events 3 to 4)" in str(violation)
    result = violation.result()
    assert result is not None
    assert result.verdict is lp.Verdict.VIOLATION


def test_what_was_forgotten_stays_as_a_state() -> None:
    monitor = lp.Monitor("register:initial=0")
    for number in range(200):
        monitor.ret(monitor.call("a", "write", number))
        assert monitor.verdict is lp.Verdict.LINEARIZABLE
    assert monitor.counts().configurations == 1
    monitor.ret(monitor.call("b", "read"), 7)
    violation = monitor.violation
    assert violation is not None
    assert violation.states == ("199",)
    assert violation.result() is None
    assert "after a moment at which the object was in state 199" in str(violation)


def test_it_goes_on_as_if_the_accused_operation_had_not_been() -> None:
    monitor = lp.Monitor("queue", keep_going=True)
    monitor.ret(monitor.call("a", "enqueue", 1))
    monitor.ret(monitor.call("a", "dequeue"), 2)
    monitor.ret(monitor.call("a", "dequeue"), 1)
    monitor.ret(monitor.call("a", "dequeue"), 1)
    assert [violation.event for violation in monitor.violations] == [4, 8]


def test_a_crashed_operation_may_take_effect_later_or_never() -> None:
    monitor = lp.Monitor("register:initial=0")
    monitor.info(monitor.call("a", "write", 1))
    monitor.ret(monitor.call("b", "read"), 0)
    monitor.ret(monitor.call("b", "read"), 1)
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("b", "read"), 0)
    assert (monitor.verdict, monitor.since) == (lp.Verdict.VIOLATION, 8)


def test_a_failed_operation_can_be_what_was_missing() -> None:
    monitor = lp.Monitor("register:initial=0")
    token = monitor.call("a", "write", 1)
    monitor.ret(monitor.call("b", "read"), 1)
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.fail(token)
    assert (monitor.verdict, monitor.since) == (lp.Verdict.VIOLATION, 4)


def test_keys_are_judged_apart_until_an_operation_spans_them() -> None:
    monitor = lp.Monitor("multi-register:initial=0")
    for key in "xyz":
        monitor.ret(monitor.call(key, "write", [key, 1]))
    assert (monitor.verdict, monitor.counts().groups) == (lp.Verdict.LINEARIZABLE, 3)
    monitor.ret(monitor.call("t", "txn", [["r", "x", None], ["r", "y", None]]), [["r", "x", 1], ["r", "y", 1]])
    assert (monitor.verdict, monitor.counts().groups) == (lp.Verdict.LINEARIZABLE, 2)
    monitor.ret(monitor.call("t", "read", "y"), 0)
    assert monitor.verdict is lp.Verdict.VIOLATION


def test_values_that_nobody_holds_are_forgotten() -> None:
    monitor = lp.Monitor("register", batch=1000)
    for number in range(100_000):
        monitor.ret(monitor.call("a", "write", f"a value with the number {number}"))
    monitor.ret(monitor.call("a", "read"), "a value with the number 99999")
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    assert monitor.counts().bytes < 3_000_000  # 100,000 such values take 10 million


def test_many_threads_feed_one_monitor() -> None:
    monitor = lp.Monitor("counter", batch=64)
    lock, number = threading.Lock(), 0

    def work(name: int) -> None:
        nonlocal number
        for _ in range(300):
            token = monitor.call(name, "add_and_get", 1)
            with lock:
                number += 1
                result = number
            monitor.ret(token, result)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = monitor.counts()
    assert (monitor.verdict, counts.events, counts.open) == (lp.Verdict.LINEARIZABLE, 2400, 0)
    monitor.ret(monitor.call(9, "read"), 1199)
    assert monitor.verdict is lp.Verdict.VIOLATION


def test_what_the_model_does_not_have_is_refused() -> None:
    monitor = lp.Monitor("register")
    with pytest.raises(lp.HistoryError, match="push"):
        monitor.call("a", "push", 1)
    token = monitor.call("a", "write", 1)
    monitor.ret(token)
    with pytest.raises(lp.HistoryError, match="not open"):
        monitor.ret(token)
    assert (monitor.verdict, monitor.counts().events) == (lp.Verdict.LINEARIZABLE, 2)
    with pytest.raises(lp.UsageError, match="no model"):
        lp.Monitor("registre")


def test_out_of_memory_is_unknown_from_an_event_on() -> None:
    monitor = lp.Monitor("queue", memory=1)
    monitor.ret(monitor.call("a", "enqueue", 1))
    monitor.ret(monitor.call("a", "dequeue"), 2)
    assert (monitor.verdict, monitor.since, monitor.cause) == (lp.Verdict.UNKNOWN, 1, lp.Cause.MEMORY)
    monitor.ret(monitor.call("a", "dequeue"), 2)
    assert monitor.verdict is lp.Verdict.UNKNOWN


def test_a_stack_keeps_what_a_forgotten_value_tells_of_others() -> None:
    monitor = lp.Monitor("stack")
    one = monitor.call("a", "push", 1)
    monitor.ret(monitor.call("b", "push", 7))
    two = monitor.call("b", "push", 2)
    monitor.ret(one)
    monitor.ret(monitor.call("a", "pop"), 7)
    monitor.ret(two)
    for _ in range(3):
        monitor.ret(monitor.call("a", "push", 9))
        monitor.ret(monitor.call("a", "pop"), 9)
        assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("a", "pop"), 1)
    violation = monitor.violation
    assert violation is not None
    assert (violation.event, violation.whole, violation.result()) == (22, False, None)
    assert violation.effect_by == {1: 3}
    assert "push(1) (process a, events 1 to 5, had taken effect by event 3)" in str(violation)
    assert "after what happened before, which is forgotten by now" in str(violation)


def test_an_overwritten_value_is_not_called_impossible_whatever_else_happened() -> None:
    monitor = lp.Monitor("register")
    for number in range(3):
        monitor.ret(monitor.call("a", "write", number))
        assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("b", "read"), 0)
    violation = monitor.violation
    assert violation is not None
    assert not violation.whole
    assert "This operation is impossible after what happened before" in str(violation)


def test_a_violation_whose_first_event_was_not_found_says_so() -> None:
    operation = {
        "process": 0,
        "f": "read",
        "value": None,
        "result": 7,
        "call": 8,
        "return": 9,
        "key": None,
        "type": "ok",
    }
    alarm = {
        "event": 9,
        "line": 12,
        "skipped": 0,
        "ended": None,
        "operations": [
            {"record": operation, "accused": True, "needed": True, "support": False, "effect_by": None, "came": (8, 9)}
        ],
        "states": [],
        "state_count": 0,
        "whole": False,
        "forgot": False,
        "exact": False,
        "minimal": False,
        "unjudged": None,
        "earlier": False,
    }
    told = lp.Violation.of_alarm(lp.models.Register(), alarm)
    assert str(told).startswith(
        "VIOLATION (register) by event 9, line 12, perhaps earlier: no order explains what happened"
    )
    assert "read" not in str(told), "what is accused may have nothing to do with it"
    assert told.to_dict()["exact"] is False


def test_behind_many_violations_it_is_given_up_and_said_so() -> None:
    monitor = lp.Monitor("cas-register:initial=0", keep_going=True, batch=10**6)
    other = monitor.call("b", "write", 1, key="another")
    for turn in range(3000):
        monitor.ret(monitor.call("a", "write", turn, key="one"))
        monitor.ret(monitor.call("a", "read", key="one"), -1)  # wrong each time
    monitor.ret(other)
    monitor.ret(monitor.call("b", "read", key="another"), 2)
    found = monitor.violations
    assert 10 < len(found) < 3000
    assert [op.key for op in (found[0].accused, found[-1].accused)] == ["one", "another"]
    lost = monitor.lost()
    assert lost == (found[-2].event + 1, lp.Cause.WORK)
    assert (monitor.verdict, monitor.since) == (lp.Verdict.VIOLATION, found[0].event)


def test_it_begins_again_where_an_operation_tells_what_is_held() -> None:
    monitors = [lp.Monitor("cas-register:initial=0", memory=100_000, restart=restart) for restart in (False, True)]
    for monitor in monitors:
        tokens = [monitor.call(number, "write", number) for number in range(20)]
        for found in (3, 5, 7, 9, 11):
            monitor.ret(monitor.call("r", "read"), found)
        assert monitor.verdict is lp.Verdict.LINEARIZABLE
        for token in tokens:
            monitor.ret(token)  # now there are too many orders
        assert (monitor.verdict, monitor.since, monitor.cause) == (lp.Verdict.UNKNOWN, 31, lp.Cause.MEMORY)
        monitor.ret(monitor.call("r", "read"), 5)
        monitor.ret(monitor.call("r", "read"), 5)
        assert (monitor.verdict, monitor.since) == (lp.Verdict.UNKNOWN, 31)
        monitor.ret(monitor.call("r", "read"), 6)
    forgetful, restarted = monitors
    assert (forgetful.verdict, forgetful.counts().restarts) == (lp.Verdict.UNKNOWN, 0)
    assert (restarted.verdict, restarted.since, restarted.counts().restarts) == (lp.Verdict.VIOLATION, 56, 1)
    violation = restarted.violation
    assert violation is not None
    assert violation.unjudged == (31, 52)
    assert "after a moment at which the object was in state 5" in str(violation)
    assert str(violation).endswith("Events 31 to 52 were not all judged: there may have been another violation before.")


def test_what_an_open_remove_took_must_leave_an_order() -> None:
    monitor = lp.Monitor("queue")
    one, two, three = monitor.call("a", "enqueue", 1), monitor.call("b", "enqueue", 2), monitor.call("c", "dequeue")
    monitor.ret(one)
    monitor.ret(monitor.call("a", "enqueue", 3))
    monitor.ret(monitor.call("a", "peek"), 2)
    monitor.call("a", "dequeue")
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(three, 3)  # 2 and 1 must be out by now: no two values are in conflict, all three are
    assert (monitor.verdict, monitor.since) == (lp.Verdict.VIOLATION, 10)
    monitor.ret(two)


def test_what_crashed_removes_must_have_taken_is_forgotten_with_them() -> None:
    monitor = lp.Monitor("queue")
    for turn in range(50):
        for value in (3 * turn, 3 * turn + 1, 3 * turn + 2):
            monitor.ret(monitor.call("a", "enqueue", value))
        monitor.info(monitor.call(f"crashed {turn}", "dequeue"))
        monitor.ret(monitor.call("a", "dequeue"), 3 * turn + 1)  # so the crashed one took what was before
        monitor.ret(monitor.call("a", "dequeue"), 3 * turn + 2)
        monitor.info(monitor.call(f"lost {turn}", "dequeue"))
        assert (monitor.verdict, monitor.counts().crashed) == (lp.Verdict.LINEARIZABLE, turn + 1)
    monitor.ret(monitor.call("a", "dequeue"), 0)
    assert (monitor.verdict, monitor.counts().events) == (lp.Verdict.VIOLATION, monitor.since)


def told(model: str, script: list[tuple[Any, ...]]) -> tuple[lp.Verdict, int | None]:
    """The verdict after (process, name, argument), (process, its result) and ("look",), and since when."""
    monitor, tokens = lp.Monitor(model), {}
    for process, *what in script:
        if process == "look":
            monitor.judge()
        elif len(what) == 2:
            tokens[process] = monitor.call(process, *what)
        elif what == ["crashes"]:
            monitor.info(tokens[process])
        else:
            monitor.ret(tokens[process], *what)
    return monitor.verdict, monitor.since


LOOK = ("look",)


def test_keys_that_were_judged_up_to_different_moments_are_joined() -> None:
    """`x` keeps its write, and of `v` it is known that the read took effect: the search has to begin with that."""
    both, read = [["w", "w", 2], ["w", "v", 3]], [["r", "v", None]]
    script = [(2, "write", ["x", 1]), (2, None), (3, "txn", read), (4, "txn", both), (4, both)]
    script += [(0, "txn", [["w", "u", 3], ["w", "v", 3]]), (3, read), LOOK]
    script += [(5, "txn", [["r", "x", None], ["r", "w", None]])]
    assert told("multi-register", script) == (lp.Verdict.LINEARIZABLE, None)


def test_a_crashed_operation_takes_effect_once_though_keys_are_joined() -> None:
    script = [(3, "get", "b"), (3, None), (9, "replace_if", ["e", 1, None]), (9, "crashes")]
    script += [(2, "put_if_absent", ["e", 2]), (2, "crashes"), (5, "get", "e"), (5, 2), LOOK]
    script += [(6, "size", None), (5, "put", ["e", 1]), (5, None), (7, "get", "e"), (7, 2)]
    assert told("map", script) == (lp.Verdict.VIOLATION, 13)


def test_the_token_of_another_monitor_is_refused() -> None:
    one, other = lp.Monitor("register"), lp.Monitor("register")
    one.call("a", "read")
    with pytest.raises(lp.HistoryError, match="not open"):
        one.ret(other.call("b", "write", 1))


def test_what_was_saved_of_another_model_is_refused() -> None:
    mutex = lp.Monitor("mutex")
    mutex.ret(mutex.call("p", "acquire"))
    assert mutex.verdict is lp.Verdict.LINEARIZABLE
    for other in ("register", "semaphore"):
        with pytest.raises(lp.UsageError, match="is about a mutex, not a "):
            lp.Monitor(other).restore(mutex.save())


def test_what_needs_an_operation_that_was_accused_is_no_violation_of_its_own() -> None:
    """`cas` failed because of the open `swap`, which then told something that nobody wrote."""
    monitor = lp.Monitor("cas-register", keep_going=True)
    monitor.ret(monitor.call(0, "write", 1))
    swap = monitor.call(1, "swap", 2)
    monitor.ret(monitor.call(2, "cas", [1, 3]), False)
    monitor.ret(swap, 5)
    monitor.judge()
    assert [violation.event for violation in monitor.violations] == [6]
    monitor.ret(monitor.call(0, "read"), 7)
    monitor.judge()
    first, second = monitor.violations
    assert (first.earlier, second.earlier, second.event) == (False, True, 8)
    assert "whatever else happened but for what was accused before" in str(second)


def test_whoever_reads_an_alarm_sees_what_came_before_though_it_is_settled() -> None:
    monitor = lp.Monitor("register")
    for number in range(6):
        monitor.ret(monitor.call("a", "write", number))
        monitor.judge()
        monitor.ret(monitor.call("a", "read"), number if number < 5 else 3)
        monitor.judge()
    violation = monitor.violation
    assert violation is not None
    assert [(op.f, op.call) for op in violation.before][-3:] == [("write", 17), ("read", 19), ("write", 21)]
    assert "Before that, among others:" in str(violation)
    assert "write(5) (process a, events 21 to 22)" in str(violation)
    again = lp.Monitor("register")
    again.restore(monitor.save())
    assert again.violations == monitor.violations


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_judges_many_keys() -> None:
    """It has none of the threads that its parent judges with."""
    judged = """
import os
import linpoint as lp

def watch():
    monitor = lp.Monitor("register")
    for key in range(300):
        monitor.ret(monitor.call("a", "write", 1, key=key))
    return monitor.verdict

watch()
child = os.fork()
if child == 0:
    os._exit(watch() is not lp.Verdict.LINEARIZABLE)
raise SystemExit(os.waitpid(child, 0)[1])
"""
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", judged], timeout=60, check=False).returncode == 0


def test_the_reference_has_the_signature_of_a_monitor() -> None:
    parameters = inspect.signature(lp.Monitor).parameters.values()
    plain = [one.name if one.default is one.empty else f"{one.name}={one.default!r}" for one in parameters]
    reference = (ROOT / "docs/reference/api.md").read_text()
    assert f"`lp.Monitor({', '.join([plain[0], '*', *plain[1:]])})`" in reference
    for one in parameters:
        assert f"    {one.name} " in (lp.Monitor.__doc__ or ""), one.name
