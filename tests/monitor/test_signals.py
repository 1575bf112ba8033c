"""A monitor that is told to stop: its last line, its JSON and its checkpoint are whole, and nothing is counted twice."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.boundary.hard import hard

LINPOINT = str(Path(sys.executable).parent / "linpoint")
PAIR = '{{"process":0,"type":"invoke","f":"write","value":{0}}}\n{{"process":0,"type":"ok","f":"write","value":{0}}}\n'
EVENTS = 400_000
TWICE = [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT], [signal.SIGINT, signal.SIGTERM]]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    path.write_text("".join(PAIR.format(number) for number in range(EVENTS // 2)))
    return path


def watching(log: Path, *more: str) -> subprocess.Popen[str]:
    command = [LINPOINT, "monitor", str(log), "--model", "register", "--json", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What it tells; it said it with nothing beside it, and ended well."""
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err, out.count("\n")) == (0, "", 1)
    return dict(json.loads(out))


def header(checkpoint: Path) -> dict[str, Any]:
    """The first line of a checkpoint; the second one is the state."""
    first, _ = checkpoint.read_text().splitlines()
    return dict(json.loads(first))


def until(there: Path) -> None:
    """Until a checkpoint is there; an empty file is none, but tries whether one could be written."""
    while True:
        with contextlib.suppress(FileNotFoundError):
            if there.stat().st_size:
                return
        time.sleep(0.001)


@pytest.mark.parametrize("signals", TWICE, ids=lambda signals: "+".join(signal.name for signal in signals))
def test_stopped_while_it_follows(signals: list[signal.Signals], log: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint"
    process = watching(log, "--follow", "--checkpoint", str(checkpoint))
    until(checkpoint)
    for one in signals:
        process.send_signal(one)
    told = ended(process)
    assert told["verdict"] == "linearizable"
    assert header(checkpoint)["offset"] <= log.stat().st_size
    resumed = ended(watching(log, "--checkpoint", str(checkpoint)))
    assert (resumed["events"], resumed["operations"], resumed["skipped"]) == (EVENTS, EVENTS // 2, 0)


def test_stopped_again_and_again_it_counts_nothing_twice(log: Path, tmp_path: Path) -> None:
    checkpoint, before = tmp_path / "checkpoint", 0
    for turn in range(20):
        process = watching(log, "--checkpoint", str(checkpoint))
        if turn == 0:
            until(checkpoint)
        else:
            time.sleep(
                0.1 + 0.02 * turn
            )  # anywhere: while it starts, reads, judges, writes, says its last words, or is gone
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        if process.returncode == -signal.SIGINT or not out:
            continue  # Python had not begun to listen
        assert (process.returncode, err) == (0, "")
        told = json.loads(out)
        assert (told["verdict"], told["skipped"]) == ("linearizable", 0)
        assert before <= told["events"] <= EVENTS
        before = told["events"]
    assert ended(watching(log, "--checkpoint", str(checkpoint)))["events"] == EVENTS


def test_a_violation_is_told_before_it_stops(tmp_path: Path) -> None:
    log, checkpoint = tmp_path / "log", tmp_path / "checkpoint"
    wrong = '{"process":1,"type":"invoke","f":"read","value":null}\n{"process":1,"type":"ok","f":"read","value":-1}\n'
    log.write_text("".join(PAIR.format(number) for number in range(20_000)) + wrong)
    process = watching(log, "--follow", "--continue", "--checkpoint", str(checkpoint))
    while not checkpoint.exists() or header(checkpoint)["violations"] == 0:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    told = json.loads(out)
    assert (process.returncode, told["verdict"], told["event"]) == (1, "violation", 40_002)


def test_stopped_while_it_judges_what_takes_for_ever(tmp_path: Path) -> None:
    log = tmp_path / "hard.edn"
    hard().to_edn(log)
    command = [LINPOINT, "monitor", str(log), "--model", "stack", "--json", "--metrics", str(tmp_path / "metrics")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    told = json.loads(out)
    assert (told["verdict"], told["cause"], process.returncode, err) == ("unknown", "interrupted", 3, "")
