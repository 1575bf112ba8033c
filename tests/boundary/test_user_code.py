"""User code is under the clock, under Ctrl-C and on the scale, from its first line."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import linpoint as lp
from linpoint import Cause, Verdict
from tests.boundary.hard import hard
from tests.boundary.stuck import PLACES, Refusing, Stuck, history
from tests.conftest import ROOT, ended


@pytest.mark.parametrize("where", [place for place in PLACES if place != "describe"])
def test_finding_20_code_that_never_ends_is_an_unknown(where: str) -> None:
    result = lp.check(history(), Stuck(where), timeout=0.2)
    assert (result.verdict, result.cause) == (Verdict.UNKNOWN, Cause.TIME)


def test_finding_17_a_violation_does_not_wait_for_words() -> None:
    result = lp.check(history(), Refusing("describe"), timeout=2)
    assert (result.verdict, result.stuck_index, len(result.prefix)) == (Verdict.VIOLATION, 29, 29)
    assert {candidate.state for candidate in result.candidates} == {"(Refusing.describe did not end: time)"}


def test_what_was_known_before_user_code_got_stuck() -> None:
    result = lp.check(history(), Stuck("late step"), timeout=1)
    assert (result.verdict, result.cause, result.method) == (Verdict.UNKNOWN, Cause.TIME, "auto")
    assert len(result.prefix) == 20


def test_a_replay_that_never_ends() -> None:
    calm, model = Stuck("nowhere"), Stuck("late step")
    assert lp.check(history(), calm, certify=False).ok
    model.asked = 40 - calm.asked
    result = lp.check(history(), model, timeout=0.3)
    assert (result.verdict, result.cause, result.order) == (Verdict.UNKNOWN, Cause.TIME, None)


@pytest.mark.parametrize("method", ["auto", "depth-first", "breadth-first", "hitting"])
@pytest.mark.parametrize(("budget", "cause"), [({"timeout": 0.3}, Cause.TIME), ({"memory": "4MiB"}, Cause.MEMORY)])
def test_a_class_that_is_replayed_keeps_to_the_budget(method: str, budget: dict[str, object], cause: Cause) -> None:
    """It holds a lock, so no two of the orders of twelve operations are merged."""

    class Sum:
        def __init__(self) -> None:
            self.lock, self.total = threading.Lock(), 0

        def add(self, n: int) -> None:
            self.total += n

    rows: list[dict[str, object]] = [{"process": n, "f": "add", "value": n, "call": 0, "return": 9} for n in range(12)]
    rows.append({"process": 99, "f": "add", "value": 99, "result": "no", "call": 10, "return": 11})
    result = lp.check(rows, lp.models.from_class(Sum), method=method, **budget)
    assert (result.verdict, result.cause) == (Verdict.UNKNOWN, cause)


def test_a_look_at_what_no_order_reaches_may_not_end() -> None:
    """Without a time limit: the states that are tried in advance are no reason to wait for ever."""

    class Twice(lp.Model):
        initial = 0

        def step(self, state: int, op: lp.Operation) -> list[int]:
            while state == 1 and op.f == "set":
                pass
            return [1] if op.f == "set" else [state]

    rows = [{"process": 0, "f": f, "call": i, "return": i + 0.5} for i, f in enumerate(["set", "get"])]
    assert lp.check(rows, Twice()).ok


@pytest.mark.parametrize("ends", [SystemExit(7), GeneratorExit(), BaseException("all of it")])
def test_a_model_cannot_end_the_program(ends: BaseException) -> None:
    class Ending(lp.Model):
        initial = 0

        def step(self, state: int, op: lp.Operation) -> list[int]:
            raise ends

    rows = [{"process": 0, "f": "go", "call": 0, "return": 1}]
    with pytest.raises(lp.ModelError, match=type(ends).__name__):
        lp.check(rows, Ending())
    monitor = lp.Monitor(Ending)
    monitor.ret(monitor.call("a", "go"))
    with pytest.raises(lp.ModelError, match=type(ends).__name__):
        monitor.judge()


def run(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.boundary.stuck", *args]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("how", ["loops", "sleeps", "catches everything"])
@pytest.mark.parametrize(
    ("where", "verdict"), [("initial", "unknown time"), ("step", "unknown time"), ("describe", "violation None")]
)
def test_finding_20_python_exits(where: str, verdict: str, how: str) -> None:
    """What waits in C, and what catches every exception, does not keep Python from exiting."""
    with ended(run(where, how, "1")) as program:
        said, complaints = program.communicate(timeout=60)
        assert (said, complaints, program.returncode) == (f"ready\n{verdict}\n", "", 0)


WAKES = """
import builtins, sys, time
import linpoint as lp
from tests.boundary import stuck

