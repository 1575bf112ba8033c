"""An explanation as a file: a page to read, a picture to show, a certificate to keep. The ending of the name says which."""

from __future__ import annotations

import json
from pathlib import Path

from linpoint.errors import UsageError
from linpoint.explain.certificate import certificate
from linpoint.explain.explanation import Explanation
from linpoint.explain.page import page
from linpoint.explain.timeline.svg import svg
from linpoint.files import write_file


def save(explanation: Explanation, path: str) -> None:
    """Writes the file; UsageError if the ending is none of these."""
    write_file(path, rendered(explanation, path).encode())


ENDINGS = (".html", ".htm", ".svg", ".json")
"""What can be written."""


def check_ending(path: str) -> None:
    """UsageError if a file of this name could not be written."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"{path}: a result is saved as .html, .svg or .json, not as {ending or 'a file without ending'}"
        )


def rendered(explanation: Explanation, path: str, about: str | None = None) -> str:
    """What would be written to a file of this name. `about`: the file of the history, and when it was checked, for a page."""
    check_ending(path)
    match Path(path).suffix.lower():
        case ".html" | ".htm":
            return page(explanation, about)
        case ".svg":
            return svg(explanation)
        case _:
            return json.dumps(certificate(explanation), indent=1).replace("\x7f", "\\u007f") + "\n"
