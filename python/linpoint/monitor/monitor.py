"""`Monitor`: fed by a program while it runs, or by the bytes of a log.

Events gather and are judged together, some thousands at a time, or at once when the verdict is asked for (`crates/monitor`).
So an event costs about two microseconds, and a violation is told some thousand events late at most, with its own event.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from linpoint import _core
from linpoint.budget import Budget, default_memory, parse_seconds
from linpoint.errors import ModelError, UsageError
from linpoint.formats import EVENT_FORMATS, format_named
from linpoint.history.door import door
from linpoint.models import Model, Opaque, Shipped, is_native, resolve
from linpoint.monitor.own import Own
from linpoint.monitor.violation import Violation
from linpoint.text import ascii_json
from linpoint.verdict import Cause, Verdict

MEMORY = 2**30
"""Bytes that judging may take unless more is allowed: who watches should not use up the machine that is watched."""
BATCH = 12288
"""So many events gather before they are judged without being asked."""
PIECE = 1 << 15
"""Bytes of a log between two looks, some hundred events: how many are judged at once depends little on how long lines are."""
_FOUND = '{"found":'
"""How a saved state begins if there were violations."""


@dataclass(frozen=True)
class Counts:
    """How much a monitor has seen, and how much it keeps."""

    events: int
    """Calls and ends that were taken."""
    operations: int
    """Calls that were taken."""
    open: int
    """Operations that have not ended."""
    crashed: int
    """Operations of unknown outcome that may still take effect."""
    groups: int
    """Keys, or sets of keys that belong together, that were met."""
    configurations: int
    """Configurations that everything so far may have led to, over all groups."""
    restarts: int
    """How often a group began again of which nothing was known."""
    bytes: int
    """Bytes that all this takes, roughly."""
    waiting: int
    """Events that were not judged yet."""
    lines: int
    """Lines of a log that were read."""
    skipped: int
    """Lines of a log that were skipped."""


def _nanoseconds(span: float | str | None) -> int:
    """A span of time; none is 0."""
    return 0 if span is None else round(parse_seconds(span) * 10**9)


class Monitor:
    """A stream of calls and returns, judged while it runs, in memory that does not grow with it.

        monitor = lp.Monitor("cas-register:initial=0")
        token = monitor.call("client 1", "write", 3)
        …
        monitor.ret(token)
        assert monitor.verdict is lp.Verdict.LINEARIZABLE

    model      a shipped model: an instance, a class or words; or a model of your own, an instance or a class
    keep_going after a violation goes on as if the accused operation had not been; else the first one is the last word
    restart    where the budget ends begins again at an operation that tells what is held: the verdict stays unknown, but what
               happens from then on is judged, and a violation told
    batch      so many events gather before they are judged without being asked
    strict     of a log: takes nothing behind a line that is no event
    format     of a log: its format, one of events, if it is not to be recognised
    independent of a log: values are Jepsen's independent pairs [key, value]
    failed_cas of a log: a failed CAS is read as "the value differed", not as "it did not happen"
    map        of a log: foreign names of fields, types and operations, each with its name here, as `linpoint.read` takes them
    rename_crashed of a log: a process that calls again after it crashed is another one from then on
    reorder    of a log: take events in the order of their times; they come at most so many seconds late ("50ms")
    clock_skew of a log: clocks may be off by so many seconds ("2ms"); what precedes what only then is not believed
    memory     bytes that judging may take, or words such as "2GiB"; None: 1 GiB, or half of what is available if that is less
    timeout    seconds that one look at what has gathered may take, or words such as "5s"; beyond, the verdict is unknown

    After each event the verdict is that of everything so far, operations that have not ended being pending; before the first
    one it is LINEARIZABLE. Values are None, bool, int, finite float, str, and lists, tuples and mappings of them. All methods may
    be called from any thread; the order of events is the order of the calls of `call`, `ret`, `fail` and `info`.
    """

    def __init__(
        self,
        model: Model | type[Model] | str,
        *,
        keep_going: bool = False,
        restart: bool = False,
        memory: int | str | None = None,
        timeout: float | str | None = None,
        batch: int = BATCH,
        strict: bool = False,
        format: str | None = None,
        independent: bool = False,
        failed_cas: bool = False,
        map: Mapping[str, str] | None = None,
        rename_crashed: bool = False,
        reorder: float | str | None = None,
        clock_skew: float | str | None = None,
    ) -> None:
        if format is not None and format_named(format) not in EVENT_FORMATS:
            raise UsageError(
                f"format {format_named(format)} has no events, and a monitor reads nothing else: use linpoint check; "
                f"formats of events are {', '.join(EVENT_FORMATS)}"
            )
        self.model = resolve(model)
        """What the stream is judged by."""
        limit = Budget.start(None, memory).memory if memory is not None else min(MEMORY, default_memory())
        self._own: Own | None = None
        judge: str | Own
        if is_native(self.model) and isinstance(self.model, Shipped):
            judge, options = self.model.name, self.model.options
        elif isinstance(self.model, Opaque):
            raise ModelError(
                f"{self.model} is a class that is run as it is; a monitor needs states: write a linpoint.Model"
            )
        else:
            judge = self._own = Own(self.model, limit)
            options = {}
        self._door = door if self._own is None else self._own_door
        with self._door():
            self._core = _core.Monitor(
                judge,
                options,
                goes_on=keep_going,
                restarts=restart,
                strict=strict,
                format=format,
                independent=independent,
                failed_cas=failed_cas,
                map=list((map or {}).items()),
                rename_crashed=rename_crashed,
                memory=limit,
                timeout=None if timeout is None else parse_seconds(timeout),
                batch=batch,
                by_time=None if reorder is clock_skew is None else (_nanoseconds(reorder), _nanoseconds(clock_skew)),
            )
        self._turn = threading.RLock()  # a thread that sees a verdict also sees the violations that were found with it
        self._violations: list[Violation] = []
        self._fresh: list[Violation] = []

    @contextmanager
    def _own_door(self) -> Iterator[None]:
        """The door of the core where a fault of the user's model names the operation as the stream has it."""
        try:
            with door():
                yield
        except ModelError as error:
            raise error if self._own is None else self._own.located(error) from error.__cause__

    def call(self, process: Any, f: str, value: Any = None, key: Any = None) -> int:
        """An operation is called: a token for its end. ModelError or HistoryError if the model does not have it."""
        with self._turn, self._door():
            return self._core.call(process, f, value, key)

    def ret(self, token: int, result: Any = None) -> None:
        """The operation returned this."""
        with self._turn, self._door():
            self._core.ret(token, result)

    def fail(self, token: int) -> None:
        """The operation ended without an effect."""
        with self._door():
            self._core.fail(token)

    def info(self, token: int) -> None:
        """It is not known whether the operation took effect, or will: its caller gave up, or crashed."""
        with self._door():
            self._core.info(token)

    def feed(self, data: bytes) -> None:
        """The next bytes of a log, in any format of events; the beginning of a line waits for its end."""
        for start in range(0, len(data), PIECE):
            self.take(data[start : start + PIECE])
            self.look()

    def take(self, data: bytes) -> None:
        """The same without judging: all of it is taken, whoever presses Ctrl-C meanwhile."""
        with self._door():
            self._core.push(data)

    def look(self) -> None:
        """Judges what can be judged cheaply, if enough has gathered."""
        with self._turn, self._door():
            self._core.judge_if_ripe()

    def end_of_input(self) -> None:
        """The log has ended, perhaps without a last newline."""
        with self._door():
            self._core.finish()

    def line_lost(self) -> bool:
        """The end of a line will not come: was there a beginning of one? It is forgotten."""
        with self._door():
            return self._core.drop_partial()

    def line_begun(self) -> int:
        """Bytes of a line of a log whose end has not come yet."""
        with self._door():
            return self._core.begun()

    def save(self) -> str:
        """Everything that is kept, as one line of JSON: what `restore` of a monitor of the same model goes on from.

        UsageError if the model is your own: its states cannot be saved.
        """
        with self._turn:
            try:
                state = self._core.save()
            except ValueError as error:
                raise UsageError(f"this monitor cannot be saved: {error}") from None
            self._gather()
            found = [violation.to_alarm() for violation in (*self._violations, *self._fresh)]
        return f"{_FOUND}{ascii_json(found)},{state[1:]}" if found else state

    def restore(self, state: str) -> None:
        """Goes on from what was saved; UsageError if it is something else.

        To be called before anything else. Tokens of the other monitor are void.
        """
        try:
            self._core.restore(state)
            if state.startswith(_FOUND):
                found, _ = json.JSONDecoder().raw_decode(state, len(_FOUND))
                self._violations = [Violation.of_alarm(self.model, alarm) for alarm in found]
        except (ValueError, LookupError, TypeError, AttributeError, StopIteration) as error:
            raise UsageError(f"this state cannot be restored: {error}") from None

    def judge(self) -> None:
        """Judges everything that has gathered."""
        with self._turn, self._door():
            self._core.judge()

    @property
    def verdict(self) -> Verdict:
        """The verdict of everything so far. Unknown if something was fed and no line of it is an event."""
        self.judge()
        return self.standing()[0]

    @property
    def since(self) -> int | None:
        """The number of the event since which it is a violation, or unknown."""
        self.judge()
        return self.standing()[1]

    @property
    def cause(self) -> Cause | None:
        """Why it is unknown."""
        self.judge()
        return self.standing()[2]

    @property
    def violations(self) -> list[Violation]:
        """All violations that were found; without `keep_going` at most one."""
        self.judge()
        with self._turn:
            self._violations += self.news()
            return list(self._violations)

    @property
    def violation(self) -> Violation | None:
        """The first violation."""
        return next(iter(self.violations), None)

    def news(self) -> list[Violation]:
        """Violations that were found and not told yet; judges nothing. `violations` does not have them any more."""
        with self._turn:
            self._gather()
            fresh, self._fresh = self._fresh, []
        return fresh

    def _gather(self) -> None:
        """What was found since. To be called by the thread whose turn it is."""
        with self._door():
            alarms = self._core.alarms()
        self._fresh += [Violation.of_alarm(self.model, alarm) for alarm in alarms]

    def standing(self) -> tuple[Verdict, int | None, Cause | None]:
        """The verdict of what was judged so far, the event since which, and why it is unknown; judges nothing."""
        with self._door():
            verdict, since, cause = self._core.standing()
        return Verdict(verdict), since, None if cause is None else Cause.parse(cause)

    def lost(self) -> tuple[int, Cause] | None:
        """The event since which not everything was judged, and why; also behind a violation. Judges nothing."""
        with self._door():
            lost = self._core.lost()
        return None if lost is None else (lost[0], Cause.parse(lost[1]))

    def complaints(self) -> list[tuple[int, str]]:
        """Lines of a log that were skipped and not told yet: their numbers, and what is wrong with them."""
        with self._door():
            return self._core.complaints()

    def counts(self) -> Counts:
        """How much there is."""
        with self._door():
            return Counts(**self._core.counts())

    def __enter__(self) -> Monitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.judge()
