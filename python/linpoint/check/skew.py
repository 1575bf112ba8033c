"""Does a verdict survive clocks that differ, and how far must they differ for a violation to disappear?

If every clock may be off by ε, an operation that was recorded from call to return took place between call − ε and return + ε.
One precedes another for certain only if it returned more than 2ε before the other was called, so it is enough to let every
return come 2ε later. Wider intervals allow more orders: a linearizable history stays one, and from some ε on a violation is
none any more, unless it is one in any order. That ε is found by doubling and bisection, one check for each step. The order of
one process is not believed either: its operations are told apart by their times only.

A log of events vouches for their order, so that `call` and `return` number them; what its clocks said are the extra fields
`time` and `return-time`. Here it is the clocks that count. By them alone it may be no violation at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import lcm

from linpoint.budget import parse_seconds
from linpoint.errors import UsageError
from linpoint.history import History, Time
from linpoint.verdict import Verdict

NANOSECONDS = 10**9
EXACT = Context(prec=80)
"""Times have 36 digits at most."""


@dataclass(frozen=True)
class Skew:
    """What becomes of a violation if clocks differ."""

    given: Fraction
    """The ε that was asked for."""
    verdict: Verdict
    """The verdict with clocks that are off by that much."""
    smallest: Fraction | None
    """From this ε on it is no violation; None: it is one whatever the clocks say, or that is not known."""
    known: bool
    """Was the smallest ε found, or that there is none?"""
    unit: str
    """Of both spans: `ns` if all times are whole numbers, otherwise `s`."""

    def to_dict(self) -> dict[str, str | bool | None]:
        """As plain values, for JSON."""
        smallest = None if self.smallest is None else plain(self.smallest)
        told = {"given": plain(self.given), "verdict": str(self.verdict), "smallest": smallest}
        return {**told, "known": self.known, "unit": self.unit}

    def __str__(self) -> str:
        ending = f"with clocks that are off by {plain(self.given)} {self.unit}"
        said = f"still a VIOLATION {ending}" if self.verdict is Verdict.VIOLATION else f"{self.verdict.name} {ending}"
        if self.smallest is not None:
            return f"{said}; from {plain(self.smallest)} {self.unit} on it is no violation"
        return (
            f"{said}; it is one whatever the clocks say"
            if self.known
            else f"{said}; from when on it is none is not known"
        )


def plain(number: Fraction) -> str:
    """A number without an exponent."""
    return f"{_decimal(number):f}"


def clocked(history: History) -> History:
    """The history with the times of its clocks. UsageError if it has none."""
    records = []
    for place, op in enumerate(history):
        call, ret = op.extra.get("time"), op.extra.get("return-time")
        if not (_is_time(call) and (op.ret is None or _is_time(ret))):
            if history.columns.numbered:
                raise UsageError("not every event of this log has a time that is a number")
            return history
        records.append(op.to_record() | {"process": place, "call": call, "return": None if op.ret is None else ret})
    return History(records)


def span_of(words: str, history: History) -> Fraction:
    """A span such as `2ms` in the unit of a history's times: whole numbers are nanoseconds, all others seconds."""
    seconds = Fraction(f"{parse_seconds(words):.12g}")
    if seconds < 0:
        raise UsageError("clocks cannot be off by less than nothing")
    return seconds * NANOSECONDS if _unit(history) == "ns" else seconds


def widened(history: History, epsilon: Fraction) -> History:
    """The history with intervals that are wider by ε on both sides, as far as their order goes."""

    def record(place: int) -> dict[str, object]:
        op = history[place]
        late = None if op.ret is None else _time(_exact(op.ret) + 2 * epsilon)
        return op.to_record() | {"process": place, "call": _time(_exact(op.call)), "return": late}

    return History(record(place) for place in range(len(history)))


def skewed(history: History, given: Fraction, ask: Callable[[History], Verdict]) -> Skew:
    """What becomes of a violation, in the times of its clocks; `ask` checks a history."""
    unit, verdict = _unit(history), ask(widened(history, given))
    exact = [_exact(time) for time in _times(history)]
    scale = 2 * lcm(*(time.denominator for time in exact))  # verdicts change at multiples of 1 / scale
    far = int((max(exact) - min(exact)) * scale) + 1
    low, high = -1, 0
    while (found := ask(widened(history, Fraction(high, scale)))) is not Verdict.LINEARIZABLE:
        if found is Verdict.UNKNOWN or high > far:
            return Skew(given, verdict, None, found is Verdict.VIOLATION, unit)
        low, high = high, 2 * high or 1
    while high - low > 1:
        middle = (low + high) // 2
        found = ask(widened(history, Fraction(middle, scale)))
        if found is Verdict.UNKNOWN:
            return Skew(given, verdict, None, False, unit)
        low, high = (low, middle) if found is Verdict.LINEARIZABLE else (middle, high)
    return Skew(given, verdict, Fraction(high, scale), True, unit)


def _unit(history: History) -> str:
    return "ns" if all(isinstance(time, int) for time in _times(history)) else "s"


def _is_time(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _times(history: History) -> list[Time]:
    return [time for op in history for time in (op.call, op.ret) if time is not None]


def _exact(time: Time) -> Fraction:
    return Fraction(repr(time)) if isinstance(time, float) else Fraction(time)


def _time(exact: Fraction) -> Time:
    return exact.numerator if exact.denominator == 1 else _decimal(exact)


def _decimal(exact: Fraction) -> Decimal:
    return EXACT.divide(Decimal(exact.numerator), Decimal(exact.denominator))
