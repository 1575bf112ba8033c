"""The ways to search, and the options they share: one definition for the API, the command line and its help."""

from __future__ import annotations

from collections.abc import Callable

from linpoint.errors import UsageError

METHODS: dict[str, str] = {
    "auto": "on each part, in parallel: the cheapest exact method: a monitor, the queue search, or both general searches raced",
    "depth-first": "tries one order after the other: quick to find a witness",
    "breadth-first": "follows all orders at once, event by event: quick to find a violation",
    "wgl": "Wing & Gong, Lowe, as in Horn & Kroening 2015: the classic, for comparison",
    "queue-monitor": "O(n log n), no search: a queue with unique values; declines what it does not cover",
    "stack-monitor": "the same for a stack",
    "priority-queue-monitor": "the same for a priority queue or a bag",
    "register-monitor": "the same for a register, or one key of a map, with unique writes",
    "set-monitor": "the same for an element of a set, added and removed at will",
    "mutex-monitor": "the same for a mutex",
    "queue-search": "a queue whose values repeat or whose pending dequeues hide what they took: one element at a time",
}
"""Every method: name → description."""

Progress = Callable[[float, int], object]
"""Called about ten times a second with (share of the history explained so far, configurations)."""


def method_named(name: str) -> str:
    """The method of that name, or a UsageError that lists them."""
    if name not in METHODS:
        raise UsageError(f"there is no method {name!r}; there are {', '.join(METHODS)}")
    return name
