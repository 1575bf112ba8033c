"""Programs to be interrupted: how they are started, and histories for them, short and long, good and bad, easy and hard."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from tests.cli.program import BAD, GOOD, hard

PROGRAM = str(Path(sys.executable).with_name("linpoint"))
"""The console script, whose first lines are those of `linpoint_program`."""

_DRIVER = """
import importlib, os, signal, sys, time
module, path, act = importlib.import_module(sys.argv[1]), sys.argv[2].split("."), sys.argv[3]
for part in path[:-1]:
    module = getattr(module, part)
real = getattr(module, path[-1])
def planted(*args, **kwargs):
    if act == "fail":
        raise RuntimeError("planted")
    for _ in range({"busy": 0, "once": 1, "twice": 2}[act]):
        os.kill(os.getpid(), signal.SIGINT)
    until = time.process_time() + 20
    while time.process_time() < until:
        pass
    return real(*args, **kwargs)
setattr(module, path[-1], property(planted) if isinstance(real, property) else planted)
from linpoint.cli import main
sys.argv[1:] = sys.argv[4:]
main()
"""


def driven(module: str, name: str, act: str, *args: object) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, with one function replaced.

    `act` says what it does instead: fail ("fail"), or press Ctrl-C at its own process ("once", "twice"; "busy": never) and
    then be busy for longer than any test waits.
    """
    command = [sys.executable, "-c", _DRIVER, module, name, act, *map(str, args)]
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)


def recorded(objects: int, operations: int, seed: int, wrong: bool, f: tuple[str, str] = ("write", "read")) -> str:
    """A recording of registers in JSONL, by clients that overlap; with `wrong`, one answer in the middle is impossible."""
    rng, lines, free, state = random.Random(seed), [], [0.0] * 8, {}
    for number in range(operations):
        process = number % len(free)
        key, point = rng.randrange(objects), number * 10.0
        call = max(free[process] + 1, point - rng.random() * 40)
        point = max(point, call + 1)
        free[process] = point + 1 + rng.random() * 20
        record = {"process": process, "f": f[1], "call": call, "return": free[process], "key": key}
        if number < objects or rng.random() < 0.5:
            state[key] = number if f[0] == "write" else rng.randrange(5)
            record |= {"f": f[0], "value": state[key]}
        else:
            record["result"] = -1 if wrong and number >= operations // 2 else state.get(key)
            wrong = wrong and record["result"] != -1
        lines.append(json.dumps(record))
    return "\n".join(lines) + "\n"


def log(clients: int, rounds: int, seed: int) -> str:
    """A key-value log of appends and gets, in JSONL, in which the last get misses the first append: hard to make smaller."""
    rng, lines, text = random.Random(seed), [], ""
    for number in range(rounds):
        begin = number * 100.0
        for client in range(clients):
            call, end = begin + rng.random() * 30, begin + 60 + rng.random() * 30
            text += f"{number}.{client} "
            lines.append(
                {"process": client, "f": "append", "value": f"{number}.{client} ", "call": call, "return": end}
            )
        lines.append({"process": clients, "f": "get", "result": text, "call": begin + 91, "return": begin + 99})
    lines[-1]["result"] = text.partition(" ")[2]
    return "".join(json.dumps({**line, "key": "k"}) + "\n" for line in lines)


def files(folder: Path) -> dict[str, Path]:
    """The histories by name; each is in a file of its own."""
    texts = {
        "good": GOOD,
        "bad": BAD,
        "hard": hard(),
        "long-good": recorded(50, 60_000, 1, wrong=False),
        "long-bad": recorded(5, 20_000, 2, wrong=True),
        "shrinks": log(4, 40, 3),
    }
    for name, text in texts.items():
        (folder / f"{name}.jsonl").write_text(text)
    return {name: folder / f"{name}.jsonl" for name in texts}
