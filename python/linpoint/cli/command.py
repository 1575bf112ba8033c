"""Commands of typer whose arguments are taken as they are.

Typer hands every argument to pydantic, also to make a text of a text, and loading pydantic takes longer than everything else
that a small check does. Our parameters are texts, lists of texts, whole numbers and flags, so that can be spared. Where a
version of typer converts in another way, nothing is spared and nothing is lost.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

PLAIN = (str, list[str], bool, int)


class AsItIs:
    """In place of typer's conversion."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def coerce(self, value: Any, **_: Any) -> Any:
        """The text, the list of texts, the number, or whether the flag is set."""
        if self._kind is int and isinstance(value, str):
            try:
                return int(value)
            except ValueError:
                raise typer.BadParameter(f"{value!r} is not a whole number") from None
        return list(value) if isinstance(value, tuple) else value


def spare(parameters: list[Any]) -> list[Any]:
    """The parameters, those of plain types without a conversion."""
    for parameter in parameters:
        kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
        if kind in PLAIN and getattr(parameter, "_runtime_param", parameter) is None:
            parameter._runtime_param = AsItIs(kind)
            if kind is bool:
                parameter.display_type_rich = _nothing  # the help of a flag needs no column that says so
    return parameters


def _nothing(ctx: Any) -> None:
    """In place of the type of a flag."""


class Command(TyperCommand):
    """A subcommand."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, and `--help`."""
        return spare(super().get_params(ctx))


class Group(TyperGroup):
    """A group of subcommands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, and `--help`."""
        return spare(super().get_params(ctx))
