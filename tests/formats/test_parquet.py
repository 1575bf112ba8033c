"""Plain Parquet files are read without pyarrow: the same history, the same complaints; all others are left to pyarrow."""

from __future__ import annotations

import io
import itertools
import json
import random
import subprocess
import sys
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import linpoint as lp
from linpoint import _core

READING: _core.Reading = {
    "format": None,
    "independent": False,
    "failed_cas": False,
    "sort_by_time": False,
    "rename_crashed": False,
    "map": [],
    "timeout": None,
    "memory": 2**32,
}


def records(columns: _core.Columns) -> list[dict[str, Any]]:
    return [columns.record(i) for i in range(len(columns))]


def by_pyarrow(data: bytes) -> list[dict[str, Any]] | tuple[Any, ...]:
    """What pyarrow makes of a file; or its complaint."""
    try:
        with pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data)) as file:
            batches = file.iter_batches(batch_size=100, use_threads=False)
            stream = pyarrow.RecordBatchReader.from_batches(file.schema_arrow, batches)
            return records(_core.Columns.from_arrow(stream, READING))
    except _core.HistoryError as error:
        return error.args


def natively(data: bytes) -> list[dict[str, Any]] | tuple[Any, ...] | None:
    """What the core makes of it; None if it is not for the core to read."""
    try:
        columns = _core.read_parquet(data, READING)
        return None if columns is None else records(columns)
    except _core.HistoryError as error:
        return error.args


def written(table: pyarrow.Table, **options: Any) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, **options)
    return out.getvalue()


def plain(rows: int, seed: int) -> pyarrow.Table:
    """Columns of all plain types, with and without missing cells, with few words and with many."""
    dice = random.Random(seed)
    some = [None, 0, 1, -1, 2**40, -(2**63), 2**63 - 1]
    words = ["", "x", "ü\n", "a long word that is not inlined " * 3]

    def column(choices: list[Any], missing: float) -> list[Any]:
        return [None if dice.random() < missing else dice.choice(choices) for _ in range(rows)]

    return pyarrow.table(
        {
            "process": pyarrow.array(range(rows), pyarrow.int64()),
            "f": pyarrow.array(column(["read", "write", "cas"], 0), pyarrow.string()),
            "value": pyarrow.array(column(some, 0.2), pyarrow.int64()),
            "result": pyarrow.array(column([f"{i}" for i in range(rows)] + words, 0.1), pyarrow.string()),
            "call": pyarrow.array([2 * i for i in range(rows)], pyarrow.int64()),
            "return": pyarrow.array([2 * i + dice.randrange(3) for i in range(rows)], pyarrow.int64()),
            "key": pyarrow.array(column([1, 2, 3], 0.5 if seed % 2 else 0), pyarrow.int32()),
            "type": pyarrow.array(column(["ok", "fail", "info"], 0.3), pyarrow.string()),
            "flag": pyarrow.array(column([True, False], 0.3 if seed % 3 else 0), pyarrow.bool_()),
            "word": pyarrow.array(column(words, 0.1), pyarrow.large_string()).dictionary_encode(),
            "never": pyarrow.array([None] * rows, pyarrow.int64()),
        }
    )


