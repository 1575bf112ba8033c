"""How is an object of an ordinary class copied, and is the copy one?

`copy.deepcopy` copies what an object holds. Three things it gets wrong, and what is done about them:

    a marker         `slot is EMPTY` is false in a copy that has a new EMPTY: an `object()` stays itself
    a shared thing   what two new objects both hold belongs to neither (`self.missing = MISSING`): it is not copied
    a hook           `__deepcopy__` or `__getstate__` may lose a part: some copies are compared with what was copied

A copy that does not hold the same is no copy: the calls are run again instead, and `why_not` says so. Whether the two *answer*
alike is looked at by those who run them. A copy costs as much as reading the object does, two or three times over.
"""

from __future__ import annotations

import copy as copying
from collections.abc import Callable, Hashable
from typing import Any

from linpoint.errors import ModelError
from linpoint.history.values import brief, complaint
from linpoint.models.fingerprint import Unreadable, fingerprint, markers, read

COPIES_COMPARED = 32
"""So many first copies are compared with what was copied; later one in so many."""

OBJECTS_COMPARED = 64
"""So many first objects must begin like the very first one; later one in so many."""


class NoCopy(Exception):
    """What was made is no copy."""


class Copies:
    """Copies objects of one class."""

    def __init__(self, copier: Callable[[Any], Any] | None) -> None:
        self._copier = copier
        self.why_not: str | None = None if copier is not None else "copy is None"
        """Why objects are not copied, in words."""
        self._shared: dict[int, Any] = {}
        self._own: dict[int, object] = {}
        """The `object()`s with which objects were made, and which no other object has."""
        self._first: tuple[Hashable, ...] | None = None
        self._objects = 0
        self._copies = 0

    @property
    def is_deep(self) -> bool:
        """Are objects copied by `copy.deepcopy`?"""
        return self._copier is copying.deepcopy

    def held(self, thing: Any, *, loosely: bool = False) -> tuple[Hashable, ...]:
        """What an object holds."""
        return fingerprint(thing, self._own, loosely=loosely)

    def look_at(self, one: Any, other: Any) -> None:
        """Learns from two new objects what they share, and whether they can be copied."""
        (_, first), (_, second) = read(one, loosely=True), read(other, loosely=True)
        met = {id(part) for part in first}
        self._shared = {id(part): part for part in second if id(part) in met}
        self._adopt(first)
        try:
            self._first = self.held(one)
        except Unreadable as reason:
            if self.is_deep:
                self.why_not = f"it holds {reason}"
        if self.why_not is None:
            try:
                self.of(one)
            except ModelError:
                raise
            except Exception as error:
                self.cannot(error)

    def begins_alike(self, thing: Any) -> bool:
        """Does a new object hold what the first one held? Looked at now and then."""
        self._objects += 1
        if self._own:
            self._adopt(read(thing, loosely=True)[1])
        if self._first is None or (self._objects > OBJECTS_COMPARED and self._objects % OBJECTS_COMPARED):
            return True
        try:
            return self.held(thing) == self._first
        except Unreadable:
            return True

    def _adopt(self, parts: list[Any]) -> None:
        """Notes the `object()`s of a new object that are its own."""
        self._own |= {id(part): part for part in parts if type(part) is object and id(part) not in self._shared}

    def of(self, thing: Any, held: tuple[Hashable, ...] | None = None) -> Any:
        """A copy of an object; `held` is what it holds, where that is known. NoCopy or another exception if it has none."""
        if not self.is_deep:
            return self._given(thing)
        held = self.held(thing) if held is None else held
        copy = copying.deepcopy(thing, {id(marker): marker for marker in markers(held)} | self._shared)
        self._copies += 1
        if (self._copies <= COPIES_COMPARED or not self._copies % COPIES_COMPARED) and self.held(copy) != held:
            raise NoCopy
        return copy

    def _given(self, thing: Any) -> Any:
        assert self._copier is not None  # noqa: S101 (asked only where copies can be made)
        copy = self._copier(thing)
        if copy is thing or type(copy) is not type(thing):
            what = "the object itself" if copy is thing else brief(copy)
            raise ModelError(f"the given copy= returned {what}, not another {type(thing).__name__}")
        return copy

    def cannot(self, error: Exception) -> None:
        """Objects are not copied from now on."""
        if isinstance(error, Unreadable):
            self.why_not = f"it holds {error}"
        elif isinstance(error, NoCopy):
            self.why_not = "copy.deepcopy makes an object that does not hold the same"
        else:
            self.why_not = f"it cannot be copied: {complaint(error)}"
