"""`linpoint formats`: what can be read."""

from __future__ import annotations

from rich.table import Table

from linpoint.cli.output import guarded, say
from linpoint.formats import FORMATS, WRITABLE


@guarded
def formats() -> None:
    """List the formats of histories that can be read."""
    table = Table(box=None, pad_edge=False)
    table.add_column("format", style="bold", no_wrap=True)
    table.add_column("what it is")
    for name, words in FORMATS.items():
        table.add_row(name, words)
    say(table, wide=True)
    say(f"Written by `linpoint convert`: {', '.join(WRITABLE)}.")
