"""Events that come late, and clocks that differ."""

import json
import random
from fractions import Fraction
from typing import Any

import pytest

import linpoint as lp
from linpoint.check.skew import widened

Timed = tuple[int, int, str]


def lines(records: list[dict[str, Any]]) -> list[Timed]:
    """The events of complete operations as lines of a log: (time, calls first, line)."""
    said: list[Timed] = []
    for place, record in enumerate(records):
        common = {"process": place, "f": record["f"], **({"key": record["key"]} if "key" in record else {})}
        call = {**common, "type": "invoke", "value": record.get("value"), "time": record["call"]}
        ended = {**common, "type": "ok", "value": record.get("result"), "time": record["return"]}
        said += [(record["call"], 0, json.dumps(call)), (record["return"], 1, json.dumps(ended))]
    return sorted(said)


def told(events: list[Timed], model: str, **options: Any) -> lp.Monitor:
    monitor = lp.Monitor(model, batch=4, format="jepsen-json", **options)
    monitor.feed("".join(f"{line}\n" for *_, line in events).encode())
    monitor.end_of_input()
    monitor.judge()
    return monitor


def random_records(dice: random.Random) -> list[dict[str, Any]]:
    """Reads and writes of a register, some of them wrong."""
    records: list[dict[str, Any]] = []
    for place in range(7):
        call = dice.randrange(60)
        done: dict[str, Any] = {"f": "write", "value": place + 1, "result": place + 1}
        if dice.random() < 0.5:
            done = {"f": "read", "value": None, "result": dice.choice([None, *range(1, 8)])}
        records.append({**done, "call": call, "return": call + dice.randrange(1, 12)})
    return records


def as_history(records: list[dict[str, Any]]) -> lp.History:
    return lp.History(
        {**record, "process": place, "result": record["result"] if record["f"] == "read" else None}
        for place, record in enumerate(records)
    )


@pytest.mark.parametrize("skew", [0, 1, 3, 10])
def test_a_monitor_believes_clocks_as_far_as_the_check_of_wider_intervals(skew: int) -> None:
    dice, violations = random.Random(skew), 0
    for _ in range(150):
        records = random_records(dice)
        expected = lp.check(widened(as_history(records), Fraction(skew)), "register", certify=False).verdict
        found = told(lines(records), "register", clock_skew=skew * 1e-9)
        assert (found.verdict, found.counts().skipped) == (expected, 0), records
        violations += expected is lp.Verdict.VIOLATION
    assert violations > 20


def test_events_that_come_late_are_taken_in_the_order_of_their_times() -> None:
    dice = random.Random(3)
    for _ in range(60):
        times = iter(dice.sample(range(100), 14))
        records = [
            {**record, "call": min(pair), "return": max(pair)}
            for record, pair in zip(random_records(dice), zip(times, times, strict=True), strict=True)
        ]
        events = lines(records)
        shuffled = sorted(events, key=lambda event: event[0] + dice.uniform(0, 20))
        found, expected = told(shuffled, "register", reorder=20e-9), told(events, "register")
        since = (
            expected.since and shuffled.index(events[expected.since - 1]) + 1
        )  # the same event, by its place in the log
        assert (found.verdict, found.since) == (expected.verdict, since)
        assert found.counts().skipped == 0


def test_what_comes_too_late_or_has_no_time_is_skipped_and_told() -> None:
    call = '{"process":0,"type":"invoke","f":"write","value":1,"time":%d}\n'
    monitor = lp.Monitor("register", reorder="0.001ms", format="jepsen-json")
    monitor.feed((call % 5000).encode() + b'{"process":1,"type":"invoke","f":"read","value":null,"time":9000}\n')
    monitor.feed(b'{"process":2,"type":"invoke","f":"read","value":null,"time":4000}\n')
    monitor.feed(b'{"process":3,"type":"invoke","f":"read","value":null}\n')
    monitor.end_of_input()
    assert [words for _, words in monitor.complaints()] == [
        "the event comes too late: one of a later time was taken already",
        "the event has no time, and events are taken in the order of their times",
    ]
    assert monitor.counts().events == 2
