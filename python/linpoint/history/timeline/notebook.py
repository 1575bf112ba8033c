"""What does a notebook show of a history? A heading, words and the picture, as one piece of HTML.

No script and no style sheet: a notebook that is not trusted runs none, and several pieces share one page. What comes from a
history is escaped. A wide picture scrolls within its own frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from linpoint.history.history import History
from linpoint.history.timeline.svg import Scene, svg
from linpoint.text import printable

_CODE = "font-family: monospace; font-size: 0.9em; padding-left: 1.5em; white-space: pre-wrap"


MOST = 40
"""So many operations of a history are shown."""


def beginning(history: History) -> str:
    """A history, or its first operations if there are many."""
    first = history.columns.first_called(MOST)
    note = f"the first {MOST} of {len(history):,} operations" if len(first) < len(history) else ""
    return html(Scene(title=repr(history).strip("<>"), shown=history.subhistory(first), numbers=first, note=note))


def html(scene: Scene, words: Iterable[str] = ()) -> str:
    """The piece of HTML; indented words are set apart."""
    said = "".join(_paragraph(line) for line in words if line.strip())
    picture = f'<div style="overflow-x: auto">{svg(scene)}</div>' if len(scene.shown) else ""
    return f'<div class="linpoint"><p><b>{_text(scene.title)}</b></p>{said}{picture}</div>'


def _paragraph(line: str) -> str:
    if line[0] != " ":
        return f"<p>{_text(line)}</p>"
    return f'<div style="{_CODE}">{_text(line)}</div>'


def _text(words: str) -> str:
    return escape(printable(words))
