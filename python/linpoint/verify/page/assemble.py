"""What does a person see who opens the report of a verification? The verdict, what a client saw, and the run to step through.

One page of HTML that opens from disk and loads nothing (`explain/page/frame.py`). What comes from the program (source
lines, names, values) is data, and shown as text. Verdict, history and the run as a table need no script; stepping,
the source beside it and the drawing of memory do.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator
from textwrap import dedent
from typing import Any

from linpoint.explain.page.frame import HEADINGS, as_data, asset, fill, joined, mark, text, told
from linpoint.explain.timeline.svg import svg
from linpoint.text import printable
from linpoint.verdict import Verdict
from linpoint.verify.runs import Interleaving, Memory, ThreadView
from linpoint.verify.verification import PROPERTIES, Counterexample, Verification
from linpoint.verify.words import facts, headline, table

PACKAGE = "linpoint.verify.page"
BASE = "linpoint.explain.page"
SCRIPTS = ("memory.js", "lists.js", "step.js")
"""In the order in which they build on one another; on the page they are one script."""
AROUND = 4
"""So many lines of the source are shown before and behind those that run."""


def page(found: Verification) -> str:
    """The report as one self-contained HTML file."""
    shown = list(_runs(found))
    theme, script = asset(BASE, "theme.js"), joined(PACKAGE, SCRIPTS)
    style = asset(BASE, "page.css") + asset(PACKAGE, "run.css")
    slots = {
        "title": text(f"{_heading(found)} · {found.target} · linpoint"),
        "theme": theme,
        "verdict": found.verdict.value,
        "mark": mark(found.verdict),
        "heading": text(_heading(found)),
        "headline": text(f"{headline(found)}."),
        "facts": "".join(f"<li>{text(' '.join(fact.split()))}</li>" for fact in facts(found)),
        "seen": _seen(found.counterexample),
        "run": _section(shown),
        "footer": "linpoint verify. This page is one file and loads nothing.",
        "data": as_data(_data(shown)),
        "script": script,
    }
    return fill(asset(PACKAGE, "template.html"), slots, (theme, script), style)


def _heading(found: Verification) -> str:
    shown = found.counterexample
    if shown is not None and shown.kind == "fault":
        return "An instruction fails"
    if found.verdict is Verdict.LINEARIZABLE and found.deadlock_free is False:
        return "Linearizable, but calls may wait for ever"
    if found.verdict is Verdict.LINEARIZABLE and found.lock_free is False:
        return "Linearizable, but not lock-free"
    return HEADINGS[found.verdict]


def _runs(found: Verification) -> Iterator[tuple[str, Counterexample]]:
    """Every run that there is to see, the one that decides first: (what it shows, the run)."""
    if found.counterexample is not None and found.verdict is Verdict.VIOLATION:
        yield HEADINGS[found.verdict] if found.counterexample.kind == "history" else "Fault", found.counterexample
    for name, lasso in found.lassos.items():
        yield f"Not {PROPERTIES[name]}", lasso


def _seen(shown: Counterexample | None) -> str:
    """The history: what a client saw, and why no order explains it."""
    explained = None if shown is None else shown.explanation
    if explained is None:
        return ""
    picture = f'<figure>{svg(explained)}</figure><div class="words">{told(explained.words)}</div>'
    return (
        '<section class="first" aria-labelledby="seen-title"><div class="title"><h2 id="seen-title">What a client sees</h2>'
        f'<p>calls and returns that the specification does not have</p></div><div class="told both">{picture}</div></section>'
    )


def _section(shown: list[tuple[str, Counterexample]]) -> str:
    """The run as text for readers without scripts; the script puts its own view in its place."""
    runs = [(name, one.interleaving, one.words) for name, one in shown if one.interleaving is not None]
    if not runs:
        return ""
    name, run, words = runs[0]
    choices = "".join(
        f'<button type="button" class="choice" data-run="{number}">{text(label)}</button>'
        for number, (label, _, _) in enumerate(runs)
    )
    return (
        asset(PACKAGE, "run.html")
        .replace("{{choices}}", choices if len(runs) > 1 else "")
        .replace("{{words}}", text(f"{name}: {words}."))
        .replace("{{table}}", text(table(run).plain, lines=True))
    )


def _data(shown: list[tuple[str, Counterexample]]) -> dict[str, Any]:
    """Everything that the scripts draw."""
    runs = [(name, one.words, one.interleaving) for name, one in shown if one.interleaving is not None]
    lines = sorted({line for _, _, run in runs for line in _lines(run)})
    first = max(1, lines[0] - AROUND) if lines else 1
    last = lines[-1] + AROUND if lines else 0
    file = runs[0][2].file if runs else ""
    lines_there = [linecache.getline(file, line).rstrip() for line in range(first, last + 1)]
    source = [printable(line.expandtabs()) for line in dedent("\n".join(lines_there)).rstrip().split("\n")]
    return {
        "first": first,
        "source": source,
        "runs": [{"name": name, "words": words, **_run(run)} for name, words, run in runs],
    }


def _lines(run: Interleaving) -> Iterable[int]:
    for step in run.steps:
        yield from (action.line for action in step.actions if action.line)
        yield from (thread.line for thread in step.memory.threads if thread.line)


def _run(run: Interleaving) -> dict[str, Any]:
    return {
        "threads": run.threads,
        "cycle": run.cycle,
        "before": _memory(run.before),
        "steps": [
            {
                "thread": step.thread,
                "event": step.event,
                "fault": step.fault,
                "actions": [[action.line, printable(action.words)] for action in step.actions],
                "memory": _memory(step.memory),
            }
            for step in run.steps
        ],
    }


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "cells": memory.cells,
        "nodes": [[node.name, node.kind, node.freed, node.fields] for node in memory.nodes],
        "threads": [_thread(thread) for thread in memory.threads],
    }


def _thread(thread: ThreadView) -> list[Any]:
    return [thread.line, thread.variables, thread.result]
