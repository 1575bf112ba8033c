"""`linpoint check`: words, JSON, exit statuses."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from linpoint.cli.output import worst
from tests.cli.program import BAD, GOOD, hard, linpoint, on_a_terminal, run
from tests.conftest import ended


@pytest.fixture
def good(tmp_path):
    (tmp_path / "good.jsonl").write_text(GOOD)
    return tmp_path / "good.jsonl"


@pytest.fixture
def bad(tmp_path):
    (tmp_path / "bad.jsonl").write_text(BAD)
    return tmp_path / "bad.jsonl"


@pytest.fixture
def difficult(tmp_path):
    (tmp_path / "hard.jsonl").write_text(hard())
    return tmp_path / "hard.jsonl"


def test_linearizable_is_0(good):
    done = linpoint("check", good, "--model", "register")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("LINEARIZABLE (register): one order explains all 2 operations\n")


def test_violation_is_1(bad):
    done = linpoint("check", bad, "-m", "register")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(
        "VIOLATION (register): no order explains read() → 2 (process 1, operation 1, line 2)\n"
    )
    assert "✗ read() → 2" in done.stdout


def test_unknown_is_3(difficult):
    done = linpoint("check", difficult, "--model", "stack", "--timeout", "50ms")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("UNKNOWN (stack): out of time after ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["missing.edn"], "linpoint: missing.edn: no such file or directory\n"),
        (["{good}", "--model", "regsiter"], "linpoint: there is no model 'regsiter'; did you mean register?\n"),
        (["{good}", "--model", "queue"], '{good}: operation 0, line 1: "write": '),
        (["{good}", "--method", "magic"], "linpoint: there is no method 'magic'; there are auto, "),
        (["{good}", "--timeout", "soon"], "linpoint: 'soon' is not a time such as 30s or 2m\n"),
        (["{good}", "--memory", "lots"], "linpoint: 'lots' is not a size such as 512MiB or 2GiB\n"),
        (["{good}", "--format", "xml"], "linpoint: there is no format 'xml'; there are jsonl, "),
        (["{good}", "--format", "violin"], "{good}:1"),
        (["{good}", "--cache", "lru:9"], "linpoint: --cache is for --method wgl"),
        (["{good}", "--nonsense"], "No such option"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_or_usage_is_2(good, args, words):
    done = linpoint("check", *(arg.format(good=good) for arg in args))
    assert (done.returncode, done.stdout) == (2, "")
    assert words.format(good=good) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_guess_is_admitted(good):
    assert "The model was guessed: " in run("check", good).stdout


def test_standard_input(good, bad):
    assert linpoint("check", "-", "--quiet", input=BAD).returncode == 1
    assert linpoint("check", "-", input="rubbish").stderr.startswith("linpoint: <stdin>")


def test_quiet_says_nothing(bad, good):
    for file, status in ((bad, 1), (good, 0)):
        done = linpoint("check", file, "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")
    assert linpoint("check", "missing", "--quiet").stderr


WANTED = {
    *("file", "model", "operations", "verdict", "method", "load_seconds", "check_seconds", "certify_seconds"),
    *("configurations", "cause", "stuck", "witness"),
}


def test_json_is_one_object_a_file(good, bad, difficult, tmp_path):
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{")
    done = linpoint("check", good, bad, broken, "--json")
    assert done.returncode == 1
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert set(first) >= WANTED
    assert (first["file"], first["verdict"], first["witness"], first["stuck"]) == (
        str(good),
        "linearizable",
        [0, 1],
        None,
    )
    assert (first["model"], first["operations"], first["certified"]) == ("register", 2, True)
    assert (second["verdict"], second["witness"], second["stuck"]["index"]) == ("violation", None, 1)
    assert second["stuck"]["result"] == 2
    assert set(third) == {"file", "error"}
    assert third["error"].startswith(f"{broken}:1:")
    assert third["error"] in done.stderr

    unknown = json.loads(linpoint("check", difficult, "--json", "--timeout", "0.05").stdout)
    assert (unknown["verdict"], unknown["cause"]) == ("unknown", "time")


def test_several_files_make_a_table(good, bad, difficult):
    result = run("check", good, bad, difficult, "missing.edn", "--timeout", "50ms")
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines[0].split() == ["file", "verdict", "operations", "load", "check", "model", "stuck", "at"]
    assert [line.split()[:3] for line in lines[1:4]] == [
        [str(good), "linearizable", "2"],
        [str(bad), "violation", "2"],
        [str(difficult), "unknown", "58"],
    ]
    assert lines[2].endswith("register (guessed)  read() → 2, line 2")
    assert lines[4].startswith("missing.edn")
    assert "not judged" in lines[4]
    assert lines[5].startswith("4 files: 1 linearizable, 1 violation, 1 unknown, 1 not judged; ")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("statuses", "status"),
    [([0, 0], 0), ([0, 3], 3), ([0, 3, 2], 2), ([3, 2, 1, 0], 1), ([2, 1], 1), ([], 0)],
)
def test_the_exit_status_is_the_worst_over_the_files(statuses, status):
    assert worst(statuses) == status


def test_the_help_explains_the_exit_status():
    text = " ".join(run("check", "--help", env={"COLUMNS": "200"}).stdout.split())
    assert (
        "Exit status: 0 every history is linearizable; 1 at least one is a violation; 2 no violation, but bad usage"
        in text
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--no-partition"],
        ["--no-certify"],
        ["--method", "wgl", "--cache", "lru:100"],
        ["--method", "depth-first"],
        ["--method", "breadth-first"],
        ["--memory", "64MiB", "--timeout", "1m"],
        ["--format", "jsonl", "--failed-cas"],
    ],
)
def test_options_do_not_change_the_verdict(good, bad, options):
    assert run("check", good, *options).exit_code == 0
    assert run("check", bad, *options).exit_code == 1


def test_no_certify_certifies_nothing(good):
    assert not json.loads(run("check", good, "--no-certify", "--json").stdout)["certified"]


def test_independent_keys(tmp_path):
    """Two writes and two reads on two keys: one register would be a violation, two are fine."""
    events = [("write", "[1 5]"), ("write", "[2 6]"), ("read", "[1 nil]", "[1 5]"), ("read", "[2 nil]", "[2 6]")]
    lines = []
    for f, value, *answer in events:
        lines.append(f"{{:process 0 :type :invoke :f :{f} :value {value}}}")
        lines.append(f"{{:process 0 :type :ok :f :{f} :value {answer[0] if answer else value}}}")
    (tmp_path / "keys.edn").write_text("\n".join(lines))
    assert run("check", tmp_path / "keys.edn", "-m", "register").exit_code == 1
    assert run("check", tmp_path / "keys.edn", "-m", "register", "--independent").exit_code == 0


def test_a_reader_that_goes_away_is_no_error(bad):
    program = subprocess.Popen(
        [sys.executable, "-m", "linpoint", "check", str(bad)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    program.stdout.close()
    complaints = program.stderr.read()
    assert program.wait(60) == 1
    assert complaints == b""
    program.stderr.close()


def test_a_screen_without_arrows_still_gets_the_verdict(bad):
    done = linpoint("check", bad, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert done.stdout.startswith("VIOLATION (register): no order explains read() ? 2")


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_ctrl_c_prints_what_is_known_and_ends_with_3(good, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = subprocess.Popen(
        [sys.executable, "-m", "linpoint", "check", str(pipe), str(good), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with ended(program):
        pipe.write_text(hard())  # waits until the program opens it: from here on it is busy with the history
        time.sleep(0.7)
        program.send_signal(signal.SIGINT)
        said, complaints = program.communicate(timeout=60)
    assert program.returncode == 3, complaints
    (line,) = said.splitlines()  # the second file is not judged any more
    assert (json.loads(line)["verdict"], json.loads(line)["cause"]) == ("unknown", "interrupted")


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
def test_colours_on_a_terminal_unless_told_otherwise(bad):
    said, status = on_a_terminal("check", bad, NO_COLOR="")
    assert status == 1
    assert "\x1b[1;38" in said
    plain, status = on_a_terminal("check", bad, NO_COLOR="1")
    assert status == 1
    assert "\x1b[1;38" not in plain
    assert "VIOLATION" in plain


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
def test_a_progress_bar_for_those_who_wait(difficult):
    said, status = on_a_terminal("check", difficult, "--timeout", "2.5s")
    assert status == 3
    assert "% explained" in said
    quick, _ = on_a_terminal("check", difficult, "--timeout", "0.2s")
    assert "% explained" not in quick
