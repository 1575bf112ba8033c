"""Which ways are there to decide a history? The list is the core's (`crates/check/src/methods.rs`)."""

from __future__ import annotations

from collections.abc import Callable

from linpoint import _core
from linpoint.errors import UsageError

METHODS: dict[str, str] = dict(_core.methods())
"""Every method: name → description."""

Progress = Callable[[float, int], object]
"""Called about ten times a second with (share of the history explained so far, configurations)."""

DEEPEST = 1_000_000
"""The largest depth that may be asked for: no history that hitting could run through has more operations."""


def method_named(name: str) -> str:
    """The method of that name, or a UsageError that lists them."""
    if name not in METHODS:
        raise UsageError(f"there is no method {name!r}; there are {', '.join(METHODS)}")
    return name
