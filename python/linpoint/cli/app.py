"""`linpoint`: the program, its subcommands, `--version`."""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer
import typer.main

from linpoint import __version__
from linpoint.cli import certify, check, convert, explain, formats, lts, models
from linpoint.cli.attention import attention
from linpoint.cli.output import TROUBLE, UNKNOWN, complain, full_disk, steady_streams

app = typer.Typer(
    name="linpoint",
    help="Does this concurrent object behave as if each operation took effect at one instant?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command(name="check")(check.check)
app.command(name="explain")(explain.explain)
app.command(name="certify")(certify.certify)
app.command(name="convert")(convert.convert)
app.command(name="models")(models.models)
app.command(name="formats")(formats.formats)
app.add_typer(lts.app, name="lts")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"linpoint {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Does this concurrent object behave as if each operation took effect at one instant?"""


def main() -> NoReturn:
    """Runs the program; the exit status is 0 linearizable, 1 violation, 2 bad input or usage, 3 unknown.

    It leaves without Python's farewell: all is written by then, and a Ctrl-C during the farewell, a stream that cannot be
    flushed, or a thread that still runs a user's model would have the last word otherwise.
    """
    attention.install(UNKNOWN)
    steady_streams()
    status = run(sys.argv[1:])
    sys.stdout.flush()
    if (failure := full_disk()) is not None:
        complain(f"standard output: {(getattr(failure, 'strerror', None) or str(failure)).lower()}")
    sys.stderr.flush()
    os._exit(status)


def run(args: list[str]) -> int:
    """Runs the program with these arguments; the exit status. Bad usage is one line on standard error."""
    try:
        done = typer.main.get_command(app)(args, prog_name="linpoint", standalone_mode=False)
    except Exception as error:
        say_how = getattr(error, "format_message", None)  # what typer raises for bad usage
        if say_how is None:
            complain(f"a bug in linpoint, please report it: {type(error).__name__}: {error}")
            return TROUBLE
        message, context = say_how(), getattr(error, "ctx", None)
        if message and context is not None:
            message = f"{message.rstrip('.')}. See {context.command_path} --help."
        if message:  # there is none where the help was shown instead
            complain(message)
        return TROUBLE
    return done if isinstance(done, int) else 0
