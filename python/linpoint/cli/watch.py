"""One run of `linpoint monitor`: it reads, judges and tells, and may leave a checkpoint behind."""

from __future__ import annotations

import contextlib
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from linpoint.cli.attention import attention
from linpoint.cli.known import Known
from linpoint.cli.metrics import metrics
from linpoint.cli.output import STATUS, TROUBLE, complain, say, words_of
from linpoint.errors import LinpointError, ModelError, UsageError
from linpoint.files import write_file
from linpoint.monitor import Monitor, Violation
from linpoint.monitor.checkpoint import TAIL, Checkpoint
from linpoint.monitor.inputs import Note, Piece
from linpoint.monitor.monitor import PIECE
from linpoint.styled import Text
from linpoint.text import ascii_json, counted, printable
from linpoint.verdict import Cause, Verdict

TOLD = 10
"""So many skipped lines are told one by one; the rest are counted."""
GRACE = 30.0
"""Seconds that the command of --on-violation has."""
LAST_LOOK = 1.0
"""Seconds of CPU time for what was not judged yet when Ctrl-C was pressed."""
STDERR = 2
"""The descriptor of standard error."""
EXPECTED = "Each line has to be one event; --map tells what foreign names mean, and linpoint check reads other formats"
"""What a log has to be."""
OFTEN = 0.2
"""Seconds between two checkpoints, at least; and writing them takes a twentieth of the time at most."""


