"""What was found is told, whatever goes wrong behind it; what a monitor cannot take is refused, and nothing is lost."""

import gzip
import json
import resource
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import linpoint as lp
from linpoint import _core
from linpoint.monitor import inputs
from tests.monitor.test_command import BAD, GOOD, LINPOINT, READ, WRITE, run, started, summary, until

LIMIT = 1 << 24
KEYED = '{{"process":{0},"type":"{1}","f":"{2}","key":"{3}","value":{4}}}\n'
NAPS = """
import time
import linpoint as lp

class Naps(lp.Model):
    initial = 0
    def write(self, state, value): return value, None
    def read(self, state, value=None): return state, state
    def nap(self, state, value=None):
        time.sleep(1000)
        return state, None
"""


def test_a_line_that_is_too_long_is_refused_by_a_socket(tmp_path: Path) -> None:
    place = str(tmp_path / "socket")
    watching = started("--socket", place, "--model", "register", "--json")
    until(Path(place).exists)
    call, ok = BAD.splitlines(keepends=True)[:2]
    padded = [call.replace("1}", "1" + " " * more + "}") for more in (LIMIT, LIMIT + 300_000)]
    lines = "".join([*padded, ok, WRITE, READ.format(2)])
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(place)
        client.sendall(lines.encode())
    told, said = watching.communicate(timeout=60)
    found = json.loads(told)
    assert (found["events"], found["skipped"], found["counterexample"]["line"]) == (4, 3, 7)
    assert f"{place}:1: a line of more than {LIMIT} bytes\n" in said
    assert f"{place}:2: a line of more than {LIMIT} bytes\n" in said


@pytest.mark.parametrize("rest", [0, 1, 40], ids=["none", "one byte", "most"])
def test_half_a_line_at_the_end_of_a_log_is_read_again(tmp_path: Path, rest: int) -> None:
    file, kept = tmp_path / "log", tmp_path / "kept"
    options = (str(file), "--model", "register", "--format", "jepsen-json", "--checkpoint", str(kept))
    whole = WRITE + READ.format("null")
    half = len(WRITE) - 1 - rest
    file.write_text(whole[:half])
    told = summary(*options)
    assert (told["verdict"], told["events"], told["skipped"]) == ("linearizable", 1 + (rest == 0), int(rest > 0))
    file.write_text(whole)
    told = summary(*options)
    assert (told["verdict"], told["events"], told["skipped"]) == ("violation", 4, 0)
    assert told["counterexample"]["line"] == 4


def test_half_a_line_with_which_a_violation_was_found_is_read_again(tmp_path: Path) -> None:
    file, kept = tmp_path / "log", tmp_path / "kept"
    options = (str(file), "--model", "register", "--checkpoint", str(kept))
    file.write_text(BAD[:-1])
    told = [summary(*options) for _ in range(2)]
    file.write_text(BAD + GOOD)
    told.append(summary(*options))
    assert [(one["verdict"], one["event"], one["skipped"]) for one in told] == [("violation", 4, 0)] * 3
    assert told[2]["counterexample"]["operations"] == told[0]["counterexample"]["operations"]


def test_a_long_half_line_does_not_make_any_file_the_same(tmp_path: Path) -> None:
    file, kept = tmp_path / "log", tmp_path / "kept"
    options = (str(file), "--model", "register", "--checkpoint", str(kept))
    file.write_text(GOOD + "x" * 5000)
    assert run(*options).returncode == 0
    file.write_text(READ.format(2) + " " * 9000 + "\n")
    done = run(*options)
    assert "reading it from its beginning" in done.stderr
    assert done.returncode == 1


def test_the_metrics_tell_the_violation_that_ended_it(tmp_path: Path) -> None:
    metrics = tmp_path / "metrics"
    command = [LINPOINT, "monitor", "--model", "register", "--metrics", str(metrics)]
    watching = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert watching.stdin is not None
    watching.stdin.write(BAD)
    watching.stdin.flush()
    assert watching.wait(60) == 1  # the stream has not ended
    watching.stdin.close()
    assert "linpoint_violations 1\n" in metrics.read_text()
    assert "linpoint_violation_event 4\n" in metrics.read_text()


