"""From a data frame to a history: whatever has the Arrow C stream interface, which needs no library of ours.

pandas cannot hand over a column of objects of several types (`1`, `[1, 2]`, `None`), and nothing without pyarrow; polars hands
over a column of objects as their places in memory. Rows are then taken one by one, which costs some microseconds each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from linpoint import _core
from linpoint.errors import HistoryError, LinpointError
from linpoint.history.door import door
from linpoint.history.values import complaint

PLAINLY: _core.Reading = {
    "format": None,
    "independent": False,
    "failed_cas": False,
    "sort_by_time": False,
    "rename_crashed": False,
    "map": (),
    "timeout": None,
    "memory": 2**62,
}
"""How a table, or linpoint's own text, is read: as it stands, and without limits."""


FIELDS = ("process", "f", "value", "result", "call", "return", "duration", "key", "type", "time", "index")
"""What columns may be mapped to: any other name is that of a type or of an operation."""


@runtime_checkable
class Frame(Protocol):
    """A data frame, a table, a reader of batches: anything that can be had as a stream of Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the stream."""


class Stream:
    """A table, and nothing else: what a history is to a data frame."""

    def __init__(self, capsule: Callable[[], object]) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A new capsule with the stream; a schema of another's wishes is not looked at."""
        return self._capsule()


def columns_of(
    frame: Frame, reading: _core.Reading, from_rows: Callable[[list[dict[str, Any]]], _core.Columns]
) -> _core.Columns:
    """The operations in the rows of a frame. `from_rows` makes them of dicts."""
    why: Exception | None = None
    if not _holds_objects(frame):
        try:
            with door():
                return _core.Columns.from_arrow(frame, reading)
        except HistoryError as error:
            raise HistoryError(_in_python(error.message), error.operation, error.line) from None
        except LinpointError:
            raise
        except Exception as error:  # pandas and pyarrow have exceptions of their own
            why = error
    rows = _rows(frame)
    if rows is None:
        said = "it has columns of Python objects" if why is None else complaint(why)
        raise HistoryError(f"the data frame cannot be read: {said}") from why
    return from_rows(_renamed(rows, dict(reading["map"])))


def _renamed(rows: list[dict[str, Any]], names: dict[str, str]) -> list[dict[str, Any]]:
    """The rows with the names that columns, types and operations have here."""
    columns = {foreign: own for foreign, own in names.items() if own in FIELDS}
    words = {foreign: own for foreign, own in names.items() if own not in FIELDS}

    def meant(column: str, cell: Any) -> Any:
        return words.get(cell, cell) if column in ("f", "type") and isinstance(cell, str) else cell

    named = ([(columns.get(name, name), cell) for name, cell in row.items()] for row in rows)
    return [{column: meant(column, cell) for column, cell in row} for row in named]


def _in_python(message: str) -> str:
    """A complaint about columns in the words of Python: `map={…}` where the command line says `--map`."""

    def as_dict(found: re.Match[str]) -> str:
        return f"map={dict(pair.split('=', 1) for pair in found[1].split(','))}"

    return re.sub(r"--map (\S+=\S+?)(?=\)| and )", as_dict, message).replace("--map says", "map={…} says")


def _holds_objects(frame: Any) -> bool:
    """Has a frame of polars columns of Python objects? It would hand over where they lie in memory."""
    try:
        return any(str(kind) == "Object" for kind in frame.dtypes)
    except Exception:
        return False


def _rows(frame: Any) -> list[dict[str, Any]] | None:
    """The rows as dicts without the cells that are missing; None if the frame has no such thing."""
    try:
        rows = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
        return [{str(name): _plain(cell) for name, cell in row.items() if not _is_missing(cell)} for row in rows]
    except Exception:
        return None


def _is_missing(cell: object) -> bool:
    """None, NaN, NaT and pandas' NA: what is not itself, or will not say."""
    if cell is None:
        return True
    try:
        return bool(cell != cell)  # noqa: PLR0124
    except (TypeError, ValueError):
        return type(cell).__name__ == "NAType"


def _plain(cell: Any) -> Any:
    """An array or a number of numpy as Python has it."""
    convert = getattr(cell, "tolist", None)
    return convert() if convert is not None and not isinstance(cell, Mapping) else cell
