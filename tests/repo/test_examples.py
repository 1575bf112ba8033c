"""Every example runs, and says something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOMS = ("histories", "models", "systems")
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(example: Path, tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONWARNINGS": "error", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()
    assert done.stderr == ""


def test_examples_are_numbered_without_gaps() -> None:
    assert [int(example.name[:2]) for example in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))


def test_every_example_is_in_the_signpost() -> None:
    signpost = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    missing = [
        path.name
        for path in [*EXAMPLES, *(path for room in ROOMS for path in (ROOT / "examples" / room).glob("*.*"))]
        if path.name not in signpost
    ]
    assert missing == []