class Slow:
    '''Goes with the last modules, and takes its time.'''
    def __del__(self, now=time.monotonic, say=sys.stderr.write):
        end = now() + 2
        while now() < end:
            pass
        say("gone")

builtins.slow = Slow()
stuck.stay = lambda how: time.sleep(2)
lp.check(stuck.history(), stuck.Refusing(sys.argv[1]), timeout=0.5)
sys.exit(3)
"""


@pytest.mark.parametrize("where", ["step", "hash", "describe"])
def test_user_code_that_wakes_up_while_python_shuts_down_disturbs_nobody(where: str) -> None:
    """Its thread is killed in the middle of Rust code there, which ended the process with SIGABRT."""
    said = subprocess.run([sys.executable, "-c", WAKES, where], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (said.stdout, said.stderr, said.returncode) == ("", "gone", 3)


DAEMON = """
import sys, threading, time
import linpoint as lp
from tests.boundary.stuck import Refusing, history

model = Refusing("step", "catches everything")
threading.Thread(target=lp.check, args=(history(), model), daemon=True).start()
while not model.asked:
    time.sleep(0.001)
sys.exit(5)
"""


def test_python_exits_while_a_daemon_thread_waits_for_user_code() -> None:
    said = subprocess.run([sys.executable, "-c", DAEMON], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (said.stdout, said.stderr, said.returncode) == ("", "", 5)


@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.parametrize(("where", "how"), [("initial", "loops"), ("step", "loops"), ("late step", "sleeps")])
def test_finding_20_ctrl_c(where: str, how: str) -> None:
    with ended(run(where, how)) as program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        said, complaints = program.communicate(timeout=60)
        assert (said, complaints, program.returncode) == ("Interrupted unknown\n", "", 0)


HEAVY = """
import resource, sys
import linpoint as lp

class Heavy(lp.Model):
    initial = tuple(range(20_000))
    def step(self, state, op):
        return [(*state[1:], op.value)] if op.result else []

rows = [{"process": i % 8, "f": "put", "value": i, "result": True, "call": i // 8, "return": i // 8 + 0.5} for i in range(400)]
rows += [{"process": 0, "f": "put", "result": False, "call": 99, "return": 100}]
history = lp.History(rows)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = lp.check(history, Heavy(), memory="50MiB", method=sys.argv[1])
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(result.verdict, result.cause, grown < (50 + 64) * 1024 or grown)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count in other units")
@pytest.mark.parametrize("method", ["auto", "breadth-first"])
def test_finding_21_states_are_weighed(method: str) -> None:
    """States of 160 KB, each made of parts that the one before has, too, and of a tag of the same size."""
    said = subprocess.run([sys.executable, "-c", HEAVY, method], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == "unknown memory True\n"


@pytest.mark.parametrize("method", ["auto", "depth-first", "breadth-first"])
def test_finding_30_native_work_is_waited_for(method: str) -> None:
    """On a machine that is busy with other things."""
    easy = [  # one comes, one goes
        {"process": i, "f": "pop" if i % 2 else "push", "call": 2 * i - 200, "return": 2 * i - 199}
        | ({"result": f"easy {i // 2}"} if i % 2 else {"value": f"easy {i // 2}"})
        for i in range(50)
    ]
    history = lp.History([*easy, *hard()])
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
    try:
        for seconds in (0.2, 0.8, 3.2):  # so busy a machine may give it no time at all
            result = lp.check(history, "stack", method=method, timeout=seconds)
            assert (result.verdict, result.cause) == (Verdict.UNKNOWN, Cause.TIME)
            assert result.method != "abandoned"
            if result.prefix:
                break
        assert result.prefix
    finally:
        for program in busy:
            program.kill()
            program.wait()
