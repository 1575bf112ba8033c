"""A progress bar on standard error, for work of more than a second, on a terminal."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from linpoint.cli.attention import attention
from linpoint.cli.output import stderr
from linpoint.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds before the bar appears."""

_WORDS = "{task.percentage:>3.0f}% explained, {task.fields[configurations]:,} configurations"


class Bar:
    """Call it with (share explained, configurations), as `linpoint.check` does.

    `words` say what stands behind the bar; they may speak of `configurations` and of their `rate` per second.
    """

    def __init__(self, title: str, enabled: bool = True, words: str = _WORDS) -> None:
        self._begun = time.monotonic()
        self._enabled = enabled and sys.stderr.isatty()
        self._title, self._words = printable(os.path.basename(title)), words
        self._progress: Progress | None = None

    def __call__(self, share: float, configurations: int) -> None:
        """Shows how far the search is."""
        if not self._enabled or time.monotonic() - self._begun < PATIENCE:
            return
        with attention.shielded():
            if self._progress is None:
                self._progress = self._started()
            rate = configurations / (time.monotonic() - self._begun)
            self._progress.update(self._progress.task_ids[0], completed=share, configurations=configurations, rate=rate)

    def _started(self) -> Progress:
        """The bar, on the screen. Loaded only now: most work is done before."""
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn(self._words),
            TimeElapsedColumn(),
            console=stderr(),
            transient=True,
        )
        progress.add_task(self._title, total=1.0, configurations=0, rate=0.0)
        progress.start()
        return progress

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with attention.shielded():
            if self._progress is not None:
                self._progress.stop()  # shows the cursor again
