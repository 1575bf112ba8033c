"""One mutant: where it is, what it changes, and how to put it into a file."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

Key = tuple[str, str, str, str]

HUNK = re.compile(r"@@ -(\d+)")


@dataclass(frozen=True)
class Mutant:
    """A change of one file, as cargo-mutants lists it."""

    file: str
    line: int
    function: str
    name: str
    diff: str

    @property
    def change(self) -> str:
        """What is done, without where: `replace && with ||`."""
        words = self.name.partition(": ")[2]
        return words.removesuffix(f" in {self.function}")

    @property
    def source(self) -> str:
        """The first line that it changes, so that a key survives what happens above it."""
        return next(line[1:].strip() for line in self.diff.splitlines()[2:] if line.startswith("-"))

    @property
    def key(self) -> Key:
        """File, function, change and line: names the mutant as long as the line is what it is."""
        return (self.file, self.function, self.change, self.source)

    def applied(self, text: str) -> str:
        """The file with the mutant in it."""
        hunk = self.diff.splitlines(keepends=True)[2:]
        start = int(HUNK.match(hunk[0]).group(1)) - 1  # type: ignore[union-attr]
        old = [line[1:] for line in hunk[1:] if line[0] in " -"]
        new = [line[1:] for line in hunk[1:] if line[0] in " +"]
        lines = text.splitlines(keepends=True)
        if [line.rstrip("\n") for line in lines[start : start + len(old)]] != [line.rstrip("\n") for line in old]:
            raise ValueError(f"{self.file} is not what cargo-mutants saw: {self.name}")
        return "".join([*lines[:start], *new, *lines[start + len(old) :]])


def listed(tool: Path, root: Path, crate: str) -> list[Mutant]:
    """Every mutant of a crate."""
    command = [tool, "mutants", "--list", "--json", "--diff", "--package", f"linpoint-{crate}"]
    said = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [
        Mutant(
            file=found["file"],
            line=found["span"]["start"]["line"],
            function=(found["function"] or {}).get("function_name", ""),
            name=found["name"],
            diff=found["diff"],
        )
        for found in json.loads(said)
    ]
