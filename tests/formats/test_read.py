"""Any source, any format, and errors that say where (what each reader understands is tested beside it, in Rust)."""

import gzip
import io
import os
import sys
import threading

import pytest

import linpoint
from linpoint import FORMATS, History, ReadError, UsageError, read

LINE = b'{"process":0,"f":"write","value":1,"call":0,"return":3}\n'
EDN = b"{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(LINE)
    return path


def test_every_kind_of_source_gives_the_same_history(file, monkeypatch):
    expected = History([{"process": 0, "f": "write", "value": 1, "call": 0, "return": 3}])
    zipped = file.with_suffix(".gz")
    zipped.write_bytes(gzip.compress(LINE))
    with file.open("rb") as binary, file.open() as text:
        sources = [str(file), file, LINE, binary, text, io.BytesIO(LINE), io.StringIO(LINE.decode()), zipped]
        sources += [gzip.compress(LINE), bytearray(LINE)]
        assert [read(source) == expected for source in sources] == [True] * len(sources)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE)))
    assert read("-") == expected


def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(LINE,))
    writer.start()
    assert len(read(pipe)) == 1
    writer.join()


def test_lines_are_known(file):
    file.write_bytes(b"\n" + LINE)
    assert read(file)[0].line == 2


def test_the_format_is_sniffed_or_named():
    assert read(EDN) == read(EDN, "jepsen") == read(EDN, format="edn")
    with pytest.raises(ReadError):
        read(EDN, "jsonl")
    with pytest.raises(UsageError, match="no format 'xml'; there are jsonl, "):
        read(EDN, "xml")


def test_independent_keys_need_a_flag():
    pair = b"{:process 0 :type :invoke :f :write :value [7 1]}\n{:process 0 :type :ok :f :write :value [7 1]}\n"
    assert (read(pair)[0].key, read(pair)[0].value) == (None, (7, 1))
    assert (read(pair, independent=True)[0].key, read(pair, independent=True)[0].value) == (7, 1)


def test_a_failed_cas_may_be_read_as_an_answer():
    cas = b"{:process 0 :type :invoke :f :cas :value [1 2]}\n{:process 0 :type :fail :f :cas :value [1 2]}\n"
    assert read(cas)[0].type == "fail"
    op = read(cas, failed_cas=True)[0]
    assert (op.type, op.result) == ("ok", False)


def test_an_error_says_where(file):
    file.write_bytes(LINE + b'{"process":0,"f":\n')
    with pytest.raises(ReadError) as caught:
        read(file)
    error = caught.value
    assert (error.file, error.line) == (str(file), 2)
    assert error.column > 0
    assert str(error) == f"{file}:2:{error.column}: {error.message}"
    assert isinstance(error, linpoint.LinpointError)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\x00\xff\xfe", b"[" * 100_000, b"hello world"])
def test_rubbish_is_refused(data):
    with pytest.raises(ReadError, match="<bytes>"):
        read(data)


def test_files_that_are_not_there_are_ordinary_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.edn")
    with pytest.raises(IsADirectoryError):
        read(tmp_path)


def test_what_is_no_source_is_refused():
    with pytest.raises(UsageError, match="cannot read a history from a int"):
        read(7)


def test_formats_have_descriptions():
    assert list(FORMATS) == ["jsonl", "jepsen", "jepsen-log", "jepsen-json", "porcupine-kv", "violin", "violat", "csv"]
    assert all(FORMATS.values())
