"""Where words go: results to standard output, everything else to standard error. And what the exit status says.

Everything goes through `printable` on its way. A stream that cannot be written to (a reader that has gone away, a full disk, a
closed descriptor) is written to no more; it never changes the exit status. Rich is loaded for terminals and for tables.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import IO, TYPE_CHECKING, Any, ParamSpec, TextIO, cast

import typer

from linpoint.cli.attention import attention
from linpoint.errors import LinpointError, ReadError, Unfinished
from linpoint.styled import Text
from linpoint.text import printable
from linpoint.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

LINEARIZABLE, VIOLATION, TROUBLE, UNKNOWN = 0, 1, 2, 3
STATUS = {Verdict.LINEARIZABLE: LINEARIZABLE, Verdict.VIOLATION: VIOLATION, Verdict.UNKNOWN: UNKNOWN}

PIPED_WIDTH = 100
"""Columns, where the output is not a terminal and COLUMNS does not tell."""

UNBROKEN = 1000
"""Columns of a table that goes to such a place: programs want a row on one line."""

_AS_TERMINAL = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""Variables by which a pipe may ask rich for colours."""

P = ParamSpec("P")


def worst(statuses: Iterable[int]) -> int:
    """The exit status over several files: a violation counts most, then a file that could not be judged, then unknown."""
    return max(statuses, key=[LINEARIZABLE, UNKNOWN, TROUBLE, VIOLATION].index, default=LINEARIZABLE)


class Steady:
    """A stream that never fails: what cannot be written is dropped, and `failure` says why."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.failure: OSError | ValueError | None = None

    def write(self, text: str) -> int:
        """Writes, or drops."""
        self._attempt(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        """Sees to it that all is written, or drops it."""
        self._attempt(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _attempt(self, act: Callable[..., object], *args: str) -> None:
        if self.failure is None:
            try:
                act(*args)
            except (OSError, ValueError) as error:
                self.failure = error


def steady_streams() -> None:
    """Makes the three streams safe: closed ones lead nowhere, failing ones fall silent, unknown characters become `?`."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    for name, descriptor, errors in (("stdout", 1, "replace"), ("stderr", 2, "backslashreplace")):
        stream = getattr(sys, name) or open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        stream.reconfigure(errors=errors)
        setattr(sys, name, cast(TextIO, Steady(stream)))


def full_disk() -> OSError | ValueError | None:
    """Why standard output could not be written, unless it is only that its reader had enough."""
    failure = getattr(sys.stdout, "failure", None)
    return None if isinstance(failure, BrokenPipeError) else failure


def stdout() -> Console:
    """The console for results. Colours only on a terminal, and not with NO_COLOR."""
    return _console(sys.stdout)


def stderr() -> Console:
    """The console for everything else."""
    return _console(sys.stderr)


def _console(file: IO[str]) -> Console:
    from rich.console import Console  # noqa: PLC0415 - loads slowly

    return Console(file=file, highlight=False, width=None if file.isatty() else _piped_width())


def _is_plain(file: IO[str]) -> bool:
    """Does it take words only? No terminal, and nobody says that it is as good as one."""
    return not file.isatty() and os.environ.keys().isdisjoint(_AS_TERMINAL)


def width() -> int:
    """The columns that results may take."""
    return _piped_width() if _is_plain(sys.stdout) else stdout().width


def screen() -> int | None:
    """The columns of the terminal that results go to; None if there is none."""
    return None if _is_plain(sys.stdout) or not stdout().is_terminal else stdout().width


def _piped_width() -> int:
    return _told_width() or PIPED_WIDTH


def _told_width() -> int | None:
    """What COLUMNS says, if it makes sense."""
    told = os.environ.get("COLUMNS", "")
    return max(int(told), 20) if told.isdecimal() and int(told) < 10_000 else None


class Printable:
    """Whatever is to be printed, with every piece of its text made printable: the last door before the screen."""

    def __init__(self, what: RenderableType) -> None:
        self._what = what

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment  # noqa: PLC0415 - rich is there

        for segment in console.render(self._what, options):
            if segment.control:
                yield segment
            else:
                yield Segment(printable(segment.text, lines=True), segment.style)


def say(what: Text | RenderableType, wide: bool = False) -> None:
    """Prints a result, whole."""
    with attention.shielded():
        if isinstance(what, (str, Text)) and _is_plain(sys.stdout):
            sys.stdout.write(printable(str(what), lines=True) + "\n")
        else:
            _print(what, wide)
        sys.stdout.flush()


def _print(what: Text | RenderableType, wide: bool) -> None:
    console = stdout()
    if wide and not console.is_terminal:
        console.width = UNBROKEN if _told_width() is None else _piped_width()
    with console.capture() as captured:
        console.print(Printable(_rich(what)), soft_wrap=not wide, markup=False)
    text = captured.get()
    # A table fills its lines with blanks, which a pipe has no use for.
    sys.stdout.write("".join(line.rstrip(" \n") + "\n" for line in text.splitlines()) if wide else text)


def _rich(what: Text | RenderableType) -> RenderableType:
    """What rich takes for it."""
    if not isinstance(what, (str, Text)):
        return what
    from rich.text import Text as Styled  # noqa: PLC0415 - rich is there

    return Styled.assemble(*what.pieces) if isinstance(what, Text) else Styled(what)


def deliver(text: str) -> None:
    """Writes a file to standard output: its very text, or, to a terminal, a printable form. The file is all that was wanted."""
    with attention.shielded():
        sys.stdout.write(printable(text, lines=True) if sys.stdout.isatty() else text)
        sys.stdout.flush()
    if full_disk() is not None:
        raise typer.Exit(TROUBLE)


def complain(message: str) -> None:
    """An error: one line, or several of which the later ones are indented, so that no text can pass for a line of ours."""
    with attention.shielded():
        shown = printable(f"linpoint: {message}".rstrip("\n"), lines=True).replace("\n", "\n  ")
        if _is_plain(sys.stderr):
            sys.stderr.write(shown + "\n")
            sys.stderr.flush()
        else:
            stderr().print(shown, style="bold", soft_wrap=True, markup=False, emoji=False)


def words_of(error: BaseException, file: str) -> str:
    """An error in words that name the file."""
    if isinstance(error, OSError) and not isinstance(error, LinpointError):
        return f"{printable(os.fsdecode(error.filename or file))}: {(error.strerror or str(error)).lower()}"
    return str(error) if isinstance(error, ReadError) else f"{printable(file)}: {error}"


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """A subcommand whose errors are one line on standard error and an exit status of 2, never a traceback."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except (typer.Exit, typer.Abort):
            raise
        except OSError as error:
            if error.errno != errno.EPIPE:
                complain(words_of(error, "") if error.filename else str(error))
                raise typer.Exit(TROUBLE) from None
        except LinpointError as error:
            complain(str(error))
            raise typer.Exit(UNKNOWN if isinstance(error, Unfinished) else TROUBLE) from None
        except KeyboardInterrupt:
            complain(attention.stopped())
            raise typer.Exit(UNKNOWN) from None
        except Exception as error:
            complain(f"{type(error).__name__}: {error}")  # never the exit status of a violation
            raise typer.Exit(TROUBLE) from None

    return run
