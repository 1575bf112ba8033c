"""The event of a violation: what was known then, what happened at it, and its number in the log."""

import json
from typing import Any

import linpoint as lp

QUEUE = [("a", "dequeue", None), ("b", "enqueue", 1), ("b", 1), ("c", "peek", None), ("c", None), ("a", None)]


def fed(model: str, events: list[tuple[Any, ...]], **options: Any) -> lp.Monitor:
    """(process, operation, argument), (process, result) or (process,): it failed."""
    monitor = lp.Monitor(model, **options)
    tokens: dict[str, int] = {}
    for who, *what in events:
        if len(what) == 2:
            tokens[who] = monitor.call(who, what[0], what[1])
        elif what:
            monitor.ret(tokens[who], what[0])
        else:
            monitor.fail(tokens[who])
    return monitor


def violation_of(monitor: lp.Monitor) -> lp.Violation:
    found = monitor.violation
    assert found is not None
    return found


def test_operations_are_shown_as_they_were_known_at_the_event() -> None:
    events: list[tuple[Any, ...]] = [
        ("a", "push", 2),
        ("b", "pop", None),
        ("b", 2),
        ("c", "pop", None),
        ("c", 2),
        ("a",),
    ]
    late = violation_of(fed("stack", events))
    soon = violation_of(fed("stack", events[:5]))
    assert (late.event, late.to_dict()) == (5, soon.to_dict())
    assert [op.ret for op in late.told] == [None, 3, 5]
    assert str(late) == str(soon)


def test_what_happened_at_the_event_is_said_where_the_accused_had_returned_before() -> None:
    found = violation_of(fed("queue", QUEUE))
    assert found.event == 6
    assert found.ended is not None
    assert (found.ended.f, found.ended.ret, found.to_dict()["ended"]["return"]) == ("dequeue", 6, 6)
    headline = str(found).splitlines()[0]
    assert headline.endswith(
        "peek() → null (process c, events 4 to 5), since event 6, when dequeue() → null (process a) returned"
    )
    failed = violation_of(fed("stack", [("a", "push", 8), ("b", "pop", None), ("b", 8), ("a",)]))
    assert (
        str(failed)
        .splitlines()[0]
        .endswith("pop() → 8 (process b, events 2 to 3), since event 4, when push(8) (process a) failed")
    )
    plain = violation_of(fed("register", [("a", "read", None), ("a", 2)]))
    assert str(plain).splitlines()[0].endswith("read() → 2 (process a, events 1 to 2)")


def timed(*events: tuple[int, str, str, Any, int]) -> bytes:
    names = ("process", "type", "f", "value", "time")
    return "".join(f"{json.dumps(dict(zip(names, event, strict=True)))}\n" for event in events).encode()


SKEWED = timed(
    (1, "invoke", "enqueue", 1, 1000),
    (1, "ok", "enqueue", 1, 2000),
    (1, "invoke", "enqueue", 2, 3000),
    (1, "ok", "enqueue", 2, 3500),
    (2, "invoke", "dequeue", None, 4000),
    (2, "ok", "dequeue", 2, 5000),
)


def test_events_have_the_numbers_of_the_log_also_where_ends_are_taken_late() -> None:
    told = []
    for skew in (None, 400e-9):
        monitor = lp.Monitor("queue", clock_skew=skew)
        monitor.feed(SKEWED)
        monitor.end_of_input()
        told.append(violation_of(monitor))
        assert monitor.since == 6
    assert told[0].to_dict() == told[1].to_dict()
    assert str(told[0]) == str(told[1])
    assert told[1].result() is not None


def test_events_that_came_late_have_the_numbers_of_the_log_after_a_restore_too() -> None:
    lines = SKEWED.splitlines(keepends=True)
    late = [lines[place] for place in (2, 0, 1, 5, 3, 4)]
    monitor = lp.Monitor("queue", reorder=3e-6)
    for place, line in enumerate(late):
        other = lp.Monitor("queue", reorder=3e-6)
        if place:
            other.restore(monitor.save())
        other.feed(line)
        monitor = other
    monitor.end_of_input()
    found = violation_of(monitor).to_dict()
    assert (found["event"], found["line"]) == (4, 4)
    assert [(op["f"], op["call"], op["return"]) for op in (*found["operations"], *found["support"])] == [
        ("enqueue", 2, 3),
        ("dequeue", 6, 4),
        ("enqueue", 1, 5),
    ]


def test_refused_events_have_no_number_whatever_the_order() -> None:
    log = timed(
        (1, "ok", "enqueue", 7, 500),
        (1, "invoke", "enqueue", 1, 1000),
        (2, "ok", "dequeue", 7, 1500),
        (1, "ok", "enqueue", 1, 2000),
        (1, "invoke", "nonsense", 2, 3000),
        (1, "invoke", "enqueue", 2, 3000),
        (1, "ok", "enqueue", 2, 3500),
        (2, "invoke", "dequeue", None, 4000),
        (2, "ok", "dequeue", 2, 5000),
    )
    plain = lp.Monitor("queue")
    plain.feed(log)
    expected = violation_of(plain).to_dict()
    assert expected["event"] == 6
    for options in ({"reorder": 1e-6}, {"clock_skew": 1e-9}, {"reorder": 1e-6, "clock_skew": 1e-9}):
        monitor = lp.Monitor("queue", **options)
        monitor.feed(log[: len(log) // 2])
        other = lp.Monitor("queue", **options)
        other.restore(monitor.save())
        other.feed(log[len(log) // 2 - monitor.line_begun() :])
        other.end_of_input()
        found = violation_of(other).to_dict()
        assert (found["event"], found["operations"], found["support"], found["accused"], found["ended"]) == tuple(
            expected[name] for name in ("event", "operations", "support", "accused", "ended")
        )
        assert other.counts().events == plain.counts().events == 6


def test_a_restored_monitor_still_has_its_violations() -> None:
    for keep_going, count in ((False, 1), (True, 2)):
        first = fed("queue", [*QUEUE, ("d", "dequeue", None), ("d", 5)], keep_going=keep_going)
        assert len(first.violations) == count
        second = lp.Monitor("queue", keep_going=keep_going)
        second.restore(first.save())
        assert second.verdict is lp.Verdict.VIOLATION
        assert [str(found) for found in second.violations] == [str(found) for found in first.violations]
        assert second.news() == []
        assert second.save() == first.save()


def test_violations_that_nobody_asked_for_are_saved_and_still_news() -> None:
    monitor = fed("queue", QUEUE)
    monitor.judge()
    other = lp.Monitor("queue")
    other.restore(monitor.save())
    assert [found.event for found in other.violations] == [6]
    assert [found.event for found in monitor.news()] == [6]
