"""`linpoint monitor`: is what is happening linearizable?"""

from __future__ import annotations

import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.text import Text

from linpoint.cli.attention import attention
from linpoint.cli.options import FailedCas, Format, Independent
from linpoint.cli.output import STATUS, TROUBLE, complain, guarded, say
from linpoint.errors import UsageError
from linpoint.explain import explain
from linpoint.files import try_path, write_file
from linpoint.formats import format_named
from linpoint.models import parse
from linpoint.monitor import Counts, Monitor, Violation
from linpoint.monitor.inputs import Note, Piece, following, from_descriptor, from_file, from_socket
from linpoint.text import ascii_json, printable
from linpoint.verdict import Verdict

TOLD = 10
"""So many skipped lines are told one by one; the rest are counted."""
GRACE = 30.0
"""Seconds that the command of --on-violation has."""

_EPILOG = (
    "Exit status: 0 linearizable until the end, or until Ctrl-C; 1 a violation; 2 bad usage, or a bad line with --strict; "
    "3 not known since some event."
)


@guarded
def monitor(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A log of events; - is standard input.")] = "-",
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="What is allowed, as in register:initial=0.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="The file grows: wait for more, until Ctrl-C.")] = False,
    socket: Annotated[
        str | None, typer.Option(metavar="PATH", help="Listen to a Unix socket instead, until Ctrl-C.")
    ] = None,
    format: Format = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    keep_going: Annotated[
        bool, typer.Option("--continue", help="Go on after a violation, as if the accused operation had not been.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at a line that is no event, instead of skipping it.")
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="What judging may take. Default: 1GiB, or half of what is available."),
    ] = None,
    on_violation: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Run this for every violation, without a shell; it gets it as JSON."),
    ] = None,
    page: Annotated[
        str | None, typer.Option("--report", metavar="REPORT.html", help="Write a page that shows the violation.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep counts there, as Prometheus reads them.")
    ] = None,
    status: Annotated[bool, typer.Option("--status/--no-status", help="Show a status line on a terminal.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object, on one line.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit status tells.")] = False,
) -> None:
    """Judge a stream of calls and returns while it runs."""
    if model is None:
        raise UsageError("--model is needed: a stream has to be judged from its first event on")
    if socket is not None and (follow or file != "-"):
        raise UsageError("--socket takes the place of a file")
    if follow and file == "-":
        raise UsageError("--follow needs the name of a file")
    for path in (page, metrics):
        if path is not None:
            try_path(path, () if file == "-" else (file,))
    watch = Watch(
        source=socket or file,
        monitor=Monitor(
            parse(model),
            keep_going=keep_going,
            memory=memory,
            strict=strict,
            format=None if format is None else format_named(format),
            independent=independent,
            failed_cas=failed_cas,
        ),
        on_violation=None if on_violation is None else shlex.split(on_violation),
        page=page,
        metrics=metrics,
        line=status and not quiet and sys.stderr.isatty(),
        silent=quiet or as_json,
        strict=strict,
        keep_going=keep_going,
    )
    pieces = from_socket(socket) if socket else from_descriptor(0) if file == "-" else None
    if pieces is None:
        pieces = following(file) if follow else from_file(file)
    watch.run(pieces)
    if not quiet:
        say(Text(ascii_json(watch.summary(model))) if as_json else watch.last_words())
    raise typer.Exit(watch.status())


monitor.__doc__ = f"{monitor.__doc__}\n\n{_EPILOG}"


