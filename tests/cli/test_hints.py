"""Hints where people stumble: each where it fits, and not where it does not. And what the command line says of itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

import linpoint as lp
from tests.cli.program import BAD, linpoint, on_a_terminal, run


def file(tmp_path, *operations):
    path = tmp_path / "run.jsonl"
    records = [{"process": i, "call": 2 * i, "return": 2 * i + 1, **op} for i, op in enumerate(operations)]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


READ_0 = {"f": "read", "result": 0}
STUMBLES = {
    "no operation wrote 0. If it was there from the beginning, say so: --model register:initial=0": [READ_0],
    "read(1) → null (line 2) has its answer in `value`: what an operation returned belongs into `result`": [
        {"f": "write", "value": 1},
        {"f": "read", "value": 1, "result": None},
    ],
    "all values are pairs. If they are Jepsen's independent [key value], say so: --independent": [
        {"f": "write", "value": ["x", 1]},
        {"f": "write", "value": ["y", 2]},
        {"f": "read", "result": ["x", 1]},
    ],
    'the keys 1 and "1" are two different keys, a number and a text. Are they meant to be one?': [
        {"f": "write", "key": 1, "value": 5},
        {"f": "read", "key": "1", "result": 5},
    ],
    "all values are lists of one, and [1] is not 1. If they are arguments, write 1 alone": [
        {"f": "write", "value": [1]},
        {"f": "write", "value": [2]},
        {"f": "read", "result": 2},
    ],
    "times such as 1.7e+18 are floats, which are exact to 256 only: write them as whole numbers": [
        {"f": "write", "value": 1, "call": 1.7e18, "return": 1.7e18 + 512},
        {"f": "read", "result": 2, "call": 1.7e18 + 1024, "return": 1.7e18 + 2048},
    ],
}


@pytest.mark.parametrize("hint", STUMBLES)
def test_a_hint_where_people_stumble(hint, tmp_path) -> None:
    done = run("check", file(tmp_path, *STUMBLES[hint]), "--model", "register")
    assert done.exit_code == 1
    assert f"run.jsonl: hint: {hint}" in done.stderr


@pytest.mark.parametrize(("name", "order", "size"), [("delete_min", "min", "smallest"), ("find_max", "max", "largest")])
def test_the_end_of_a_priority_queue_is_in_its_names(name, order, size, tmp_path) -> None:
    operations = [
        {"f": "insert", "value": 1},
        {"f": "insert", "value": 2},
        {"f": name, "result": 1 if order == "min" else 2},
    ]
    other = {"min": "max", "max": "min"}[order]
    done = run("check", file(tmp_path, *operations), "--model", f"priority-queue:order={other}")
    assert (done.exit_code, f"{name} speaks of the {size}" in done.stderr) == (1, True)
    advised = re.search(r"--model (\S+)", done.stderr)
    assert advised is not None
    assert run("check", file(tmp_path, *operations), "--model", advised[1]).exit_code == 0


def test_the_hint_helps(tmp_path) -> None:
    assert run("check", file(tmp_path, READ_0), "--model", "register:initial=0").exit_code == 0


@pytest.mark.parametrize(
    "operations",
    [
        [{"f": "write", "value": 0}, {"f": "write", "value": 1}, READ_0],  # it was written
        [{"f": "write", "value": 1}, READ_0],  # it was not the first
        [{"f": "write", "value": 7, "key": 1}, {"f": "read", "result": None, "key": 1}],
        [{"f": "write", "value": [1, 2]}, {"f": "read", "result": None}],  # one pair is no pattern
    ],
)
def test_no_hint_where_none_fits(operations, tmp_path) -> None:
    done = run("check", file(tmp_path, *operations), "--model", "register")
    assert (done.exit_code, "hint" in done.stderr) == (1, False)


def test_a_linearizable_history_has_no_hints(tmp_path) -> None:
    done = run(
        "check", file(tmp_path, {"f": "write", "value": ["x", 1]}, {"f": "write", "value": ["y", 1]}), "-m", "register"
    )
    assert (done.exit_code, done.stderr) == (0, "")


def test_h_is_help() -> None:
    assert run("-h").stdout == run("--help").stdout
    assert "--timeout" in run("check", "-h").stdout


def test_the_help_of_check_fits_a_screen_per_option() -> None:
    text = linpoint("check", "--help", env={"COLUMNS": "100"}).stdout
    method = text.partition("--method")[2].partition("--timeout")[0]
    assert len(method.splitlines()) <= 4, method


def test_methods_are_listed() -> None:
    assert all(name in run("methods").stdout for name in lp.METHODS)


def test_a_shell_is_told_how_a_line_goes_on() -> None:
    asked = {"_LINPOINT_COMPLETE": "complete_bash", "COMP_WORDS": "linpoint ch", "COMP_CWORD": "1"}
    assert linpoint(env=asked).stdout.split() == ["check"]


def test_columns_count_in_a_pipe_too(tmp_path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(BAD)
    widths = []
    for columns in ("60", "140"):
        said = linpoint("check", path, "--model", "register", env={"COLUMNS": columns}).stdout
        widths.append(max(len(line) for line in said.splitlines() if "═" in line))
    assert widths[0] <= 60 < widths[1] <= 140


def test_a_violation_is_red(tmp_path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(BAD)
    environment = {"NO_COLOR": ""} if "NO_COLOR" in os.environ else {}
    said, _ = on_a_terminal("check", path, "--model", "register", **environment)
    assert re.search(r"\x1b\[1;31mVIOLATION", said)


def test_a_page_names_file_day_and_version(tmp_path) -> None:
    path, page = tmp_path / "bad.jsonl", tmp_path / "page.html"
    path.write_text(BAD)
    run("check", path, "--model", "register", "--report", page)
    text = page.read_text()
    assert re.search(r"<li>[^<]*bad\.jsonl, checked on \d{4}-\d\d-\d\d</li>", text)
    assert f"linpoint {lp.__version__}, method" in text


def test_a_table_in_a_pipe_is_as_wide_as_columns_says() -> None:
    narrow = linpoint("methods", env={"COLUMNS": "60"}).stdout.splitlines()
    assert max(map(len, narrow[:-1])) <= 60
    plain = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        [sys.executable, "-m", "linpoint", "methods"], capture_output=True, text=True, env=plain, check=True
    )
    wide = done.stdout.splitlines()
    assert len(wide) == len(lp.METHODS) + 2
    assert not any(line.endswith(" ") for line in (*narrow, *wide))
