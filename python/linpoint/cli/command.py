"""Commands of typer whose texts are taken as they are.

Typer hands every argument to pydantic, also to make a text of a text, and loading pydantic takes 60 ms: more than everything
else that a small check does. Our parameters are texts, lists of texts and flags, so that can be spared. Where a version of
typer converts in another way, nothing is spared and nothing is lost.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

PLAIN = (str, list[str], bool)


class AsItIs:
    """In place of typer's conversion."""

    def coerce(self, value: Any, **_: Any) -> Any:
        """The text, the list of texts, or whether the flag is set."""
        return list(value) if isinstance(value, tuple) else value


def spare(parameters: list[Any]) -> list[Any]:
    """The parameters, those of plain types without a conversion."""
    for parameter in parameters:
        kind = getattr(parameter, "type_descriptor", None)
        if getattr(kind, "annotation", None) in PLAIN and getattr(parameter, "_runtime_param", parameter) is None:
            parameter._runtime_param = AsItIs()
    return parameters


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
