"""Logs of applications, with names of their own: the advice in the complaint leads to a verdict. And clients that crashed."""

from __future__ import annotations

import json
import re

import pandas
import pytest

import linpoint as lp
from tests.cli.program import run
from tests.conftest import ROOT

MOST_COMMANDS = 3
"""From a foreign log to a verdict, with nothing but what the program says."""


def events(**names):
    """A register that was written and read, as events with these names; None leaves a field out."""
    rows = [
        {"who": "a", "kind": "begin", "does": "write", "with": 1, "at": 0.5},
        {"who": "b", "kind": "begin", "does": "read", "at": 0.75},
        {"who": "a", "kind": "finish", "does": "write", "at": 1.25},
        {"who": "b", "kind": "finish", "does": "read", "gets": 1, "at": 1.5},
    ]
    begin, finish = names.pop("words", ("begin", "finish"))
    words = {"begin": begin, "finish": finish}
    named = [{names.get(name, name): words.get(value, value) for name, value in row.items()} for row in rows]
    return "".join(json.dumps({name: value for name, value in row.items() if name}) + "\n" for row in named)


SPAN = {"thread": 7, "method": "write", "args": 1, "start_time": "2026-11-16T03:00:00.1Z", "end_time": 1.5e9 + 4e8}
LOGS = {
    "events": events(who="client", kind="event", does="op", **{"with": "args", "gets": "reply", "at": "ts"}),
    "events with one word for values": events(
        who="worker",
        kind="phase",
        does="action",
        words=("start", "end"),
        **{"with": "val", "gets": "val", "at": "time"},
    ),
    "requests and responses": events(
        who="session_id",
        kind="type",
        does="operation",
        words=("request", "response"),
        **{"with": "input", "gets": "output"},
    ),
    "an array of spans": json.dumps([{**SPAN, "end_time": "2026-11-16T03:00:00.2Z"}]),
    "spans with numbers": json.dumps(
        {"pid": 1, "fn": "write", "argument": 5, "begin": 1.25, "end": 2.5, "reply": None}
    ),
    "a table": "client,op,arg,begin,end\n1,write,5,0,3\n",
}


@pytest.mark.parametrize("log", LOGS)
def test_from_a_foreign_log_to_a_verdict(log, tmp_path) -> None:
    path, advice = tmp_path / "log.txt", []
    path.write_text(LOGS[log])
    for _ in range(MOST_COMMANDS):
        done = run("check", path, "--model", "register", *advice)
        if done.exit_code != 2:
            break
        advised = re.search(r"(--map) ([^\s)]+)", done.stderr)
        assert advised is not None, done.stderr
        advice = list(advised.groups())
    assert (done.exit_code, done.stdout.partition(":")[0]) == (0, "LINEARIZABLE (register)"), done.stderr


def test_what_is_advised_keeps_what_was_said() -> None:
    with pytest.raises(lp.ReadError, match=r"Try --map who=process,event=type,op=f,start=invoke,end=ok$"):
        lp.read(b'{"who":1,"event":"start","op":"read"}\n{"who":1,"event":"end","op":"read"}\n', map={"who": "process"})


def test_no_map_is_advised_where_none_would_help() -> None:
    with pytest.raises(lp.ReadError) as caught:
        lp.read(b'{"process":0,"f":"read","call":0,"return":1}\n{"process":0,"f":"read","call":2,')
    assert "--map" not in str(caught.value)


def test_types_may_have_other_words() -> None:
    history = lp.read(
        b'{"process":0,"f":"write","value":1,"call":0,"return":1,"status":"success"}\n'
        b'{"process":1,"f":"write","value":2,"call":2,"return":3,"status":"timeout"}\n',
        map={"status": "type", "success": "ok", "timeout": "info"},
    )
    assert [op.type for op in history] == ["ok", "info"]
    table = pandas.DataFrame([{"process": 0, "f": "read", "call": 0, "return": 1, "type": "lost"}])
    assert lp.History(table.assign(type="fail"))[0].type == "fail"
    with pytest.raises(lp.UsageError, match="nothing is called 'good' here"):
        lp.read(b"{}", map={"success": "good"})


def test_the_example_is_a_violation(tmp_path) -> None:
    path = ROOT / "examples" / "histories" / "app-log.jsonl"
    advised = re.search(r"--map (\S+)", run("check", path).stderr)
    assert advised is not None
    done = run("check", path, "--map", advised[1], "--model", "map")
    assert (done.exit_code, done.stdout.partition(":")[0]) == (1, "VIOLATION (map)")


CRASHED = [
    {"process": 3, "f": "write", "value": 1, "call": 0, "type": "info"},
    {"process": 3, "f": "read", "result": 1, "call": 2, "return": 3},
    {"process": 3, "f": "write", "value": 2, "call": 4, "return": 5, "type": "info"},
    {"process": "3#2", "f": "read", "result": 1, "call": 4, "return": 6},
    {"process": 3, "f": "read", "result": 2, "call": 7, "return": 8},
]


def test_a_client_that_comes_back_from_a_crash_is_another_one(tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in CRASHED))
    refused = run("check", path, "--model", "register")
    assert (refused.exit_code, "--rename-crashed gives it a new id" in refused.stderr) == (2, True)
    history = lp.read(path, rename_crashed=True)
    assert [op.process for op in history] == [3, "3#3", "3#3", "3#2", "3#4"], "and not one that was there already"
    assert run("check", path, "--model", "register", "--rename-crashed", "--save", tmp_path / "r.json").exit_code == 0
    assert run("certify", tmp_path / "r.json", path, "--rename-crashed").exit_code == 0
    assert run("convert", path, tmp_path / "new.csv", "--rename-crashed").exit_code == 0
    assert lp.read(tmp_path / "new.csv") == history


def test_a_client_that_was_never_heard_of_again(tmp_path) -> None:
    log = (
        '{"process":0,"type":"invoke","f":"write","value":1}\n{"process":0,"type":"invoke","f":"read"}\n'
        '{"process":0,"type":"ok","f":"read","value":1}\n{"process":0,"type":"invoke","f":"write","value":2}\n'
        '{"process":0,"type":"info"}\n{"process":0,"type":"invoke","f":"read"}\n{"process":0,"type":"ok","value":2}\n'
    )
    with pytest.raises(lp.ReadError, match=r"has not completed \(did it crash\? --rename-crashed"):
        lp.read(log.encode())
    history = lp.read(log.encode(), rename_crashed=True)
    assert [(op.process, op.type, op.result) for op in history] == [
        (0, "info", None),
        ("0#2", "ok", 1),
        ("0#2", "info", None),
        ("0#3", "ok", 2),
    ]
    assert lp.check(history, "register").ok
