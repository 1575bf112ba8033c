"""How are the figures shown and kept?

A suite gives Tables. This file turns them into text for the terminal and Markdown, and writes one JSON and one
Markdown file per run into bench/results, named by date and time (UTC). Nothing in them names the machine's
host, user or folders.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.prepare import without_folders


@dataclass
class Table:
    title: str
    question: str
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)  # the same, for programs
    problems: list[str] = field(default_factory=list)  # bars not kept, wrong verdicts
    notes: list[str] = field(default_factory=list)


def as_text(table: Table) -> str:
    widths = [max(map(len, column)) for column in zip(table.header, *table.rows, strict=True)]

    def line(cells: list[str]) -> str:
        return "  ".join(
            c.ljust(w) if i == 0 or not numeric(c) else c.rjust(w)
            for i, (c, w) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()

    body = [line(table.header), line(["-" * width for width in widths]), *map(line, table.rows)]
    return "\n".join(
        [f"\n{table.title}: {table.question}", *body, *(f"  {text}" for text in [*table.notes, *table.problems])]
    )


def numeric(cell: str) -> bool:
    return cell.lstrip("> <")[:1].isdigit()


def as_markdown(table: Table) -> str:
    rows = [table.header, ["---"] * len(table.header), *table.rows]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    after = [f"- {text}" for text in [*table.notes, *table.problems]]
    return "\n".join([f"## {table.title}", "", table.question, "", *lines, *([""] if after else []), *after, ""])


def save(folder: Path, stamp: str, facts: dict[str, Any], tables: list[Table]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    suites = [
        {"suite": t.title, "question": t.question, "cases": t.records, "problems": t.problems, "notes": t.notes}
        for t in tables
    ]
    everything = json.dumps({**facts, "suites": suites}, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{stamp}.json").write_text(without_folders(everything))
    target = folder / f"{stamp}.md"
    page = [f"# Benchmarks of {facts['date']}", "", *describe(facts), "", *map(as_markdown, tables)]
    target.write_text(without_folders("\n".join(page)))
    return target


def describe(facts: dict[str, Any]) -> list[str]:
    """The machine, the versions and the settings, one Markdown line each."""
    return [
        f"- {name}: " + ", ".join(f"{key} {value}" for key, value in facts[name].items())
        for name in ("machine", "versions", "settings")
    ]
