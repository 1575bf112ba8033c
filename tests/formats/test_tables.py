"""Tables: data frames of pandas, polars and pyarrow, Parquet and CSV files; and JSON arrays, zstd, foreign names of fields."""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
from decimal import Decimal

import numpy
import pandas
import polars
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import pytest

import linpoint as lp
from tests.cli.program import linpoint, run
from tests.conftest import ROOT

PLAIN = lp.read(ROOT / "examples" / "histories" / "register.jsonl")
RICH = lp.History(
    [
        {"process": 0, "f": "cas", "value": [1, 2], "result": True, "call": 10, "return": 17, "extra": {"node": "n1"}},
        {"process": 1, "f": "write", "value": 3, "call": 11},
        {"process": "a", "f": "read", "result": "1", "key": "k,;\t\n\"'", "call": 1.5, "return": 2},
        {
            "process": "b",
            "f": "read",
            "value": b"\x00\xff",
            "result": Decimal("0.1234567890123456789"),
            "call": 3,
            "return": 4,
        },
        {"process": "c", "f": "read", "value": {1: 2}, "result": {3, 4}, "call": 5, "return": 6, "type": "fail"},
        {"process": "d", "f": "NaN", "value": "null", "result": "", "call": 2**53 + 1, "return": 2**60},
        {"process": "e", "f": "1", "value": " x ", "result": 2**70, "call": 7, "return": 8, "type": "info"},
        {"process": "g", "f": "read", "value": (1, (2,)), "result": datetime.date(2026, 1, 1), "call": 9, "return": 10},
        {"process": "h", "f": "read", "result": datetime.datetime(2026, 1, 1, 1, 2, 3, 4), "call": 9, "return": 10},
        {
            "process": "f",
            "f": "true",
            "value": [[]],
            "result": -0.5,
            "key": 1,
            "call": -1,
            "return": "0.30000000000000000004",
        },
    ]
)
"""What a table may stumble over."""

FRAMES = {
    "polars": lambda history: polars.DataFrame(history.to_arrow()),
    "pandas": lambda history: pandas.DataFrame.from_arrow(history.to_arrow()),
    "pandas, old types": lambda history: pyarrow.table(history).to_pandas(),
    "pyarrow": pyarrow.table,
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("history", [PLAIN, RICH, lp.History()], ids=["plain", "rich", "empty"])
def test_a_data_frame_and_back(frame, history) -> None:
    assert lp.History(FRAMES[frame](history)) == history


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "csv.gz", "csv.zst", "jsonl.zst", "edn.zst"])
@pytest.mark.parametrize("history", [PLAIN, RICH], ids=["plain", "rich"])
def test_a_file_and_back(ending, history, tmp_path) -> None:
    path = tmp_path / f"run.{ending}"
    lp.write(history, path)
    back = lp.read(path)
    assert back == history or ending == "edn.zst"
    assert len(back) == len(history)


def test_types_of_columns_are_those_of_the_values() -> None:
    table = pyarrow.table(PLAIN)
    assert dict(zip(table.column_names, map(str, table.schema.types), strict=True)) == {
        "process": "int64",
        "f": "large_string",
        "value_json": "large_string",
        "result_json": "large_string",
        "call": "int64",
        "return": "int64",
    }


def frame(**columns):
    size = len(next(iter(columns.values())))
    return {"process": list(range(size)), "f": ["read"] * size, "call": [0] * size, "return": [1] * size, **columns}


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame], ids=["pandas", "polars"])
def test_what_is_missing_in_a_data_frame_is_missing(make) -> None:
    history = lp.History(make(frame(result=[1.0, math.nan, None, 2.5], **{"return": [1.0, math.nan, 2.0, None]})))
    assert [op.result for op in history] == [1, None, None, None]
    assert [op.type for op in history] == ["ok", "info", "ok", "info"]
    assert [op.ret for op in history] == [1, None, 2, None]


def test_a_column_of_mixed_objects_comes_row_by_row() -> None:
    mixed = pandas.DataFrame(frame(value=[[1, 2], 3, None, pandas.NA, {"a": 1}]))
    assert [op.value for op in lp.History(mixed)] == [(1, 2), 3, None, None, lp.FrozenDict({"a": 1})]


