"""`linpoint`: the program, its subcommands, `--version`."""

from __future__ import annotations

from typing import Annotated

import typer

from linpoint import __version__
from linpoint.cli import certify, check, convert, explain, formats, lts, models

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


def main() -> None:
    """Runs the program; the exit status is 0 linearizable, 1 violation, 2 bad input or usage, 3 unknown."""
    app()
