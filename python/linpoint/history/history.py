"""What happened: a recorded history, immutable, kept as columns in the compiled core.

A `History` is a sequence of `Operation`s in the order of their source. Operations are made only when you
look at them, so that loading and checking 280,000 of them costs no Python object each.
Intervals are closed: an operation that is called at the very time another returns overlaps it.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from linpoint import _core
from linpoint.errors import HistoryError
from linpoint.files import packed, write_file
from linpoint.history.door import door
from linpoint.history.frame import PLAINLY, Frame, Stream, columns_of
from linpoint.history.operation import Operation, Time, time_to_json
from linpoint.history.values import FrozenDict, brief, freeze, show, tag, to_json


class History(Sequence[Operation]):
    """A recorded history.

    Build one from operations, from dicts in the native JSONL form, or from a data frame with the same names (pandas, polars,
    pyarrow: whatever has `__arrow_c_stream__`; `to_arrow` is the way back; `map` is for
    columns with other names, `map={"client": "process"}`):

    >>> History([
    ...     {"process": 0, "f": "write", "value": 1, "call": 0, "return": 3},
    ...     {"process": 1, "f": "read", "result": 1, "call": 2, "return": 5},
    ... ])
    <History: 2 operations by 2 processes: read, write>
    """

    __slots__ = ("_columns",)
    _columns: _core.Columns

    def __init__(
        self,
        operations: Iterable[Operation | Mapping[str, Any]] | Frame = (),
        *,
        map: Mapping[str, str] | None = None,
    ) -> None:
        if isinstance(operations, (str, bytes, os.PathLike)):
            raise HistoryError("a history is made of operations; to read a file use linpoint.read(path)")
        if isinstance(operations, Frame) and not isinstance(operations, History):
            self._columns = columns_of(operations, {**PLAINLY, "map": list((map or {}).items())}, _of_rows)
            return
        if map:
            raise HistoryError(
                "`map` names the columns of a data frame: give the operations themselves their own names"
            )
        if not isinstance(operations, Iterable):
            raise HistoryError(f"a history is made of operations, not of {brief(operations)}")
        self._columns = _of_rows(operations)

    @classmethod
    def from_operations(cls, operations: Iterable[Operation]) -> History:
        """A history of these operations; they are numbered anew, in the given order."""
        return cls(operations)

    @classmethod
    def from_columns(cls, columns: _core.Columns) -> History:
        """A history around columns of the compiled core."""
        history = cls.__new__(cls)
        history._columns = columns
        return history

    @classmethod
    def from_jsonl(cls, data: bytes | str) -> History:
        """A history from text in linpoint's own format, as `to_jsonl` gives it."""
        data = data.encode() if isinstance(data, str) else data
        if not data.strip():
            return cls()
        with door():
            return cls.from_columns(_core.read_bytes(data, "<jsonl>", {**PLAINLY, "format": "jsonl"}))

    @property
    def columns(self) -> _core.Columns:
        """The columns inside the compiled core."""
        return self._columns

    # A sequence of operations.

    def __len__(self) -> int:
        return len(self._columns)

    def __iter__(self) -> Iterator[Operation]:
        return map(self._operation, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Operation: ...
    @overload
    def __getitem__(self, index: slice) -> History: ...
    def __getitem__(self, index: int | slice) -> Operation | History:
        """`history[3]` is an operation; `history[10:20]` is a history of its own, numbered from 0."""
        if isinstance(index, slice):
            return self.subhistory(range(len(self))[index])
        try:
            return self._operation(range(len(self))[index])
        except IndexError:
            raise IndexError(f"there is no operation {index}: the history has {len(self)}") from None

    def _operation(self, index: int) -> Operation:
        return Operation._of_core(self._columns.record(index), index)

    # Parts of it.

    def subhistory(self, indices: Iterable[int]) -> History:
        """The history of these operations only, numbered from 0 in the given order."""
        with door():
            return History.from_columns(self._columns.subhistory(list(indices)))

    def where(self, test: Callable[[Operation], object]) -> History:
        """The history of the operations that pass the test: `history.where(lambda op: op.f == "read")`."""
        return self.subhistory(op.index for op in self if test(op))

    def during(self, start: Time | None = None, end: Time | None = None) -> History:
        """The operations whose interval touches [start, end]; either end may be left open. A pending one never ends."""

        def touches(op: Operation) -> bool:
            early = start is not None and not op.pending and op.ret is not None and op.ret < start
            return not early and (end is None or op.call <= end)

        return self.where(touches)

    @property
    def processes(self) -> list[Any]:
        """The processes, in the order of their first call."""
        return [freeze(process) for process in self._columns.processes()]

    @property
    def by_process(self) -> dict[Any, History]:
        """For each process its operations, as a history of its own."""
        members: dict[Any, list[int]] = {process: [] for process in self.processes}
        lanes = [members[process] for process in self.processes]
        for index, code in enumerate(self._columns.process_codes()):
            lanes[code].append(index)
        return {process: self.subhistory(indices) for process, indices in members.items()}

    def by_key(self) -> Mapping[Any, History]:
        """For each key its operations, as a history of its own, in the order of the first; `None` has those without a key."""
        members: dict[Hashable, tuple[Any, list[int]]] = {}
        for op in self:
            members.setdefault(tag(op.key), (op.key, []))[1].append(op.index)
        return FrozenDict((key, self.subhistory(indices)) for key, indices in members.values())

    @property
    def annotations(self) -> list[dict[str, Any]]:
        """Lines that are not operations, such as faults: `{"after": events before it, "line": …, "fields": {…}}`."""
        return self._columns.annotations()

    @property
    def warnings(self) -> list[str]:
        """What is odd about the history, in words, though nothing is wrong: that most of its operations are pending."""
        pending, every = self._columns.statuses().count(2), len(self)
        if 2 * pending <= every or pending < 2:
            return []
        return [
            f"{pending:,} of {every:,} operations are pending: each may have taken effect at any time after its call, or "
            "never, so little is checked. Are the times of their returns in the file?"
        ]

    @property
    def object(self) -> str | None:
        """The kind of object the source names, if it does."""
        return self._columns.object

    def examples(self, fields: Iterable[str] = ()) -> tuple[list[int], list[Operation | None]]:
        """(the kind of each operation, one example operation per kind).

        Operations of one kind have equal f, key, value and result, and are equal in these further fields (`process`, `call`,
        `ret`, `index`, `line`, `extra`). A kind of which every operation failed has no example: it never happened.
        """
        kinds, first = self._columns.distinct(sorted(fields))
        status = self._columns.statuses()
        if 1 in status:  # a failed and a pending operation may be of one kind: take the pending one
            happened = {kind: index for index, kind in reversed(list(enumerate(kinds))) if status[index] != 1}
            return kinds, [self._operation(happened[kind]) if kind in happened else None for kind in range(len(first))]
        return kinds, [self._operation(index) for index in first]

    # Out again.

    @overload
    def to_jsonl(self) -> str: ...
    @overload
    def to_jsonl(self, path: str | os.PathLike[str]) -> None: ...
    def to_jsonl(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """The native format, one operation per line: as text, or into a file (compressed if it is called `….gz` or `….zst`)."""
        return _give(self._columns.to_jsonl(), path)

    @overload
    def to_edn(self) -> str: ...
    @overload
    def to_edn(self, path: str | os.PathLike[str]) -> None: ...
    def to_edn(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """A Jepsen history in EDN: as text, or into a file (compressed if it is called `….gz` or `….zst`)."""
        return _give(self._columns.to_edn(), path)

    @overload
    def to_csv(self) -> str: ...
    @overload
    def to_csv(self, path: str | os.PathLike[str]) -> None: ...
    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """A table with a header, one operation per row: as text, or into a file (compressed if called `….gz` or `….zst`)."""
        return _give(self._columns.to_csv(), path)

    def to_arrow(self) -> Frame:
        """The operations as a table of Arrow: `polars.DataFrame(history.to_arrow())`, `pandas.DataFrame.from_arrow(…)`.

        A history is one itself, but some libraries take a sequence operation by operation.
        """
        return Stream(self._columns.to_arrow)

    def __arrow_c_stream__(self, requested_schema: builtins.object | None = None) -> builtins.object:
        """The operations as a stream of Arrow, for data frames; a schema of another's wishes is not looked at."""
        return self._columns.to_arrow()

    def __eq__(self, other: builtins.object) -> bool:
        """Are these the same operations at the same times? How they are numbered does not matter."""
        return self._columns == other._columns if isinstance(other, History) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[[bytes], History], tuple[bytes]]:
        return History.from_jsonl, (self._columns.to_jsonl(),)

    def __repr__(self) -> str:
        first = self._columns.distinct()[1][:1000]  # enough to meet every name, and quick on a big history
        names = sorted({self._columns.record(index)["f"] for index in first})
        shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
        pending = self._columns.statuses().count(2)
        parts = [
            f"{_count(len(self), 'operation')} by {_count(len(self._columns.processes()), 'process', 'processes')}"
        ]
        if pending:
            parts.append(f"{pending} pending")
        return f"<History: {', '.join(parts)}{': ' if shown else ''}{shown}>"

    def _repr_html_(self) -> str:
        """The timeline, for a notebook: of a long history, how it begins."""
        from linpoint.history.timeline.notebook import beginning  # noqa: PLC0415 - what draws is loaded when it is needed

        return beginning(self)

    def __str__(self) -> str:
        lines = [repr(self)]
        lines += [f"  {op.index:>4}  process {show(op.process)}  {op}" for op in self[:20]]
        return "\n".join(lines if len(self) <= 20 else [*lines, f"  … {len(self) - 20} more"])


def _of_rows(operations: Iterable[Operation | Mapping[str, Any]]) -> _core.Columns:
    records: list[dict[str, Any]] = []
    for at, op in enumerate(operations):
        try:
            records.append(op.to_record() if isinstance(op, Operation) else _record(op))
        except RecursionError:
            raise HistoryError(f"operation {at}: a value is nested too deep, or holds itself", at) from None
    with door():
        return _core.Columns.from_records(records)


def _record(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A record in the native form: maps with other keys than texts escaped, times as JSON has them."""
    record: dict[str, Any] = to_json(dict(fields))
    return {**record, **{name: time_to_json(fields[name]) for name in ("call", "return") if name in fields}}


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _give(data: bytes, path: str | os.PathLike[str] | None) -> str | None:
    if path is None:
        return data.decode()
    name = os.fspath(path)
    write_file(name, _core.zst(data) if name.endswith(".zst") else packed(data, name))
    return None
