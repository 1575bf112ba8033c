"""A result as a file: a page to read, a picture to show, a certificate to keep. The ending of the name says which."""

from __future__ import annotations

import json
from pathlib import Path

from linpoint.check import Result
from linpoint.errors import UsageError
from linpoint.explain.certificate import certificate
from linpoint.explain.page import page
from linpoint.explain.story import story
from linpoint.explain.timeline.svg import svg
from linpoint.explain.words import accused
from linpoint.files import write_file


def save(result: Result, path: str) -> None:
    """Writes the file; UsageError if the ending is none of these."""
    write_file(path, rendered(result, path).encode())


def rendered(result: Result, path: str) -> str:
    """What would be written to a file of this name."""
    match Path(path).suffix.lower():
        case ".html" | ".htm":
            small = result.shrunk
            if small is None:
                return page(result)
            return page(accused(result), small.history, "\n".join(story(result, small)), small.operations)
        case ".svg":
            return svg(result if result.shrunk is None else result.shrunk.result)
        case ".json":
            return json.dumps(certificate(result, result.shrunk), indent=1).replace("\x7f", "\\u007f") + "\n"
        case ending:
            raise UsageError(
                f"{path}: a result is saved as .html, .svg or .json, not as {ending or 'a file without ending'}"
            )
