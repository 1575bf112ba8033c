"""One operation of a history: who called what, when it returned, and with which result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, TypeAlias

from linpoint.errors import HistoryError
from linpoint.history.values import FrozenDict, freeze, from_json, show, show_key, to_json
from linpoint.text import printable

Type: TypeAlias = Literal["ok", "fail", "info"]
Time: TypeAlias = int | float | Decimal
"""An int if it was written as one; otherwise a float, or a Decimal in a history where floats would not say what was written."""

NOTHING: Mapping[str, Any] = FrozenDict()

_NAMES = frozenset({"process", "f", "value", "result", "call", "return", "type", "key", "extra", "line"})
"""Names that mean something in a record; all others are extra."""

_SILENT = frozenset(
    {"write", "set", "put", "store", "append", "add", "sub", "subtract", "increment", "inc", "incr", "decrement", "dec"}
    | {"decr", "enqueue", "enq", "offer", "push", "send", "insert", "push_front", "push_back", "add_first", "add_last"}
    | {"acquire", "release", "lock", "unlock", "wait", "signal"}
)
"""Operations that usually answer nothing: a null result of theirs is not worth printing."""


@dataclass(frozen=True, slots=True, repr=False)
class Operation:
    """One call and, if it came, its return. Immutable and hashable: lists in values are tuples.

    >>> print(Operation(process=0, f="cas", value=(1, 2), result=True, call=10, ret=17))
    cas(1, 2) → true
    """

    process: Any
    """Who called."""
    f: str
    """The operation's name, as recorded."""
    value: Any = None
    """The argument."""
    result: Any = None
    """What it returned; None unless `ok`."""
    call: Time = 0
    """The time of the call."""
    ret: Time | None = None
    """The time of the return (`return` in files); None if it never came."""
    type: Type | Literal[""] = ""
    """`ok`: took effect. `fail`: did not. `info`: it is not known which. Left out: `ok` with a return time, else `info`."""
    key: Any = None
    """The object or key it is about, if the source names one."""
    extra: Mapping[str, Any] = NOTHING
    """Fields of the source that mean nothing to the checkers."""
    index: int = field(default=-1, compare=False)
    """Its position in the history."""
    line: int | None = field(default=None, compare=False)
    """The line of the file it came from."""

    def __post_init__(self) -> None:
        if not self.type:
            object.__setattr__(self, "type", "info" if self.ret is None else "ok")
        elif self.type not in ("ok", "fail", "info"):
            raise HistoryError(f'the type of an operation is "ok", "fail" or "info", not {show(self.type)}')
        for name in ("process", "value", "result", "key"):
            given = getattr(self, name)
            if (frozen := freeze(given)) is not given:
                object.__setattr__(self, name, frozen)
        if self.extra is not NOTHING:
            object.__setattr__(self, "extra", freeze(self.extra))

    @property
    def ok(self) -> bool:
        """Did it return and take effect?"""
        return self.type == "ok"

    @property
    def pending(self) -> bool:
        """May it take effect at any time after its call, or never?"""
        return self.type == "info"

    @classmethod
    def from_record(cls, record: Mapping[str, Any], index: int = -1) -> Operation:
        """From the native JSONL form, see `to_record`."""
        for name in ("process", "f", "call"):
            if name not in record:
                raise HistoryError(f"an operation needs {name!r}: {show(record)}", index if index >= 0 else None)
        ret = record.get("return")
        return cls(
            process=record["process"],
            f=record["f"],
            value=from_json(record.get("value")),
            result=from_json(record.get("result")),
            call=_time(record["call"]),
            ret=None if ret is None else _time(ret),
            type=record.get("type") or "",
            key=from_json(record.get("key")),
            extra=NOTHING if record.keys() <= _NAMES - {"extra"} else _extra(record),
            index=index,
            line=record.get("line"),
        )

    @classmethod
    def _of_core(cls, record: dict[str, Any], index: int) -> Operation:
        """From a record of the core, which is known to be well-formed: the same as `from_record`, in half the time."""
        op = cls.__new__(cls)
        get, put = record.pop, object.__setattr__
        put(op, "process", get("process"))
        put(op, "f", get("f"))
        put(op, "value", from_json(get("value")))
        put(op, "result", from_json(get("result")))
        put(op, "call", get("call"))
        put(op, "ret", get("return"))
        put(op, "type", get("type"))
        put(op, "key", from_json(get("key", None)))
        put(op, "index", index)
        put(op, "line", get("line", None))
        extra = get("extra", None)
        put(op, "extra", NOTHING if extra is None else FrozenDict((name, from_json(extra[name])) for name in extra))
        return op

    def to_record(self) -> dict[str, Any]:
        """The native JSONL form: `{"process": 0, "f": "write", "value": 1, "result": None, "call": 0, "return": 3}`."""
        record: dict[str, Any] = {"process": to_json(self.process), "f": self.f, "value": to_json(self.value)}
        if self.ok:
            record["result"] = to_json(self.result)
        record["call"] = time_to_json(self.call)
        if self.ret is not None:
            record["return"] = time_to_json(self.ret)
        if self.type != ("info" if self.ret is None else "ok"):
            record["type"] = self.type
        if self.key is not None:
            record["key"] = to_json(self.key)
        if self.extra:
            record["extra"] = to_json(self.extra)
        return record

    def __str__(self) -> str:
        return self.invocation + self.outcome

    @property
    def invocation(self) -> str:
        """What was asked, in words: `cas(1, 2)`, `x: write(3)`."""
        arguments = self.value if isinstance(self.value, tuple) else () if self.value is None else (self.value,)
        where = "" if self.key is None else f"{show_key(self.key)}: "
        return f"{where}{printable(self.f)}({', '.join(map(show, arguments))})"

    @property
    def outcome(self) -> str:
        """What came back, in words: ` → true`, ` → ?` while pending, nothing where nothing is expected."""
        if self.pending:
            return " → ?"
        if self.type == "fail":
            return " failed"
        return "" if self.result is None and self.f in _SILENT else f" → {show(self.result)}"

    def __repr__(self) -> str:
        until = "…" if self.ret is None else self.ret
        number = f"#{self.index} " if self.index >= 0 else ""
        return f"<{number}process {show(self.process)}: {self} [{self.call}, {until}]>"


