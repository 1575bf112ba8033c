"""Is the memory limit kept, by everything that a check does? The resident memory of whole processes, as the kernel counts it.

A process may use what the loaded history takes, the limit, and 64 MiB. What the history takes is measured on a process that
only reads it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.workload import PROGRAM

MIB = 2**20
LIMIT, GRACE = 50, 64
OPERATIONS = 200_000

OWN = """
import sys
import linpoint as lp

class Register(lp.Model):
    initial = None

    def write(self, state, value):
        return value, None

    def read(self, state, _):
        return state, state

explanation = lp.explain(lp.check(lp.read(sys.argv[1]), Register(), memory="50MiB"))
explanation.save(sys.argv[2])
print(explanation)
"""


def peak(*command: str) -> tuple[float, int]:
    """The most memory that a process had, in MiB, and its exit status."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss / (MIB if sys.platform == "darwin" else 1024), process.returncode


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A register by four clients; the last read but a few is of a value that was overwritten long ago."""
    folder = tmp_path_factory.mktemp("memory")
    with (folder / "history.jsonl").open("w", encoding="utf-8") as file:
        for number in range(OPERATIONS // 2):
            for f, process in (("write", number % 4), ("read", (number + 1) % 4)):
                value = number % 5 if number != OPERATIONS // 2 - 9 else (number + 2) % 5
                answer = {"value": number % 5} if f == "write" else {"result": value}
                at = 10 * number + (0 if f == "write" else 4)
                file.write(json.dumps({"process": process, "f": f, **answer, "call": at, "return": at + 3}) + "\n")
    return folder


@pytest.fixture(scope="module")
def allowed(folder: Path) -> float:
    """What a process may use, in MiB."""
    read, status = peak(sys.executable, "-c", f"import linpoint as lp; lp.read({str(folder / 'history.jsonl')!r})")
    assert status == 0
    return read + LIMIT + GRACE


def test_checking_saving_and_reporting_keep_to_the_limit(folder: Path, allowed: float) -> None:
    history, saved, page = (str(folder / name) for name in ("history.jsonl", "saved.json", "page.html"))
    command = (PROGRAM, "check", history, "-m", "register", "--memory", f"{LIMIT}MiB", "--save", saved)
    assert_within(allowed, *command, "--report", page, status=1)
    assert "of 200,000 operations" in Path(page).read_text(encoding="utf-8"), "the page holds what the limit allows"
    assert_within(allowed, PROGRAM, "explain", saved, status=0)
    assert_within(allowed, PROGRAM, "certify", saved, history, status=0)


def test_a_model_of_the_users_keeps_to_the_limit(folder: Path, allowed: float) -> None:
    history, page = str(folder / "history.jsonl"), str(folder / "own.html")
    assert_within(allowed, sys.executable, "-c", OWN, history, page, status=0)
    assert Path(page).stat().st_size > 10_000


def assert_within(allowed: float, *command: str, status: int) -> None:
    used, ended = peak(*command)
    assert (ended, used <= allowed) == (status, True), (
        f"{' '.join(command)}: status {ended}, {used:.0f} MiB of {allowed:.0f}"
    )
