"""`linpoint lts …`: what is in a transition system, how small can it be, do two behave alike?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import typer

from linpoint.budget import Budget
from linpoint.check import span
from linpoint.cli.attention import attention
from linpoint.cli.command import Command, Group
from linpoint.cli.output import TROUBLE, UNKNOWN, complain, deliver, guarded, say, words_of, worst
from linpoint.cli.progress import Bar
from linpoint.errors import LinpointError, Unfinished, UsageError
from linpoint.files import try_path
from linpoint.lts import EQUIVALENCES, INTERNAL, Answer, Lts, reduce_file
from linpoint.lts import read as read_lts
from linpoint.lts.system import equivalence_named, format_for
from linpoint.styled import Text
from linpoint.text import ascii_json, printable

YES, NO = 0, 1
STATUS = {Answer.YES: YES, Answer.NO: NO, Answer.UNKNOWN: UNKNOWN}

app = typer.Typer(
    cls=Group, no_args_is_help=True, help="Transition systems: what is in them, how small, do two behave alike?"
)

File = Annotated[str, typer.Argument(metavar="FILE", help="An Aldebaran file, .aut or .aut.gz; - is standard input.")]
EquivalenceOption = Annotated[
    str, typer.Option("--equivalence", "-e", help=" ".join(f"{name}: {words}." for name, words in EQUIVALENCES.items()))
]
Internal = Annotated[
    list[str] | None,
    typer.Option(metavar="LABEL", help=f"A label that is an internal step. Default: {' and '.join(INTERNAL)}."),
]
Timeout = Annotated[str | None, typer.Option(metavar="TIME", help="Give up after this long: 30, 500ms, 2m.")]
Memory = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Give up beyond this. Default: half of what is available.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on one line, for each file or pair.")]

_WORDS = "{task.fields[configurations]:,} transitions looked at"


def _load(file: str, internal: list[str] | None, budget: Budget) -> tuple[Lts, float]:
    """A system and how long it took to read."""
    begun = time.perf_counter()
    with Bar(file, words=_WORDS) as bar:
        found = read_lts(file, internal=tuple(internal or INTERNAL), budget=budget, progress=bar)
    return found, time.perf_counter() - begun


def _each(files: list[str], as_json: bool, work: Callable[[str], tuple[int, Text | str | None]]) -> None:
    """Works on each file; what goes wrong with one is said, and the next one follows. Exits with the worst status.

    `work` gives the exit status and what is to be told: words, or the text of a file for standard output.
    """
    statuses: list[int] = []
    for file in files:
        try:
            with attention.step():
                status, told = work(file)
            statuses.append(status)
            if isinstance(told, str):
                deliver(told)
            elif told is not None:
                say(told)
        except Unfinished as error:
            statuses.append(_trouble(file, f"unknown: {error}", as_json, UNKNOWN, str(error.cause)))
        except KeyboardInterrupt:
            attention.stopped()
            statuses.append(_trouble(file, "unknown: interrupted", as_json, UNKNOWN, "interrupted"))
            break
        except (LinpointError, OSError) as error:
            statuses.append(_trouble(file, words_of(error, file), as_json, TROUBLE, None))
    raise typer.Exit(worst(statuses))


def _trouble(file: str, words: str, as_json: bool, status: int, cause: str | None) -> int:
    if as_json:
        told: dict[str, Any] = {"file": file, "error": words} if cause is None else {"file": file, "cause": cause}
        say(Text(ascii_json(told)))
    name = printable(file)
    complain(words if words.startswith(name) else f"{name}: {words}")
    return status


@app.command(cls=Command)
@guarded
def info(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Aldebaran files, .aut or .aut.gz.")],
    internal: Internal = None,
    timeout: Timeout = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> None:
    """Count states, transitions, labels, deadlocks and internal cycles.

    Exit status: 0 done; 2 a file could not be read; 3 out of time or memory, or Ctrl-C.
    """

    def one(file: str) -> tuple[int, Text | str | None]:
        system, seconds = _load(file, internal, Budget.start(timeout, memory))
        facts, labels = system.facts(), system.labels
        numbers = {
            "states": system.states,
            "transitions": system.transitions,
            "initial": system.initial,
            "reachable": facts.reachable,
            "internal": facts.internal,
            "deadlocks": facts.deadlocks,
            "divergent": facts.divergent,
        }
        if as_json:
            return YES, Text(ascii_json({"file": file, **numbers, "labels": labels, "load_seconds": seconds}))
        lines = [
            f"{printable(file)}: {system.states:,} states, {system.transitions:,} transitions, read in {span(seconds)}",
            f"  reachable states      {facts.reachable:,} from state {system.initial}",
            f"  internal transitions  {facts.internal:,}",
            f"  deadlocks             {facts.deadlocks:,}",
            f"  on internal cycles    {facts.divergent:,}",
            f"  visible labels        {len(labels):,}{_some(labels)}",
        ]
        return YES, Text("\n".join(lines))

    _each(files, as_json, one)


def _some(labels: tuple[str, ...], most: int = 6) -> str:
    """The first few labels."""
    if not labels:
        return ""
    return ": " + printable(", ".join(labels[:most])) + (", …" if len(labels) > most else "")


@app.command(cls=Command)
@guarded
def reduce(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Aldebaran files, .aut or .aut.gz.")],
    equivalence: EquivalenceOption = "branching",
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="OUT", help="Write the result: .aut or .dot, either with .gz."),
    ] = None,
    internal: Internal = None,
    timeout: Timeout = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> None:
    """Find the smallest system that behaves the same.

    Exit status: 0 done; 2 a file could not be read; 3 out of time or memory, or Ctrl-C.
    """
    chosen = equivalence_named(equivalence)
    if output is not None and len(files) > 1:
        raise UsageError("--output takes one system at a time")
    if output is not None:
        format_for(output, None)  # before the work, not after it
        try_path(output, files)

    def one(file: str) -> tuple[int, Text | str | None]:
        budget = Budget.start(timeout, memory)
        with Bar(file, words=_WORDS) as bar:
            found = reduce_file(file, chosen, internal=tuple(internal or INTERNAL), budget=budget, progress=bar)
        small = found.reduced
        told = {
            "file": file,
            "equivalence": chosen,
            "states": found.states,
            "transitions": found.transitions,
            "reduced_states": small.states,
            "reduced_transitions": small.transitions,
            "load_seconds": found.load_seconds,
            "reduce_seconds": found.reduce_seconds,
        }
        if output is not None:
            small.write(output)
        words = (
            f"{printable(file)}: {found.states:,} states, {found.transitions:,} transitions → "
            f"{small.states:,} states, {small.transitions:,} transitions "
            f"({chosen}; read in {span(found.load_seconds)}, reduced in {span(found.reduce_seconds)})"
        )
        return YES, Text(ascii_json(told) if as_json else words)

    _each(files, as_json, one)


@app.command(cls=Command)
@guarded
def compare(
    first: Annotated[str, typer.Argument(metavar="FIRST", help="A system, such as an implementation.")],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="Another one, such as its specification.")],
    equivalence: Annotated[
        str | None, typer.Option("--equivalence", "-e", help=f"One of {', '.join(EQUIVALENCES)}. Default: branching.")
    ] = None,
    preorder: Annotated[
        str | None, typer.Option(metavar="trace", help="trace: is every trace of FIRST a trace of SECOND?")
    ] = None,
    internal: Internal = None,
    timeout: Timeout = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> None:
    """Do two systems behave alike? If not: what one can do and the other cannot.

    Exit status: 0 equivalent (or included); 1 not; 2 a file could not be read; 3 out of time or memory, or Ctrl-C.
    """
    if preorder not in (None, "trace"):
        raise UsageError(f"there is no preorder {preorder!r}; preorders: trace")
    if preorder is not None and equivalence is not None:
        raise UsageError("--equivalence and --preorder are two questions: ask one at a time")
    chosen = equivalence_named(equivalence or "branching")

    def pair(_: str) -> tuple[int, Text | str | None]:
        budget = Budget.start(timeout, memory)
        one, loading = _load(first, internal, budget)
        other, more = _load(second, internal, budget)
        with Bar(first, words=_WORDS) as bar:
            found = (
                one.compare(other, chosen, budget=budget, progress=bar)
                if preorder is None
                else one.included_in(other, budget=budget, progress=bar)
            )
        told = {"file": first, "other": second, "load_seconds": loading + more, **found.to_dict()}
        return STATUS[found.answer], Text(ascii_json(told) if as_json else str(found))

    _each([first], as_json, pair)


@app.command(cls=Command)
@guarded
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="An Aldebaran file; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help=".aut or .dot, either with .gz; - is standard output.")],
    to: Annotated[str | None, typer.Option(help="The format of OUT, if its name does not tell: aut, dot.")] = None,
    internal: Internal = None,
    timeout: Timeout = None,
    memory: Memory = None,
) -> None:
    """Write a system in another format, internal steps as tau.

    Exit status: 0 done; 2 a file could not be read or written; 3 out of time or memory, or Ctrl-C.
    """
    chosen = format_for("stdout.aut" if target == "-" else target, to)
    if target != "-":
        try_path(target, [source])

    def one(file: str) -> tuple[int, Text | str | None]:
        system, _ = _load(file, internal, Budget.start(timeout, memory))
        return YES, _delivered(system, target, chosen)

    _each([source], False, one)


@app.command(cls=Command)
@guarded
def draw(
    file: File,
    target: Annotated[str, typer.Argument(metavar="[OUT]", help="A .dot file; - is standard output.")] = "-",
    equivalence: Annotated[
        str | None,
        typer.Option("--equivalence", "-e", help=f"Reduce it first: {', '.join(EQUIVALENCES)}. Default: as it is."),
    ] = None,
    internal: Internal = None,
    timeout: Timeout = None,
    memory: Memory = None,
) -> None:
    """Draw a system as a graph for Graphviz.

    Exit status: 0 done; 2 a file could not be read or written; 3 out of time or memory, or Ctrl-C.
    """
    chosen = None if equivalence is None else equivalence_named(equivalence)
    if target != "-":
        try_path(target, [file])

    def one(name: str) -> tuple[int, Text | str | None]:
        budget = Budget.start(timeout, memory)
        system, _ = _load(name, internal, budget)
        return YES, _delivered(system if chosen is None else system.reduce(chosen, budget=budget), target, "dot")

    _each([file], False, one)


def _delivered(system: Lts, target: str, format: str) -> str | None:
    """Writes to a file, or gives the text that is to go to standard output."""
    if target == "-":
        return system.to_dot() if format == "dot" else system.to_aut()
    system.write(target, format)
    return None
