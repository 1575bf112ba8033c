"""`linpoint check FILE…`: is it linearizable?"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

from linpoint.budget import Budget, parse_cache, parse_seconds
from linpoint.check import Result
from linpoint.check.methods import DEEPEST, method_named
from linpoint.cli.ahead import Ahead, Loaded, load
from linpoint.cli.attention import attention
from linpoint.cli.hints import hints
from linpoint.cli.keep import ProofFiles, Target, targets
from linpoint.cli.options import FailedCas, Format, Independent, Map, RenameCrashed, SortByTime
from linpoint.cli.outcome import LAST_WORDS, Outcome, explain_it, judge, skew_it
from linpoint.cli.outcome import as_json as json_of
from linpoint.cli.output import LINEARIZABLE, complain, guarded, say, screen, width, words_of, worst
from linpoint.cli.own import own_model
from linpoint.cli.table import Row, table, totals
from linpoint.errors import LinpointError, UsageError
from linpoint.explain.report import report
from linpoint.formats import format_named, parse_map
from linpoint.styled import Text
from linpoint.text import printable

_EPILOG = (
    "Exit status: 0 every history is linearizable; 1 at least one is a violation; 2 no violation, but bad usage or a file "
    "that could not be judged; 3 none of these, but at least one is unknown (out of time or memory, or Ctrl-C)."
)


@guarded
def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Histories (.gz, .zst and .parquet, too); - is standard input."),
    ],
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", help="What is allowed: register:initial=0, your own FILE.py:Class; else it is guessed."
        ),
    ] = None,
    format: Format = None,
    method: Annotated[
        str, typer.Option(metavar="METHOD", help="How to decide; `linpoint methods` lists them. auto: what fits best.")
    ] = "auto",
    timeout: Annotated[
        str | None, typer.Option(metavar="TIME", help="Give up after this long, per file: 30, 500ms, 2m.")
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Give up if the history, or the work on it, takes more. Default: half of what is available.",
        ),
    ] = None,
    partition: Annotated[
        bool, typer.Option("--partition/--no-partition", help="Judge independent keys and objects apart.")
    ] = True,
    cache: Annotated[
        str | None, typer.Option(metavar="lru:SIZE", help="For --method wgl: remember only so many configurations.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(metavar="D", help="For --method hitting: no deeper families than this.")
    ] = None,
    proof: Annotated[
        str | None,
        typer.Option(
            "--proof",
            metavar="PROOF.cnf",
            help="For --method solve: write a proof of a violation, and PROOF.drat beside it.",
        ),
    ] = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    sort_by_time: SortByTime = False,
    rename_crashed: RenameCrashed = False,
    map: Map = None,
    clock_skew: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Does a violation survive clocks that are off by so much, as in 2ms?"),
    ] = None,
    certify: Annotated[
        bool, typer.Option("--certify/--no-certify", help="Re-check the evidence by other code.")
    ] = True,
    save: Annotated[
        str | None, typer.Option("--save", metavar="RESULT.json", help="Keep the result, to be certified or explained.")
    ] = None,
    page: Annotated[
        str | None, typer.Option("--report", metavar="REPORT.html", help="Write a page that shows the whole history.")
    ] = None,
    explain_method: Annotated[
        bool, typer.Option("--explain-method", help="Say which method was chosen and why.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per file, on one line.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit status tells.")] = False,
) -> None:
    """Decide whether histories are linearizable, and show why."""
    try:
        parse_seconds(clock_skew or 0)
        first = Budget.start(timeout, memory)  # words that are no time or no size are refused before anything is read
        options: dict[str, Any] = {
            "model": own_model(model, first),
            "method": method_named(method),
            "partition": partition,
            "cache": None if cache is None else parse_cache(cache),
            "depth": depth,
            "proof": proof is not None,
            "certify": certify,
        }
        if cache is not None and method != "wgl":
            raise UsageError("--cache is for --method wgl; the other methods have none")
        if depth is not None and method != "hitting":
            raise UsageError("--depth is for --method hitting; the other methods have none")
        if depth is not None and not 1 <= depth <= DEEPEST:
            raise UsageError(f"--depth is a whole number from 1 to {DEEPEST:,}")
        if proof is not None and method != "solve":
            raise UsageError("--proof is for --method solve; the other methods have none")
        if (save or page or proof) and len(files) > 1:
            raise UsageError("--save, --report and --proof take one history at a time")
        reading: dict[str, Any] = {
            "format": None if format is None else format_named(format),
            "independent": independent,
            "failed_cas": failed_cas,
            "sort_by_time": sort_by_time,
            "rename_crashed": rename_crashed,
            "map": parse_map(map or ()),
        }
        kept: list[Target | ProofFiles] = [*targets(save, page, files)]
        kept += [] if proof is None else [ProofFiles(proof, files)]
    except (LinpointError, OSError) as error:
        for file in files if as_json and not quiet else ():
            say(Text(json_of(Outcome(file, Budget.start(), error=words_of(error, file)))))
        raise
    rows: list[Row] = []
    status = LINEARIZABLE
    take: Callable[[], Loaded]
    if len(files) == 1:
        take = partial(load, files[0], reading, first)
    else:
        take = Ahead(files, lambda file: load(file, reading, Budget.start(timeout, memory))).take
    for number, file in enumerate(files):
        outcome = judge(file, take, options, Budget.start(timeout, memory) if number else first, bar=not quiet)
        attention.status = status = worst((status, outcome.status))
        if (len(files) == 1 or as_json) and (kept or not quiet):
            explain_it(outcome)
        if clock_skew is not None and not quiet:
            skew_it(outcome, clock_skew, options)
        _tell(outcome, len(files), as_json, quiet, explain_method)
        for hint in hints(outcome.result) if outcome.result is not None and not quiet else ():
            complain(f"{printable(outcome.file)}: hint: {hint}")
        for target in kept:
            target.write(outcome)
        if len(files) > 1 and not as_json and not quiet:
            rows.append(Row.of(outcome))
        if attention.interrupted:
            break
    if rows:
        say(table(rows, screen()))
        say(totals(rows, len(files)))
    raise typer.Exit(status)


check.__doc__ = f"{check.__doc__}\n\n{_EPILOG}"


def _tell(outcome: Outcome, files: int, in_json: bool, quiet: bool, explain_method: bool) -> None:
    """Says what came of a file as soon as it is known."""
    if in_json and not quiet:
        say(Text(json_of(outcome)))
    if outcome.error is not None:
        complain(outcome.error)
    for warning in outcome.result.history.warnings if outcome.result is not None and not quiet else ():
        complain(f"{printable(outcome.file)}: warning: {warning}")
    if outcome.result is None or in_json or quiet:
        return
    if files == 1:
        say(_report(outcome, outcome.result))
    if explain_method:
        found = outcome.result
        say(
            Text(
                f"method: {found.method}" + (f" ({found.statistics.why_method})" if found.statistics.why_method else "")
            )
        )


def _report(outcome: Outcome, result: Result) -> Text:
    """The verdict with everything worth saying about it; if that fails or takes too long, less. Never nothing."""
    notes = list(outcome.notes)
    try:
        with outcome.last_words():
            said = report(outcome.explained(result), width())
    except KeyboardInterrupt:
        notes.append(f"not drawn: {attention.stopped()}")
        said = _headline(result)
    except Exception as error:
        notes.append(f"not drawn: {type(error).__name__}: {error}")
        said = _headline(result)
    skew = () if outcome.skew is None else (Text(str(outcome.skew)),)
    lines = [said, *skew, *(Text(f"({printable(note)})", "dim") for note in dict.fromkeys(notes))]
    return Text("\n").join(lines)


def _headline(result: Result) -> Text:
    """The verdict in one line, if nothing else can be had."""
    try:
        with attention.step(0, LAST_WORDS, last=True):
            return Text(result.headline)
    except (Exception, KeyboardInterrupt):
        attention.stopped()
        return Text(f"{result.verdict.name} ({type(result.model).__name__})")
