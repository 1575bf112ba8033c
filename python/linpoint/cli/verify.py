"""`linpoint verify …`: is every history of this algorithm linearizable, and does it always get on?"""

from __future__ import annotations

from typing import Annotated, cast

import typer

from linpoint.cli.attention import attention
from linpoint.cli.output import STATUS, TROUBLE, UNKNOWN, complain, guarded, say, screen, words_of, worst
from linpoint.cli.progress import Bar
from linpoint.errors import Interrupted, LinpointError, UsageError
from linpoint.explain.report import WIDTH
from linpoint.files import try_path, write_file
from linpoint.language.compiler import GRANULARITIES, Granularity
from linpoint.language.source import split_target
from linpoint.library.studies import STUDIES
from linpoint.styled import Text
from linpoint.text import ascii_json, printable
from linpoint.verify import Verification
from linpoint.verify import verify as run_verification
from linpoint.verify.table1 import HEAD, agrees, library, row
from linpoint.verify.words import report as words

_WORDS = "{task.fields[configurations]:,} states, {task.fields[rate]:,.0f} states/s"


@guarded
def verify(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="TARGET", help=f"file.py:Class, or one of the library: {', '.join(STUDIES)}."),
    ] = None,
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="What is allowed: a shipped model, or file.py:Class; the library knows its own."
        ),
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads of the client.")] = 2,
    ops: Annotated[int, typer.Option(help="Operations of each thread.")] = 2,
    values: Annotated[int | None, typer.Option(help="Arguments are 1 to this. Default: 2.", show_default=False)] = None,
    methods: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Only these methods are called: add,remove.")
    ] = None,
    abstract: Annotated[
        str | None,
        typer.Option(metavar="TARGET", help="Compare with this object: bisimilar ones share progress properties."),
    ] = None,
    granularity: Annotated[str, typer.Option(help=f"What one step is: {' or '.join(GRANULARITIES)}.")] = "access",
    symmetry: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Explore one of the runs that differ only in names: threads, values, or both."
        ),
    ] = None,
    library_table: Annotated[
        bool, typer.Option("--library", help="Verify the whole library and print Table 1 of the paper.")
    ] = False,
    states: Annotated[int | None, typer.Option(help="Give up beyond so many states.", show_default=False)] = None,
    workers: Annotated[int | None, typer.Option(help="Cores to use. Default: all.", show_default=False)] = None,
    timeout: Annotated[str | None, typer.Option(metavar="TIME", help="Give up after this long: 30, 500ms, 2m.")] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Give up beyond this. Default: half of what is available.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on one line, for each target.")] = False,
    page: Annotated[
        str | None,
        typer.Option("--report", metavar="FILE.html", help="Write a page: the run to step through, source and memory."),
    ] = None,
) -> None:
    """Verify an algorithm for every interleaving of a bounded client.

    Exit status: 0 linearizable; 1 a violation; 2 something was refused; 3 out of time, memory or states, or Ctrl-C.
    """
    if library_table:
        if targets:
            raise UsageError("--library verifies all of it: name no target, or leave out --library")
        raise typer.Exit(_library(threads, ops, timeout, memory, as_json))
    if not targets:
        raise UsageError(f"what is to be verified? file.py:Class, or one of {', '.join(STUDIES)}")
    if page is not None:
        if len(targets) > 1:
            raise UsageError("--report is about one target")
        try_path(page, [found[0] for found in map(split_target, targets) if found is not None])
    statuses: list[int] = []
    for target in targets:
        try:
            with attention.step(), Bar(target, enabled=not as_json, words=_WORDS) as bar:
                found = run_verification(
                    target,
                    spec,
                    threads=threads,
                    ops=ops,
                    values=values,
                    methods=None if methods is None else _names(methods),
                    symmetry=_names(symmetry or ""),
                    abstract=abstract,
                    granularity=cast("Granularity", granularity),
                    states=states,
                    workers=workers,
                    timeout=timeout,
                    memory=memory,
                    progress=bar,
                )
            statuses.append(STATUS[found.verdict])
            _tell(found, as_json)
            if page is not None:
                _write(page, found)
        except KeyboardInterrupt as stop:
            attention.stopped()
            if as_json and isinstance(stop, Interrupted):
                _tell(stop.result, as_json)
            complain(f"{printable(target)}: unknown: interrupted")
            statuses.append(UNKNOWN)
            break
        except (LinpointError, OSError) as error:
            if as_json:
                say(Text(ascii_json({"target": target, "error": words_of(error, target)})))
            complain(words_of(error, target))
            statuses.append(TROUBLE)
    raise typer.Exit(worst(statuses))


def _write(path: str, found: Verification) -> None:
    """Writes the page. What goes wrong is said, and leaves verdict and exit status as they are."""
    from linpoint.verify.page import page  # noqa: PLC0415 - what draws pages is loaded when one is wanted

    try:
        write_file(path, page(found).encode())
    except OSError as error:
        complain(f"{printable(path)} was not written: {words_of(error, path).removeprefix(f'{printable(path)}: ')}")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _tell(found: Verification, as_json: bool) -> None:
    if as_json:
        say(Text(ascii_json(found.to_dict())))
    else:
        say(words(found, screen() or WIDTH))


def _library(threads: int, ops: int, timeout: str | None, memory: str | None, as_json: bool) -> int:
    """Table 1. The exit status says whether it came out as the paper says."""
    rows: list[tuple[str, ...]] = [HEAD]
    statuses: list[int] = []
    with attention.step(), Bar("library", enabled=not as_json, words=_WORDS) as bar:
        for study, found in library(threads, ops, timeout=timeout, memory=memory, progress=bar):
            statuses.append({True: 0, False: 1, None: UNKNOWN}[agrees(study, found)])
            if as_json:
                say(Text(ascii_json(found.to_dict())))
            else:
                rows.append(row(study, found))
    if not as_json:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for place, cells in enumerate(rows):
            line = "  ".join(
                _cell(cell, width, number) for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
            )
            say(Text(printable(line.rstrip()), "bold" if place == 0 else ""))
    return worst(statuses)


def _cell(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if 4 <= column <= 8 else cell.ljust(width)
