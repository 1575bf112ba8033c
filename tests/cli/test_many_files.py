"""Several files in one command: each is judged as it would be alone, in their order, whatever the others are."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.program import BAD, GOOD, linpoint, on_a_terminal, run

BROKEN = '{"process":0,"f":"read"\n'


@pytest.fixture
def files(tmp_path):
    """Good, bad, broken and missing ones, mixed."""
    kinds = [GOOD, BAD, BROKEN, None, GOOD, "", BAD]
    paths = []
    for number in range(35):
        path = tmp_path / f"{number:02}.jsonl"
        text = kinds[number * 3 % len(kinds)]
        if text is not None:
            path.write_text(text)
        paths.append(path)
    return paths


def judged(line):
    said = json.loads(line)
    return {name: said.get(name) for name in ("file", "verdict", "error", "witness", "stuck", "counterexample")}


def test_each_file_is_judged_as_if_it_were_alone(files):
    together = run("check", *files, "--model", "register", "--json")
    alone = [run("check", file, "--model", "register", "--json") for file in files]
    assert [judged(line) for line in together.stdout.splitlines()] == [judged(one.stdout) for one in alone]
    assert together.stderr == "".join(one.stderr for one in alone)
    assert {one.exit_code for one in alone} == {0, 1, 2}
    assert together.exit_code == 1


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_table_fits_the_screen_and_leaves_nothing_out(columns, files):
    said, status = on_a_terminal("check", *files[:7], "--model", "register", COLUMNS=str(columns), NO_COLOR="1")
    lines = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in said.splitlines()]
    table = lines[[line.startswith("file ") for line in lines].index(True) :]
    assert status == 1
    assert max(map(len, table[:-1])) <= max(columns, 60), "a name keeps its last 20 characters"
    assert sum("read() → 2, line 2" in line for line in table) == 2
    assert sum("violation" in line for line in table[:-1]) == 2
    assert all(any(f"{number:02}.jsonl" in line for line in table) for number in range(7))


def test_a_file_that_never_comes_costs_its_own_time_only(files, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = linpoint("check", files[0], pipe, files[4], "--model", "register", "--timeout", "500ms", "--json")
    said = [judged(line) for line in done.stdout.splitlines()]
    assert [one["file"] for one in said] == [str(files[0]), str(pipe), str(files[4])]
    assert said[1]["error"] == f"{pipe}: out of time while reading"
    assert said[0] == judged(run("check", files[0], "--model", "register", "--json").stdout)
    assert said[2] == judged(run("check", files[4], "--model", "register", "--json").stdout)


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_ctrl_c_while_a_file_is_awaited_keeps_what_is_known(files, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "linpoint", "check", files[0], pipe, files[4], "--model", "register", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        first = json.loads(running.stdout.readline())
        time.sleep(0.1)  # it waits for the pipe now; earlier would do as well
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate(timeout=60)
    assert first["verdict"] == "linearizable"
    assert [json.loads(line)["error"] for line in rest.splitlines()] == [f"{pipe}: interrupted while reading"]
    assert running.returncode == 3
