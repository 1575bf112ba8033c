"""Runs the program: in this process where only the words matter, in one of its own where the exit status does."""

import os
import pty
import subprocess
import sys

from typer.testing import CliRunner

from linpoint.cli import program

GOOD = (
    '{"process":0,"f":"write","value":1,"call":0,"return":1}\n{"process":1,"f":"read","result":1,"call":2,"return":3}\n'
)
BAD = (
    '{"process":0,"f":"write","value":1,"call":0,"return":1}\n{"process":1,"f":"read","result":2,"call":2,"return":3}\n'
)


def hard() -> str:
    """A history that no method finishes: everything overlaps, and the last answer is impossible."""
    lines = [f'{{"process":{i},"f":"push","value":{i % 2},"call":0,"return":1}}' for i in range(29)]
    lines += [f'{{"process":{i},"f":"pop","result":{i % 2},"call":2,"return":3}}' for i in range(28)]
    lines += ['{"process":99,"f":"pop","result":null,"call":4,"return":5}']
    return "\n".join(lines) + "\n"


def linpoint(*args, **options):
    """The program in a process of its own, as a user runs it."""
    environment = {**os.environ, "NO_COLOR": "1", **options.pop("env", {})}
    command = [sys.executable, "-m", "linpoint", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment, **options)


def run(*args, **options):
    """The program in this process; typer's result."""
    return CliRunner().invoke(program(), [str(arg) for arg in args], **options)


def on_a_terminal(*args, **environment):
    """What the program writes to a terminal, and its exit status."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(
            sys.executable,
            [sys.executable, "-m", "linpoint", *map(str, args)],
            {**os.environ, "TERM": "xterm-256color", "COLUMNS": "90", **environment},
        )
    said = b""
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:
            break
        if not some:
            break
        said += some
    os.close(terminal)
    return said.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
