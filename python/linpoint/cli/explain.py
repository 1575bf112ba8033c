"""`linpoint explain RESULT`: a saved violation in words, as a picture, or as a test to paste."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from linpoint.check import check
from linpoint.cli.attention import attention
from linpoint.cli.certify import load
from linpoint.cli.output import PIPED_WIDTH, guarded, say, stdout
from linpoint.errors import UsageError
from linpoint.explain.paste import pytest_function
from linpoint.explain.report import report
from linpoint.explain.timeline.svg import svg
from linpoint.files import try_path, write_file
from linpoint.history import History
from linpoint.history.values import show
from linpoint.models import parse
from linpoint.text import printable


@guarded
def explain(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="A result saved by `linpoint check --save`.")],
    pytest: Annotated[bool, typer.Option("--pytest", help="A self-contained pytest function to paste.")] = False,
    picture: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the counterexample into this file.")
    ] = None,
) -> None:
    """Show the minimal counterexample of a saved violation."""
    if picture is not None:
        try_path(str(picture), [str(result)])
    with attention.step():
        said, drawn = _explained(result, pytest, picture is not None)
    if drawn is not None:
        write_file(str(picture), drawn.encode())
    say(said)


def _explained(result: Path, pytest: bool, picture: bool) -> tuple[Text, str | None]:
    """What to say, and the picture if one is wanted."""
    saved = load(result)
    if not isinstance(saved, dict) or not isinstance(saved.get("model"), str):
        raise UsageError(f"{printable(str(result))} is no result saved by `linpoint check --save`")
    operations = saved.get("counterexample")
    if not isinstance(operations, list) or not all(isinstance(record, dict) for record in operations):
        raise UsageError(f"{printable(str(result))} has no counterexample: its verdict is {show(saved.get('verdict'))}")
    model = parse(saved["model"])
    history = History([{name: value for name, value in op.items() if name != "operation"} for op in operations])
    if pytest:
        return Text(pytest_function(history, str(model))), None
    judged = check(history, model)
    console = stdout()
    return report(judged, console.width if console.is_terminal else PIPED_WIDTH), svg(judged) if picture else None
