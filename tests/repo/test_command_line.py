"""Every command explains itself, and the reference knows every option."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from linpoint.cli import program
from tests.conftest import ROOT

LINPOINT = Path(sys.executable).parent / "linpoint"


def commands(group: Any, prefix: str = "") -> list[str]:
    """All commands, those of a group as `lts reduce`."""
    found = []
    for name, command in group.commands.items():
        found.append(f"{prefix}{name}")
        if hasattr(command, "commands"):
            found += commands(command, f"{prefix}{name} ")
    return sorted(found)


COMMANDS = commands(typer.main.get_command(program()))


def help_of(*command: str) -> str:
    environment = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(
        [str(LINPOINT), *command, "--help"], capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_lists_its_commands() -> None:
    text = help_of()
    assert {"check", "convert", "models"} <= set(COMMANDS)
    assert [command for command in COMMANDS if command.split()[0] not in text] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_works_and_its_options_are_in_the_reference(command: str) -> None:
    options = set(re.findall(r"--[a-z][a-z-]+", help_of(*command.split()))) - {"--help"}
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    assert f"linpoint {command}" in reference
    assert [option for option in sorted(options) if f"`{option}" not in reference] == []
