"""A small check loads what it needs and nothing else: loading took longer than checking."""

import subprocess
import sys

import pytest

import linpoint as lp
from tests.cli.program import GOOD

SLOW = {"pydantic", "xml.sax", "http", "email", "tempfile", "gzip", "rich", "hashlib"}
ELSEWHERE = {
    "linpoint.explain.page",
    "linpoint.check.proof",
    "linpoint.check.skew",
    "linpoint.explain.timeline.svg",
    "linpoint.explain.certificate",
    "linpoint.cli.lts",
    "linpoint.extend.base",
    "linpoint.language",
    "linpoint.lts",
    "linpoint.monitor",
    "linpoint.verify.runs",
}


def loaded(tmp_path, *args):
    """The modules that the program has loaded when it ends."""
    code = "import sys; from linpoint.cli.app import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    (tmp_path / "good.jsonl").write_text(GOOD)
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=True, cwd=tmp_path, timeout=60
    )
    return set(done.stderr.split()), done.stdout


@pytest.mark.parametrize("files", [["good.jsonl"], ["good.jsonl", "good.jsonl"]])
def test_a_check_loads_little(tmp_path, files):
    modules, said = loaded(tmp_path, "check", *files, "--model", "register")
    assert "linearizable" in said.lower()
    assert modules & (SLOW | ELSEWHERE) == set()


def test_a_transition_system_needs_no_pydantic(tmp_path):
    (tmp_path / "small.aut").write_text('des (0, 2, 2)\n(0, "tau", 1)\n(1, "a", 0)\n')
    modules, said = loaded(tmp_path, "lts", "reduce", "small.aut", "--json")
    assert '"reduced_states": 1' in said
    assert modules & {"pydantic", "linpoint.extend.base", "linpoint.language", "linpoint.monitor"} == set()


def test_what_is_asked_for_is_loaded(tmp_path):
    modules, _ = loaded(tmp_path, "check", "good.jsonl", "--model", "register", "--report", "page.html")
    assert "linpoint.explain.page" in modules
    assert (tmp_path / "page.html").stat().st_size > 0


def test_the_version_needs_no_command_line(tmp_path):
    code = (
        "import os, sys, linpoint_program; os._exit = lambda status: (print(*sys.modules, file=sys.stderr), exit(status));"
        "sys.argv = ['linpoint', '--version']; linpoint_program.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    modules = set(done.stderr.split())
    assert "linpoint_program" in modules
    assert modules & {"linpoint", "typer", "rich"} == set()
    assert done.stdout == f"linpoint {lp.__version__}\n"


def test_the_help_lists_every_command(tmp_path):
    _, said = loaded(tmp_path, "--help")
    assert all(f" {name} " in said for name in ("check", "explain", "certify", "convert", "models", "formats", "lts"))
