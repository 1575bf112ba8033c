"""What is wrong, and which few operations show it?

A violation of a stream is told at the event from which on no order explains what happened. Its counterexample lies near that
event: the monitor remembers in which states the object may have been before, not how it came there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from linpoint.check import Result, check
from linpoint.errors import LinpointError
from linpoint.explain import Explanation, explain
from linpoint.history import History, Operation, Time
from linpoint.history.values import show, to_json
from linpoint.models import Model
from linpoint.text import counted, printable
from linpoint.verdict import Verdict

LONGEST = 200
"""Characters that are shown of one value."""


@dataclass(frozen=True)
class Violation:
    """A violation of a stream."""

    model: Model
    event: int
    """The number of the event from which on it was there; the first event is 1."""
    line: int | None
    """The line of that event, if the stream is a log."""
    skipped: int
    """How many lines before it were skipped: it may be due to them."""
    ended: Operation | None
    """The operation that ended at that event: often the accused one. None if that is not known."""
    accused: Operation
    """The operation whose return no order explains."""
    operations: tuple[Operation, ...]
    """The operations that contradict each other, in the order of their calls, as they were known at that event. Times are numbers
    of events in the order in which they were taken: with `reorder` and `clock_skew` that of time, see `numbers`."""
    support: tuple[Operation, ...]
    """Operations that the contradiction can do without, and a reader cannot: what the others saw comes from them."""
    before: tuple[Operation, ...]
    """Operations on the same keys that returned before that event, the last few of those that are not shown otherwise, for
    whoever reads it. Which of them are still known depends on when the monitor looked."""
    around: tuple[Operation, ...]
    """All operations at that time, these among them."""
    states: tuple[str, ...]
    """The states that the object may have been in before them, the first few in words; none if they begin with the stream."""
    state_count: int
    """How many such states there are."""
    whole: bool
    """Do the operations contradict each other whatever else was read? If not, something that is forgotten belongs to it."""
    forgot: bool
    """Is anything forgotten? Then `whole` speaks of what is remembered. The rest is over, but may have had the same values."""
    exact: bool
    """Is `event` the first at which it was there? If not, the search for that one and for its operations was stopped."""
    minimal: bool
    """Without each of the operations, could the others be explained? False if that was not tried out."""
    unjudged: tuple[int, int] | None
    """The monitor had to begin again: events that were not judged, the first and the last."""
    earlier: bool
    """Was another operation on the same keys accused before? It is left out here, and might explain what this one returned."""
    effect_by: Mapping[Time, int]
    """Operations that had taken effect by an event before their return, as operations told that are forgotten: the number of the
    call, and that of the event."""
    numbers: Mapping[Time, int]
    """The number of an event in the log, where events were not taken in its order, or not all of them are in it."""

    @classmethod
    def of_alarm(cls, model: Model, alarm: Mapping[str, Any]) -> Violation:
        """The alarm of the core in Python."""
        shown, ended, before = alarm["operations"], alarm["ended"], alarm.get("before", ())
        records = [(Operation.from_record(op["record"], index=place), op) for place, op in enumerate(shown)]
        taken = [
            (op["record"][name], came)
            for op in (*shown, *before, *([ended] if ended else ()))
            for name, came in _came(op)
        ]
        return cls(
            model=model,
            event=alarm["event"],
            line=alarm["line"] or None,
            skipped=alarm["skipped"],
            ended=None if ended is None else Operation.from_record(ended["record"]),
            accused=next(op for op, told in records if told["accused"]),
            operations=tuple(op for op, told in records if told["needed"]),
            support=tuple(op for op, told in records if told["support"]),
            before=tuple(Operation.from_record(op["record"]) for op in before),
            around=tuple(op for op, _ in records),
            states=tuple(alarm["states"]),
            state_count=alarm["state_count"] if alarm["states"] else 0,
            whole=alarm["whole"],
            forgot=alarm["forgot"],
            exact=alarm["exact"],
            minimal=alarm["minimal"],
            unjudged=None if alarm["unjudged"] is None else (alarm["unjudged"][0], alarm["unjudged"][1]),
            earlier=alarm.get("earlier", False),  # checkpoints before had none
            effect_by={op["record"]["call"]: op["effect_by"] for op in shown if op["effect_by"] is not None},
            numbers={number: came for number, came in taken if came != number},
        )

    def to_alarm(self) -> dict[str, Any]:
        """What `of_alarm` reads, as plain values."""
        shown = [
            self._plain(op)
            | {"accused": op is self.accused, "needed": op in self.operations, "support": op in self.support}
            | {"effect_by": self.effect_by.get(op.call)}
            for op in self.around
        ]
        told = self.to_dict() | {"operations": shown, "ended": None if self.ended is None else self._plain(self.ended)}
        before = [self._plain(op) for op in self.before]
        return told | {"before": before, "states": list(self.states), "state_count": self.state_count}

    def _plain(self, op: Operation) -> dict[str, Any]:
        came = (op.call, op.ret)
        return {"record": op.to_record(), "came": [None if at is None else self.numbers.get(at, at) for at in came]}

    @property
    def told(self) -> list[Operation]:
        """The operations and those in support of them, in the order of their calls."""
        return [op for op in self.around if op in self.operations or op in self.support]

    def result(self) -> Result | None:
        """The counterexample checked by itself, to be explained or kept; None if what was forgotten belongs to it."""
        if self.states or not self.whole:
            return None
        named = zip(self.told, _names(self.told), strict=True)
        history = History(op.to_record() | {"process": process} for op, process in named)
        try:
            result = check(history, self.model)
        except LinpointError:
            return None
        return result if result.verdict is Verdict.VIOLATION else None

    def explanation(self) -> Explanation | None:
        """The counterexample explained; None if what was forgotten belongs to it."""
        result = self.result()
        if result is None:
            return None
        said = explain(result)
        if not self.skipped and not self.forgot and not self.earlier:
            return said
        words = (line.replace("whatever else happened", self._whatever) for line in said.words)
        doubt = ("", f"{self.doubt[:1].upper()}{self.doubt[1:]}.") if self.doubt else ()
        return replace(said, words=(*words, *doubt), note=self.doubt or self._left_out)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "event": self.event,
            "line": self.line,
            "skipped": self.skipped,
            "ended": None if self.ended is None else self._record(self.ended),
            "accused": self._record(self.accused),
            "operations": [self._record(op) | self._known(op) for op in self.operations],
            "support": [self._record(op) | self._known(op) for op in self.support],
            "before": [self._record(op) for op in self.before],
            "whole": self.whole,
            "forgot": self.forgot,
            "exact": self.exact,
            "minimal": self.minimal,
            "unjudged": None if self.unjudged is None else list(self.unjudged),
            "earlier": self.earlier,
            "states": list(self.states),
            "state_count": self.state_count,
        }

    def __str__(self) -> str:
        said = self._told()
        if self.skipped:
            said += f"\n{self.doubt[:1].upper()}{self.doubt[1:]}."
        if self.earlier:
            said += "\nWhat was accused before is left out here; with it, this might be explained."
        if self.unjudged is not None:
            first, last = self.unjudged
            said += f"\nEvents {first} to {last} were not all judged: there may have been another violation before."
        return said

    @property
    def doubt(self) -> str:
        """What the lines that were skipped mean for it, in words; empty if there are none."""
        if not self.skipped:
            return ""
        were = "was" if self.skipped == 1 else "were"
        lines = f"{counted(self.skipped, 'line')} before it {were} skipped"
        return f"{lines}: if operations are missing for that, it may be no violation"

    def _told(self) -> str:
        place = f"event {self.event}" if self.line is None else f"event {self.event}, line {self.line}"
        if not self.exact:
            return (
                f"VIOLATION ({self.model}) by {place}, perhaps earlier: no order explains what happened until then\n\n"
                "The search for its first event and for the operations that show it was stopped."
            )
        lines = [
            f"VIOLATION ({self.model}) at {place}: no order explains {self._said(self.accused)}{self._since()}",
            "",
        ]
        count = len(self.operations)
        what = f"These {count} operations contradict each other" if count > 1 else "This operation is impossible"
        if self.whole or self.states:
            what += f", {self._whatever}"
        else:
            what += " after what happened before, which is forgotten by now"
        if self.states:
            what += " since then" if self.state_count == 0 else f", after {self._before()}"
        lines.append(f"{what}:")
        lines += [f"  {self._said(op)}" for op in self.operations]
        if not self.minimal:
            lines.append("  (perhaps fewer operations would do: not every way to leave one out was tried)")
        if self.support:
            lines += ["What they saw comes from here:", *(f"  {self._said(op)}" for op in self.support)]
        if self.before and (self.states or not self.whole):
            lines += ["Before that, among others:", *(f"  {self._said(op)}" for op in self.before)]
        return "\n".join(lines)

    @property
    def _left_out(self) -> str:
        """Why not everything that happened was considered."""
        return "what was accused before is left out" if self.earlier else "what was over before is forgotten"

    @property
    def _whatever(self) -> str:
        """What else may have happened."""
        if self.earlier:
            return "whatever else happened but for what was accused before"
        if self.forgot:
            return "whatever else is remembered"
        return "whatever else was read" if self.skipped else "whatever else happened"

    def _since(self) -> str:
        """What happened at the event, if it is not that the accused operation returned."""
        ended = self.ended
        if ended is None or ended.call == self.accused.call:
            return ""
        how = f"{_short(ended.outcome)} ({_who(ended)}) returned" if ended.ok else f" ({_who(ended)}) failed"
        return f", since event {self.event}, when {_short(ended.invocation)}{how}"

    def _said(self, op: Operation) -> str:
        """`read() → 1 (process 0, events 7 to 8)`."""
        call, ret = self._number(op.call), self._number(op.ret)
        when = f"event {call}" if ret is None else f"events {call} to {ret}"
        effect_by = self.effect_by.get(op.call)
        known = "" if effect_by is None else f", had taken effect by event {effect_by}"
        return f"{_short(op.invocation)}{_short(op.outcome)} ({_who(op)}, {when}{known})"

    def _number(self, event: Time | None) -> Time | None:
        """The number of an event in the log."""
        return None if event is None else self.numbers.get(event, event)

    def _record(self, op: Operation) -> dict[str, Any]:
        """An operation as JSONL has it, with the numbers of its events in the log."""
        record = op.to_record()
        return record | {name: self._number(record[name]) for name in ("call", "return") if name in record}

    def _known(self, op: Operation) -> dict[str, int]:
        """What is known of an operation besides its events."""
        return {"effect_by": self.effect_by[op.call]} if op.call in self.effect_by else {}

    def _before(self) -> str:
        shown = ", ".join(_short(printable(state)) for state in self.states)
        if self.state_count == 1:
            return f"a moment at which the object was in state {shown}"
        more = "" if self.state_count == len(self.states) else ", …"
        return f"a moment at which the object was in one of {self.state_count} states: {shown}{more}"


def _names(operations: list[Operation]) -> Iterator[Any]:
    """Whose they are in a history: of the process `bob`, or of `bob (2)` where bob has another operation open.

    In a history a process does one thing after the other; a monitor does not ask for that.
    """
    ends: dict[str, Time | None] = {}  # of the last operation of each name
    real = {show(op.process) for op in operations}
    for op in operations:
        names = chain([to_json(op.process)], (f"{op.process} ({number})" for number in count(2)))
        for place, name in enumerate(names):
            words = show(name)
            end = ends.get(words, -1)
            if end is not None and end < op.call and (place == 0 or words not in real):
                break
        ends[words] = op.ret
        yield name


def _who(op: Operation) -> str:
    return f"process {_short(printable(str(op.process)))}"


def _came(op: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The numbers of its events in the log: of the call, and of the return if there is one."""
    called, returned = op["came"]
    yield "call", called
    if returned is not None:
        yield "return", returned


def _short(text: str) -> str:
    """What a line has room for; `to_dict` has all of it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
