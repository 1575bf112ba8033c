"""`linpoint monitor`: is what is happening linearizable?"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import Annotated

import typer

from linpoint.budget import Budget
from linpoint.cli.options import EventFormat, FailedCas, Independent, Map, RenameCrashed
from linpoint.cli.output import complain, guarded, say
from linpoint.cli.own import model_named
from linpoint.cli.watch import Watch
from linpoint.errors import ModelError, UsageError
from linpoint.explain.save import check_ending
from linpoint.files import try_path
from linpoint.formats import parse_map
from linpoint.models import is_native
from linpoint.monitor import Monitor
from linpoint.monitor.checkpoint import read_checkpoint
from linpoint.monitor.inputs import as_it_is, following, from_descriptor, from_file, from_socket, unpacked
from linpoint.styled import Text
from linpoint.text import ascii_json, printable

_EPILOG = (
    "Exit status: 0 linearizable until the end, or until Ctrl-C or SIGTERM; 1 a violation; 2 bad usage, a bad line with "
    "--strict, or lines none of which is an event; 3 not known since some event."
)


@guarded
def monitor(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A log of events; - is standard input.")] = "-",
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="What is allowed: register:initial=0, or your own FILE.py:Class."),
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="The file grows: wait for more, until Ctrl-C.")] = False,
    socket: Annotated[
        str | None, typer.Option(metavar="PATH", help="Listen to a Unix socket instead, until Ctrl-C.")
    ] = None,
    format: EventFormat = None,
    independent: Independent = False,
    failed_cas: FailedCas = False,
    rename_crashed: RenameCrashed = False,
    map: Map = None,
    keep_going: Annotated[
        bool, typer.Option("--continue", help="Go on after a violation, as if the accused operation had not been.")
    ] = False,
    restart: Annotated[
        bool,
        typer.Option("--restart", help="Where the budget ended, begin again at an operation that tells what is held."),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at a line that is no event, instead of skipping it.")
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="What judging may take. Default: 1GiB, or half of what is available."),
    ] = None,
    timeout: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="How long one look at what has gathered may take, as in 5s. Default: no limit."
        ),
    ] = None,
    on_violation: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Run this for every violation, without a shell; it gets it as JSON."),
    ] = None,
    page: Annotated[
        str | None, typer.Option("--report", metavar="REPORT.html", help="Write a page that shows the violation.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep counts there, as Prometheus reads them.")
    ] = None,
    reorder: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Take events in the order of their times; they come at most so late: 50ms."),
    ] = None,
    clock_skew: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Clocks may be off by so much, as in 2ms: believe no more than that."),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="CHECKPOINT", help="Keep there what is needed to go on after a crash, and go on from it."),
    ] = None,
    status: Annotated[bool, typer.Option("--status/--no-status", help="Show a status line on a terminal.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object, on one line.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit status tells.")] = False,
) -> None:
    """Judge a stream of calls and returns while it runs."""
    if model is None:
        raise UsageError("--model is needed: a stream has to be judged from its first event on")
    if socket is not None and (follow or file != "-"):
        raise UsageError("--socket takes the place of a file")
    if follow and file == "-":
        raise UsageError("--follow needs the name of a file")
    if checkpoint is not None and file == "-":
        raise UsageError("--checkpoint needs a file: what was read of a pipe or a socket cannot be read again")
    written = [path for path in (page, metrics, checkpoint) if path is not None]
    if len({os.path.realpath(path) for path in written}) < len(written):
        raise UsageError("--report, --metrics and --checkpoint need a file each")
    for path in written:
        try_path(path, () if file == "-" else (file,))
    if page is not None:
        check_ending(page)
    judge = model_named(model, Budget.start(timeout))
    if checkpoint is not None and not is_native(judge):
        raise UsageError("--checkpoint needs a shipped model: the states of a model of your own cannot be saved")
    watch = Watch(
        source=socket or file,
        model=model,
        monitor=Monitor(
            judge,
            keep_going=keep_going,
            restart=restart,
            memory=memory,
            timeout=timeout,
            strict=strict,
            format=format,
            independent=independent,
            failed_cas=failed_cas,
            rename_crashed=rename_crashed,
            map=parse_map(map or ()),
            reorder=reorder,
            clock_skew=clock_skew,
        ),
        on_violation=None if on_violation is None else command_of(on_violation),
        page=page,
        metrics=metrics,
        checkpoint=checkpoint,
        line=status and not quiet and sys.stderr.isatty(),
        silent=quiet or as_json,
        quiet=quiet,
        strict=strict,
        keep_going=keep_going,
        waits=follow or file == "-",
        by_time=reorder is not None or clock_skew is not None,
    )
    if checkpoint is not None:
        go_on(watch, checkpoint, file)
    if socket is not None:
        pieces = from_socket(socket)
    elif file == "-":
        pieces = unpacked(from_descriptor(0), "standard input")
    else:
        growing = follow or checkpoint is not None
        pieces = following(file, watch.offset) if follow else from_file(file, watch.offset)
        pieces = as_it_is(pieces, printable(file)) if growing else unpacked(pieces, printable(file))
    try:
        watch.run(pieces)
    except ModelError as error:
        raise ModelError(f"{printable(watch.source)}: {error}") from None
    trouble = watch.trouble()
    if trouble is not None:
        complain(f"{printable(watch.source)}: {trouble}")
    if not quiet and (as_json or trouble is None):
        say(Text(ascii_json(watch.summary())) if as_json else watch.last_words())
    raise typer.Exit(watch.status())


monitor.__doc__ = f"{monitor.__doc__}\n\n{_EPILOG}"


def command_of(line: str) -> list[str]:
    """The words of a command; UsageError if it could not be run: that should not be found out when there is an alarm."""
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"--on-violation: {printable(line)} cannot be split into words: {error}") from None
    if not command:
        raise UsageError("--on-violation needs a command")
    if shutil.which(command[0]) is None:
        raise UsageError(f"--on-violation: there is no command {printable(command[0])}")
    return command


def go_on(watch: Watch, path: str, file: str) -> None:
    """Goes on from a checkpoint, if there is one."""
    checkpoint = read_checkpoint(path)
    if checkpoint is None:
        return
    if checkpoint.model != watch.model:
        raise UsageError(f"{printable(path)} is about a {printable(checkpoint.model)}, not a {watch.model}")
    same = checkpoint.is_of(file)
    if not same:
        complain(f"{printable(file)} is not the file that {printable(path)} is about: reading it from its beginning")
    try:
        watch.resume(checkpoint, same)
    except UsageError as error:
        raise UsageError(f"{printable(path)} is no checkpoint that can be gone on from: {error}") from None