index_of: Callable[[Operation], int] = Operation.__dict__["index"].__get__
"""The position of an operation, for complaints: a model's looks at operations are noted, linpoint's own are not."""


def with_result(op: Operation, result: Any) -> Operation:
    """A copy with another result, as `dataclasses.replace` makes it, except that no look at the operation is noted.

    What a log says of the result of a pending operation is among its extra fields; the copy has none of that.
    """
    copy: Operation = object.__new__(Operation)
    for name in (each.name for each in fields(Operation)):
        object.__setattr__(copy, name, Operation.__dict__[name].__get__(op))
    object.__setattr__(copy, "result", result)
    object.__setattr__(copy, "extra", FrozenDict((name, copy.extra[name]) for name in copy.extra if name != "result"))
    object.__setattr__(copy, "__class__", type(op))
    return copy


def time_to_json(time: Any) -> Any:
    """A time as JSON holds it: a Decimal is the text of its digits, a `datetime` is ISO 8601."""
    if isinstance(time, Decimal):
        return str(time)
    return time.isoformat() if isinstance(time, datetime) else time


def _time(written: Any) -> Time:
    """The time of a record; a text is a Decimal."""
    if not isinstance(written, str):
        return written  # type: ignore[no-any-return]
    try:
        return Decimal(written)
    except InvalidOperation:
        raise HistoryError(f"a time is a number, not {show(written)}") from None


def _extra(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a record that mean nothing here: those of `extra`, and unknown ones beside the known ones."""
    kept = from_json(record.get("extra", {}))
    if not isinstance(kept, Mapping):
        kept = {"extra": kept}
    return {**kept, **{name: from_json(record[name]) for name in record.keys() - _NAMES}}
