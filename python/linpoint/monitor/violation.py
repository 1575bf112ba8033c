"""What is wrong, and which few operations show it?

A violation of a stream is told at the event from which on no order explains what happened. Its counterexample lies near that
event: the monitor remembers in which states the object may have been before, not how it came there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linpoint.check import Result, check
from linpoint.errors import LinpointError
from linpoint.history import History, Operation, Time
from linpoint.models import Model
from linpoint.text import printable
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
    accused: Operation
    """The operation whose return no order explains."""
    operations: tuple[Operation, ...]
    """The operations that contradict each other, in the order of their calls; times are numbers of events."""
    around: tuple[Operation, ...]
    """All operations at that time, these among them."""
    states: tuple[str, ...]
    """The states that the object may have been in before them, the first few in words; none if they begin with the stream."""
    state_count: int
    """How many such states there are."""
    whole: bool
    """Do the operations contradict each other whatever else happened? If not, something that is forgotten belongs to it."""
    exact: bool
    """Is `event` the first at which it was there? If not, the search for that one and for its operations was stopped."""
    unjudged: tuple[int, int] | None
    """The monitor had to begin again: events that were not judged, the first and the last."""
    effect_by: Mapping[Time, int]
    """Operations that had taken effect by an event before their return, as operations told that are forgotten: the number of the
    call, and that of the event."""

    @classmethod
    def of_alarm(cls, model: Model, alarm: Mapping[str, Any]) -> Violation:
        """The alarm of the core in Python."""
        shown = alarm["operations"]
        records = [(Operation.from_record(op["record"], index=place), op) for place, op in enumerate(shown)]
        return cls(
            model=model,
            event=alarm["event"],
            line=alarm["line"] or None,
            accused=next(op for op, told in records if told["accused"]),
            operations=tuple(op for op, told in records if told["needed"]),
            around=tuple(op for op, _ in records),
            states=tuple(alarm["states"]),
            state_count=alarm["state_count"] if alarm["states"] else 0,
            whole=alarm["whole"],
            exact=alarm["exact"],
            unjudged=alarm["unjudged"],
            effect_by={op["record"]["call"]: op["effect_by"] for op in shown if op["effect_by"] is not None},
        )

    def result(self) -> Result | None:
        """The counterexample checked by itself, to be explained or kept; None if what was forgotten belongs to it."""
        if self.states or not self.whole:
            return None
        history = History(
            op.to_record() | {"process": place} for place, op in enumerate(self.operations)
        )  # each operation a process: the monitor does not ask who calls
        try:
            result = check(history, self.model)
        except LinpointError:
            return None
        return result if result.verdict is Verdict.VIOLATION else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "event": self.event,
            "line": self.line,
            "accused": self.accused.to_record(),
            "operations": [op.to_record() | self._known(op) for op in self.operations],
            "whole": self.whole,
            "exact": self.exact,
            "unjudged": None if self.unjudged is None else list(self.unjudged),
            "states": list(self.states),
            "state_count": self.state_count,
        }

    def __str__(self) -> str:
        if self.unjudged is None:
            return self._told()
        first, last = self.unjudged
        return f"{self._told()}\nEvents {first} to {last} were not all judged: there may have been another violation before."

    def _told(self) -> str:
        place = f"event {self.event}" if self.line is None else f"event {self.event}, line {self.line}"
        if not self.exact:
            return (
                f"VIOLATION ({self.model}) by {place}, perhaps earlier: no order explains what happened until then\n\n"
                "The search for its first event and for the operations that show it was stopped."
            )
        lines = [f"VIOLATION ({self.model}) at {place}: no order explains {_said(self.accused)}", ""]
        count = len(self.operations)
        what = f"These {count} operations contradict each other" if count > 1 else "This operation is impossible"
        if self.whole or self.states:
            what += ", whatever else happened"
        else:
            what += " after what happened before, which is forgotten by now"
        if self.states:
            what += " since then" if self.state_count == 0 else f", after {self._before()}"
        lines.append(f"{what}:")
        lines += [f"  {_said(op, self.effect_by.get(op.call))}" for op in self.operations]
        return "\n".join(lines)

    def _known(self, op: Operation) -> dict[str, int]:
        """What is known of an operation besides its events."""
        return {"effect_by": self.effect_by[op.call]} if op.call in self.effect_by else {}

    def _before(self) -> str:
        shown = ", ".join(_short(printable(state)) for state in self.states)
        if self.state_count == 1:
            return f"a moment at which the object was in state {shown}"
        more = "" if self.state_count == len(self.states) else ", …"
        return f"a moment at which the object was in one of {self.state_count} states: {shown}{more}"


def _said(op: Operation, effect_by: int | None = None) -> str:
    """`read() → 1 (process 0, events 7 to 8)`."""
    end = "" if op.ret is None else f" to {op.ret}"
    word = "event" if op.ret is None else "events"
    known = "" if effect_by is None else f", had taken effect by event {effect_by}"
    said = _short(op.invocation) + _short(op.outcome)
    return f"{said} (process {_short(printable(str(op.process)))}, {word} {op.call}{end}{known})"


def _short(text: str) -> str:
    """What a line has room for; `to_dict` has all of it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
