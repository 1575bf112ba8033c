"""The door into the core: the GIL is free, Ctrl-C and budgets answer, threads and forks do not get in each other's way."""

import dis
import functools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import pytest

import linpoint
from linpoint import Cause, Verdict
from tests.boundary.hard import hard
from tests.conftest import ROOT, ended


def test_python_goes_on_while_the_core_searches() -> None:
    search = threading.Thread(target=linpoint.check, args=(hard(), "stack"), kwargs={"timeout": 0.5})
    search.start()
    turns = 0
    while search.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 20  # with the GIL held all the time it would be one or two


@pytest.mark.parametrize("method", ["auto", "depth-first", "breadth-first", "wgl"])
def test_the_time_budget_ends_every_method(method: str) -> None:
    result = linpoint.check(hard(), "stack", method=method, timeout=0.1)
    assert (result.verdict, result.cause) == (Verdict.UNKNOWN, Cause.TIME)


@pytest.mark.parametrize("method", ["auto", "depth-first", "breadth-first", "wgl"])
def test_the_memory_budget_ends_every_method(method: str) -> None:
    result = linpoint.check(hard(), "stack", method=method, memory="4MiB", timeout=60)
    assert (result.verdict, result.cause) == (Verdict.UNKNOWN, Cause.MEMORY)


def test_the_time_budget_ends_a_check_in_a_slow_step() -> None:
    class Slow(linpoint.Model):
        initial = 0

        def step(self, state: int, op: linpoint.Operation) -> list[int]:
            time.sleep(1)
            return [state + 1]

    operations = [{"process": i, "f": "add", "value": i, "call": 0, "return": 1} for i in range(60)]
    result = linpoint.check(operations, Slow(), timeout=0.1)
    assert (result.verdict, result.cause) == (Verdict.UNKNOWN, Cause.TIME)


def test_what_is_known_comes_with_an_unknown() -> None:
    easy = [  # one comes, one goes
        {"process": i, "f": "pop" if i % 2 else "push", "call": 2 * i - 200, "return": 2 * i - 199}
        | ({"result": f"easy {i // 2}"} if i % 2 else {"value": f"easy {i // 2}"})
        for i in range(50)
    ]
    history = linpoint.History([*easy, *hard()])
    result = linpoint.check(history, "stack", method="depth-first", timeout=0.2)
    assert result.verdict is Verdict.UNKNOWN
    assert {op.index for op in result.prefix} >= set(range(50))
    assert result.stuck in result.frontier


INTERRUPTED = """
import linpoint
from tests.boundary.hard import hard
history = hard()
print("ready", flush=True)
try:
    linpoint.check(history, {model})
except KeyboardInterrupt as stop:
    print(type(stop).__name__, stop.result.verdict, stop.result.cause)
"""


@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.parametrize("model", ["'stack'", "linpoint.models.Stack(), native=False"])
def test_ctrl_c_ends_a_check_and_keeps_what_is_known(model: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED.format(model=model)]
    started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with ended(started) as program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=30)
        assert said == "Interrupted unknown interrupted\n"
        assert program.returncode == 0


def small(result: int) -> linpoint.History:
    """Eight registers, all written with 1, and a read of one of them."""
    writes = [{"process": key, "f": "write", "key": key, "value": 1, "call": 0, "return": 1} for key in range(8)]
    return linpoint.History([*writes, {"process": 0, "f": "read", "key": 3, "result": result, "call": 2, "return": 3}])


def test_many_threads_check_at_once() -> None:
    histories = [small(i % 3) for i in range(60)]
    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(lambda history: linpoint.check(history, "register").verdict, histories))
    assert verdicts == [Verdict.LINEARIZABLE if i % 3 == 1 else Verdict.VIOLATION for i in range(60)]


def verdict_of(number: int) -> str:
    return str(linpoint.check(small(number), "register").verdict)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_can_check_after_its_parent_did() -> None:
    assert verdict_of(1) == "linearizable"
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(verdict_of, [0, 1, 2, 1]).get(60) == [
            "violation",
            "linearizable",
            "violation",
            "linearizable",
        ]


def test_progress_is_told_and_its_faults_are_not_lost() -> None:
    told: list[tuple[float, int]] = []
    linpoint.check(hard(), "stack", timeout=0.6, progress=lambda share, seen: told.append((share, seen)))
    assert told
    assert all(0 <= share <= 1 for share, _ in told)
    assert [seen for _, seen in told] == sorted(seen for _, seen in told)

    def broken(share: float, seen: int) -> None:
        raise ValueError("the bar is broken")

    with pytest.raises(ValueError, match="the bar is broken"):
        linpoint.check(hard(), "stack", timeout=30, progress=broken)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc")