@dataclass
class Watch:
    """One run of the monitor."""

    source: str
    model: str
    monitor: Monitor
    on_violation: list[str] | None = None
    page: str | None = None
    metrics: str | None = None
    checkpoint: str | None = None
    line: bool = False
    silent: bool = False
    """Is only the end told?"""
    quiet: bool = False
    """Is nothing told, not even lines that are skipped?"""
    strict: bool = False
    keep_going: bool = False
    waits: bool = False
    """Does the source go on when nothing comes?"""
    by_time: bool = False
    """Are there events that wait for their time?"""
    offset: int = 0
    """Bytes of the log that were read."""
    found: int = 0
    """Violations that were told."""
    first: dict[str, Any] | None = None
    """The first of them."""
    failure: str | None = None
    """What went wrong behind them, and ended the watch."""
    _begun: float = field(default_factory=time.monotonic)
    _shown: float = field(default_factory=time.monotonic)
    _next: float = 0.0
    _recent: bytes = b""
    """The last bytes that were read."""
    _tail: bytes = b""
    """Those before the line that has begun."""
    _events_shown: int = 0
    _told: int = 0
    _bad_line: int = 0
    _line_open: bool = False
    _kept: bool = False
    """Is the checkpoint final? What was taken since then only because the log ended is read again when it goes on."""
    _last: Known | None = None
    _unjudged: bool = False
    _warned: bool = False
    _troubled: set[str] = field(default_factory=set)

    def resume(self, checkpoint: Checkpoint, recent: bool) -> None:
        """Goes on from a checkpoint; `recent` if the log is the one that it is about, else it is read from its beginning."""
        self.monitor.restore(checkpoint.state)
        self.found, self.first = checkpoint.violations, checkpoint.first
        if recent:
            self.offset, self._recent = checkpoint.offset, checkpoint.tail.encode("latin-1")
            self._tail = self._recent
        self._last = Known.of(self.monitor)
        self._told = self._last.counts.skipped

    def run(self, pieces: Iterator[Piece]) -> None:
        """Until the stream ends, Ctrl-C is pressed or SIGTERM comes, or nothing more is to be said."""
        attention.heed(signal.SIGTERM)
        try:
            self._watch(pieces)
        except Exception as error:
            self._rescue(error)
        finally:
            self._end_line()
            with contextlib.suppress(LinpointError):  # the monitor is lost, and nothing was found
                self._write_metrics(self._known())

    def _watch(self, pieces: Iterator[Piece]) -> None:
        try:
            with attention.step():
                if self._over():
                    return
                for piece in pieces:
                    if isinstance(piece, Note):
                        cut = ", and a line that had begun is lost" if self.monitor.line_lost() else ""
                        self._complain(f"{printable(self.source)}: {piece.words}{cut}")
                        self.offset, self._recent, self._tail = 0, b"", b""
                        continue
                    if piece:
                        self._take(piece)
                    else:
                        self.monitor.judge()
                    if self._over():
                        return
                    self._warn(idle=not piece)
                    self._show()
                    self._save(always=False)
                if self.by_time or self.monitor.line_begun():  # the log may go on
                    self._save(always=True)
                    self._kept = True
                self.monitor.end_of_input()
                self.monitor.judge()
        except KeyboardInterrupt:
            attention.stopped()
            self._last_look()
        self._over()
        if not self._kept:
            self._save(always=True)

    def _rescue(self, error: Exception) -> None:
        """Something failed. A violation that was found is told all the same; if there is none, the error is."""
        if not isinstance(error, ModelError):
            with contextlib.suppress(LinpointError):
                self._last_look()
        with contextlib.suppress(LinpointError):
            self._over()
        if isinstance(error, OSError) and error.filename is None:
            error.filename = self.source
        if not self.found:
            raise error
        self.failure = str(error) if isinstance(error, UsageError) else words_of(error, self.source)
        self._complain(self.failure)

    def _known(self) -> Known:
        """What the monitor knows; if it is lost to the code of a model, what it knew at the last violation."""
        try:
            return Known.of(self.monitor)
        except ModelError:
            if self._last is None:
                raise
            return self._last

    def _last_look(self) -> None:
        """Judges what has gathered, if that takes no longer than who wants out may wait."""
        try:
            with attention.step(grace=LAST_LOOK, last=True):
                self.monitor.judge()
        except KeyboardInterrupt:
            attention.stopped()
            self._unjudged = True

    def _standing(self) -> tuple[Verdict, int | None, Cause | None]:
        """The verdict, the event since which, and why it is unknown. Judges nothing: `run` has, unless it was interrupted."""
        verdict, since, cause = self._known().standing
        if self._unjudged and verdict is Verdict.LINEARIZABLE:
            return Verdict.UNKNOWN, None, Cause.INTERRUPTED
        return verdict, since, cause

    def _take(self, data: bytes) -> None:
        """The next bytes. Ctrl-C may end judging them, but not fall between taking them and noting how far the log was read."""
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            with attention.shielded():
                self.monitor.take(piece)
                self.offset += len(piece)
                if end := piece.rfind(b"\n") + 1:
                    self._tail = (self._recent + piece[max(end - TAIL, 0) : end])[-TAIL:]
                self._recent = (self._recent + piece[-TAIL:])[-TAIL:]
            self.monitor.look()

    def _save(self, always: bool) -> None:
        """Leaves a checkpoint, if it is time."""
        now = time.monotonic()
        if self.checkpoint is None or (now < self._next and not always):
            return
        begun = self.monitor.line_begun()
        tail = self._tail if begun else self._recent
        state, path = self.monitor.save(), self.checkpoint
        kept = Checkpoint(self.model, self.offset - begun, tail.decode("latin-1"), self.found, self.first, state)
        self._try(lambda: kept.write(path), path)
        took = time.monotonic() - now
        self._next = now + max(OFTEN, 20 * took)

    def _over(self) -> bool:
        """Tells what is new; is there nothing more to do?"""
        for line, words in self.monitor.complaints():
            self._told += 1
            self._bad_line = self._bad_line or line
            if self._told <= TOLD or self.strict:
                self._complain(f"{printable(self.source)}:{line}: {words}")
            elif self._told == TOLD + 1:
                self._complain(f"{printable(self.source)}: further lines that are skipped are only counted")
        with attention.shielded():  # what was told once is not told again
            news = self.monitor.news()
            for violation in news:
                self.found += 1
                self.first = self.first or violation.to_dict()
                attention.status = STATUS[Verdict.VIOLATION]
                self._alarm(violation)
            if news:
                self._last = Known.of(self.monitor)
            if news and not self._kept:
                self._save(always=True)
        bad_line = self.strict and self.monitor.counts().skipped > 0
        return bad_line or (self.found > 0 and not self.keep_going)

    def _warn(self, idle: bool) -> None:
        """Says once that no line so far is an event: whoever waits for ever should know."""
        if self._warned or not self.waits or not (idle or self._told >= TOLD):
            return
        if self.monitor.standing()[2] is Cause.UNREADABLE:
            self._warned = True
            lines = (
                "the first line is no event"
                if self._told == 1
                else f"none of the first {self._told:,} lines is an event"
            )
            self._complain(f"{printable(self.source)}: {lines}. {EXPECTED}. Waiting for one")

    def _alarm(self, violation: Violation) -> None:
        explanation = violation.explanation()
        if not self.silent:
            self._end_line()
            say(Text(str(violation)))
        if self.page is not None and self.found == 1:
            if explanation is None:
                self._complain(f"no page: what happened before event {violation.around[0].call} was forgotten")
            else:
                page = self.page
                self._try(lambda: explanation.save(page), page)
        if self.on_violation is not None:
            self._command(self.on_violation, f"{ascii_json(self._certificate(violation))}\n")

    def _certificate(self, violation: Violation) -> dict[str, Any]:
        return {"source": self.source, "model": str(self.monitor.model), **violation.to_dict()}

    def _command(self, command: list[str], certificate: str) -> None:
        try:
            done = subprocess.run(  # noqa: S603 - what the user asked for
                command,
                input=certificate.encode(),
                stdout=STDERR,  # standard output is ours: with --json one object, and nothing else
                timeout=GRACE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self._complain(
                f"--on-violation: {printable(command[0])} did not end within {GRACE:.0f} seconds, and was killed"
            )
            return
        except OSError as error:
            self._complain(f"--on-violation: {words_of(error, command[0])}")
            return
        if done.returncode != 0:
            self._complain(f"--on-violation: {printable(command[0])} ended with status {done.returncode}")

    def _try(self, write: Callable[[], None], path: str) -> None:
        """Writes a file. A disk that is full is no reason not to watch: it is told, once until it is well again."""
        try:
            write()
            self._troubled.discard(path)
        except OSError as error:
            if path not in self._troubled:
                self._troubled.add(path)
                self._complain(f"{words_of(error, path)}; watching goes on")

    def _complain(self, words: str) -> None:
        if not self.quiet:
            self._end_line()
            complain(words)

    def _end_line(self) -> None:
        """What is said next begins a line of its own, behind the status line."""
        if self._line_open:
            sys.stderr.write("\n")
            sys.stderr.flush()
            self._line_open = False

    def _show(self) -> None:
        """The status line and the metrics, once a second."""
        now = time.monotonic()
        if now - self._shown < 1.0 or not (self.line or self.metrics):
            return
        known = self._known()
        counts = known.counts
        rate = (counts.events - self._events_shown) / (now - self._shown)
        self._shown, self._events_shown = now, counts.events
        if self.line:
            said = (
                f"{counts.events:,} events, {rate:,.0f}/s, {counts.open} open, {counts.crashed} crashed, "
                f"{counts.configurations:,} configurations, {counts.bytes / 2**20:.1f} MiB, {counts.waiting} behind"
            )
            sys.stderr.write(f"\r\033[K{said}")
            sys.stderr.flush()
            self._line_open = True
        self._write_metrics(known)

    def _write_metrics(self, known: Known) -> None:
        if self.metrics is None:
            return
        text, path = metrics(known, self.found), self.metrics
        self._try(lambda: write_file(path, text.encode()), path)

    def trouble(self) -> str | None:
        """Why there is no verdict, in words; None if there is one."""
        counts = self._known().counts
        if self._standing()[2] is not Cause.UNREADABLE or self.strict:
            return None
        lines = "its only line" if counts.skipped == 1 else f"any of its {counts.skipped:,} lines"
        return f"no event could be read from {lines}, so there is no verdict. {EXPECTED}"

    def status(self) -> int:
        """The exit status."""
        if self.trouble() is not None or (self.strict and self._known().counts.skipped):
            return TROUBLE
        return STATUS[self._standing()[0]]

    def summary(self) -> dict[str, Any]:
        """What --json ends with."""
        known, trouble, (verdict, since, cause) = self._known(), self.trouble(), self._standing()
        counts, why = known.counts, trouble or self.failure
        if verdict is Verdict.VIOLATION and known.lost is not None:
            cause = known.lost[1]
        return {
            "source": self.source,
            "model": self.model,
            "events": counts.events,
            "operations": counts.operations,
            "verdict": str(verdict) if trouble is None else None,
            "event": since,
            "cause": why or (None if cause is None else str(cause)),
            "seconds": round(time.monotonic() - self._begun, 3),
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "skipped": counts.skipped,
            "counterexample": self.first,
        }

    def last_words(self) -> Text:
        """The verdict in one line."""
        known, (verdict, since, cause) = self._known(), self._standing()
        counts = known.counts
        if cause is Cause.UNREADABLE:
            return Text(f"stopped at line {self._bad_line}, and nothing was judged")  # of no other there are last words
        if verdict is Verdict.UNKNOWN:
            said = (
                f"UNKNOWN: {cause}, and the last events were not judged"
                if since is None
                else f"UNKNOWN since event {since}: {cause}"
            )
            if counts.restarts:
                said += f"; begun again {counted(counts.restarts, 'time')}, and no violation found since"
        elif verdict is Verdict.VIOLATION:
            said = f"VIOLATION since event {since}"
            if known.lost is not None:
                said += f"; not everything is judged since event {known.lost[0]}: {known.lost[1]}"
            if self.failure is not None:
                said += f"; stopped behind it: {self.failure}"
        else:
            said = "LINEARIZABLE"
        amount = f"{counted(counts.events, 'event')}, {counted(counts.operations, 'operation')}"
        if self.strict and counts.skipped:
            return Text(f"stopped at line {self._bad_line}; {said} until then ({amount})")
        if counts.skipped:
            return Text(f"{said}, of what was read ({amount}; {counted(counts.skipped, 'line')} skipped)")
        return Text(f"{said} ({amount})")
