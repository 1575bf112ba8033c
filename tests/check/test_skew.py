"""How far must clocks differ for a violation to disappear?"""

import json
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import linpoint as lp
from linpoint.check.skew import clocked, skewed, span_of, widened

LINPOINT = str(Path(sys.executable).parent / "linpoint")
WRITE = {"process": 0, "f": "write", "value": 1, "call": 100, "return": 200}


def verdict(history: lp.History) -> lp.Verdict:
    return lp.check(history, "register", certify=False).verdict


def stale(call: object, ret: object) -> lp.History:
    return lp.History([WRITE, {"process": 0, "f": "read", "result": None, "call": call, "return": ret}])


@pytest.mark.parametrize(
    ("call", "smallest"), [(201, Fraction(1, 2)), (300, 50), (1200, 500), (Decimal("200.5"), Fraction(1, 4))]
)
def test_a_stale_read_needs_half_the_gap(call: object, smallest: Fraction) -> None:
    found = skewed(stale(call, 2000), Fraction(50), verdict)
    assert (found.smallest, found.known) == (smallest, True)
    assert found.verdict is (lp.Verdict.VIOLATION if smallest > 50 else lp.Verdict.LINEARIZABLE)


def test_a_value_that_nobody_wrote_is_wrong_whatever_the_clocks_say() -> None:
    history = lp.History([WRITE, {"process": 1, "f": "read", "result": 7, "call": 300, "return": 400}])
    found = skewed(history, Fraction(10), verdict)
    assert (found.verdict, found.smallest, found.known) == (lp.Verdict.VIOLATION, None, True)
    assert str(found) == "still a VIOLATION with clocks that are off by 10 ns; it is one whatever the clocks say"


def test_the_smallest_skew_is_the_smallest() -> None:
    dice, violations = random.Random(7), 0
    for _ in range(60):
        history = lp.History(random_operations(dice))
        if verdict(history) is not lp.Verdict.VIOLATION:
            continue
        violations += 1
        tried = (Fraction(double, 2) for double in range(1, 90))
        expected = next((eps for eps in tried if verdict(widened(history, eps)) is lp.Verdict.LINEARIZABLE), None)
        assert skewed(history, Fraction(1), verdict).smallest == expected
    assert violations > 20


def random_operations(dice: random.Random) -> list[dict[str, object]]:
    operations: list[dict[str, object]] = []
    for place in range(6):
        call = dice.randrange(40)
        what = dice.choice([{"f": "write", "value": place}, {"f": "read", "result": dice.randrange(6)}])
        operations.append({"process": place, "call": call, "return": call + dice.randrange(1, 8), **what})
    return operations


def test_spans_are_in_the_unit_of_the_times() -> None:
    assert span_of("2ms", stale(300, 400)) == 2_000_000
    assert span_of("2ms", stale(Decimal("300.5"), 400)) == Fraction(2, 1000)


def test_the_command_tells_it(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    read = {"process": 1, "f": "read", "result": None, "call": 3_000_200, "return": 4_000_000}
    file.write_text("".join(f"{json.dumps(op)}\n" for op in (WRITE, read)))

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [LINPOINT, "check", str(file), "--model", "register", *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    done = run("--clock-skew", "1ms")
    assert done.returncode == 1
    assert (
        "still a VIOLATION with clocks that are off by 1000000 ns; from 1500000 ns on it is no violation" in done.stdout
    )
    done = run("--clock-skew", "2ms")
    assert "LINEARIZABLE with clocks that are off by 2000000 ns" in done.stdout
    told = json.loads(run("--clock-skew", "2ms", "--json").stdout)["clock_skew"]
    assert told == {"given": "2000000", "verdict": "linearizable", "smallest": "1500000", "known": True, "unit": "ns"}
    assert run("--clock-skew", "soon").returncode == 2


def event(process: int, what: str, f: str, value: object, time: object) -> dict[str, object]:
    return {"process": process, "type": what, "f": f, "value": value, "time": time}


@pytest.mark.parametrize("unit", [1_000_000, Decimal("0.001")])
def test_a_log_of_events_is_judged_by_its_clocks(unit: int | Decimal, tmp_path: Path) -> None:
    """Written within 10 to 20 ms, not yet read within 30 to 40: clocks that are off by 5 ms explain that, as in operations."""
    times = [place * 10 * unit for place in (1, 2, 3, 4)]
    shown = [time if isinstance(time, int) else float(time) for time in times]
    file = tmp_path / "events.jsonl"
    file.write_text(
        "".join(
            f"{json.dumps(line)}\n"
            for line in (
                event(0, "invoke", "write", 1, shown[0]),
                event(0, "ok", "write", 1, shown[1]),
                event(1, "invoke", "read", None, shown[2]),
                event(1, "ok", "read", None, shown[3]),
            )
        )
    )
    by_clock = clocked(lp.read(file))
    for words, expected in (
        ("1ms", lp.Verdict.VIOLATION),
        ("4.9ms", lp.Verdict.VIOLATION),
        ("5ms", lp.Verdict.LINEARIZABLE),
    ):
        found = skewed(by_clock, span_of(words, by_clock), verdict)
        assert (found.verdict, found.smallest, found.known) == (expected, 5 * Fraction(unit), True)
    converted = lp.History.from_jsonl(lp.read(file).to_jsonl())
    assert [(op.call, op.ret) for op in clocked(converted)] == [(op.call, op.ret) for op in by_clock]


def test_by_its_clocks_alone_it_may_be_no_violation(tmp_path: Path) -> None:
    lines = (
        event(0, "invoke", "write", 1, 10),
        event(0, "ok", "write", 1, 40),
        event(1, "invoke", "read", None, 40),
        event(1, "ok", "read", None, 50),
    )
    file = tmp_path / "events.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    history = lp.read(file)
    assert verdict(history) is lp.Verdict.VIOLATION
    assert skewed(clocked(history), Fraction(0), verdict).smallest == 0


def test_without_clocks_there_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    lines = [event(0, "invoke", "read", None, 1), {"process": 0, "type": "ok", "f": "read", "value": 7}]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(lp.UsageError, match="not every event of this log has a time"):
        clocked(lp.read(file))