def test_every_type_of_arrow_that_holds_values() -> None:
    day = datetime.datetime(2026, 11, 15, 12, tzinfo=datetime.UTC)
    columns = {
        "category": (pyarrow.array(["x", "y", None]).dictionary_encode(), ["x", "y", None]),
        "small": (pyarrow.array([1, -2, None], pyarrow.int8()), [1, -2, None]),
        "huge": (pyarrow.array([2**64 - 1, 0, None], pyarrow.uint64()), [2**64 - 1, 0, None]),
        "half": (pyarrow.array([0.5, 2.0, math.nan], pyarrow.float32()), [0.5, 2, None]),
        "truth": (pyarrow.array([True, False, None]), [True, False, None]),
        "view": (
            pyarrow.array(["short", "longer than twelve", None], pyarrow.string_view()),
            ["short", "longer than twelve", None],
        ),
        "bytes": (pyarrow.array([b"a", b"", None]), [b"a", b"", None]),
        "fixed": (pyarrow.array([b"ab", b"cd", None], pyarrow.binary(2)), [b"ab", b"cd", None]),
        "list": (pyarrow.array([[1, 2], [], None]), [(1, 2), (), None]),
        "pairs": (pyarrow.array([[1, 2], [3, 4], None], pyarrow.list_(pyarrow.int64(), 2)), [(1, 2), (3, 4), None]),
        "struct": (
            pyarrow.array([{"a": 1}, {"a": None}, None]),
            [lp.FrozenDict({"a": 1}), lp.FrozenDict({"a": None}), None],
        ),
        "map": (
            pyarrow.array([[(1, "x")], [], None], pyarrow.map_(pyarrow.int64(), pyarrow.string())),
            [lp.FrozenDict({1: "x"}), lp.FrozenDict(), None],
        ),
        "decimal": (
            pyarrow.array([Decimal("1.50"), Decimal("0.1234567890123456789"), None]),
            [1.5, Decimal("0.1234567890123456789"), None],
        ),
        "when": (
            pyarrow.array([day, None, None], pyarrow.timestamp("ms", "UTC")),
            [day, None, None],
        ),
        "naive": (pyarrow.array([day.replace(tzinfo=None, microsecond=250000)] * 3), ["2026-11-15T12:00:00.25"] * 3),
        "day": (pyarrow.array([day.date(), None, None]), [day.date(), None, None]),
        "nothing": (pyarrow.nulls(3), [None, None, None]),
    }
    for name, (column, expected) in columns.items():
        history = lp.History(pyarrow.table({**frame(value=[0] * 3), "value": column}))
        assert [op.value for op in history] == [lp.Operation(0, "read", value).value for value in expected], name
        sliced = pyarrow.table({**frame(value=[0] * 3), "value": column}).slice(1)
        assert [op.value for op in lp.History(sliced)] == [op.value for op in history][1:], name


def test_times_of_a_data_frame_are_exact() -> None:
    start = datetime.datetime(2026, 11, 15, 12, 0, 0, 123456)
    history = lp.History(pandas.DataFrame(frame(call=[start, start], **{"return": [start, pandas.NaT]})))
    assert [op.type for op in history] == ["ok", "info"]
    assert str(history[0].call) == "1794744000.123456"


OBJECTS = {
    "an array": (numpy.array([1, 2]), (1, 2)),
    "a number of numpy": (numpy.int64(5), 5),
    "a truth of numpy": (numpy.bool_(True), True),
    "bytes": (bytearray(b"ab"), b"ab"),
    "a decimal": (Decimal("0.1234567890123456789"), Decimal("0.1234567890123456789")),
    "a set": ({2, 1}, (1, 2)),
    "a tuple": ((1, (2, 3)), (1, (2, 3))),
    "a time": (datetime.datetime(2026, 1, 1, 1, 2, 3, 456000), "2026-01-01T01:02:03.456"),
    "a day": (datetime.date(2026, 1, 1), "2026-01-01"),
    "a map": ({1: 2, "a": [3]}, lp.FrozenDict({1: 2, "a": (3,)})),
    "no time": (pandas.NaT, None),
    "nothing": (pandas.NA, None),
    "a huge number": (10**400, 10**400),
}


def object_frames(value):
    """Frames with a column of Python objects, of which one is the value."""
    columns = frame(value=[value])
    yield pandas.DataFrame({**columns, "value": pandas.Series([value], dtype=object)})
    yield polars.DataFrame({**columns, "value": polars.Series("value", [value], dtype=polars.Object)})


@pytest.mark.parametrize("name", OBJECTS)
def test_python_objects_in_a_data_frame(name) -> None:
    value, expected = OBJECTS[name]
    for made in object_frames(value):
        assert lp.History(made)[0].value == expected


