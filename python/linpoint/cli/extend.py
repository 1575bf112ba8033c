"""`linpoint extend …`: are the helper methods on this shared map atomic?"""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.table import Table

from linpoint import __version__
from linpoint.budget import Budget
from linpoint.check import span
from linpoint.cli.attention import attention
from linpoint.cli.output import STATUS, TROUBLE, UNKNOWN, complain, guarded, say, words_of, worst
from linpoint.errors import LinpointError, UsageError
from linpoint.extend import Extension, extend_file, extend_source, python_files, summary, unreduced
from linpoint.extend.result import WORDS
from linpoint.extend.sarif import sarif as to_sarif
from linpoint.files import try_path, write_file
from linpoint.language.source import read_source, split_target
from linpoint.library.extensions.catalog import UNKNOWN as LEFT_OUT
from linpoint.library.extensions.catalog import verified
from linpoint.styled import Text
from linpoint.text import ascii_json, printable
from linpoint.verdict import Verdict


@guarded
def extend(
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="TARGET", help="file.py, file.py:function, or a folder to walk.")
    ] = None,
    pure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A function that depends on its arguments only.")
    ] = None,
    assume_pure: Annotated[
        bool, typer.Option("--assume-pure", help="Take every call that is not declared for a pure one; it is noted.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Say which reductions applied, and what was checked for them.")
    ] = False,
    library: Annotated[
        bool, typer.Option("--library", help="Judge the methods of the paper: its figures, Table 1 and Table 2.")
    ] = False,
    sarif: Annotated[
        str | None, typer.Option(metavar="OUT", help="Write the findings as SARIF, for code hosts and editors.")
    ] = None,
    timeout: Annotated[str | None, typer.Option(metavar="TIME", help="Give up after this long: 30, 500ms, 2m.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on one line, for each method.")] = False,
) -> None:
    """Verify helper methods that look at a shared map and act on it.

    Exit status: 0 all verified; 1 a method is refuted; 2 a file could not be read; 3 a method is not covered, or unknown.
    """
    if library:
        if targets:
            raise UsageError("--library judges all of it: name no target, or leave out --library")
        raise typer.Exit(_library(as_json))
    if not targets:
        raise UsageError("what is to be verified? file.py, file.py:function, or a folder")
    if sarif is not None:
        try_path(sarif, targets)
    budget = Budget.start(timeout)
    found: list[Extension] = []
    statuses: list[int] = []
    for target in targets:
        try:
            with attention.step():
                walked = os.path.isdir(target)
                for path in python_files([target]) if walked else [target]:
                    statuses += _judge(path, walked, pure or [], assume_pure, why, budget, as_json, found)
        except KeyboardInterrupt:
            attention.stopped()
            complain(f"{printable(target)}: unknown: interrupted")
            statuses.append(UNKNOWN)
            break
    if sarif is not None:
        write_file(sarif, ascii_json(to_sarif(found, __version__)).encode("ascii") + b"\n")
    if not as_json and (found or not any(statuses)):  # where nothing could be read, that was said
        say(Text(summary(found)))
    raise typer.Exit(worst(statuses))


def _judge(
    path: str,
    walked: bool,
    pure: list[str],
    assume_pure: bool,
    why: bool,
    budget: Budget,
    as_json: bool,
    found: list[Extension],
) -> list[int]:
    """Judges one file and tells what came out; the exit status of each method."""
    try:
        file, function = split_target(path) or (path, "")
        if walked:
            results = extend_file(path, pure=pure, assume_pure=assume_pure, budget=budget, every=False)
        else:
            source = read_source(file)
            results = extend_source(source, function, pure=pure, assume_pure=assume_pure, budget=budget)
    except (LinpointError, OSError) as error:
        complain(words_of(error, path))
        return [TROUBLE]
    statuses = []
    for result in results:
        found.append(result)
        statuses.append(STATUS[result.verdict])
        if as_json:
            say(Text(ascii_json(result.to_json())))
            continue
        lines = result.words(why)
        if why and not walked and result.verdict is Verdict.LINEARIZABLE and result.states:
            lines.append(f"  why: {unreduced(source, result, pure, assume_pure)}")
        head, *rest = lines
        say(Text.assemble((head, "bold"), "\n" * bool(rest), "\n".join(rest)))
    return statuses


def _library(as_json: bool) -> int:
    """Tables 1 and 2. The exit status says whether all came out as they should."""
    table = Table(box=None, pad_edge=False)
    for column in ("origin", "application", "method", "verdict", "reduction", "states", "paper", "time"):
        table.add_column(
            column,
            style="bold" if column == "origin" else None,
            justify="right" if column in ("states", "paper", "time") else "left",
        )
    with attention.step():
        rows = verified()
    wrong = 0
    for entry, result in rows:
        wrong += (result.verdict is Verdict.LINEARIZABLE) != entry.linearizable
        if as_json:
            say(
                Text(
                    ascii_json(
                        {
                            "origin": entry.origin,
                            "application": entry.application,
                            "class": entry.cls,
                            **result.to_json(),
                        }
                    )
                )
            )
            continue
        states = "" if entry.paper_states is None else str(entry.paper_states)
        table.add_row(
            entry.origin,
            entry.application,
            entry.cls,
            WORDS[result.verdict].lower(),
            result.reduction,
            str(result.states),
            states,
            span(result.seconds),
        )
    if not as_json:
        say(table, wide=True)
        say(f"{len(rows)} methods, {wrong} verdicts that differ from what is known.")
        names = ", ".join(f"{application} {cls}" for _, application, cls in LEFT_OUT)
        say(f"{len(LEFT_OUT)} methods of the tables are left out, because their bodies are not known: {names}")
    return 1 if wrong else 0
