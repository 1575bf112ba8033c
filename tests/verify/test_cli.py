"""`linpoint verify` as a program."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

NAMES = "target spec threads ops values verdict lock_free wait_free obstruction_free deadlock_free states transitions"
SIZES = "quotient_states divergence_quotient_states spec_states spec_quotient_states"
REST = "explore_seconds reduce_seconds refine_seconds cause counterexample"
FIELDS = " ".join((NAMES, SIZES, REST)).split()


def verify(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "linpoint", "verify", *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_json_has_the_promised_fields() -> None:
    done = verify("hm-list-buggy", "treiber", "--json")
    bad, good = map(json.loads, done.stdout.splitlines())
    assert list(bad) == FIELDS
    assert list(good) == FIELDS
    assert done.returncode == 1
    assert (good["verdict"], good["lock_free"], good["wait_free"], good["counterexample"]) == (
        "linearizable",
        True,
        False,
        None,
    )
    assert (bad["verdict"], bad["counterexample"]["kind"]) == ("violation", "history")
    assert len(bad["counterexample"]["trace"]) == 6
    assert bad["counterexample"]["steps"][0]["event"].startswith("call add(")


def test_the_words_show_the_run_beside_the_source() -> None:
    done = verify("treiber-hp-fu")
    assert done.returncode == 0
    assert "Not lock-free" in done.stdout
    assert "from here on for ever" in done.stdout
    assert "while self.hazard[j] is node:" in done.stdout
    assert "more threads, operations or values may do what these cannot" in done.stdout


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from linpoint.language import Int, Object\n\n\n"
        "class Cell(Object):\n    held: Int = 0\n\n"
        "    def write(self, v):\n        self.held = v\n\n"
        "    def read(self):\n        return self.held\n"
    )
    good = verify(f"{file}:Cell", "--spec", "register:initial=0", "--threads", "2", "--ops", "3")
    assert good.returncode == 0, good.stderr
    assert good.stdout.startswith("LINEARIZABLE")
    bad = verify(f"{file}:Cell", "--spec", "register:initial=1")
    assert bad.returncode == 1
    assert "read" in bad.stdout
    same = verify(f"{file}:Cell", "--spec", f"{file}:Cell", "--abstract", f"{file}:Cell", "--methods", "write,read")
    assert same.returncode == 0
    assert "Theorem 14" in same.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 2, "what is to be verified"),
        (("nothing",), 2, "there is no study"),
        (("--library", "treiber"), 2, "name no target"),
        (("ms-queue", "--states", "100"), 3, "UNKNOWN"),
        (("treiber", "--granularity", "big"), 2, "granularity"),
    ],
)
def test_exit_status(arguments: tuple[str, ...], status: int, words: str) -> None:
    done = verify(*arguments)
    assert done.returncode == status
    assert words in done.stdout + done.stderr


def test_a_refusal_is_an_object_too() -> None:
    done = verify("nothing", "--json")
    assert done.returncode == 2
    assert list(json.loads(done.stdout)) == ["target", "error"]


def test_table_1() -> None:
    done = verify("--library", "--threads", "2", "--ops", "1")
    rows = done.stdout.splitlines()
    assert len(rows) == 15
    assert rows[1].startswith("1 ")
    assert "case study" in rows[0]
    wrong = [row for row in rows[1:] if not row.endswith("yes")]
    # With one operation each nobody can add a key and remove it twice, and a pop finds nothing to retire.
    assert all("HM lock-free" in row or "revised" in row for row in wrong), done.stdout