class Silent:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "value", [object(), Silent(), math.inf, "\ud800", 1j], ids=["object", "silent", "inf", "half", "complex"]
)
def test_what_is_no_value_is_refused_wherever_it_stands(value) -> None:
    for made in object_frames(value):
        with pytest.raises(lp.HistoryError):
            lp.History(made)
    with pytest.raises(lp.HistoryError):
        lp.History([{"process": 0, "f": "read", "value": value, "call": 0, "return": 1}])


def test_a_value_that_holds_itself_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(lp.HistoryError, match="operation 0: a value is nested too deep, or holds itself"):
        lp.History([{"process": 0, "f": "read", "value": endless, "call": 0, "return": 1}])


class Broken:
    """A frame that fails in one of the ways there are."""

    def __init__(self, stream, rows=None):
        self._stream, self._rows = stream, rows

    def __arrow_c_stream__(self, requested_schema=None):
        if isinstance(self._stream, BaseException):
            raise self._stream
        return self._stream

    def to_dict(self, how):
        if isinstance(self._rows, BaseException):
            raise self._rows
        return self._rows


@pytest.mark.parametrize("stream", [ValueError("no"), 5, None, "capsule"])
@pytest.mark.parametrize("rows", [7, [5], RuntimeError("no"), None])
def test_a_frame_that_fails_is_told(stream, rows) -> None:
    with pytest.raises(lp.HistoryError, match="the data frame cannot be read"):
        lp.History(Broken(stream, rows))


WRONG = {
    "the column 'client' is unknown and process is missing: did you mean it? (map={'client': 'process'})": {
        "client": [1],
        "f": ["read"],
    },
    "no column is called call: expected at least process, f and call": {"process": [1], "f": ["read"]},
    "operation 1: column process_json: expected a process: a whole number or a text, found 'true'": frame(
        process_json=["1", "true"]
    ),
    "operation 0: column value_json: expected": frame(value_json=["[1,"]),
    "operation 0: it returns before it is called": frame(call=[9]),
    "column value: the Arrow type": frame(value=[datetime.timedelta(1)]),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_with_a_table_is_said(words) -> None:
    columns = dict(WRONG[words])
    if "process_json" in columns:
        del columns["process"]
    with pytest.raises(lp.HistoryError) as caught:
        lp.History(pyarrow.table(columns))
    assert words in str(caught.value)


CSV = "client;op;arg;answer;begin;end;node\n1;write;7;;0;3;n1\n2;read;;7;1;2,5;n2\n"


def test_a_foreign_table_in_one_command(tmp_path) -> None:
    (tmp_path / "run.csv").write_text(CSV.replace("2,5", "2.5"))
    mapped = ["--map", "client=process,op=f,arg=value", "--map", "answer=result,begin=call,end=return"]
    done = run("check", tmp_path / "run.csv", "--model", "register", *mapped)
    assert (done.exit_code, done.stdout.partition(":")[0]) == (0, "LINEARIZABLE (register)")
    lost = run("check", tmp_path / "run.csv", "--model", "register")
    assert (
        "the column 'client' is unknown and process is missing: did you mean it? "
        "(--map client=process,op=f,begin=call,end=return,arg=value,answer=result and what the others mean, if anything: node)"
        in lost.stderr
    )
    names = {"client": "process", "op": "f", "arg": "value", "answer": "result", "begin": "call", "end": "return"}
    assert [op.extra["node"] for op in lp.read(tmp_path / "run.csv", map=names)] == ["n1", "n2"]


def test_foreign_events_in_one_command(tmp_path) -> None:
    events = [("invoke", "write", 1), ("ok", "write", 1), ("invoke", "read", None), ("ok", "read", 1)]
    lines = [
        json.dumps({"who": 0, "kind": kind, "op": f, "value": v, "ts": i}) for i, (kind, f, v) in enumerate(events)
    ]
    (tmp_path / "events.json").write_text("\n".join(lines))
    done = linpoint(
        "check", tmp_path / "events.json", "--model", "register", "--map", "who=process,kind=type,op=f,ts=time"
    )
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "LINEARIZABLE (register)"), done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("client", "--map takes names such as client=process,ts=time, not 'client'"),
        ("client=proces", "the column 'client' is unknown and process is missing"),
        ("client=process,client=f", "--map names 'client' twice"),
        ("costumer=process", "no field is called 'costumer': expected the names of its own fields in --map"),
    ],
)
def test_a_map_that_means_nothing_is_refused(words, complaint, tmp_path) -> None:
    (tmp_path / "run.csv").write_text(CSV)
    done = run("check", tmp_path / "run.csv", "--map", words)
    assert (done.exit_code, complaint in done.stderr) == (2, True), done.stderr


