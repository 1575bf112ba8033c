"""`linpoint methods`: how can a history be decided?"""

from __future__ import annotations

from rich.table import Table

from linpoint.check import METHODS
from linpoint.cli.output import guarded, say


@guarded
def methods() -> None:
    """List the methods by which a history can be decided, for `check --method`."""
    table = Table(box=None, pad_edge=False)
    table.add_column("method", style="bold", no_wrap=True)
    table.add_column("what it does")
    for name, words in METHODS.items():
        table.add_row(name, words)
    say(table, wide=True)
    say("`linpoint check --explain-method` says which one was taken, and why.")