class Watch:
    """One run of the monitor: reads, judges, tells."""

    def __init__(
        self,
        source: str,
        monitor: Monitor,
        on_violation: list[str] | None,
        page: str | None,
        metrics: str | None,
        line: bool,
        silent: bool,
        strict: bool,
        keep_going: bool,
    ) -> None:
        self._source, self._monitor = source, monitor
        self._on_violation, self._page, self._metrics = on_violation, page, metrics
        self._line, self._silent, self._strict, self._keep_going = line, silent, strict, keep_going
        self._begun = self._shown = time.monotonic()
        self._events_shown = 0
        self._told = 0
        self.violations: list[Violation] = []

    def run(self, pieces: Iterator[Piece]) -> None:
        """Until the stream ends, Ctrl-C is pressed, or nothing more is to be said."""
        try:
            with attention.step():
                for piece in pieces:
                    if isinstance(piece, Note):
                        cut = ", and a line that had begun is lost" if self._monitor.line_lost() else ""
                        complain(f"{printable(self._source)}: {piece.words}{cut}")
                        continue
                    if piece:
                        self._monitor.feed(piece)
                    else:
                        self._monitor.judge()
                    if self._over():
                        return
                    self._show()
                self._monitor.end_of_input()
                self._monitor.judge()
        except KeyboardInterrupt:
            attention.stopped()
            self._monitor.judge()
        self._over()
        self._write_metrics(self._monitor.counts())

    def _over(self) -> bool:
        """Tells what is new; is there nothing more to do?"""
        for line, words in self._monitor.complaints():
            self._told += 1
            if self._told <= TOLD or self._strict:
                complain(f"{printable(self._source)}:{line}: {words}")
            elif self._told == TOLD + 1:
                complain(f"{printable(self._source)}: further lines that are skipped are only counted")
        for violation in self._monitor.news():
            self.violations.append(violation)
            self._alarm(violation)
        bad_line = self._strict and self._monitor.counts().skipped > 0
        return bad_line or (bool(self.violations) and not self._keep_going)

    def _alarm(self, violation: Violation) -> None:
        result = violation.result()
        explanation = None if result is None else explain(result)
        if not self._silent:
            say(Text(str(violation)))
        if self._page is not None and len(self.violations) == 1:
            if explanation is None:
                complain(f"no page: what happened before event {violation.around[0].call} was forgotten")
            else:
                explanation.save(self._page)
        if self._on_violation is not None:
            self._command(self._on_violation, ascii_json(self._certificate(violation)))

    def _certificate(self, violation: Violation) -> dict[str, Any]:
        return {"source": self._source, "model": str(self._monitor.model), **violation.to_dict()}

    def _command(self, command: list[str], certificate: str) -> None:
        try:
            done = subprocess.run(command, input=certificate.encode(), timeout=GRACE, check=False)  # noqa: S603 - what the user asked for
        except (OSError, subprocess.TimeoutExpired) as error:
            complain(f"--on-violation: {error}")
            return
        if done.returncode != 0:
            complain(f"--on-violation: {command[0]} ended with status {done.returncode}")

    def _show(self) -> None:
        """The status line and the metrics, once a second."""
        now = time.monotonic()
        if now - self._shown < 1.0 or not (self._line or self._metrics):
            return
        counts = self._monitor.counts()
        rate = (counts.events - self._events_shown) / (now - self._shown)
        self._shown, self._events_shown = now, counts.events
        if self._line:
            said = (
                f"{counts.events:,} events, {rate:,.0f}/s, {counts.open} open, {counts.crashed} crashed, "
                f"{counts.configurations:,} configurations, {counts.bytes / 2**20:.1f} MiB, {counts.waiting} behind"
            )
            sys.stderr.write(f"\r\033[K{said}")
            sys.stderr.flush()
        self._write_metrics(counts)

    def _write_metrics(self, counts: Counts) -> None:
        if self._metrics is None:
            return
        lines = [f"linpoint_violations {len(self.violations)}"]
        lines += [f"linpoint_{name} {value}" for name, value in asdict(counts).items()]
        write_file(self._metrics, "".join(f"{line}\n" for line in lines).encode())

    def status(self) -> int:
        """The exit status."""
        if self._strict and self._monitor.counts().skipped:
            return TROUBLE
        return STATUS[self._verdict()]

    def _verdict(self) -> Verdict:
        return self._monitor.verdict

    def summary(self, model: str) -> dict[str, Any]:
        """What --json ends with."""
        counts = self._monitor.counts()
        return {
            "source": self._source,
            "model": model,
            "events": counts.events,
            "operations": counts.operations,
            "verdict": str(self._verdict()),
            "event": self._monitor.since,
            "seconds": round(time.monotonic() - self._begun, 3),
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "skipped": counts.skipped,
            "counterexample": self.violations[0].to_dict() if self.violations else None,
        }

    def last_words(self) -> Text:
        """The verdict in one line."""
        counts, verdict = self._monitor.counts(), self._verdict()
        if verdict is Verdict.UNKNOWN:
            said = f"UNKNOWN since event {self._monitor.since}: {self._monitor.cause}"
        elif verdict is Verdict.VIOLATION:
            said = f"VIOLATION since event {self._monitor.since}"
        else:
            said = "LINEARIZABLE"
        skipped = f", {counts.skipped} lines skipped" if counts.skipped else ""
        return Text(f"{said} ({counts.events:,} events, {counts.operations:,} operations{skipped})")
