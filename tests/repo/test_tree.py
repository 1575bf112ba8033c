"""The tree itself: small files, nothing of one machine, every folder of tests on the signpost."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

HOUSE = {".py", ".pyi", ".rs", ".go", ".md", ".toml", ".jsonl", ".edn", ".sh", ""}
LONGEST = 500
MACHINE = re.compile(r"(?:^|[^.\w])/(?:work|root|farm|home)/")
REGISTRIES = [
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "proxy.golang" + ".org",
    "registry.npmjs" + ".org",
    "deb.debian" + ".org",
]


def tracked() -> list[Path]:
    """What is in the repository, or will be with the next commit."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]


FILES = tracked()
LOCKS = {"Cargo.lock", "dev.txt", "go.sum"}
TEXTS = [path for path in FILES if path.suffix in HOUSE and path.name not in LOCKS]


def test_there_are_files() -> None:
    assert len(TEXTS) > 50


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert len(lines) <= LONGEST or path.suffix == ".jsonl", f"{len(lines)} lines: split it"
    assert not [line for line in lines if MACHINE.search(line)], "a path of one machine"
    assert not [host for host in REGISTRIES if host in text], "the host of a registry"
    assert text == "" or text.endswith("\n"), "no newline at the end"


def test_the_rules_can_fail() -> None:
    assert MACHINE.search("see /" + "work/main")
    assert MACHINE.search('"/' + 'root/.cargo"')
    assert not MACHINE.search("docs/" + "work/main")
    assert not MACHINE.search("../" + "work/main")


def test_every_folder_of_tests_is_on_the_signpost() -> None:
    signpost = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in FILES if ROOT / "tests" in path.parents}
    folders = {name for name in folders if (ROOT / "tests" / name).is_dir()}
    assert "agreement" in folders
    assert [name for name in sorted(folders) if f"`{name}/`" not in signpost] == []


def test_every_room_is_on_the_map() -> None:
    architecture = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = [
        path.name for path in (ROOT / "python" / "linpoint").iterdir() if path.is_dir() and path.name != "__pycache__"
    ]
    crates = [f"crates/{path.name}" for path in (ROOT / "crates").iterdir() if path.is_dir()]
    assert [name for name in rooms + crates if f"`{name}`" not in architecture] == []
