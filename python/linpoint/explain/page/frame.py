"""How is a page made that opens from disk, loads nothing and runs nothing but its own? What all pages have in common.

A policy in the head forbids all loading and every script and style but the page's own, by their hashes, and forbids
making HTML from text (trusted types). Data is JSON in a block that is not a script, escaped so that no value can end
the block.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files

from linpoint.text import printable
from linpoint.verdict import Verdict

HEADINGS = {
    Verdict.VIOLATION: "Not linearizable",
    Verdict.LINEARIZABLE: "Linearizable",
    Verdict.UNKNOWN: "Unknown",
}
_MARKS = {
    Verdict.VIOLATION: '<path d="M16 16 32 32M32 16 16 32"/>',
    Verdict.LINEARIZABLE: '<path d="M14 25 21 32 34 17"/>',
    Verdict.UNKNOWN: '<path d="M18 19a6.5 6.5 0 1 1 9 6c-2 1-3 2-3 4M24 35v.2"/>',
}


def mark(verdict: Verdict) -> str:
    """The sign of a verdict, as the inside of an SVG of 48 × 48."""
    return f'<circle class="disc" cx="24" cy="24" r="23"/>{_MARKS[verdict]}'


def fill(template: str, slots: Mapping[str, str], scripts: Iterable[str], style: str) -> str:
    """The page: every `{{name}}` of the template is replaced; only these scripts and this style may run."""
    policy = {
        "default-src": "'none'",
        "script-src": " ".join(map(_hash, scripts)),
        "style-src": _hash(style),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    known = {**slots, "style": style, "policy": "; ".join(f"{name} {value}" for name, value in policy.items())}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: known[found[1]], template)


def as_data(columns: object) -> str:
    """JSON that nothing in it can break out of: no `<`, no `>`, no `&`, and nothing beyond ASCII."""
    text = json.dumps(columns, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def text(value: str, lines: bool = False) -> str:
    """Text for HTML; what an eye would not see is escaped, except the ends of lines where there are several."""
    return escape(printable(value, lines))


def told(words: Iterable[str]) -> str:
    """Words as paragraphs: prose at the margin, steps and what they lead to further in."""
    return "".join(_line(line) for line in words if line.strip())


def _line(line: str) -> str:
    indent = len(line) - len(line.lstrip())
    kind = "" if not indent else ' class="step"' if indent < 4 else ' class="step deep"'
    return f"<p{kind}>{text(line.strip())}</p>"


@cache
def asset(package: str, name: str) -> str:
    """A file that comes with the package."""
    return (files(package) / name).read_text(encoding="utf-8")


def joined(package: str, names: Iterable[str]) -> str:
    """Several scripts as one, with names of their own."""
    return "(() => {\n'use strict';\n" + "\n".join(asset(package, name) for name in names) + "\n})();\n"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
