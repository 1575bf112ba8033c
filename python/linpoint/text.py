"""Which characters may a screen get to see? The one function through which all foreign text goes before it is shown.

File names, values, keys and options come from outside. Raw, they could steer a terminal (ESC, C1 controls), turn the
reading direction of what follows (bidi controls), hide (zero-width characters, fillers), or pass themselves off as a line of
ours (line ends). Here each such character becomes its JSON escape, so that what was a JSON text stays one.
Linear; text without any of them, nearly all, is passed on as it is.
"""

from __future__ import annotations

import json

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)
"""Letters and marks by their class, but nothing that an eye would see. `str.isprintable` lets them pass."""


def printable(text: str, lines: bool = False) -> str:
    r"""The text with everything that is not plainly visible escaped; line ends stay if `lines` is true.

    >>> printable("a\x1b[2Jb\u202ec")
    'a\\u001b[2Jb\\u202ec'
    """
    if text.isprintable() and _BLANK.isdisjoint(text):
        return text
    return "".join(c if _visible(c) or (lines and c == "\n") else _escaped(c) for c in text)


def ascii_json(value: object) -> str:
    """The value as JSON on one line of printable ASCII."""
    return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")  # DEL is ASCII, and JSON lets it pass


def counted(number: int, what: str) -> str:
    """`1 line`, `1,200 lines`."""
    return f"{number:,} {what}{'s' if number != 1 else ''}"


def _visible(c: str) -> bool:
    return c.isprintable() and c not in _BLANK


def _escaped(c: str) -> str:
    return ascii_json(c)[1:-1]
