"""The ways to search, and the options they share: one definition for the API, the command line and its help."""

from __future__ import annotations

from collections.abc import Callable

from linpoint.errors import UsageError

METHODS: dict[str, str] = {
    "auto": "depth-first raced against breadth-first, on parts of the history, in parallel",
    "depth-first": "tries one order after the other: quick to find a witness",
    "breadth-first": "follows all orders at once, event by event: quick to find a violation",
    "wgl": "Wing & Gong, Lowe, as in Horn & Kroening 2015: the classic, for comparison",
}
"""Every method: name → description."""

Progress = Callable[[float, int], object]
"""Called about ten times a second with (share of the history explained so far, configurations)."""


def method_named(name: str) -> str:
    """The method of that name, or a UsageError that lists them."""
    if name not in METHODS:
        raise UsageError(f"there is no method {name!r}; there are {', '.join(METHODS)}")
    return name
