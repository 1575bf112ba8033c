"""Logs of applications, with names of their own: the advice in the complaint leads to a verdict. And clients that crashed."""

from __future__ import annotations

import json
import re
from types import MappingProxyType

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
    with pytest.raises(lp.ReadError, match='no operation is called "success", and "good" is no field or type'):
        lp.read(b'{"process":0,"f":"read","call":0,"return":1,"note":"success"}', map={"success": "good"})


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


SHOUTED = [
    {"process": 0, "f": "SET", "value": 1, "call": 0, "return": 1},
    {"process": 0, "f": "GET", "result": 2, "call": 2, "return": 3},
]
"""A read of what nobody wrote."""


def lines(records) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


def test_names_of_operations_are_read_however_they_are_spelt(tmp_path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines(SHOUTED))
    done = run("check", tmp_path / "log.jsonl", "--model", "register", "--save", tmp_path / "kept.json")
    assert (done.exit_code, "no order explains GET() → 2" in done.stdout) == (1, True), done.stdout + done.stderr
    assert run("certify", tmp_path / "kept.json", tmp_path / "log.jsonl").exit_code == 0
    right = [SHOUTED[0], {**SHOUTED[1], "result": 1}]
    result = lp.check(lp.History(right), "register")
    assert (result.ok, result.certified) == (True, True)


@pytest.mark.parametrize("model", sorted(lp.models.SHIPPED))
def test_python_knows_the_names_that_the_core_knows(model) -> None:
    """Every name of every operation, shouted, hyphenated and not, means one operation in both."""
    cls = lp.models.SHIPPED[model]
    for info in (info for info in lp.models.catalog() if info.name == model):
        for operation in info.operations:
            for name in (operation.name, *operation.synonyms.split(", ")) if operation.synonyms else (operation.name,):
                for spelt in (name, name.upper(), name.replace("_", "-"), name.replace("_", "").title()):
                    assert cls()._canonical(spelt) == cls()._canonical(name)


def test_operations_may_have_other_names(tmp_path) -> None:
    foreign = [{**row, "f": {"SET": "setValue", "GET": "getValue"}[row["f"]]} for row in SHOUTED]
    (tmp_path / "log.jsonl").write_bytes(lines(foreign))
    advised = re.search(r"--map (\S+)", run("check", tmp_path / "log.jsonl").stderr)
    assert advised is not None
    assert advised[1] == "setValue=write,getValue=read"
    names = ["--map", advised[1]]
    done = run("check", tmp_path / "log.jsonl", *names, "--save", tmp_path / "kept.json", "--model", "register")
    assert (done.exit_code, "no order explains read() → 2" in done.stdout) == (1, True), done.stdout + done.stderr
    assert run("certify", tmp_path / "kept.json", tmp_path / "log.jsonl", *names).exit_code == 0
    other = {"setValue": "write", "getValue": "read", "pop": "read"}  # not every file has every operation
    assert [op.f for op in lp.read(lines(foreign), map=other)] == ["write", "read"]
    assert [op.f for op in lp.History(pandas.DataFrame(foreign), map=other)] == ["write", "read"]


def test_the_convention_of_events_holds_for_other_names() -> None:
    """The answer of a CAS is whether it happened, and that of a read is its value, also where it repeats what was asked."""
    events = [
        {"process": 0, "type": "invoke", "f": "CAS", "value": [1, 2]},
        {"process": 0, "type": "ok", "f": "CAS", "value": [1, 2]},
        {"process": 0, "type": "invoke", "f": "Get", "value": 7},
        {"process": 0, "type": "ok", "f": "Get", "value": 7},
        {"process": 0, "type": "invoke", "f": "CAS", "value": [3, 4]},
        {"process": 0, "type": "fail", "f": "CAS", "value": [3, 4]},
    ]
    assert [op.result for op in lp.read(lines(events), failed_cas=True)] == [True, 7, False]
    other = [{**event, "f": event["f"].replace("CAS", "tryIt")} for event in events]
    assert [op.result for op in lp.read(lines(other), failed_cas=True, map={"tryIt": "cas"})] == [True, 7, False]