def test_a_json_array_is_a_history() -> None:
    records = [op.to_record() for op in RICH]
    for text in (json.dumps(records), json.dumps(records, indent=2)):
        assert lp.read(text.encode()) == RICH
    with pytest.raises(lp.ReadError, match="expected the end of the file after the array"):
        lp.read(json.dumps(records).encode() + b" x")


def test_a_broken_row_is_found_by_its_line(tmp_path) -> None:
    (tmp_path / "run.csv").write_text("process,f,call,return\n0,read,0,1\n1,read,2\n")
    with pytest.raises(lp.ReadError, match=r"run.csv:3:1: expected 4 cells as in the header, found 3"):
        lp.read(tmp_path / "run.csv")


def test_a_parquet_file_may_come_from_anywhere(tmp_path) -> None:
    path = tmp_path / "run.parquet"
    lp.write(RICH, path)
    with open(path, "rb") as file:
        assert lp.read(file) == RICH
    assert lp.read(path.read_bytes()) == RICH
    piped = subprocess.run(
        [sys.executable, "-m", "linpoint", "convert", "-", "-"],
        input=path.read_bytes(),
        capture_output=True,
        check=True,
    )
    assert lp.read(piped.stdout) == RICH


def batch(start: int, size: int = 20_000, late: int = 1) -> pyarrow.RecordBatch:
    """Rows of a register that one process writes; they return `late` after the call."""
    call = pyarrow.array(range(2 * start, 2 * (start + size), 2))
    columns = {"process": [0] * size, "f": ["write"] * size, "value": range(start, start + size)}
    columns = {name: pyarrow.array(column) for name, column in columns.items()}
    return pyarrow.RecordBatch.from_pydict({**columns, "call": call, "return": pyarrow.compute.add(call, late)})


def test_long_streams_are_read_ahead(tmp_path) -> None:
    table = pyarrow.Table.from_batches([batch(start) for start in range(0, 100_000, 20_000)])
    history = lp.History(table)
    assert (len(history), history[99_999].value) == (100_000, 99_999)
    pyarrow.parquet.write_table(table, tmp_path / "run.parquet")
    assert lp.read(tmp_path / "run.parquet") == history
    assert lp.History(table.slice(7, 40_001)) == history[7:40_008]


def test_a_long_stream_that_fails_is_told() -> None:
    def broken():
        yield batch(0)
        yield batch(20_000)
        raise ValueError("the disk is gone")

    with pytest.raises(lp.HistoryError, match=r"the table cannot be read: .*the disk is gone"):
        lp.History(pyarrow.RecordBatchReader.from_batches(batch(0).schema, broken()))
    wrong = [batch(0), batch(20_000), batch(40_000, late=-1), batch(60_000)]
    with pytest.raises(lp.HistoryError, match="operation 40000: it returns before it is called"):
        lp.History(pyarrow.RecordBatchReader.from_batches(batch(0).schema, iter(wrong)))


def test_a_broken_parquet_file_is_told(tmp_path) -> None:
    (tmp_path / "run.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(lp.ReadError, match=r"run.parquet: no sound Parquet file"):
        lp.read(tmp_path / "run.parquet")


def test_values_beyond_json_go_through_models() -> None:
    class Register(lp.Model):
        initial = None

        def write(self, _, value):
            return value, None

        def read(self, state, _):
            return state, state

    for value in (b"\x00", Decimal("1.5"), Decimal("0.1234567890123456789"), datetime.date(2026, 1, 1), (1, (2,))):
        records = [
            {"process": 0, "f": "write", "value": value, "call": 0, "return": 1},
            {"process": 0, "f": "read", "result": value, "call": 2, "return": 3},
        ]
        assert lp.check(records, Register()).ok
        assert lp.check(records, "register").ok
    assert lp.History(records).by_key()[None] == lp.History(records)


def test_a_history_by_its_keys() -> None:
    records = [
        {"process": i, "f": "read", "key": key, "call": i, "return": i} for i, key in enumerate([1, True, "1", 1, None])
    ]
    found = lp.History(records).by_key()
    assert [(key, [op.process for op in part]) for key, part in found.items()] == [
        (1, [0, 3]),
        (True, [1]),
        ("1", [2]),
        (None, [4]),
    ]
