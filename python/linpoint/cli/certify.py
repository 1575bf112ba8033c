"""`linpoint certify RESULT HISTORY`: does a saved result hold?"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from linpoint.budget import Budget
from linpoint.check import Proof, ProofError, Stopped, certify_proof, model_of, under_the_clock
from linpoint.cli.attention import attention
from linpoint.cli.keep import steps_beside
from linpoint.cli.options import FailedCas, Format, Independent, Map, OwnModel, RenameCrashed, SortByTime
from linpoint.cli.output import complain, guarded, say
from linpoint.cli.own import own_model
from linpoint.errors import ReadError, Unfinished, UsageError
from linpoint.explain.certificate import CertificateError, ModelWanted
from linpoint.explain.validate import validate
from linpoint.formats import format_named, parse_map, read
from linpoint.styled import Text
from linpoint.text import printable
from linpoint.verdict import Cause

REJECTED = 1


@guarded
def certify(
    result: Annotated[
        Path,
        typer.Argument(
            metavar="RESULT", help="A result saved by `linpoint check --save`, or a proof (.cnf) by `--proof`."
        ),
    ],
    history: Annotated[str, typer.Argument(metavar="HISTORY", help="The history it is about.")],
    format: Format = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    sort_by_time: SortByTime = False,
    rename_crashed: RenameCrashed = False,
    map: Map = None,
    model: OwnModel = None,
    timeout: Annotated[str | None, typer.Option(metavar="TIME", help="Give up after this long: 30, 500ms, 2m.")] = None,
) -> None:
    """Re-validate a saved result with a small checker that shares nothing with the search.

    Exit status: 0 it is proved; 1 it is not; 2 a file could not be read; 3 out of time, or Ctrl-C.
    """
    named = None if format is None else format_named(format)
    budget = Budget.start(timeout)
    given = own_model(model, budget)
    try:
        with attention.step(budget.left()):
            saved = _proof(result) if result.suffix == ".cnf" else load(result)
            about = read(
                history,
                format=named,
                independent=independent,
                failed_cas=failed_cas,
                sort_by_time=sort_by_time,
                rename_crashed=rename_crashed,
                map=parse_map(map or ()),
                budget=budget,
            )
            if isinstance(saved, Proof):
                judge = model_of(saved.cnf) if given is None else given
                proved = under_the_clock(judge, partial(certify_proof, about, judge, saved), budget)
            else:
                proved = under_the_clock(given, partial(validate, saved, about, given), budget)
    except Stopped as stopped:
        raise Unfinished(Cause.parse(stopped.cause), "certifying") from None
    except ModelWanted as error:
        raise UsageError(str(error)) from None
    except (CertificateError, ProofError) as error:
        complain(f"{printable(str(result))}: rejected: {error}")
        raise typer.Exit(REJECTED) from None
    say(Text(proved))


def _proof(path: Path) -> Proof:
    """The two files of a proof."""
    return Proof(*(Path(each).read_text("utf-8", "replace") for each in (path, steps_beside(str(path)))))


def load(path: Path) -> Any:
    """The JSON of a saved result; a ReadError that says where it is broken."""
    try:
        return json.loads(path.read_bytes())
    except json.JSONDecodeError as error:
        raise ReadError(
            f"expected a saved result in JSON: {error.msg}", printable(str(path)), error.lineno, error.colno
        ) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise ReadError(f"expected a saved result in JSON: {error}", printable(str(path)), 0, 0) from None
