"""`linpoint explain RESULT`: a saved violation in words, as a picture, or as a test to paste."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from linpoint.budget import Budget
from linpoint.check import under_the_clock
from linpoint.cli.attention import attention
from linpoint.cli.certify import load
from linpoint.cli.options import OwnModel
from linpoint.cli.output import guarded, say, width
from linpoint.cli.own import own_model
from linpoint.errors import UsageError
from linpoint.explain.certificate import CertificateError, judge_of
from linpoint.explain.certificate import load as loaded
from linpoint.explain.paste import pytest_function
from linpoint.explain.report import report
from linpoint.explain.timeline.svg import svg
from linpoint.files import try_path, write_file
from linpoint.models import Model
from linpoint.styled import Text
from linpoint.text import printable


@guarded
def explain(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="A result saved by `linpoint check --save`.")],
    pytest: Annotated[bool, typer.Option("--pytest", help="A self-contained pytest function to paste.")] = False,
    model: OwnModel = None,
    picture: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the counterexample into this file.")
    ] = None,
) -> None:
    """Show the minimal counterexample of a saved violation."""
    if picture is not None:
        try_path(str(picture), [str(result)])
    given = own_model(model, Budget.start())
    with attention.step():
        said, drawn = _explained(result, pytest, picture is not None, given, model)
    if drawn is not None:
        write_file(str(picture), drawn.encode())
    say(said)


def _explained(
    result: Path, pytest: bool, picture: bool, given: Model | None, words: str | None
) -> tuple[Text, str | None]:
    """What to say, and the picture if one is wanted. Only a test to paste needs a model of the user's."""
    try:
        saved = load(result)
        explanation = loaded(saved)
        if pytest or given is not None:
            under_the_clock(given, partial(judge_of, saved, given), Budget.start())
    except CertificateError as error:
        raise UsageError(f"{printable(str(result))}: {error}") from None
    if pytest:
        return Text(pytest_function(explanation, words)), None
    return report(explanation, width()), svg(explanation) if picture else None