@pytest.mark.parametrize(("asked", "kept"), [(True, False), (False, True)])
def test_a_program_that_asks_for_it_gives_memory_back(asked: bool, kept: bool) -> None:
    """After a block of 30 MiB was freed, glibc keeps what smaller blocks leave behind, unless it was told not to."""
    code = """
import sys
from linpoint.history.door import give_memory_back
from linpoint.models.weigh import process_bytes
if sys.argv[1] == "True":
    give_memory_back()
block = bytearray(30 << 20); del block
before = process_bytes()
blocks = [bytearray(b"x" * (10 << 20)) for _ in range(3)]; del blocks
print(process_bytes() - before > 5 << 20)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(asked)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == str(kept)


class Pressing(linpoint.Model):
    """A register whose last step presses Ctrl-C, and waits until that has been heeded: then the search is done."""

    initial = 0

    def __init__(self) -> None:
        self.heeded = threading.Event()

    def write(self, _: int, value: int) -> tuple[int, None]:
        return value, None

    def read(self, state: int, _: None) -> tuple[int, int]:
        if state == 1 and not self.heeded.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            self.heeded.wait()
        return state, state

    readonly = ("read",)

    def heed(self, *_: object) -> None:
        self.heeded.set()
        raise KeyboardInterrupt


@pytest.fixture
def pressing() -> Iterator[Pressing]:
    model = Pressing()
    before = signal.signal(signal.SIGINT, model.heed)
    yield model
    signal.signal(signal.SIGINT, before)


def written_and_read(result: int) -> linpoint.History:
    return linpoint.History(
        [
            {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
            {"process": 0, "f": "read", "result": result, "call": 2, "return": 3},
        ]
    )


@pytest.mark.parametrize("method", ["depth-first", "breadth-first", "wgl"])
def test_ctrl_c_that_meets_the_end_of_a_search_is_not_lost(pressing: Pressing, method: str) -> None:
    with pytest.raises(linpoint.Interrupted):
        linpoint.check(written_and_read(1), pressing, method=method, certify=False)


def test_ctrl_c_that_meets_the_end_of_guarded_work_is_not_lost(pressing: Pressing) -> None:
    done = []

    def work() -> None:
        pressing.read(1, None)
        done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        linpoint._core.guarded(work, None)
    assert done == ["all of it"]


class Own(linpoint.Model):
    initial = 0

    def write(self, _: int, value: int) -> tuple[int, None]:
        return value, None

    def read(self, state: int, _: None) -> tuple[int, int]:
        return state, state


def pressed_after_the_answer(steps: int, check: Callable[[], linpoint.Result]) -> linpoint.Result | None:
    """Runs a check and presses Ctrl-C so many steps of Python after the core has answered; None if it ended before."""
    left, answered = steps, False

    def look(frame: FrameType, event: str, returned: object) -> None:
        nonlocal answered
        answered = answered or (event == "c_return" and getattr(returned, "__name__", "").startswith("check_"))

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if "linpoint" not in frame.f_code.co_filename:
            return None  # Python itself is never interrupted between the end of a `with` and the release of its lock
        frame.f_trace_opcodes = "check" in frame.f_code.co_filename
        leaves = dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
        if event in ("line", "opcode") and answered and not leaves:  # nor between a return and its caller
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    sys.setprofile(look)
    try:
        check()
    except linpoint.Interrupted as interrupted:
        return interrupted.result
    except KeyboardInterrupt:
        pytest.fail(f"an interrupt without what is known, {steps} steps after the answer")  # pytest itself would end
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    return None


@pytest.mark.parametrize("model", ["register", Own])
@pytest.mark.parametrize(("answer", "certify"), [(1, False), (2, False), (2, True)])
def test_ctrl_c_at_any_step_after_the_answer_keeps_the_verdict(model: Any, answer: int, certify: bool) -> None:
    history, steps = written_and_read(answer), 1
    expected = Verdict.LINEARIZABLE if answer == 1 else Verdict.VIOLATION
    check = functools.partial(linpoint.check, history, model, certify=certify)
    while (result := pressed_after_the_answer(steps, check)) is not None:
        assert result.verdict is expected, f"{steps} steps after the answer"
        steps += 1
    assert steps > 30
