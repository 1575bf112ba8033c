"""Do the instructions mean what Python means? Programs run both ways: as ordinary classes, and interpreted.

.venv/bin/python -m tests.language.agree --programs 2000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path
from typing import Any

from linpoint.errors import Blocked, Fault, LanguageError
from linpoint.language import EMPTY, LEAST, OPERATIONS, THREADS, compile_object
from linpoint.language.ir import Program
from tests.language.generate import Maker
from tests.language.interpreter import Crash, Machine, Symbol, Waits

CRASH = "crash"


def as_python(instance: Any, name: str, *arguments: Any) -> Any:
    """What the class answers; a fault is an answer too."""
    try:
        return getattr(instance, name)(*arguments)
    except Blocked:
        return "waits"
    except (Fault, AttributeError, TypeError, AssertionError, ZeroDivisionError):
        return CRASH


def as_instructions(machine: Machine, name: str, *arguments: Any) -> Any:
    """What the instructions answer, in Python's values."""
    try:
        answer = machine.call(name, *arguments)
    except Waits:
        return "waits"
    except Crash:
        return CRASH
    return EMPTY if answer == Symbol("EMPTY") else LEAST if answer == Symbol("LEAST") else answer


def equal(one: Any, other: Any) -> bool:
    """The same answer; True is not 1."""
    return type(one) is type(other) and one == other


def executed(text: str, path: Path, threads: int = 2, operations: int = 6) -> dict[str, Any]:
    """The names that a program defines when it runs as ordinary Python, for this client."""
    namespace: dict[str, Any] = {"__name__": "random_program"}
    client = text.replace("SIZE = 3", f"SIZE = 3\nTHREADS, OPERATIONS = {threads}, {operations}", 1)
    exec(compile(client, str(path), "exec"), namespace)
    return namespace


def compared(seed: int, folder: Path) -> str:
    """Runs one random program both ways: an empty text if they agree, else what differs, or why it was refused."""
    text = Maker(seed).program()
    path = folder / f"program{seed}.py"
    path.write_text(text)
    try:
        programs = [compiled(path, granularity) for granularity in ("access", "statement")]
    except LanguageError as error:
        return f"refused: {error}"
    cls = executed(text, path)["Random"]
    for program in programs:
        chance = random.Random(seed)
        instance, machine = cls(), Machine(program)
        for _ in range(8):
            call = chance.choice(("first", "second")), chance.randrange(-1, 4), chance.random() < 0.5
            expected, found = as_python(instance, *call), as_instructions(machine, *call)
            if not equal(expected, found):
                return f"{path}: {call} is {expected!r} in Python and {found!r} in instructions"
            if expected in (CRASH, "waits"):
                break
            for field in ("n", "m", "b"):
                cell = machine.cells[program.globals.index(field)]
                if not equal(getattr(instance, field), cell):
                    return f"{path}: after {call} {field} is {getattr(instance, field)!r} in Python and {cell!r} in instructions"
    return ""


def compiled(path: Path, granularity: Any) -> Program:
    """The program, for 2 threads and 6 operations."""
    return compile_object(f"{path}:Random", threads=2, ops=3, granularity=granularity)


def main() -> None:
    """Compares many programs and stops at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    refused: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.programs):
            found = compared(seed, Path(folder))
            if found.startswith("refused"):
                reason = found.rpartition(": ")[2]
                refused[reason] = refused.get(reason, 0) + 1
            elif found:
                print(found)
                print((Path(folder) / f"program{seed}.py").read_text())
                raise SystemExit(1)
    print(f"{options.programs} programs, {sum(refused.values())} refused: {refused}; all others agree")


if __name__ == "__main__":
    assert THREADS == 16
    assert OPERATIONS == 10_000
    main()