def test_a_name_that_two_operations_may_have_is_an_error_in_words() -> None:
    class Two(lp.Model):
        initial = 0

        def get_it(self, state, _):
            return state, state

        def getit(self, state, _):
            return state, -state

    history = lp.History([{"process": 0, "f": "getIt", "result": 0, "call": 0, "return": 1}])
    with pytest.raises(lp.ModelError, match="Two has get_it and getit, and 'getIt' may be either"):
        lp.check(history, Two())
    exact = lp.History([{"process": 0, "f": "get-it", "result": 0, "call": 0, "return": 1}])
    assert lp.check(exact, Two()).ok


def test_an_own_model_knows_names_however_they_are_spelt() -> None:
    class Cell(lp.Model):
        initial = None
        synonyms = MappingProxyType({"write": ["put_it"]})

        def write(self, _, value):
            return value, None

        def read(self, state, _):
            return state, state

    class Plain:
        held = None

        def write(self, value):
            self.held = value

        def read(self):
            return self.held

    shouted = lp.History([{**SHOUTED[0], "f": "PUT-IT"}, {**SHOUTED[1], "f": "Read"}])
    assert lp.check(shouted, Cell()).verdict is lp.Verdict.VIOLATION
    plain = lp.History([{**SHOUTED[0], "f": "WRITE"}, {**SHOUTED[1], "f": "Read"}])
    assert lp.check(plain, lp.models.from_class(Plain)).verdict is lp.Verdict.VIOLATION
    with pytest.raises(lp.ModelError, match="If it is another name for one of these, say so: --map SET=write"):
        lp.check(lp.History(SHOUTED), Cell())


DURATIONS = [
    {"tid": 1, "span": "enq", "startNs": 100, "durNs": 50, "in": 5},
    {"tid": 2, "span": "deq", "startNs": 120, "durNs": 100.5, "out": 5},
]


def test_a_duration_tells_the_return(tmp_path) -> None:
    (tmp_path / "spans.jsonl").write_bytes(lines(DURATIONS))
    advised = re.search(r"--map (\S+)", run("check", tmp_path / "spans.jsonl").stderr)
    assert advised is not None
    assert advised[1] == "tid=process,span=f,startNs=call,durNs=duration,in=value,out=result"
    done = run("check", tmp_path / "spans.jsonl", "--map", advised[1])
    assert (done.exit_code, done.stdout.partition(":")[0]) == (0, "LINEARIZABLE (queue)"), done.stderr
    names = dict(pair.split("=") for pair in advised[1].split(","))
    read = lp.read(tmp_path / "spans.jsonl", map=names)
    assert [(op.call, op.ret) for op in read] == [(100, 150), (120, 220.5)]
    assert lp.History(pandas.DataFrame(DURATIONS), map=names) == read
    assert lp.read(read.to_jsonl().encode()) == read
    table = b"process,f,value,call,duration\n1,enq,5,100,50\n"
    assert [op.ret for op in lp.read(table)] == [150]


@pytest.mark.parametrize(
    ("fields", "ret"),
    [({"return": 9}, 9), ({"return": None}, None), ({"type": "info"}, None), ({"duration": None}, None)],
)
def test_a_return_that_is_told_counts_more_than_a_duration(fields, ret) -> None:
    record = {"process": 1, "f": "write", "call": 5, "duration": 3, **fields}
    assert [op.ret for op in lp.read(lines([record]))] == [ret]


@pytest.mark.parametrize("fields", [{"duration": "3"}, {"call": "2026-11-16T03:00:00Z"}, {"call": 2**63 - 1}])
def test_a_duration_that_cannot_be_added_is_refused(fields) -> None:
    with pytest.raises(lp.ReadError, match="duration"):
        lp.read(lines([{"process": 1, "f": "write", "call": 5, "duration": 3, **fields}]))


def test_every_field_that_is_left_is_told() -> None:
    rows = [{"worker": 1, "deed": "PUSH", "load": "a", "began": 1.5, "finished": 2}]
    with pytest.raises(
        lp.ReadError, match=r'say what the other fields mean, if anything: deed \("PUSH"\), load \("a"\); f is missing'
    ):
        lp.read(lines(rows))
    with pytest.raises(
        lp.HistoryError,
        match=r"\(map=\{'worker': 'process'.* and what the others mean, if anything: deed, load; f is m",
    ):
        lp.History(pandas.DataFrame(rows))