@pytest.mark.parametrize("pack", [gzip.compress, _core.zst])
def test_a_violation_outlives_the_end_of_what_is_packed(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    file, metrics = tmp_path / "log", tmp_path / "metrics"
    file.write_bytes(pack(BAD.encode()) + pack(GOOD.encode())[:-5])
    done = run(str(file), "--model", "register", "--continue", "--json", "--metrics", str(metrics))
    told = json.loads(done.stdout)
    assert (done.returncode, told["verdict"], told["event"]) == (1, "violation", 4)
    assert told["cause"].startswith(f"{file}: the input is broken")
    assert done.stderr == f"linpoint: {told['cause']}\n"
    assert "linpoint_violations 1\n" in metrics.read_text()
    words = run(str(file), "--model", "register", "--continue").stdout.splitlines()[-1]
    assert words.startswith(f"VIOLATION since event 4; stopped behind it: {file}: the input is broken")


def test_a_violation_outlives_a_model_that_does_not_come_back(tmp_path: Path) -> None:
    model, metrics = tmp_path / "naps.py", tmp_path / "metrics"
    model.write_text(NAPS)
    command = [LINPOINT, "monitor", "--model", f"{model}:Naps", "--continue", "--timeout", "1s", "--json"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    watching = subprocess.Popen([*command, "--metrics", str(metrics)], text=True, **pipes)
    assert watching.stdin is not None
    watching.stdin.write(
        "".join(KEYED.format(0, how, "read", "x", value) for how, value in (("invoke", "null"), ("ok", 7)))
    )
    watching.stdin.flush()
    until(lambda: metrics.exists() and "linpoint_violations 1\n" in metrics.read_text())
    watching.stdin.write("".join(KEYED.format(1, how, "nap", "y", "null") for how in ("invoke", "ok")))
    out, err = watching.communicate(timeout=60)
    told = json.loads(out)
    assert (watching.returncode, told["verdict"], told["event"]) == (1, "violation", 2)
    assert "did not come back" in told["cause"]
    assert err == f"linpoint: {told['cause']}\n"


def test_whoever_sees_the_verdict_sees_the_violation() -> None:
    for _ in range(100):
        monitor, gate, seen = lp.Monitor("register"), threading.Barrier(4), []
        monitor.ret(monitor.call("a", "write", 1))
        monitor.ret(monitor.call("a", "read"), 2)

        def look(monitor: lp.Monitor, gate: threading.Barrier, seen: list[object]) -> None:
            gate.wait()
            if monitor.verdict is lp.Verdict.VIOLATION:
                seen.append((monitor.violation, len(monitor.violations)))

        threads = [threading.Thread(target=look, args=(monitor, gate, seen)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [(monitor.violation, 1)] * 4
        assert monitor.violation is not None


def test_operations_keep_the_names_of_their_processes() -> None:
    monitor = lp.Monitor("register")
    monitor.call("bob", "write", 1)
    monitor.ret(monitor.call("bob", "read"), 1)  # while the write is open
    monitor.ret(monitor.call("bob", "read"), None)
    monitor.ret(monitor.call(0, "read"), 1)
    assert monitor.violation is not None
    result, explanation = monitor.violation.result(), monitor.violation.explanation()
    assert result is not None
    assert explanation is not None
    assert {op.process for op in result.history} <= {"bob", "bob (2)", 0}
    assert 'process "bob (2)"' in str(explanation)


def test_a_real_name_is_not_given_to_another() -> None:
    monitor = lp.Monitor("register")
    monitor.ret(monitor.call("bob (2)", "write", 2))
    first, second = monitor.call("bob", "read"), monitor.call("bob", "read")
    monitor.ret(first, 3)
    monitor.ret(second, 3)
    assert monitor.violation is not None
    result = monitor.violation.result()
    assert result is not None
    assert {op.process for op in result.history} <= {"bob (2)", "bob"}


def test_more_clients_than_files_may_be_open_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 80 if resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 200 else 1
    monkeypatch.setattr(inputs, "SPARE", resource.getrlimit(resource.RLIMIT_NOFILE)[0] - limit)
    place = str(tmp_path / "socket")
    pieces = inputs.from_socket(place)
    assert next(pieces) == b""
    clients = [socket.socket(socket.AF_UNIX) for _ in range(limit + 20)]
    for client in clients:
        client.connect(place)
        client.sendall(b"a line\n")
    came = [next(pieces) for _ in range(limit + 5)]
    assert came.count(b"a line\n") == limit
    assert [piece for piece in came if isinstance(piece, inputs.Note)] == [
        inputs.Note(f"{limit} clients, and no more files can be open: others wait until one goes")
    ]
    for client in clients[:30]:
        client.close()
    assert sum(piece == b"a line\n" for piece in (next(pieces) for _ in range(40))) == 20
    for client in clients:
        client.close()
    pieces.close()


def test_a_model_of_ones_own_has_no_checkpoint(tmp_path: Path) -> None:
    model, file, kept = tmp_path / "naps.py", tmp_path / "log", tmp_path / "kept"
    model.write_text(NAPS)
    file.write_text(BAD)
    done = run(str(file), "--model", f"{model}:Naps", "--checkpoint", str(kept))
    assert (done.returncode, done.stdout, kept.exists()) == (2, "", False)
    assert done.stderr.startswith("linpoint: --checkpoint needs a shipped model")
