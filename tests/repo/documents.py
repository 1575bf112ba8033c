"""Reads documents as programs: which code blocks does a Markdown file have, and does the output match?

- Blocks marked `python` run one after the other in one namespace.
- Blocks marked `console` hold commands (`$ …`) and their output. In an expected output `…` stands for anything
  within a line (a time, a path), and a line that is only `…` for any number of lines.
- Other blocks (`text`, `json`, `edn`, …) are for the eye.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conftest import ROOT

DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    language: str
    line: int
    text: str


class Command(NamedTuple):
    command: str
    expected: str


def blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [Block(m[1], text.count("\n", 0, m.start()) + 1, m[2]) for m in FENCE.finditer(text)]


def commands(block: Block) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield Command(command, expected)


def matches(expected: str, actual: str) -> bool:
    """Is it the expected output? How many spaces are between words, and empty lines around it, do not matter."""
    pattern = []
    for line in tidy(expected):
        if line.strip() == "…":
            pattern.append(r"(?:[^\n]*\n)*")
        else:
            pattern.append(re.escape(line).replace("…", "[^\n]*") + "\n")
    return re.fullmatch("".join(pattern), "".join(line + "\n" for line in tidy(actual))) is not None


def tidy(text: str) -> list[str]:
    return [re.sub(" +", " ", line).rstrip() for line in text.strip("\n").splitlines()]


def furnish(place: Path) -> Path:
    """Makes a scratch folder look like the repository to the commands of a document."""
    for folder in ("examples", "corpus", "docs"):
        (place / folder).symlink_to(ROOT / folder)
    return place


def shell(command: str, status: int, place: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command; `$?` is the status of the one before."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", f"(exit {status}); {command}"],
        cwd=place,
        env=os.environ | {"PATH": programs, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
