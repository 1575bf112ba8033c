"""`linpoint monitor`: files, pipes, sockets, garbage, and what it says in the end."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

LINPOINT = str(Path(sys.executable).parent / "linpoint")
FIELDS = [
    "source",
    "model",
    "events",
    "operations",
    "verdict",
    "event",
    "cause",
    "seconds",
    "peak_bytes",
    "skipped",
    "counterexample",
]

WRITE = '{"process":0,"type":"invoke","f":"write","value":1}\n{"process":0,"type":"ok","f":"write","value":1}\n'
READ = '{{"process":1,"type":"invoke","f":"read","value":null}}\n{{"process":1,"type":"ok","f":"read","value":{}}}\n'
GOOD, BAD = WRITE + READ.format(1), WRITE + READ.format(2)
SAME_AS_BAD = {
    "jepsen-json": BAD,
    "array": "[" + BAD.replace("\n", ",\n").rstrip(",\n") + "]\n",
    "jepsen-edn": "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :ok, :f :write, :value 1}\n"
    "{:process 1, :type :invoke, :f :read, :value nil}\n{:process 1, :type :ok, :f :read, :value 2}\n",
    "jepsen-log": "INFO jepsen.util - 0\t:invoke\t:write\t1\nINFO jepsen.core - chatter\n0\t:ok\t:write\t1\n"
    "1\t:invoke\t:read\tnil\n1\t:ok\t:read\t2\n",
    "violin": "# a comment\n[1] call write(1)\n[1] return\n[2] call read\n[2] return 2\n",
}


def run(*args: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINPOINT, "monitor", *args], input=given, capture_output=True, text=True, timeout=60, check=False
    )


def summary(*args: str, given: str = "") -> dict[str, Any]:
    done = run(*args, "--json", given=given)
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("form", SAME_AS_BAD)
def test_every_format_of_events_is_sniffed(form: str, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text(SAME_AS_BAD[form])
    told = summary(str(file), "--model", "register")
    assert list(told) == FIELDS
    assert (told["verdict"], told["event"], told["events"], told["skipped"]) == ("violation", 4, 4, 0)
    assert [op["f"] for op in told["counterexample"]["operations"]] == ["read"]


def test_the_exit_status_tells_the_verdict() -> None:
    assert run("--model", "register", given=GOOD).returncode == 0
    done = run("--model", "register", given=BAD)
    assert done.returncode == 1
    assert "VIOLATION (register) at event 4, line 4: no order explains read() → 2" in done.stdout
    assert run("--model", "register", "--memory", "1", given=GOOD).returncode == 3
    assert run(given=GOOD).returncode == 2


def test_garbage_is_skipped_by_its_line_or_stops_a_strict_monitor() -> None:
    garbage = (
        "{not json\n"
        '{"process":5,"type":"ok","f":"read","value":1}\n'
        '{"process":0,"type":"invoke","f":"write","value":1}\n'
        '{"process":0,"type":"invoke","f":"write","value":2}\n'
        '{"process":0,"type":"invoke","f":"fly","value":2}\n'
        '{"process":3,"type":"invoke","f":"fly","value":2}\n'
        '{"process":0,"type":"ok","f":"read","value":2}\n'
        '{"process":0,"type":"ok","f":"write","value":1}\n'
    )
    done = run("--model", "register", "--json", "--format", "jepsen-json", given=garbage)
    told = json.loads(done.stdout)
    assert (told["verdict"], told["events"], told["skipped"]) == ("linearizable", 2, 6)
    for line, words in [(1, "expected"), (2, "none open"), (4, "has not ended"), (6, "fly"), (7, "ends read")]:
        assert any(f"-:{line}:" in said and words in said for said in done.stderr.splitlines()), (line, words)
    strict = run("--model", "register", "--strict", "--format", "jepsen-json", given=garbage)
    assert (strict.returncode, len(strict.stderr.splitlines())) == (2, 1)


def test_bytes_that_are_no_text_are_a_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(WRITE.encode() + b"\xff\xfe\n" + READ.format(1).encode() + b"\xff")
    told = summary(str(file), "--model", "register")
    assert (told["verdict"], told["events"], told["skipped"]) == ("linearizable", 4, 2)


def test_a_line_that_is_too_long_is_one_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text(WRITE + "x" * 20_000_000 + "\n" + READ.format(1))
    done = run(str(file), "--model", "register", "--json")
    told = json.loads(done.stdout)
    assert (told["verdict"], told["events"], told["skipped"]) == ("linearizable", 4, 1)
    assert ":3: a line of more than 16777216 bytes" in done.stderr


def test_a_command_gets_the_violation_without_a_shell(tmp_path: Path) -> None:
    kept = tmp_path / "$(kept)"
    done = run("--model", "register", "--on-violation", f"tee '{kept}'", given=BAD)
    assert done.returncode == 1
    assert json.loads(kept.read_text())["event"] == 4
    failing = run("--model", "register", "--on-violation", "false", given=BAD)
    assert "false ended with status 1" in failing.stderr


def test_a_page_and_the_metrics_are_written(tmp_path: Path) -> None:
    page, metrics = tmp_path / "report.html", tmp_path / "metrics"
    run("--model", "register", "--report", str(page), "--metrics", str(metrics), given=BAD)
    assert "<html" in page.read_text()
    assert "linpoint_events 4\n" in metrics.read_text()
    assert "linpoint_violations 1\n" in metrics.read_text()


def test_it_continues_after_a_violation() -> None:
    done = run("--model", "register", "--continue", given=BAD + READ.format(1) + READ.format(3))
    assert done.returncode == 1
    assert [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith("VIOLATION (")] == [
        "VIOLATION (register) at event 4, line 4",
        "VIOLATION (register) at event 8, line 8",
    ]


def started(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen([LINPOINT, "monitor", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until(condition: Any) -> None:
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("it did not happen")


def test_a_file_that_grows_is_rotated_and_truncated(tmp_path: Path) -> None:
    file, metrics = tmp_path / "log", tmp_path / "metrics"
    file.write_text(GOOD)
    watching = started(str(file), "--follow", "--model", "register", "--metrics", str(metrics), "--json")

    def seen(events: int) -> bool:
        return metrics.exists() and f"linpoint_events {events}\n" in metrics.read_text()

    until(lambda: seen(4))
    file.rename(tmp_path / "old")
    file.write_text(READ.format(1))
    until(lambda: seen(6))
    file.write_text("")
    time.sleep(0.3)
    file.write_text(READ.format(2))
    told, said = watching.communicate(timeout=60)
    assert watching.returncode == 1
    assert json.loads(told)["event"] == 8
    assert "replaced" in said
    assert "truncated" in said


def test_clients_of_a_socket_may_come_and_die(tmp_path: Path) -> None:
    place = str(tmp_path / "socket")
    watching = started("--socket", place, "--model", "register", "--json")
    until(Path(place).exists)
    for lines in (WRITE + '{"process":7', READ.format(2)):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(place)
            client.sendall(lines.encode())
    told, said = watching.communicate(timeout=60)
    assert watching.returncode == 1
    assert json.loads(told)["events"] == 4
    assert "a client went away in the middle of a line" in said
    assert not Path(place).exists()


def test_a_monitor_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    file, kept, metrics = tmp_path / "log", tmp_path / "checkpoint", tmp_path / "metrics"
    file.write_text("no event\n" + WRITE + '{"process":7,"type":"invoke","f":"read",')
    options = ("--model", "register", "--checkpoint", str(kept), "--format", "jepsen-json", "--json")
    watching = started(str(file), "--follow", *options, "--metrics", str(metrics))
    until(lambda: kept.exists() and f'"offset": {9 + len(WRITE)},' in kept.read_text())
    watching.kill()
    watching.communicate()
    with file.open("a") as log:
        log.write('"value":null}\n' + READ.format(1))
    told = summary(str(file), *options)
    assert (told["verdict"], told["events"], told["skipped"]) == ("linearizable", 5, 1)
    assert summary(str(file), *options)["events"] == 5  # nothing is counted twice
    with file.open("a") as log:
        log.write(READ.format(2))
    told = summary(str(file), *options)
    assert (told["verdict"], told["event"], told["counterexample"]["line"]) == ("violation", 7, 8)
    assert summary(str(file), *options)["counterexample"] == told["counterexample"]


def test_a_checkpoint_keeps_what_waits_for_its_time(tmp_path: Path) -> None:
    def event(process: int, kind: str, f: str, value: str, time: int) -> str:
        return f'{{"process":{process},"type":"{kind}","f":"{f}","value":{value},"time":{time}}}\n'

    lines = [
        event(0, "invoke", "write", "1", 10_000_000),
        event(1, "invoke", "read", "null", 40_000_000),
        event(0, "ok", "write", "1", 20_000_000),
        event(1, "ok", "read", "null", 60_000_000),
        event(2, "invoke", "read", "null", 50_000_000),
        event(2, "ok", "read", "null", 70_000_000),
    ]
    file, kept = tmp_path / "log", tmp_path / "checkpoint"
    for skew in ("1ms", "11ms"):
        options = ("--model", "register", "--reorder", "30ms", "--clock-skew", skew)
        file.write_text("".join(lines))
        alone = summary(str(file), *options)
        kept.unlink(missing_ok=True)
        for count in range(1, len(lines) + 1):
            file.write_text("".join(lines[:count]))
            told = summary(str(file), *options, "--checkpoint", str(kept))
        assert {name: told[name] for name in FIELDS[2:7]} == {name: alone[name] for name in FIELDS[2:7]}
        assert told["counterexample"] == alone["counterexample"]
    assert "another --reorder" in run(str(file), "--model", "register", "--checkpoint", str(kept)).stderr


def test_a_checkpoint_of_another_file_or_of_nothing_is_said(tmp_path: Path) -> None:
    file, kept = tmp_path / "log", tmp_path / "checkpoint"
    file.write_text(GOOD)
    options = (str(file), "--model", "register", "--checkpoint", str(kept))
    assert run(*options).returncode == 0
    file.write_text(READ.format(1))  # rotated while nobody watched
    done = run(*options)
    assert "reading it from its beginning" in done.stderr
    assert "6 events" in done.stdout
    assert run(str(file), "--model", "queue", "--checkpoint", str(kept)).returncode == 2
    assert run("--model", "queue", "--checkpoint", str(kept)).returncode == 2
    whole = kept.read_text()
    for broken in ("", "{}\n{}\n", whole[: len(whole) // 2], whole.replace('"groups"', '"group"'), "\0"):
        kept.write_text(broken)
        done = run(*options)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), broken
        assert "checkpoint" in done.stderr
