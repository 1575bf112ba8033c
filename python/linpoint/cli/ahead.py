"""Several files on several cores: the next file is read while this one is judged.

Reading takes one core and about as long as a check of what is read. At most two histories are in memory, so many files take
no more than a few. The clock of a file stands still between its reading and its check.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from linpoint.budget import Budget
from linpoint.formats import read
from linpoint.history import History


@dataclass(frozen=True)
class Loaded:
    """A history that was read."""

    history: History
    seconds: float
    budget: Budget
    """What reading left of the budget of its file."""


Load = Callable[[str], Loaded]


def load(file: str, reading: dict[str, Any], budget: Budget) -> Loaded:
    """Reads a file, and says how long that took."""
    begun = time.perf_counter()
    history = read(file, budget=budget, **reading)
    return Loaded(history, time.perf_counter() - begun, budget.paused())


class Ahead:
    """Reads files in a thread, one ahead of whoever takes them in their order."""

    def __init__(self, files: Sequence[str], load: Load) -> None:
        self._files, self._load = files, load
        self._taken = 0
        self._begin()

    def _begin(self) -> None:
        """A thread for the files that are left."""
        self._wanted: SimpleQueue[None] = SimpleQueue()
        self._wanted.put(None)
        self._read: SimpleQueue[Loaded | BaseException] = SimpleQueue()
        rest = list(self._files[self._taken :])
        threading.Thread(target=_work, args=(rest, self._load, self._wanted, self._read), daemon=True).start()

    def take(self) -> Loaded:
        """The next file; what went wrong with it is raised here. Ctrl-C and the clock end the waiting."""
        self._taken += 1
        try:
            found = self._read.get()
        except KeyboardInterrupt:
            self._begin()  # the thread may be stuck in this file: it is left alone
            raise
        self._wanted.put(None)
        if isinstance(found, BaseException):
            raise found
        return found


def _work(files: list[str], load: Load, wanted: SimpleQueue[None], read: SimpleQueue[Loaded | BaseException]) -> None:
    for file in files:
        wanted.get()
        try:
            read.put(load(file))
        except BaseException as error:
            read.put(error)
