"""`linpoint convert IN OUT`: from any format to JSONL, EDN, CSV or Parquet."""

from __future__ import annotations

from typing import Annotated

import typer

from linpoint.cli.attention import attention
from linpoint.cli.options import FailedCas, Format, Independent, Map, RenameCrashed, SortByTime
from linpoint.cli.output import deliver, guarded
from linpoint.files import try_path
from linpoint.formats import WRITABLE, as_text, parse_map, read, writable, write


@guarded
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A history; - is standard input.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The new file: .jsonl, .edn, .csv (.gz, .zst) or .parquet; - is standard output.",
        ),
    ],
    format: Format = None,
    to: Annotated[
        str | None, typer.Option(help=f"The format of OUT, if its name does not tell: {', '.join(WRITABLE)}.")
    ] = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    sort_by_time: SortByTime = False,
    rename_crashed: RenameCrashed = False,
    map: Map = None,
) -> None:
    """Write a history in another format."""
    kind = writable(target, to)
    if target != "-":
        try_path(target, [source])
    with attention.step():
        history = read(
            source,
            format,
            independent=independent,
            failed_cas=failed_cas,
            sort_by_time=sort_by_time,
            rename_crashed=rename_crashed,
            map=parse_map(map or ()),
        )
        if target != "-":
            write(history, target, kind)
            return
        text = as_text(history, kind)
    deliver(text)