def fields(rows: int, seed: int) -> pyarrow.Table:
    """Only fields of operations, in any order: such tables are read column by column."""
    dice = random.Random(seed)
    pending = [dice.random() < 0.1 and seed % 2 == 0 for _ in range(rows)]
    far = 10 ** dice.choice([0, 9])
    calls = [far * (dice.randrange(rows) - rows // 2) for _ in range(rows)]
    ints = [0, 1, -1, 2**40, -(2**63), 2**63 - 1, *range(rows)]
    texts = ["", "1", "ü\n", "read", "a long word that is not inlined " * 3, *map(str, range(rows // 2))]

    def column(choices: list[Any], missing: float) -> list[Any]:
        return [None if lost or dice.random() < missing else dice.choice(choices) for lost in pending]

    def some() -> pyarrow.Array:
        choices, kind = dice.choice([(ints, pyarrow.int64()), (texts, pyarrow.string()), ([1, 7], pyarrow.int32())])
        return pyarrow.array(column(choices, dice.choice([0, 0.3, 1])), kind)

    columns = {
        "process": pyarrow.array(range(rows), dice.choice([pyarrow.int32(), pyarrow.int64()])),
        "f": pyarrow.array([dice.choice(["read", "write", "1"]) for _ in range(rows)], pyarrow.large_string()),
        "value": some(),
        "result": some(),
        "call": pyarrow.array(calls, pyarrow.int64()),
        "return": pyarrow.array(
            [None if lost else t + far * dice.randrange(4) for t, lost in zip(calls, pending, strict=True)],
            pyarrow.int64(),
        ),
        "key": some(),
        "type": pyarrow.array(["info" if lost else dice.choice(["ok", None]) for lost in pending], pyarrow.string()),
    }
    for name in ("value", "result", "key", "type"):
        if dice.random() < 0.3:
            del columns[name]
    if "result" in columns and dice.random() < 0.3:
        written_out = [None if value is None else json.dumps([value]) for value in columns.pop("result").to_pylist()]
        columns["result_json"] = pyarrow.array(written_out, pyarrow.string())
    return pyarrow.table(dict(sorted(columns.items(), key=lambda _: dice.random())))


WAYS = list(
    itertools.product(
        ["NONE", "SNAPPY", "GZIP", "ZSTD"], ["1.0", "2.0"], [True, False, ["f", "value"]], [2**20, 64], [2**20, 37]
    )
)


@pytest.mark.parametrize("way", range(8))
def test_plain_tables_are_read_alike(way: int) -> None:
    for place, (codec, version, dictionary, page, group) in list(enumerate(WAYS))[way::8]:
        table = plain([1, 7, 150, 400][place % 4], place)
        options = {"compression": codec, "data_page_version": version, "use_dictionary": dictionary}
        data = written(table, **options, data_page_size=page, row_group_size=group, write_batch_size=10)
        expected = by_pyarrow(data)
        assert isinstance(expected, list)
        assert natively(data) == expected, (codec, version, dictionary, page, group)


@pytest.mark.parametrize("way", range(4))
def test_tables_of_fields_are_read_alike(way: int) -> None:
    for place, (codec, version, dictionary, page, group) in list(enumerate(WAYS))[way::4]:
        table = fields([1, 7, 150, 400][place % 4], place)
        options = {
            "compression": codec,
            "data_page_version": version,
            "use_dictionary": ["f", "call"] if isinstance(dictionary, list) else dictionary,
            "dictionary_pagesize_limit": [2**20, 200][place // 2 % 2],  # from then on pages are plain
        }
        data = written(table, **options, data_page_size=page, row_group_size=group, write_batch_size=10)
        expected = by_pyarrow(data)
        assert isinstance(expected, list)
        assert natively(data) == expected, (place, options)


@pytest.mark.parametrize("seed", range(2))
def test_a_long_table_of_fields_is_read_by_several_threads(seed: int) -> None:
    for group in (2**20, 30_000, 9_000):
        data = written(fields(60_000, seed), row_group_size=group, compression="zstd")
        assert natively(data) == by_pyarrow(data)


def test_a_long_table_is_unpacked_by_several_threads() -> None:
    table = plain(40_000, 5)
    for options in ({"compression": "zstd"}, {"compression": "snappy", "dictionary_pagesize_limit": 3000}):
        data = written(table, **options)
        assert natively(data) == by_pyarrow(data)
    for bad in (0, 8191, 8192, 39_999):
        kinds = ["ok" if row != bad else "maybe" for row in range(40_000)]
        data = written(table.drop_columns(["type"]).append_column("type", pyarrow.array(kinds)), row_group_size=30_000)
        complaint = natively(data)
        assert isinstance(complaint, tuple)
        assert complaint[1] == bad
        assert complaint == by_pyarrow(data)


def test_required_columns_and_files_of_other_writers() -> None:
    schema = pyarrow.schema(
        [
            pyarrow.field(name, kind, nullable=False)
            for name, kind in [
                ("process", pyarrow.int64()),
                ("f", pyarrow.string()),
                ("call", pyarrow.int64()),
                ("return", pyarrow.int64()),
                ("ok", pyarrow.bool_()),
            ]
        ]
    )
    rows = [{"process": i, "f": "w", "call": i, "return": i + 1, "ok": i % 3 == 0} for i in range(100)]
    table = pyarrow.Table.from_pylist(rows, schema)
    for version, store_schema in itertools.product(["1.0", "2.0"], [True, False]):
        data = written(table, data_page_version=version, store_schema=store_schema)
        assert natively(data) == by_pyarrow(data) != []


OTHER = {
    "a float": pyarrow.array([0.5, 1.0]),
    "a time": pyarrow.array([1, 2], pyarrow.timestamp("us")),
    "a list": pyarrow.array([[1], [2]]),
    "a struct": pyarrow.array([{"a": 1}, {"a": 2}]),
    "bytes": pyarrow.array([b"\xff", b""]),
    "without a sign": pyarrow.array([2**64 - 1, 1], pyarrow.uint64()),
    "a small number": pyarrow.array([-128, 1], pyarrow.int8()),
    "a duration": pyarrow.array([1, 2], pyarrow.duration("ns")),
    "a date": pyarrow.array([1, 2], pyarrow.date32()),
    "nothing": pyarrow.nulls(2),
}


@pytest.mark.parametrize("kind", OTHER)
def test_other_columns_are_left_to_pyarrow(kind: str) -> None:
    table = pyarrow.table({"process": [0, 1], "f": ["r", "r"], "call": [0, 1], "return": [2, 3], "value": OTHER[kind]})
    assert natively(written(table)) is None


def test_other_codecs_and_encodings_are_left_to_pyarrow() -> None:
    table = plain(50, 1)
    for codec in ("LZ4", "BROTLI"):
        assert natively(written(table, compression=codec)) is None
    for encoding in ("DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"):
        assert natively(written(table, use_dictionary=False, column_encoding={"call": encoding})) is None


def test_complaints_are_the_same() -> None:
    good = {"process": [0, 1, 2], "f": ["r", "w", "r"], "call": [0, 1, 2], "return": [3, 4, 5]}
    for change in (
        {"process": [0, None, 2]},
        {"f": ["r", None, "w"]},
        {"call": [0, 9, 2]},
        {"type": ["ok", "ok", "maybe"]},
        {"process": [0, 1, 0]},
        {"process": [True, False, True]},
        {"value_json": ["1", "[", "2"]},
        {"type": ["ok", "fail", "ok"], "return": [3, None, 5]},
        {"type": ["ok", "info", "ok"], "result": [1, 2, 3], "return": [3, 0, 5]},
        {"call": [5, 1, 2]},
    ):
        data = written(pyarrow.table({**good, **change}))
        complaint = by_pyarrow(data)
        assert isinstance(complaint, tuple), change
        assert natively(data) == complaint
        with pytest.raises(lp.ReadError) as caught:
            lp.read(data)
        assert caught.value.message == complaint[0]


@pytest.mark.parametrize("seed", range(8))
def test_broken_files_are_never_read_otherwise(seed: int) -> None:
    dice = random.Random(seed)
    codec, version = ["NONE", "SNAPPY", "GZIP", "ZSTD"][seed % 4], ["1.0", "2.0"][seed % 2]
    table = plain(60, seed) if seed < 4 else fields(60, seed)
    sound = written(table, compression=codec, data_page_version=version, data_page_size=64)
    for _ in range(400):
        data = bytearray(sound)
        for _ in range(dice.randrange(1, 4)):
            place = dice.randrange(len(data)) if dice.random() < 0.5 else len(data) - 1 - dice.randrange(600)
            data[place] = dice.randrange(256)
        if dice.random() < 0.1:
            del data[dice.randrange(len(data)) :]
        found = natively(bytes(data))
        if isinstance(found, list):
            try:
                expected = by_pyarrow(bytes(data))
            except (pyarrow.ArrowException, OSError):
                continue  # it checks more than we do
            if isinstance(expected, tuple) and "the table cannot be read" in expected[0]:
                continue
            assert found == expected, f"seed {seed}"


def test_memory_and_ctrl_c_are_heeded() -> None:
    data = written(plain(20_000, 2))
    little: _core.Reading = {**READING, "memory": 100_000}
    assert (
        _core.read_parquet(data, little) is None
    )  # pyarrow's way, some rows at a time, takes less; it has the same limit
    with pytest.raises(_core.Stopped):
        _core.read_parquet(data, {**READING, "timeout": 0.0})


def test_a_plain_file_needs_no_pyarrow(tmp_path: Any) -> None:
    path = tmp_path / "plain.parquet"
    path.write_bytes(written(plain(10, 3)))
    rich = tmp_path / "rich.parquet"
    rich.write_bytes(written(pyarrow.table({"process": [0], "f": ["r"], "call": [0.5], "return": [1.5]})))
    program = (
        "import sys; sys.modules['pyarrow'] = None; import linpoint as lp\n"
        f"print(len(lp.read({str(path)!r})))\n"
        f"try: lp.read({str(rich)!r})\nexcept lp.UsageError as error: print(error)"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[0] == "10"
    assert "pip install pyarrow" in out
