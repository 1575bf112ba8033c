"""The Makefile explains itself, and CI runs what a person runs."""

import re
import subprocess
from pathlib import Path

from tests.conftest import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def targets() -> set[str]:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    return set(phony[1].split())


def test_every_target_is_in_help() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^  make ([\w-]+)", shown, re.MULTILINE)) == targets()
    assert {"demo", "test", "fuzz", "bench", "build", "clean", "help"} <= targets()


def test_every_target_is_documented() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [target for target in sorted(targets()) if f"make {target}" not in text] == []


def test_ci_is_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "exec make test"
    assert script.stat().st_mode & 0o111


def run_make(folder: Path, *tools: str) -> subprocess.CompletedProcess[str]:
    """`make build` in an empty house where only these tools exist."""
    programs = folder / "bin"
    programs.mkdir()
    for tool in ("bash", "env", "find", "awk", "printf", "touch", *tools):
        where = subprocess.run(["bash", "-c", f"type -P {tool}"], capture_output=True, text=True, check=True).stdout
        (programs / tool).symlink_to(where.strip())
    (folder / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    (folder / "requirements").mkdir()
    for name in ("requirements/dev.txt", "Cargo.toml", "Cargo.lock", "pyproject.toml"):
        (folder / name).write_text("")
    (folder / "crates").mkdir()
    make = subprocess.run(["bash", "-c", "type -P make"], capture_output=True, text=True, check=True).stdout.strip()
    environment = {"PATH": str(programs), "HOME": str(folder)}
    return subprocess.run(
        [make, "build"], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_missing_cargo_is_named(tmp_path: Path) -> None:
    done = run_make(tmp_path)
    assert done.returncode != 0
    assert "needs Rust" in done.stderr
    assert "rustup" in done.stderr


def test_a_missing_python_is_named(tmp_path: Path) -> None:
    done = run_make(tmp_path, "cc", "cargo")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "python3-venv" in done.stderr
