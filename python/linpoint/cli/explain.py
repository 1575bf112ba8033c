"""`linpoint explain RESULT`: a saved violation in words, as a picture, or as a test to paste."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from linpoint.cli.attention import attention
from linpoint.cli.certify import load
from linpoint.cli.output import PIPED_WIDTH, guarded, say, stdout
from linpoint.errors import UsageError
from linpoint.explain.certificate import CertificateError
from linpoint.explain.certificate import load as loaded
from linpoint.explain.paste import pytest_function
from linpoint.explain.report import report
from linpoint.explain.timeline.svg import svg
from linpoint.files import try_path, write_file
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
    try:
        explanation = loaded(load(result))
    except CertificateError as error:
        raise UsageError(f"{printable(str(result))}: {error}") from None
    if pytest:
        return Text(pytest_function(explanation)), None
    console = stdout()
    width = console.width if console.is_terminal else PIPED_WIDTH
    return report(explanation, width), svg(explanation) if picture else None
