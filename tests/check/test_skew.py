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
from linpoint.check.skew import skewed, span_of, widened

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
    assert str(found) == "still a VIOLATION with clocks that are off by 10; it is one whatever the clocks say"


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
    assert "still a VIOLATION with clocks that are off by 1000000; from 1500000 on it is no violation" in done.stdout
    done = run("--clock-skew", "2ms")
    assert "LINEARIZABLE with clocks that are off by 2000000" in done.stdout
    told = json.loads(run("--clock-skew", "2ms", "--json").stdout)["clock_skew"]
    assert told == {"given": "2000000", "verdict": "linearizable", "smallest": "1500000", "known": True}
    assert run("--clock-skew", "soon").returncode == 2
