"""`linpoint convert IN OUT`: from any format to JSONL or EDN."""

from __future__ import annotations

from typing import Annotated

import typer

from linpoint.cli.attention import attention
from linpoint.cli.options import FailedCas, Format, Independent, SortByTime
from linpoint.cli.output import deliver, guarded
from linpoint.files import try_path
from linpoint.formats import WRITABLE, read, writable, write


@guarded
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A history; - is standard input.")],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The new file, .jsonl or .edn, either with .gz; - is standard output.")
    ],
    format: Format = None,
    to: Annotated[
        str | None, typer.Option(help=f"The format of OUT, if its name does not tell: {', '.join(WRITABLE)}.")
    ] = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    sort_by_time: SortByTime = False,
) -> None:
    """Write a history in another format."""
    kind = writable(target, to)
    if target != "-":
        try_path(target, [source])
    with attention.step():
        history = read(source, format, independent=independent, failed_cas=failed_cas, sort_by_time=sort_by_time)
        if target != "-":
            write(history, target, kind)
            return
        text = history.to_edn() if kind == "edn" else history.to_jsonl()
    deliver(text)
