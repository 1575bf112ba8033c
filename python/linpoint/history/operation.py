"""One operation of a history: who called what, when it returned, and with which result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from linpoint.errors import HistoryError
from linpoint.history.values import FrozenDict, freeze, show, thaw
from linpoint.text import printable

Type: TypeAlias = Literal["ok", "fail", "info"]
Time: TypeAlias = int | float

NOTHING: Mapping[str, Any] = FrozenDict()

_NAMES = frozenset({"process", "f", "value", "result", "call", "return", "type", "key", "line"})
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
    """`ok`: took effect. `fail`: did not. `info`: nobody knows. Left out: `ok` with a return time, else `info`."""
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
        return cls(
            process=record["process"],
            f=record["f"],
            value=record.get("value"),
            result=record.get("result"),
            call=record["call"],
            ret=record.get("return"),
            type=record.get("type") or "",
            key=record.get("key"),
            extra=NOTHING if record.keys() <= _NAMES else {name: record[name] for name in record.keys() - _NAMES},
            index=index,
            line=record.get("line"),
        )

    @classmethod
    def _of_core(cls, record: dict[str, Any], index: int) -> Operation:
        """From a record of the core, which is known to be well-formed: the same as `from_record`, in half the time."""
        op = cls.__new__(cls)
        get, put = record.pop, object.__setattr__
        put(op, "process", freeze(get("process")))
        put(op, "f", get("f"))
        put(op, "value", freeze(get("value")))
        put(op, "result", freeze(get("result")))
        put(op, "call", get("call"))
        put(op, "ret", get("return"))
        put(op, "type", get("type"))
        put(op, "key", freeze(get("key", None)))
        put(op, "index", index)
        put(op, "line", get("line", None))
        put(op, "extra", freeze(record) if record else NOTHING)
        return op

    def to_record(self) -> dict[str, Any]:
        """The native JSONL form: `{"process": 0, "f": "write", "value": 1, "result": None, "call": 0, "return": 3}`."""
        record: dict[str, Any] = {"process": thaw(self.process), "f": self.f, "value": thaw(self.value)}
        if self.ok:
            record["result"] = thaw(self.result)
        record["call"] = self.call
        if self.ret is not None:
            record["return"] = self.ret
        if self.type != ("info" if self.ret is None else "ok"):
            record["type"] = self.type
        if self.key is not None:
            record["key"] = thaw(self.key)
        return {**record, **thaw(self.extra)}

    def __str__(self) -> str:
        return self.invocation + self.outcome

    @property
    def invocation(self) -> str:
        """What was asked, in words: `cas(1, 2)`, `x: write(3)`."""
        arguments = self.value if isinstance(self.value, tuple) else () if self.value is None else (self.value,)
        where = "" if self.key is None else f"{printable(self.key) if isinstance(self.key, str) else show(self.key)}: "
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
