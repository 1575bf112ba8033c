"""The door into the core: the GIL is free, Ctrl-C and budgets answer, threads and forks do not get in each other's way."""

import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

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
    easy = [{"process": i, "f": "push", "value": f"easy {i}", "call": i - 100, "return": i - 100} for i in range(50)]
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
