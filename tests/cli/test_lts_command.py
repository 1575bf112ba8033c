"""`linpoint lts …`: output, JSON, exit statuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.program import linpoint, run
from tests.conftest import ended

ONE = 'des (0,4,4)\n(0,"coin",1)\n(1,tau,2)\n(2,"tea",0)\n(2,"coffee",0)\n'
OTHER = 'des (0,4,3)\n(0,"coin",1)\n(0,"coin",2)\n(1,"tea",0)\n(2,"coffee",0)\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    one, other = tmp_path / "one.aut", tmp_path / "other.aut"
    one.write_text(ONE, encoding="utf-8")
    other.write_text(OTHER, encoding="utf-8")
    return one, other


def test_info(files: tuple[Path, Path]) -> None:
    done = run("lts", "info", files[0])
    assert done.exit_code == 0
    assert "4 states, 4 transitions" in done.stdout
    assert "visible labels        3: coffee, coin, tea" in done.stdout
    told = json.loads(run("lts", "info", files[0], "--json").stdout)
    assert {**told, "load_seconds": 0} == {
        "file": str(files[0]),
        "states": 4,
        "transitions": 4,
        "initial": 0,
        "reachable": 3,
        "internal": 1,
        "deadlocks": 0,
        "divergent": 0,
        "labels": ["coffee", "coin", "tea"],
        "load_seconds": 0,
    }


def test_reduce_tells_sizes_and_writes(files: tuple[Path, Path], tmp_path: Path) -> None:
    done = run("lts", "reduce", *files, "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(t["states"], t["reduced_states"], t["reduced_transitions"]) for t in told] == [(4, 2, 3), (3, 3, 4)]
    assert list(told[0]) == [
        "file",
        "equivalence",
        "states",
        "transitions",
        "reduced_states",
        "reduced_transitions",
        "load_seconds",
        "reduce_seconds",
    ]
    assert run("lts", "reduce", files[0], "-o", tmp_path / "small.aut").exit_code == 0
    assert run("lts", "compare", files[0], tmp_path / "small.aut", "-e", "divergence").exit_code == 0


def test_compare_says_why(files: tuple[Path, Path]) -> None:
    done = run("lts", "compare", *files)
    assert done.exit_code == 1
    assert 'can do "coin" after any internal steps to a state that' in done.stdout
    assert run("lts", "compare", *files, "--preorder", "trace").exit_code == 0
    told = json.loads(run("lts", "compare", *files, "-e", "weak", "--json").stdout)
    assert (told["relation"], told["answer"], told["formula"]) == ("weak", "no", "⟨coin⟩¬⟨coffee⟩")
    assert told["formula_holds_in"] == str(files[1])


def test_convert_and_draw(files: tuple[Path, Path], tmp_path: Path) -> None:
    assert run("lts", "convert", files[0], "-").stdout.splitlines()[0] == "des (0,4,4)"
    assert run("lts", "convert", files[0], tmp_path / "one.dot").exit_code == 0
    assert (tmp_path / "one.dot").read_text("utf-8") == run("lts", "draw", files[0]).stdout
    assert run("lts", "draw", files[0], "-e", "branching").stdout.count("->") == 3


@pytest.mark.parametrize(
    "command",
    [
        ["lts", "reduce", "missing.aut"],
        ["lts", "reduce", "{one}", "-e", "bisim"],
        ["lts", "reduce", "{one}", "-o", "picture.png"],
        ["lts", "reduce", "{one}", "{other}", "-o", "x.aut"],
        ["lts", "compare", "{one}", "{other}", "--preorder", "failures"],
        ["lts", "compare", "{one}", "{other}", "--preorder", "trace", "-e", "weak"],
        ["lts", "compare", "{one}", "missing.aut"],
        ["lts", "info", "pyproject.toml"],
    ],
)
def test_bad_usage_and_bad_files_are_status_2(command: list[str], files: tuple[Path, Path]) -> None:
    done = linpoint(*[word.format(one=files[0], other=files[1]) for word in command])
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_an_unknown_is_status_3_with_its_cause(files: tuple[Path, Path]) -> None:
    done = linpoint("lts", "reduce", files[0], "--timeout", "0", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (3, {"file": str(files[0]), "cause": "time"})
    done = linpoint("lts", "compare", files[0], files[1], "--memory", "1B")
    assert (done.returncode, "out of memory" in done.stderr) == (3, True)


@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.parametrize("complete", [True, False])
def test_ctrl_c_is_an_unknown_while_reducing_and_while_waiting_for_input(tmp_path: Path, complete: bool) -> None:
    states = 60_000
    lines = [f'({s},"tau",{s + 1})\n({s},"a{s}",{states})\n' for s in range(states)]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "linpoint", "lts", "reduce", str(pipe), "-e", "weak", "--json"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with ended(started) as program, open(pipe, "w", encoding="utf-8") as file:  # waits until the program opens it
        file.write(f"des (0,{2 * states},{states + 1})\n")
        file.flush()
        if complete:
            file.writelines(lines)
            file.close()
        time.sleep(0.7)
        program.send_signal(signal.SIGINT)
        said, complaints = program.communicate(timeout=60)
    assert program.returncode == 3, complaints
    assert json.loads(said) == {"file": str(pipe), "cause": "interrupted"}
