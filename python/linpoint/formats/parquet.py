"""Parquet files: plain tables are read by the core, all others by pyarrow, if that is installed. The only place that knows it.

Importing pyarrow takes a third of the time in which it reads a million rows, so the core reads what most files are.
A reader of all of Parquet in Rust (the crate parquet) takes 160 s of CPU time to build, more than all of linpoint; and where such
files are, pyarrow is. Its rows come over as a stream of Arrow, some at a time.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from linpoint import _core
from linpoint.errors import HistoryError, ReadError, UsageError
from linpoint.files import write_file
from linpoint.history import History
from linpoint.history.door import door
from linpoint.text import printable

MAGIC = b"PAR1"
"""What a Parquet file starts with."""


def read_parquet(source: str | bytes, title: str, reading: _core.Reading) -> History:
    """The history in a Parquet file, given by its path or its bytes; ReadError if it is broken."""
    try:
        with door():
            columns = _core.read_parquet(source, reading)
    except HistoryError as error:
        raise ReadError(error.message, printable(title)) from None
    if columns is not None:
        return History.from_columns(columns)
    arrow, parquet = _library(title)
    try:
        with parquet.ParquetFile(source if isinstance(source, str) else arrow.BufferReader(source)) as file:
            stream = arrow.RecordBatchReader.from_batches(
                file.schema_arrow, file.iter_batches(batch_size=2**15, use_threads=False)
            )
            with door():
                return History.from_columns(_core.Columns.from_arrow(stream, reading))
    except HistoryError as error:
        raise ReadError(error.message, printable(title)) from None
    except arrow.ArrowException as error:
        raise ReadError(f"no sound Parquet file: {printable(str(error))}", printable(title)) from error


def write_parquet(history: History, path: str) -> None:
    """Writes the operations; annotations have no place in a table."""
    arrow, parquet = _library(path)
    out = arrow.BufferOutputStream()
    parquet.write_table(arrow.table(history), out, compression="zstd")
    write_file(os.fspath(path), out.getvalue().to_pybytes())


def _library(path: str) -> tuple[ModuleType, ModuleType]:
    """Pyarrow and its Parquet half; UsageError if they are not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise UsageError(f"{printable(path)}: Parquet needs pyarrow: pip install pyarrow") from None
