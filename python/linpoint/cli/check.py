"""`linpoint check FILE…`: is it linearizable?"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from linpoint.budget import parse_cache, parse_seconds, parse_size
from linpoint.check import METHODS, Result, reason, span
from linpoint.check import check as judge
from linpoint.check.methods import method_named
from linpoint.cli.options import FailedCas, Format, Independent, SortByTime
from linpoint.cli.output import PIPED_WIDTH, STATUS, TROUBLE, UNKNOWN, complain, guarded, say, stdout, words_of, worst
from linpoint.cli.progress import Bar
from linpoint.errors import InternalError, Interrupted, LinpointError, UsageError
from linpoint.explain.certificate import records
from linpoint.explain.report import STYLES, report
from linpoint.formats import format_named, read
from linpoint.models import parse
from linpoint.verdict import Verdict


@dataclass(frozen=True)
class Outcome:
    """What came of one file: a result, or an error in words."""

    file: str
    load_seconds: float = 0.0
    result: Result | None = None
    error: str | None = None
    status: int = TROUBLE

    def to_json(self) -> str:
        """One line."""
        if self.result is None:
            return json.dumps({"file": self.file, "error": self.error}, ensure_ascii=False)
        found = self.result.to_dict()
        entries: dict[str, Any] = {"file": self.file}
        for name, value in found.items():
            if name == "check_seconds":
                entries["load_seconds"] = self.load_seconds
            entries[name] = value
        entries["counterexample"] = self._counterexample()
        return json.dumps(entries, ensure_ascii=False)

    def _counterexample(self) -> list[dict[str, Any]] | None:
        """The minimal history of a violation; a fault in shrinking loses only this."""
        try:
            small = None if self.result is None else self.result.shrunk
        except Exception as error:
            complain(f"{self.file}: the counterexample could not be made smaller: {type(error).__name__}: {error}")
            return None
        return None if small is None else records(small)


_EPILOG = (
    "Exit status: 0 every history is linearizable; 1 at least one is a violation; 2 no violation, but bad usage or a file "
    "that could not be judged; 3 none of these, but at least one is unknown (out of time or memory, or Ctrl-C)."
)


@guarded
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Histories; - is standard input; .gz is fine.")],
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="What is allowed, as in register:initial=0. Default: guessed.")
    ] = None,
    format: Format = None,
    method: Annotated[
        str, typer.Option(help=" ".join(f"{name}: {words}." for name, words in METHODS.items()))
    ] = "auto",
    timeout: Annotated[
        str | None, typer.Option(metavar="TIME", help="Give up after this long, per file: 30, 500ms, 2m.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Give up beyond this. Default: half of what is available.")
    ] = None,
    partition: Annotated[
        bool, typer.Option("--partition/--no-partition", help="Judge independent keys and objects apart.")
    ] = True,
    cache: Annotated[
        str | None, typer.Option(metavar="lru:SIZE", help="For --method wgl: remember only so many configurations.")
    ] = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    sort_by_time: SortByTime = False,
    certify: Annotated[bool, typer.Option("--certify/--no-certify", help="Re-check the evidence in Python.")] = True,
    save: Annotated[
        str | None, typer.Option("--save", metavar="RESULT.json", help="Keep the result, to be certified or explained.")
    ] = None,
    page: Annotated[
        str | None, typer.Option("--report", metavar="REPORT.html", help="Write a page that shows the whole history.")
    ] = None,
    explain_method: Annotated[
        bool, typer.Option("--explain-method", help="Say which method was chosen and why.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a file, on one line.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit status tells.")] = False,
) -> None:
    """Decide whether histories are linearizable, and show why."""
    options: dict[str, Any] = {
        "model": None if model is None else parse(model),
        "method": method_named(method),
        "timeout": None if timeout is None else parse_seconds(timeout),
        "memory": None if memory is None else parse_size(memory),
        "partition": partition,
        "cache": None if cache is None else parse_cache(cache),
        "certify": certify,
    }
    if cache is not None and method != "wgl":
        raise UsageError("--cache is for --method wgl; the other methods have none")
    if (save or page) and len(files) > 1:
        raise UsageError("--save and --report take one history at a time")
    reading: dict[str, Any] = {
        "format": None if format is None else format_named(format),
        "independent": independent,
        "failed_cas": failed_cas,
        "sort_by_time": sort_by_time,
    }
    outcomes: list[Outcome] = []
    interrupted = False
    for file in files:
        try:
            outcomes.append(_judge(file, reading, options, bar=not quiet))
        except Interrupted as stopped:
            outcomes.append(Outcome(file, result=stopped.result, status=STATUS[stopped.result.verdict]))
            interrupted = True
        except KeyboardInterrupt:
            outcomes.append(Outcome(file, error="interrupted while reading", status=UNKNOWN))
            interrupted = True
        _tell(outcomes[-1], len(files), as_json, quiet)
        found = outcomes[-1].result
        if explain_method and found is not None and not quiet and not as_json:
            say(Text(f"method: {found.method}" + (f" ({found.why_method})" if found.why_method else "")))
        for path in (save, page):
            if path is not None and outcomes[-1].result is not None:
                _keep(outcomes[-1].result, path)
        if interrupted:
            break
    if len(files) > 1 and not as_json and not quiet:
        say(_table(outcomes), wide=True)
        say(_totals(outcomes, len(files)))
    raise typer.Exit(worst(outcome.status for outcome in outcomes))


check.__doc__ = f"{check.__doc__}\n\n{_EPILOG}"


def _judge(file: str, reading: dict[str, Any], options: dict[str, Any], bar: bool) -> Outcome:
    """Reads and judges one file; errors become words."""
    begun = time.perf_counter()
    try:
        history = read(file, **reading)
        loaded = time.perf_counter() - begun
        with Bar(file, enabled=bar) as progress:
            result = judge(history, progress=progress, **options)
    except InternalError as error:
        return Outcome(file, error=f"{file}: a bug in linpoint, please report it: {error}", status=UNKNOWN)
    except (LinpointError, OSError) as error:
        return Outcome(file, error=words_of(error, file))
    return Outcome(file, loaded, result, status=STATUS[result.verdict])


def _keep(result: Result, path: str) -> None:
    """Saves a result. What goes wrong is said, and leaves verdict and exit status as they are."""
    try:
        result.save(path)
    except Exception as error:
        complain(f"{path} was not written: {type(error).__name__}: {error}")


def _tell(outcome: Outcome, files: int, as_json: bool, quiet: bool) -> None:
    """Says what came of a file as soon as it is known."""
    if as_json and not quiet:
        say(Text(outcome.to_json()))
    if outcome.result is not None and not quiet:
        for warning in outcome.result.history.warnings:
            complain(f"{outcome.file}: warning: {warning}")
    if outcome.error is not None:
        complain(outcome.error)
    elif outcome.result is not None and files == 1 and not as_json and not quiet:
        console = stdout()
        say(report(outcome.result, console.width if console.is_terminal else PIPED_WIDTH))


def _table(outcomes: list[Outcome]) -> Table:
    """One row a file."""
    table = Table(box=None, pad_edge=False)
    table.add_column("file", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for name in ("operations", "load", "check"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("model", no_wrap=True)
    table.add_column("stuck at", no_wrap=True, overflow="ellipsis")
    for outcome in outcomes:
        result = outcome.result
        if result is None:
            table.add_row(Text(outcome.file), Text("not judged", "bold"), "", "", "", "", Text(outcome.error or ""))
            continue
        table.add_row(
            Text(outcome.file),
            Text(str(result.verdict), STYLES[result.verdict]),
            f"{len(result.history):,}",
            span(outcome.load_seconds),
            span(result.seconds),
            Text(str(result.model) + (" (guessed)" if result.guessed else "")),
            Text(_trouble(result)),
        )
    return table


def _trouble(result: Result) -> str:
    """What a row says of a history that is not linearizable: where it is stuck, or why nobody knows."""
    if result.verdict is Verdict.UNKNOWN:
        return reason(result)
    stuck = result.stuck
    if stuck is None:
        return ""
    return f"{stuck}" if stuck.line is None else f"{stuck}, line {stuck.line}"


def _totals(outcomes: list[Outcome], files: int) -> Text:
    verdicts = [outcome.result.verdict for outcome in outcomes if outcome.result is not None]
    plural = {Verdict.VIOLATION: "violations"}
    counts = [
        f"{count} {plural.get(verdict, verdict) if count > 1 else verdict}"
        for verdict in Verdict
        if (count := verdicts.count(verdict))
    ]
    if len(verdicts) < files:
        counts.append(f"{files - len(verdicts)} not judged")
    spent = sum(outcome.result.seconds for outcome in outcomes if outcome.result is not None)
    return Text(f"{files} files: {', '.join(counts)}; {span(spent)} of checking")
