"""What `linpoint monitor` says of lines that it cannot read, and of verdicts that rest on the others."""

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import linpoint as lp
from linpoint import _core
from linpoint.monitor.inputs import unpacked
from tests.monitor.test_command import BAD, GOOD, LINPOINT, READ, WRITE, run, started, summary

CALL = '{{"process":{},"type":"invoke","f":"{}","value":{}}}\n'
OK = '{{"process":{},"type":"ok","f":"{}","value":{}}}\n'
PORCUPINE = (
    '{:process 0, :type :invoke, :f :append, :key "0", :value "x"}\n'
    '{:process 0, :type :ok, :f :append, :key "0", :value "x"}\n'
    '{:process 0, :type :invoke, :f :get, :key "0", :value nil}\n'
    '{:process 0, :type :ok, :f :get, :key "0", :value ""}\n'
)
NO_EVENTS = {
    "operations": '{"process":0,"f":"read","result":2,"call":0,"return":1}\n' * 2,
    "table": "process,f,value,call,return\n0,read,2,0,1\n",
    "one line": "[" + BAD.replace("\n", ",").rstrip(",") + "]\n",
    "foreign names": BAD.replace("process", "client"),
    "garbage": "\x01\x02\n",
}


@pytest.mark.parametrize("form", NO_EVENTS)
def test_there_is_no_verdict_where_no_event_could_be_read(form: str) -> None:
    done = run("--model", "register", given=NO_EVENTS[form])
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no verdict" in done.stderr
    assert "linpoint check" in done.stderr
    told = json.loads(run("--model", "register", "--json", given=NO_EVENTS[form]).stdout)
    assert told["verdict"] is None
    assert "no event could be read" in told["cause"]


def test_nothing_is_known_of_what_cannot_be_read() -> None:
    monitor = lp.Monitor("register")
    assert monitor.verdict is lp.Verdict.LINEARIZABLE  # nothing has happened
    monitor.feed(b"garbage\n")
    assert (monitor.verdict, monitor.since, monitor.cause) == (lp.Verdict.UNKNOWN, None, lp.Cause.UNREADABLE)
    monitor.feed(WRITE.encode())
    assert (monitor.verdict, monitor.cause) == (lp.Verdict.LINEARIZABLE, None)
    called = lp.Monitor("register", reorder="1s")
    called.feed(b'{"process":0,"type":"invoke","f":"read","time":1}\ngarbage\n')
    assert called.verdict is lp.Verdict.LINEARIZABLE  # one event waits for its turn
    strict = run("--model", "register", "--strict", given="garbage\n")
    assert (strict.returncode, strict.stdout) == (2, "stopped at line 1, and nothing was judged\n")


@pytest.mark.parametrize(("lines", "words"), [(1, "the first line is no event"), (12, "none of the first 12 lines is")])
def test_whoever_waits_for_ever_is_told_so(tmp_path: Path, lines: int, words: str) -> None:
    file = tmp_path / "log"
    file.write_text("garbage\n" * lines)
    watching = started(str(file), "--follow", "--model", "register")
    assert watching.stderr is not None
    said = [watching.stderr.readline() for _ in range(min(lines, 11) + 1)]
    assert words in said[-1]
    assert "--map" in said[-1]
    assert said[-1].endswith("Waiting for one\n")
    with file.open("a") as log:
        log.write(BAD)
    assert watching.wait(60) == 1
    assert watching.stderr.read() == ""
    watching.communicate()


def test_events_without_times_have_no_verdict_by_time() -> None:
    done = run("--model", "register", "--clock-skew", "2ms", given=BAD)
    assert (done.returncode, done.stdout) == (2, "")
    assert "-:1: the event has no time" in done.stderr


def test_nothing_at_all_is_linearizable() -> None:
    assert run("--model", "register", given="\n# a comment\n").stdout == "LINEARIZABLE (0 events, 0 operations)\n"


def test_chatter_before_the_first_event_does_not_settle_the_format() -> None:
    told = summary("--model", "register", given='{"level":"info","message":"started"}\n' + BAD)
    assert (told["verdict"], told["event"], told["skipped"]) == ("violation", 4, 1)


@pytest.mark.parametrize("first", ["{}", "[]", "{starting}", "{:a 1}", '{"process":0,"type":"inv'])
def test_a_line_that_is_no_event_does_not_settle_the_format(first: str) -> None:
    done = run("--model", "register", given=f"{first}\n{BAD}")
    assert (done.returncode, "VIOLATION" in done.stdout) == (1, True), done.stderr


def test_events_of_another_format_are_not_taken_for_chatter() -> None:
    done = run("--model", "register", given=f"INFO  jepsen.util - 9\t:invoke\t:read\tnil\n{BAD}")
    assert "2: an event in JSON: expected one as the lines before have it" in done.stderr


