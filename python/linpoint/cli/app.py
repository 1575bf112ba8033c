"""`linpoint`: the program, its subcommands, `--version`.

A subcommand is imported when it is called, and all of them only where the help lists them: a check of ten operations is
over before the code that draws pages or compares transition systems would be loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, NoReturn

import typer
import typer.main

from linpoint import __version__
from linpoint.cli.attention import attention
from linpoint.cli.command import Command, Group
from linpoint.cli.output import TROUBLE, UNKNOWN, complain, full_disk, steady_streams
from linpoint.history.door import give_memory_back

COMMANDS = (
    "check",
    "monitor",
    "explain",
    "certify",
    "convert",
    "models",
    "formats",
    "methods",
    "lts",
    "verify",
    "extend",
)
"""The subcommands, each in a file of its name, in the order of the help."""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"linpoint {__version__}")
        raise typer.Exit


def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Does this concurrent object behave as if each operation took effect at one instant?

    Begin with `linpoint check FILE`: it recognises the format, guesses the model, and says what a file with foreign names needs.
    """


COMPLETING = "_LINPOINT_COMPLETE"
"""The variable by which a shell asks how a line may go on."""


def program(commands: Iterable[str] = COMMANDS, completion: bool = False) -> typer.Typer:
    """The program with these subcommands; `completion`: also with what teaches a shell to complete lines, which loads slowly."""
    app = typer.Typer(
        name="linpoint",
        help=root.__doc__,
        no_args_is_help=True,
        add_completion=completion,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        cls=Group,
    )
    app.callback()(root)
    for name in commands:
        room = import_module(f"linpoint.cli.{name}")
        if hasattr(room, "app"):
            app.add_typer(room.app, name=name)
        else:
            app.command(name=name, cls=Command)(getattr(room, name))
    return app


def main() -> NoReturn:
    """Runs the program; the exit status is 0 linearizable, 1 violation, 2 bad input or usage, 3 unknown.

    It leaves without Python's farewell: all is written by then, and a Ctrl-C during the farewell, a stream that cannot be
    flushed, or a thread that still runs a user's model would have the last word otherwise.
    """
    attention.install(UNKNOWN)
    steady_streams()
    give_memory_back()
    status = run(sys.argv[1:])
    sys.stdout.flush()
    if (failure := full_disk()) is not None:
        complain(f"standard output: {(getattr(failure, 'strerror', None) or str(failure)).lower()}")
    sys.stderr.flush()
    os._exit(status)


def run(args: list[str]) -> int:
    """Runs the program with these arguments; the exit status. Bad usage is one line on standard error."""
    try:
        named = args[:1] if args[:1] and args[0] in COMMANDS else () if args == ["--version"] else COMMANDS
        completion = COMPLETING in os.environ or args[:1] not in ([command] for command in COMMANDS)
        named = COMMANDS if COMPLETING in os.environ else named
        done = typer.main.get_command(program(named, completion and named == COMMANDS))(
            args, prog_name="linpoint", standalone_mode=False
        )
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
