"""A progress bar on standard error, for work of more than a second, if somebody is looking."""

from __future__ import annotations

import os
import time
from types import TracebackType

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from linpoint.cli.attention import attention
from linpoint.cli.output import stderr
from linpoint.text import printable

PATIENCE = 1.0
"""Seconds before the bar appears."""

_WORDS = "{task.percentage:>3.0f}% explained, {task.fields[configurations]:,} configurations"


class Bar:
    """Call it with (share explained, configurations), as `linpoint.check` does.

    `words` say what stands behind the bar.
    """

    def __init__(self, title: str, enabled: bool = True, words: str = _WORDS) -> None:
        console = stderr()
        self._begun = time.monotonic()
        self._enabled = enabled and console.is_terminal
        self._task: TaskID | None = None
        self._title = printable(os.path.basename(title))
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn(words),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )

    def __call__(self, share: float, configurations: int) -> None:
        """Shows how far the search is."""
        if not self._enabled or time.monotonic() - self._begun < PATIENCE:
            return
        with attention.shielded():
            if self._task is None:
                self._task = self._progress.add_task(self._title, total=1.0, configurations=0)
                self._progress.start()
            self._progress.update(self._task, completed=share, configurations=configurations)

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with attention.shielded():
            if self._task is not None:
                self._progress.stop()  # shows the cursor again
