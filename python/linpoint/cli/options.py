"""Options that several subcommands share, defined once."""

from __future__ import annotations

from typing import Annotated

import typer

from linpoint.formats import EVENT_FORMATS, FORMATS

Format = Annotated[str | None, typer.Option(help=f"The format, if sniffing is not wanted: {', '.join(FORMATS)}.")]

EventFormat = Annotated[
    str | None, typer.Option(help=f"The format, if sniffing is not wanted: {', '.join(EVENT_FORMATS)}.")
]

OwnModel = Annotated[
    str | None,
    typer.Option(
        "--model", "-m", metavar="FILE.py:Class", help="The model again, if the result is about one of your own."
    ),
]

Independent = Annotated[
    bool,
    typer.Option("--independent", help="Values are Jepsen's independent pairs of key and value: one object per key."),
]

FailedCas = Annotated[
    bool, typer.Option("--failed-cas", help='Read a failed CAS as "the value differed", not as "it did not happen".')
]

Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="NAME=FIELD,…",
        help="What foreign names mean: client=process,start=invoke,SET=write.",
    ),
]

RenameCrashed = Annotated[
    bool,
    typer.Option("--rename-crashed", help="A process that calls again after a crash is another one from then on."),
]

SortByTime = Annotated[
    bool,
    typer.Option(
        "--sort-by-time", help="Take events in the order of their times, where that of the lines contradicts it."
    ),
]
