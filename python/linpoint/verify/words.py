"""What does a verification say to people? The verdict, what it rests on, and what is wrong as a table of threads × steps."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size

from linpoint.check import span
from linpoint.explain.report import STYLES
from linpoint.explain.report import report as explained
from linpoint.styled import Text
from linpoint.text import printable
from linpoint.verdict import Verdict
from linpoint.verify.runs import Interleaving, Step
from linpoint.verify.verification import PROPERTIES, Counterexample, Verification

WIDTH = 100
NARROWEST = 24
"""A column of the table is never narrower."""


def report(found: Verification, width: int = WIDTH) -> Text:
    """Everything worth saying."""
    parts = [_headline(found), *(Text(line) for line in facts(found))]
    shown = found.counterexample
    if shown is not None:
        parts += [Text(), *_counterexample(found, shown, width)]
    groups: dict[str, list[str]] = {}
    for name, lasso in found.lassos.items():
        if lasso is not shown:
            groups.setdefault(lasso.words, []).append(PROPERTIES[name])
    parts += [Text(f"Not {' and not '.join(names)}: {words}.") for words, names in groups.items()]
    if found.verdict is Verdict.LINEARIZABLE:
        parts += [Text(), Text(_bound(found), "dim")]
    return Text("\n").join(parts)


def plain(found: Verification) -> str:
    """The report as plain text."""
    return printable(report(found).plain, lines=True)


def _headline(found: Verification) -> Text:
    return Text.assemble((str(found.verdict).upper(), STYLES[found.verdict]), ": ", printable(headline(found)))


def headline(found: Verification) -> str:
    """The verdict as a sentence."""
    client = f"{_client(found)} of {', '.join(found.menu)}"
    match found.verdict:
        case Verdict.LINEARIZABLE:
            return f"every history of {found.target} with {client} is one of {found.spec}"
        case Verdict.VIOLATION:
            return f"{found.target} with {client} is not {found.spec}"
        case _:
            why = found.note or f"out of {found.cause}"
            return f"{found.target} with {client}: {why}"


def _client(found: Verification) -> str:
    threads = "1 thread" if found.threads == 1 else f"{found.threads} threads"
    return f"{threads} × {found.ops} operation{'' if found.ops == 1 else 's'}"


def facts(found: Verification) -> Iterable[str]:
    """What the verdict rests on, line by line."""
    if found.states is not None and found.explore_seconds is not None:
        speed = "" if found.states_per_second is None else f", {found.states_per_second:,.0f} states/s"
        yield (
            f"  object         {found.states:,} states, {found.transitions:,} transitions "
            f"in {span(found.explore_seconds)}{speed}"
        )
    if found.quotient_states is not None and found.reduce_seconds is not None:
        divergent = ""
        if found.divergence_quotient_states not in (None, found.quotient_states):
            divergent = f" ({found.divergence_quotient_states:,} where divergence counts)"
        yield (
            f"  its quotient   {found.quotient_states:,} states{divergent}, {found.reduction:,.1f} times smaller, "
            f"in {span(found.reduce_seconds)}"
        )
    if found.spec_quotient_states is not None:
        seconds = "" if found.refine_seconds is None else f"; compared in {span(found.refine_seconds)}"
        yield f"  specification  {found.spec_states:,} states, quotient {found.spec_quotient_states:,}{seconds}"
    if found.symmetry:
        yield f"  symmetry       of runs that differ only in the names of {' and '.join(found.symmetry)}, one was explored"
    if found.bisimilar and found.lock_free:
        yield "  both are divergence-sensitive branching bisimilar: linearizable and lock-free (Corollary 15)"
    known = [(words, getattr(found, name)) for name, words in PROPERTIES.items()]
    if any(answer is not None for _, answer in known):
        told = {True: "yes", False: "no", None: "not known"}
        why = "" if found.wait_free_not_known is None else f" ({found.wait_free_not_known})"
        yield "  progress       " + ", ".join(f"{words}: {told[answer]}" for words, answer in known) + why
    elif found.counterexample is not None and found.counterexample.kind == "fault":
        yield "  the exploration stops at the first fault: quotients and progress are not known"
    if found.abstract is not None:
        yield f"  {_theorem_14(found)}"


def _theorem_14(found: Verification) -> str:
    if found.abstract_bisimilar:
        return (
            f"divergence-sensitive branching bisimilar to {found.abstract}: the same progress properties (Theorem 14)"
        )
    return f"not divergence-sensitive branching bisimilar to {found.abstract}: {found.abstract_difference}"


def _bound(found: Verification) -> str:
    return (
        f"This is known for {_client(found)} and these arguments; "
        "more threads, operations or values may do what these cannot."
    )


def _counterexample(found: Verification, shown: Counterexample, width: int) -> list[Text]:
    if shown.kind in ("lasso", "wait", "deadlock"):
        name = next((name for name, lasso in found.lassos.items() if lasso is shown), "lock_free")
        parts = [Text(f"Not {PROPERTIES[name]}: {shown.words}.")]
    elif shown.kind == "fault":
        parts = [Text(f"An instruction fails: {shown.words}.")]
    else:
        parts = [Text(f"{shown.words[0].upper()}{shown.words[1:]}.")]
        if shown.explanation is not None:
            parts += [Text(), explained(shown.explanation, width)]
    run = shown.interleaving
    if run is not None:
        parts += [Text(), Text(f"How it happens, in {printable(_short(run.file))}:"), table(run, width)]
    return parts


def _short(file: str) -> str:
    """The name of a file, from here if it is below."""
    below = os.path.relpath(file)
    return file if below.startswith(os.pardir) else below


def table(run: Interleaving, width: int = WIDTH) -> Text:
    """The run as a table: one row per action, one column per thread. Lines of the source, then what was read and written."""
    column = max(NARROWEST, (width - 6) // run.threads - 2)
    lines = [_row("step", [f"t{thread}" for thread in range(1, run.threads + 1)], column, "bold")]
    for number, step in enumerate(run.steps, 1):
        if run.cycle == number - 1:
            lines.append(Text("      from here on for ever:", "bold"))
        for place, cell in enumerate(_cells(run, step)):
            cells = [""] * run.threads
            cells[step.thread - 1] = cell
            lines.append(_row(str(number) if place == 0 else "", cells, column))
    return Text("\n").join(lines)


def _cells(run: Interleaving, step: Step) -> list[str]:
    """What a thread does in a step: its call or return, then line by line what it read and wrote."""
    cells = [] if step.event is None else [step.event]
    line: int | None = None
    for action in step.actions:
        if action.line != line:
            cells.append(f"{action.line}  {run.source(action.line)}")
            line = action.line
        cells.append(f"{' ' * len(str(action.line))}  · {action.words}")
    return cells or ["goes on"]


def _row(number: str, cells: Sequence[str], column: int, style: str = "") -> Text:
    shown = [_fit(printable(cell), column) for cell in cells]
    return Text(f"{number:>4}  " + "  ".join(shown).rstrip(), style)


def _fit(cell: str, column: int) -> str:
    if cell_len(cell) <= column:
        return set_cell_size(cell, column)
    return set_cell_size(cell, column - 1).rstrip() + "…"
