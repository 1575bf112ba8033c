"""Where words go: results to standard output, everything else to standard error. And what the exit status says."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import IO, ParamSpec

import typer
from rich.console import Console, RenderableType

from linpoint.errors import LinpointError, ReadError
from linpoint.verdict import Verdict

LINEARIZABLE, VIOLATION, TROUBLE, UNKNOWN = 0, 1, 2, 3
STATUS = {Verdict.LINEARIZABLE: LINEARIZABLE, Verdict.VIOLATION: VIOLATION, Verdict.UNKNOWN: UNKNOWN}

PIPED_WIDTH = 100
"""Columns, where the output is not a terminal."""

P = ParamSpec("P")


def worst(statuses: Iterable[int]) -> int:
    """The exit status over several files: a violation counts most, then a file that could not be judged, then unknown."""
    return max(statuses, key=[LINEARIZABLE, UNKNOWN, TROUBLE, VIOLATION].index, default=LINEARIZABLE)


def stdout() -> Console:
    """The console for results. Colours only on a terminal, and not with NO_COLOR."""
    return _console(sys.stdout)


def stderr() -> Console:
    """The console for everything else."""
    return _console(sys.stderr)


def _console(file: IO[str]) -> Console:
    return Console(file=file, highlight=False, width=None if file.isatty() else PIPED_WIDTH)


def say(what: RenderableType, wide: bool = False) -> None:
    """Prints a result. A reader that has gone away (`| head`) is no error; a character it cannot show becomes `?`."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    try:
        console = stdout()
        if wide and not console.is_terminal:
            console.width = 1000
        console.print(what, soft_wrap=not wide, markup=False)
        sys.stdout.flush()
    except BrokenPipeError:
        silence()


def silence() -> None:
    """Sends the rest of standard output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> None:
    """An error, in one line."""
    shown = "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in message)
    stderr().print(f"linpoint: {shown}", style="bold", soft_wrap=True, markup=False)


def words_of(error: BaseException, file: str) -> str:
    """An error in words that name the file."""
    if isinstance(error, OSError) and not isinstance(error, LinpointError):
        return f"{error.filename or file}: {(error.strerror or str(error)).lower()}"
    return str(error) if isinstance(error, ReadError) else f"{file}: {error}"


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """A subcommand whose errors are one line on standard error and an exit status of 2, never a traceback."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except BrokenPipeError:
            silence()
        except OSError as error:
            complain(f"{error.filename}: {(error.strerror or str(error)).lower()}" if error.filename else str(error))
            raise typer.Exit(TROUBLE) from None
        except LinpointError as error:
            complain(str(error))
            raise typer.Exit(TROUBLE) from None
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(UNKNOWN) from None
        except (ArithmeticError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
            if isinstance(error, (typer.Exit, typer.Abort)):
                raise
            complain(f"{type(error).__name__}: {error}")  # never the exit status of a violation
            raise typer.Exit(TROUBLE) from None

    return run
