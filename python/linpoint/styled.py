"""Words with styles: what a renderer gives back.

A terminal shows the styles, and rich knows how (`cli/output.py`). Everywhere else only the words count, and rich is not loaded:
that would take a sixth of the time of a small check.

    >>> line = Text.assemble(("VIOLATION", "bold red"), ": read() → 2")
    >>> line.plain
    'VIOLATION: read() → 2'
"""

from __future__ import annotations

from collections.abc import Iterable


class Text:
    """A text in pieces, each with its style, as rich calls them: `bold red`, `dim`, or none."""

    __slots__ = ("pieces",)

    def __init__(self, text: str = "", style: str = "") -> None:
        self.pieces: list[tuple[str, str]] = [(text, style)] if text else []

    @classmethod
    def assemble(cls, *parts: str | tuple[str, str] | Text) -> Text:
        """One text of several: words, words with a style, texts."""
        whole = cls()
        for part in parts:
            if isinstance(part, Text):
                whole.pieces += part.pieces
            elif isinstance(part, str):
                whole.append(part)
            else:
                whole.append(*part)
        return whole

    def append(self, text: str, style: str = "") -> None:
        """Adds words at the end."""
        if text:
            self.pieces.append((text, style))

    def join(self, texts: Iterable[Text]) -> Text:
        """The texts one after the other, with this one between them."""
        whole = Text()
        for place, text in enumerate(texts):
            whole.pieces += [*self.pieces, *text.pieces] if place else text.pieces
        return whole

    def rstrip(self) -> None:
        """Drops white space at the end."""
        while self.pieces:
            words, style = self.pieces.pop()
            if words := words.rstrip():
                self.pieces.append((words, style))
                return

    def __add__(self, other: Text) -> Text:
        return Text.assemble(self, other)

    def __len__(self) -> int:
        return sum(len(words) for words, _ in self.pieces)

    @property
    def plain(self) -> str:
        """The words alone."""
        return "".join(words for words, _ in self.pieces)

    def __str__(self) -> str:
        return self.plain


def cells_of(text: str) -> int:
    """How many columns of a screen the text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - most text is plain

    return cell_len(text)


def fitted(text: str, columns: int) -> str:
    """The text with blanks behind it, or cut, so that it takes so many columns."""
    if text.isascii() and text.isprintable():
        return text[:columns].ljust(columns)
    from rich.cells import set_cell_size  # noqa: PLC0415 - as above

    return set_cell_size(text, columns)