@pytest.mark.parametrize(("model", "f"), [("cas-register:initial=2", "swap"), ("counter:initial=2", "fetch_add")])
def test_an_answer_that_equals_the_argument_is_an_answer(model: str, f: str) -> None:
    done = run("--model", model, given=CALL.format(0, f, 2) + OK.format(0, f, 2))
    assert done.stdout == "LINEARIZABLE (2 events, 1 operation)\n"


def test_logs_of_porcupine_are_read_as_events() -> None:
    told = summary("--model", "kv", given=PORCUPINE)
    assert (told["verdict"], told["event"], told["skipped"]) == ("violation", 4, 0)
    assert summary("--model", "kv", "--format", "porcupine-kv", given=PORCUPINE)["event"] == 4


def test_a_format_without_events_is_refused_and_not_offered() -> None:
    done = run("--model", "register", "--format", "jsonl", given=GOOD)
    assert (done.returncode, done.stdout) == (2, "")
    assert "format jsonl has no events" in done.stderr
    assert "jsonl" not in run("--help").stdout


@pytest.mark.parametrize("pack", [gzip.compress, _core.zst])
def test_what_is_packed_is_unpacked_and_what_cannot_be_is_said(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "log"
    file.write_bytes(pack(WRITE.encode()) + pack(READ.format(2).encode()))
    assert summary(str(file), "--model", "register")["event"] == 4
    with file.open("rb") as log:
        piped = subprocess.run(
            [LINPOINT, "monitor", "--model", "register"], stdin=log, capture_output=True, check=False
        )
    assert piped.returncode == 1
    followed = run(str(file), "--model", "register", "--follow")
    assert (followed.returncode, "is compressed" in followed.stderr) == (2, True)
    file.write_bytes(pack(GOOD.encode())[:-9])
    cut = run(str(file), "--model", "register", "--continue")
    assert (cut.returncode, f"{file}: the input is broken" in cut.stderr) == (2, True)
    file.write_bytes(pack(WRITE.encode()) + b"more")
    more = run(str(file), "--model", "register", "--continue")
    assert (more.returncode, "the input is broken" in more.stderr) == (2, True)


@pytest.mark.parametrize("pack", [gzip.compress, _core.zst])
def test_it_does_not_matter_how_packed_bytes_come(pack: Callable[[bytes], bytes]) -> None:
    plain = b"".join(b"line %d\n" % number for number in range(5_000))
    packed = pack(plain) + pack(b"the end\n")
    for size in (1, 3, 4096, len(packed)):
        pieces = (packed[start : start + size] for start in range(0, len(packed), size))
        waiting = [piece for one in pieces for piece in (b"", one)]
        found = b"".join(piece for piece in unpacked(iter(waiting), "log") if isinstance(piece, bytes))
        assert found == plain + b"the end\n"
    assert list(unpacked(iter([b"\x28", b"\xb5"]), "log")) == [b"\x28\xb5"]


LOST = "oops " + CALL.format(1, "enqueue", 1) + OK.format(1, "enqueue", 1)
TAKEN = CALL.format(2, "dequeue", "null") + OK.format(2, "dequeue", 1)


def test_what_rests_on_skipped_lines_says_so(tmp_path: Path) -> None:
    page, kept = tmp_path / "page.html", tmp_path / "kept"
    log = LOST + TAKEN + "garbage\n"
    done = run("--model", "queue", "--report", str(page), "--on-violation", f"tee {kept}", given=log)
    assert done.returncode == 1
    assert "whatever else happened" not in done.stdout
    assert "whatever else was read" in done.stdout
    assert "2 lines before it were skipped" in done.stdout
    assert "VIOLATION since event 2, of what was read (2 events, 1 operation; 3 lines skipped)" in done.stdout
    assert json.loads(kept.read_text())["skipped"] == 2
    assert "whatever else happened" not in page.read_text()
    assert "2 lines before it were skipped" in page.read_text()
    assert summary("--model", "queue", given=log)["counterexample"]["skipped"] == 2


def test_lines_skipped_behind_a_violation_do_not_cast_doubt_on_it() -> None:
    done = run("--model", "register", given=BAD + "garbage\n")
    assert "VIOLATION since event 4, of what was read (4 events, 2 operations; 1 line skipped)" in done.stdout
    assert "before it" not in done.stdout
    assert "whatever else happened" in done.stdout


def test_lines_skipped_before_a_checkpoint_are_remembered(tmp_path: Path) -> None:
    file, kept = tmp_path / "log", tmp_path / "kept"
    file.write_text("garbage\n" + WRITE)
    options = (str(file), "--model", "register", "--checkpoint", str(kept), "--format", "jepsen-json")
    assert run(*options).stdout == "LINEARIZABLE, of what was read (2 events, 1 operation; 1 line skipped)\n"
    with file.open("a") as log:
        log.write("garbage\n" + READ.format(2))
    assert summary(*options)["counterexample"]["skipped"] == 2


def test_a_strict_monitor_says_where_it_stopped() -> None:
    done = run("--model", "register", "--strict", given=WRITE + "garbage\n" + GOOD)
    assert (done.returncode, done.stdout) == (2, "stopped at line 3; LINEARIZABLE until then (2 events, 1 operation)\n")


def test_quiet_is_quiet() -> None:
    done = run("--model", "register", "-q", given=WRITE + "garbage\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_command_that_prints_leaves_the_json_alone() -> None:
    done = run("--model", "register", "--json", "--on-violation", "cat", given=BAD)
    assert json.loads(done.stdout)["event"] == 4
    assert json.loads(done.stderr)["event"] == 4
    assert done.stderr.endswith("\n")


def test_the_metrics_have_types_and_tell_what_is_unknown(tmp_path: Path) -> None:
    metrics = tmp_path / "metrics"
    told = summary("--model", "register", "--memory", "1", "--metrics", str(metrics), given=GOOD)
    assert (told["verdict"], told["cause"]) == ("unknown", "memory")
    lines = metrics.read_text().splitlines()
    assert lines[::2] == [f"# TYPE {line.split('{')[0].split()[0]} {kind}" for line, kind in typed(lines)]
    assert "linpoint_unknown 1" in lines
    assert 'linpoint_unknown_since{cause="memory"} 1' in lines
    run("--model", "register", "--metrics", str(metrics), given=BAD)
    assert "linpoint_unknown 0\n" in metrics.read_text()
    assert "linpoint_violation_event 4\n" in metrics.read_text()


def typed(lines: list[str]) -> list[tuple[str, str]]:
    """Each number with its type: what counts something that happened only grows."""
    grow = {"violations", "events", "operations", "restarts", "lines", "skipped", "peak_bytes"}
    names = [line.split("{")[0].split()[0].removeprefix("linpoint_") for line in lines[1::2]]
    return [(f"linpoint_{name}", "counter" if name in grow else "gauge") for name in names]


def test_foreign_names_are_mapped_and_a_process_may_come_back() -> None:
    foreign = BAD.replace("process", "client").replace("invoke", "start").replace("write", "SET")
    told = summary("--model", "register", "--map", "client=process,start=invoke,SET=write", given=foreign)
    assert (told["verdict"], told["event"], told["skipped"]) == ("violation", 4, 0)
    short = foreign.replace('"type":"ok","f":"SET",', '"type":"ok",')
    assert summary("--model", "register", "--map", "client=process,start=invoke,SET=write", given=short)["event"] == 4
    assert lp.Monitor("register", map={"client": "process"}).verdict is lp.Verdict.LINEARIZABLE
    for ended in ("", '{"process":0,"type":"info","f":"write","value":7}\n'):
        log = CALL.format(0, "write", 7) + ended + WRITE + READ.format(7)
        assert summary("--model", "register", given=log)["skipped"] == 2 - (not ended)
        back = summary("--model", "register", "--rename-crashed", given=log)
        events = len(log.splitlines())
        assert (back["verdict"], back["events"], back["skipped"]) == ("linearizable", events, 0)
        wrong = summary("--model", "register", "--rename-crashed", given=log + READ.format(9))
        assert (wrong["event"], wrong["counterexample"]["line"]) == (events + 2, events + 2)
        assert wrong["counterexample"]["accused"]["call"] == events + 1


def test_a_fault_of_a_model_names_the_file(tmp_path: Path) -> None:
    model, file = tmp_path / "broken.py", tmp_path / "log"
    model.write_text(
        "import linpoint as lp\n\n\nclass Broken(lp.Model):\n    initial = 0\n\n"
        "    def read(self, state, value):\n        raise RuntimeError('no')\n"
    )
    file.write_text(READ.format(1))
    done = run(str(file), "--model", f"{model}:Broken")
    assert done.returncode == 2
    assert done.stderr.startswith(f"linpoint: {file}: ")


def test_a_key_that_is_given_up_behind_a_violation_is_told(tmp_path: Path) -> None:
    log, metrics = (WRITE + READ.format(9)) * 3000, tmp_path / "metrics"
    done = run("--model", "cas-register", "--continue", "--metrics", str(metrics), given=log)
    assert done.returncode == 1
    words = done.stdout.splitlines()[-1].split("; ")
    assert words[0] == "VIOLATION since event 4"
    assert words[1].startswith("not everything is judged since event ")
    assert words[1].endswith(": work (12,000 events, 6,000 operations)")
    assert "linpoint_violation_event 4\n" in metrics.read_text()
    assert 'linpoint_unknown_since{cause="work"} ' in metrics.read_text()
