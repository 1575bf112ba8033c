"""Where does one check go? Every call between rooms is followed: it goes down, as the imports do, or back to who asked.

A room may hand a function of its own down (what to do under the clock): such a call goes up, but only into a room
that is waiting for it. A call up into a room that nobody came from would be a way around the floors, for instance through a
global. A check of five operations made 5 native checks and went back up through one; `pytest -s` prints what it does now.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import linpoint
from linpoint.cli.app import run
from linpoint.explain.narrative import whatever_else
from tests.conftest import ROOT

PACKAGE = Path(linpoint.__file__).parent
HISTORY = ROOT / "examples" / "histories" / "stale-read.jsonl"


def floors() -> dict[str, int]:
    """Room → floor, 0 is the top."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return {room: floor for floor, layer in enumerate(layers) for room in layer.split(" | ")}


def room_of(frame: FrameType | None) -> str | None:
    """The room whose code runs in a frame; None if it is not ours, or belongs to no room (the façade)."""
    if frame is None or not frame.f_code.co_filename.startswith(f"{PACKAGE}{os.sep}"):
        return None
    first = Path(frame.f_code.co_filename).relative_to(PACKAGE).parts[0].removesuffix(".py")
    return None if first.startswith("_") else first


@dataclass
class Walk:
    """What was called."""

    calls: int = 0
    files: set[str] = field(default_factory=set)
    native: Counter[str] = field(default_factory=Counter)
    """Functions of the core."""
    upward: list[str] = field(default_factory=list)
    """Calls up into rooms that did not wait for them."""
    returned: set[tuple[str, str]] = field(default_factory=set)
    """Calls up into rooms that did: (from, to)."""


@contextmanager
def followed() -> Iterator[Walk]:
    walk, floor = Walk(), floors()

    def look(frame: FrameType, event: str, what: Any) -> None:
        if event == "c_call" and getattr(what, "__module__", None) == "linpoint._core":
            walk.native[what.__name__] += 1
        room = room_of(frame)
        if event != "call" or room is None or frame.f_code.co_name == "<module>":
            return
        walk.calls += 1
        walk.files.add(frame.f_code.co_filename)
        waiting, back = [], frame.f_back
        while back is not None:
            if (other := room_of(back)) is not None:
                waiting.append(other)
            back = back.f_back
        if waiting and floor[room] < floor[waiting[0]]:
            if room in waiting:
                walk.returned.add((waiting[0], room))
            else:
                walk.upward.append(f"{waiting[0]} calls {room}: {frame.f_code.co_qualname}")

    sys.setprofile(look)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def test_a_check_goes_downward(capsys: pytest.CaptureFixture[str]) -> None:
    with followed() as walk:
        status = run(["check", str(HISTORY), "--model", "cas-register"])
    assert status == 1
    assert "VIOLATION" in capsys.readouterr().out
    assert walk.upward == []
    assert walk.returned <= {("check", "explain")}, "words are made under the clock of a check; nothing else goes back"
    assert walk.native["check_native"] == 1, "it is judged once"
    assert walk.native["explain_native"] == 1, "and explained once"
    print(f"{walk.calls} calls, {len(walk.files)} files, {sum(walk.native.values())} calls of the core")


def test_a_way_around_the_floors_is_seen() -> None:
    """The follower has teeth: code of the lowest room calls code of a higher one that does not wait for it."""
    low = compile("words(1, 2)", str(PACKAGE / "text.py"), "exec")
    with followed() as walk:
        exec(low, {"words": whatever_else})
    assert walk.upward == ["text calls explain: whatever_else"]
