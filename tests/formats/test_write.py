"""Histories come back from the files they were written to."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linpoint import History, UsageError, read, write

HISTORY = History(
    [
        {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
        {"process": 1, "f": "cas", "value": [1, 2], "result": True, "call": 2, "return": 5},
        {"process": 2, "f": "read", "result": 2, "call": 3, "return": 4},
    ]
)


@pytest.mark.parametrize(
    ("name", "format", "start"),
    [
        ("h.jsonl", None, b'{"process"'),
        ("h.json", None, b'{"process"'),
        ("h.edn", None, b"[{:process"),
        ("h.JSONL", None, b'{"process"'),
        ("h.txt", "jsonl", b'{"process"'),
        ("h.jsonl", "edn", b"[{:process"),
    ],
)
def test_the_name_or_the_format_decides(tmp_path, name, format, start):
    write(HISTORY, tmp_path / name, format)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert read(tmp_path / name) == HISTORY


def test_gz_compresses(tmp_path):
    write(HISTORY, tmp_path / "h.edn.gz")
    assert gzip.decompress((tmp_path / "h.edn.gz").read_bytes()).startswith(b"[{:process")
    assert read(tmp_path / "h.edn.gz") == HISTORY


def test_dash_is_standard_output(capsys):
    write(HISTORY, "-")
    assert capsys.readouterr().out == HISTORY.to_jsonl()
    write(HISTORY, "-", "edn")
    assert capsys.readouterr().out == HISTORY.to_edn()


def test_a_name_that_tells_nothing_is_refused(tmp_path):
    with pytest.raises(UsageError, match="which format"):
        write(HISTORY, tmp_path / "h.txt")
    with pytest.raises(UsageError, match="cannot write 'violin'"):
        write(HISTORY, tmp_path / "h.txt", "violin")
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.booleans()), max_size=12))
def test_edn_keeps_the_order_of_events(events):
    """EDN has no times of its own, so what comes back is the same history up to the times."""
    busy: set[int] = set()
    records = []
    for time, (process, value, crash) in enumerate(events):
        if process in busy:
            continue
        record = {"process": process, "f": "write", "value": value, "call": 2 * time}
        if crash:
            busy.add(process)
        else:
            record["return"] = 2 * time + 1
        records.append(record)
    history = History(records)
    if not records:
        return
    again = read(history.to_edn().encode())
    assert again.columns.ranks() == history.columns.ranks()
    assert [(op.process, op.f, op.value, op.type) for op in again] == [
        (op.process, op.f, op.value, op.type) for op in history
    ]
