"""Ctrl-C at a chosen moment: what is known is told, once and whole, and the exit status fits."""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli import kills
from tests.cli.program import BAD, GOOD, hard
from tests.cli.workload import PROGRAM, driven
from tests.conftest import ended

pytestmark = pytest.mark.usefixtures("heeds_ctrl_c")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.jsonl").write_text(GOOD)
    (tmp_path / "bad.jsonl").write_text(BAD)
    (tmp_path / "hard.jsonl").write_text(hard())
    return tmp_path


KNOWN = {
    "linpoint.check.check certify_violation": [],
    "linpoint.cli.outcome explain": ["(no counterexample: interrupted)"],
    "linpoint.cli.check report": ["(not drawn: interrupted)"],
    "linpoint.explain.save rendered": [
        "saved.json was not written: interrupted",
        "page.html was not written: interrupted",
    ],
    "linpoint.cli.keep write_file": [
        "saved.json was not written: interrupted",
        "page.html was not written: interrupted",
    ],
}


@pytest.mark.parametrize("presses", ["once", "twice"])
@pytest.mark.parametrize("moment", KNOWN)
def test_finding_16_a_violation_survives_ctrl_c(folder, moment, presses):
    module, name = moment.split()
    files = ["--save", folder / "saved.json", "--report", folder / "page.html"]
    done = driven(module, name, presses, "check", folder / "bad.jsonl", "-m", "register", *files)
    assert done.returncode == 1
    assert done.stdout.startswith("VIOLATION (register): no order explains read() → 2")
    assert done.stdout.count("VIOLATION") == 1
    assert "Traceback" not in done.stderr
    for words in KNOWN[moment]:
        assert words in done.stdout + done.stderr
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize("presses", ["once", "twice"])
def test_finding_16_in_json(folder, presses):
    done = driven("linpoint.cli.outcome", "explain", presses, "check", folder / "bad.jsonl", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"], found["counterexample"]) == (1, "violation", None)
    assert found["notes"] == ["no counterexample: interrupted"]


@pytest.mark.parametrize(
    ("moment", "args", "words"),
    [
        ("linpoint.cli.ahead read", ["check"], "good.jsonl: interrupted while reading"),
        ("linpoint.cli.outcome search", ["check"], "good.jsonl: interrupted while checking"),
        ("linpoint.cli.convert read", ["convert"], "linpoint: interrupted\n"),
        ("linpoint.cli.certify validate", ["certify", "saved.json"], "linpoint: interrupted\n"),
        ("linpoint.cli.explain report", ["explain"], "linpoint: interrupted\n"),
    ],
)
def test_before_anything_is_known_it_is_3(folder, moment, args, words):
    saved = folder / "saved.json"
    subprocess.run([PROGRAM, "check", folder / "bad.jsonl", "-m", "register", "-q", "--save", saved], check=False)
    module, name = moment.split()
    command, *rest = args
    files = {"explain": [saved], "convert": [folder / "good.jsonl", folder / "out.edn"]}.get(
        command, [*([saved] if rest else []), folder / "good.jsonl"]
    )
    done = driven(module, name, "once", command, *files)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith(words) or words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out.edn").exists()


def test_a_witness_that_was_not_replayed_is_none(folder):
    done = driven("linpoint.check.check", "replay", "once", "check", folder / "good.jsonl", "-m", "register")
    assert done.returncode == 3
    assert done.stdout.startswith("UNKNOWN (register): interrupted")


def test_ctrl_c_while_printing_does_not_cut_a_line(folder):
    """The press comes inside `say`: it is kept in mind, and the next file is not begun."""
    done = driven(
        "linpoint.cli.outcome", "_entries", "once", "check", folder / "bad.jsonl", folder / "good.jsonl", "--json"
    )
    (line,) = done.stdout.splitlines()
    assert (done.returncode, json.loads(line)["verdict"]) == (1, "violation")


def test_the_rest_of_the_files_is_left_alone(folder):
    files = [folder / "bad.jsonl", folder / "good.jsonl"]
    done = driven("linpoint.cli.ahead", "read", "once", "check", *files)
    assert done.returncode == 3
    assert "2 files: 2 not judged" in done.stdout


def test_during_start_up_the_signal_has_its_plain_effect(folder):
    """From linpoint's first line on, and until it can answer, it dies of the signal: 130 in a shell, not a word."""
    said = []
    for _ in range(5):
        program = subprocess.Popen(
            [PROGRAM, "check", str(folder / "hard.jsonl"), "-m", "stack"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        with ended(program):
            assert kills._first_line(program.pid)
            program.send_signal(signal.SIGINT)
            said.append((program.communicate(timeout=60), program.returncode))
    assert said == [((b"", b""), -signal.SIGINT)] * 5


def test_it_stays_ignored_where_it_was_ignored(folder):
    """`nohup linpoint … &` is not to be ended by a Ctrl-C that is meant for another program."""
    command = f"trap '' INT; exec {PROGRAM} check {folder / 'hard.jsonl'} -m stack --timeout 2"
    program = subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with ended(program):
        for _ in range(20):
            time.sleep(0.1)
            if program.poll() is None:
                program.send_signal(signal.SIGINT)
        said, complaints = program.communicate(timeout=60)
    assert program.returncode == 3, complaints
    assert said.startswith("UNKNOWN (stack): out of time")


def test_a_reader_that_does_not_read_does_not_hold_it(folder):
    """Standard output is a full pipe: two Ctrl-C, a second apart, end it with the status of the verdict."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(into, b"x" * 65536):
            pass
    os.set_blocking(into, True)
    program = subprocess.Popen([PROGRAM, "check", str(folder / "bad.jsonl"), "-m", "register"], stdout=into)
    with ended(program):
        while program.poll() is None and "pipe_write" not in Path(f"/proc/{program.pid}/wchan").read_text():
            time.sleep(0.05)
        program.send_signal(signal.SIGINT)
        time.sleep(1.2)
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 1
    os.close(out)
    os.close(into)


def test_twenty_random_kills():
    tally = kills.run(20, seed=1, patience=1.0)
    assert tally.failures == [], "\n".join(tally.failures)
    assert sum(tally.statuses.values()) == 20
    assert tally.longest <= kills.MOST_CPU
