"""How does a code host show a finding at its line? As SARIF 2.1.0 (OASIS), the format that they read.

A refuted method is a `warning` at its first line, with the interleaving as text and the lines of the method as
related places. A method that is not covered is a `note` at the line that keeps it from being covered.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from linpoint.extend.result import Extension
from linpoint.verdict import Verdict

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
RULES: Final = {
    "not-atomic": "A helper method looks at a shared object and acts on it in several steps; another thread can come between.",
    "not-covered": "A helper method looks at a shared object and acts on it in several steps, and could not be judged.",
}


def sarif(results: Iterable[Extension], version: str) -> dict[str, Any]:
    """The log of one run."""
    found = [_result(each) for each in results if each.verdict is not Verdict.LINEARIZABLE]
    rules = [{"id": name, "shortDescription": {"text": words}} for name, words in RULES.items()]
    driver = {"name": "linpoint", "version": version, "rules": rules}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}


def _result(result: Extension) -> dict[str, Any]:
    refuted = result.verdict is Verdict.VIOLATION
    line = result.refusals[0].line if result.refusals else result.line
    told: dict[str, Any] = {
        "ruleId": "not-atomic" if refuted else "not-covered",
        "level": "warning" if refuted else "note",
        "message": {"text": "\n".join(result.words())},
        "locations": [_place(result.file, line)],
    }
    lines = dict.fromkeys(move.line for move in result.interleaving if move.line)
    if lines:
        told["relatedLocations"] = [
            {**_place(result.file, each), "id": number, "message": {"text": f"step {number}"}}
            for number, each in enumerate(lines, 1)
        ]
    return told


def _place(file: str, line: int) -> dict[str, Any]:
    uri = quote(os.fspath(file).replace(os.sep, "/"))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": max(line, 1)}}}
