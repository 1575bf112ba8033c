"""`linpoint models [NAME]`: what is allowed."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from linpoint.cli.output import guarded, say
from linpoint.models import ModelInfo, catalog, parse


@guarded
def models(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Show the operations and options of this model.")
    ] = None,
) -> None:
    """List the models that histories can be checked against, or show one of them."""
    if name is None:
        say(_all(catalog()), wide=True)
        say(
            "`linpoint models NAME` shows operations, synonyms and options. Your own model is a Python class: see linpoint.Model."
        )
        return
    model = parse(name)
    info = next(info for info in catalog() if info.name == model.name)
    say(f"{info.name}: {info.summary}")
    say(_operations(info), wide=True)
    for option in info.options:
        say(f"option {option.name}={option.default}: {option.meaning}")
    if info.aliases:
        say(f"also called {', '.join(info.aliases)}")


def _all(infos: list[ModelInfo]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("model", style="bold", no_wrap=True)
    table.add_column("what it is")
    table.add_column("operations")
    for info in infos:
        table.add_row(info.name, info.summary, ", ".join(operation.name for operation in info.operations))
    return table


def _operations(info: ModelInfo) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("operation", "also called", "value", "result"):
        table.add_column(column, style="bold" if column == "operation" else None)
    for operation in info.operations:
        table.add_row(*(Text(cell) for cell in operation))
    return table
