"""Models of the user's in a monitor: the same verdicts, and its code under the clock."""

import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import linpoint as lp
from linpoint.history import FrozenDict
from tests.monitor.agree import disagreement, disagreement_of
from tests.monitor.test_command import BAD, GOOD, LINPOINT


class Cell(lp.Model):
    """A register, as a user writes it: keys are objects of their own."""

    initial: Any = None
    synonyms = FrozenDict({"read": ("load", "get"), "write": ("put", "set", "store")})

    def read(self, held: Any, _: Any) -> tuple[Any, Any]:
        return held, held

    def write(self, held: Any, value: Any) -> tuple[Any, Any]:
        return value, None


class Line(lp.Model):
    """A queue whose states are lists."""

    initial: Any = []  # noqa: RUF012 - never changed
    synonyms = FrozenDict(
        {
            "enqueue": ("add", "put", "send", "offer", "push", "enq", "insert"),
            "dequeue": ("take", "receive", "poll", "recv", "remove", "pop", "deq", "get"),
            "peek": ("front", "first", "head"),
        }
    )

    def enqueue(self, line: list[Any], value: Any) -> tuple[Any, Any]:
        return [*line, value], None

    def dequeue(self, line: list[Any], _: Any) -> tuple[Any, Any]:
        return (line[1:], line[0]) if line else (line, None)

    def peek(self, line: list[Any], _: Any) -> tuple[Any, Any]:
        return line, line[0] if line else None


class Owned(lp.Model):
    """Locks, one for each value: only who has it gives it back."""

    initial: Any = None

    def step(self, owner: Any, op: lp.Operation) -> Iterable[Any]:
        if op.f == "acquire":
            return [op.process] if owner is None else []
        return [None] if owner == op.process else []

    def partition(self, op: lp.Operation) -> Any:
        return lp.models.ALL if op.value == "all" else op.value


@pytest.mark.parametrize("seed", range(12))
def test_the_verdict_after_every_event_is_that_of_the_check(seed: int) -> None:
    assert disagreement("register", seed, Cell()) is None
    assert disagreement("queue", seed, Line()) is None


class Buffer(lp.Model):
    """Two places for values, for each key."""

    initial: Any = ()

    def put(self, held: tuple[int, ...], value: int) -> tuple[Any, bool]:
        return ((*held, value), True) if len(held) < 2 else (held, False)

    def get(self, held: tuple[int, ...], _: Any) -> tuple[Any, Any]:
        return (held[1:], held[0]) if held else (held, None)


def buffers(seed: int) -> list[dict[str, Any]]:
    """Buffers of several keys; each operation takes effect when it returns, and now and then tells something else."""
    dice, records = random.Random(seed), []
    held: dict[str, tuple[int, ...]] = dict.fromkeys("abc", ())
    for now in range(12):
        key, value = dice.choice("abc"), dice.randrange(3)
        f = dice.choice(["put", "get"])
        held[key], result = getattr(Buffer(), f)(held[key], value)
        if dice.random() < 0.05:
            result = dice.choice([True, False, None, 1])
        call = 2 * now - dice.choice([0, 0, 1, 3])
        records.append(
            {"process": now, "f": f, "value": value, "key": key, "result": result, "call": call, "return": 2 * now + 1}
        )
    return records


def test_the_state_of_one_key_is_not_taken_for_that_of_another() -> None:
    wrong = [told for seed in range(60) if (told := disagreement_of(buffers(seed), Buffer(), f"{seed}")) is not None]
    assert wrong == []


def locks(seed: int) -> list[dict[str, Any]]:
    """Some threads and locks; now and then somebody else gives a lock back, or crashes."""
    dice, now = random.Random(seed), 0
    records: list[dict[str, Any]] = []
    free = dict.fromkeys(range(3), 0)
    while len(records) < 14:
        now += 1
        process, lock = dice.choice(list(free)), dice.randrange(2)
        call = max(now, free[process])
        record = {"process": process, "f": dice.choice(["acquire", "release"]), "value": lock, "call": call}
        if dice.random() < 0.1:
            free[process + 10] = free.pop(process)
            records.append(record | {"return": None, "type": "info"})
        else:
            free[process] = call + dice.randrange(1, 4)
            records.append(record | {"return": free[process]})
            free[process] += 1
    return records


def test_a_model_may_ask_who_calls_and_split_as_it_likes() -> None:
    wrong = [told for seed in range(60) if (told := disagreement_of(locks(seed), Owned(), f"{seed}")) is not None]
    assert wrong == []
    monitor = lp.Monitor(Owned)
    for lock in range(4):
        monitor.ret(monitor.call("p", "acquire", lock))
    assert (monitor.verdict, monitor.counts().groups) == (lp.Verdict.LINEARIZABLE, 4)
    monitor.ret(monitor.call("q", "release", 2))
    assert (monitor.verdict, monitor.since) == (lp.Verdict.VIOLATION, 10)
    assert "no order explains release(2)" in str(monitor.violation)


def test_what_was_judged_apart_cannot_be_put_together() -> None:
    monitor = lp.Monitor(Owned)
    for lock in range(2):
        monitor.ret(monitor.call("p", "acquire", lock))
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("p", "release", "all"))
    assert (monitor.verdict, monitor.since) == (lp.Verdict.UNKNOWN, 5)


def test_states_that_nobody_holds_are_forgotten() -> None:
    monitor = lp.Monitor(Cell, batch=100)
    for number in range(3000):
        monitor.ret(monitor.call("a", "write", number))
    assert (monitor.verdict, monitor.counts().configurations) == (lp.Verdict.LINEARIZABLE, 1)
    monitor.ret(monitor.call("a", "read"), 2998)
    violation = monitor.violation
    assert violation is not None
    assert (violation.event, violation.states) == (6002, ("2999",))
    with pytest.raises(lp.UsageError, match="cannot be saved"):
        monitor.save()


class Faulty(lp.Model):
    initial = 0

    def divide(self, total: int, by: int) -> tuple[int, int]:
        return total, 12 // by


def test_a_fault_of_the_model_names_the_operation() -> None:
    monitor = lp.Monitor(Faulty)
    with pytest.raises(lp.HistoryError, match="no operation 'multiply'"):
        monitor.call("a", "multiply", 2)
    monitor.ret(monitor.call("a", "divide", 3), 4)
    assert monitor.verdict is lp.Verdict.LINEARIZABLE
    monitor.ret(monitor.call("b", "divide", 0), 1)
    with pytest.raises(lp.ModelError, match=r"failed on divide\(0\).*ZeroDivisionError.*process b, called at event 3"):
        monitor.judge()
    assert (monitor.verdict, monitor.since) == (lp.Verdict.UNKNOWN, 3)
    with pytest.raises(lp.ModelError, match="write a linpoint"):
        lp.Monitor(lp.models.from_class(list))


class Endless(lp.Model):
    initial = 0

    def loop(self, total: int, _: Any) -> tuple[int, int]:
        while True:
            total += 1


def test_code_that_does_not_end_is_ended_by_the_clock_and_by_ctrl_c() -> None:
    monitor = lp.Monitor(Endless, timeout=0.3)
    monitor.ret(monitor.call("a", "loop"), 1)
    assert (monitor.verdict, monitor.since, monitor.cause) == (lp.Verdict.UNKNOWN, 1, lp.Cause.TIME)
    patient = lp.Monitor(Endless)
    patient.ret(patient.call("a", "loop"), 1)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        patient.judge()


class Sleepy(lp.Model):
    initial = 0

    def sleep(self, total: int, _: Any) -> tuple[int, int]:
        time.sleep(20)
        return total, 1


def test_code_that_does_not_come_back_takes_the_monitor_with_it() -> None:
    monitor = lp.Monitor(Sleepy, timeout=0.1)
    monitor.ret(monitor.call("a", "sleep"), 1)
    for ask in (monitor.judge, monitor.counts, lambda: monitor.feed(b"x\n"), lambda: monitor.call("b", "sleep")):
        with pytest.raises(lp.ModelError, match="did not come back"):
            ask()


def test_the_command_takes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import linpoint as lp\nclass Mine(lp.Model):\n    initial = None\n"
        "    def read(self, held, _):\n        return held, held\n"
        "    def write(self, held, value):\n        return value, None if value else 1 / 0\n"
    )

    def run(given: str, *more: str) -> subprocess.CompletedProcess[str]:
        words = [LINPOINT, "monitor", "--model", f"{file}:Mine", *more]
        return subprocess.run(words, input=given, capture_output=True, text=True, timeout=60, check=False)

    assert run(GOOD).returncode == 0
    bad = run(BAD)
    assert (bad.returncode, "VIOLATION (Mine) at event 4" in bad.stdout) == (1, True)
    faulty = run(GOOD + WRITE_NOTHING)
    assert faulty.returncode == 2
    assert "line 5: Mine failed on write()" in faulty.stderr
    log = tmp_path / "log"
    log.write_text(GOOD)
    refused = subprocess.run(
        [LINPOINT, "monitor", str(log), "--model", f"{file}:Mine", "--checkpoint", str(tmp_path / "kept")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)
    assert "cannot be saved" in refused.stderr


WRITE_NOTHING = (
    '{"process":0,"type":"invoke","f":"write","value":null}\n{"process":0,"type":"ok","f":"write","value":null}\n'
)
