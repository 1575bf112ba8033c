"""Who may end a step before it is done? Ctrl-C and the clock: at any line of Python, but only where a step says so.

    with attention.step(seconds):    inside, Ctrl-C and the end of the time raise `Stopped`
        …
    say(…)                           outside, Ctrl-C is kept in mind, and the next step does not begin

So what is known is never lost: a verdict is found inside a step and printed outside of one, and a Ctrl-C in the middle of
printing does not cut it in half. A user who presses Ctrl-C again after a second wants out: the process ends at once, with
the exit status of what was known by then. Nothing here has any effect before `install`, so that tests can run commands in
their own process.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0
"""Seconds after the first Ctrl-C from which on another ends the process, whatever it is doing."""

WAITING = 2.0
"""Seconds of the clock that a grace lasts at most: who waits for a reader uses no CPU time."""

AGAIN = 0.1
"""Seconds after which a step that was stopped and goes on is stopped again."""


class Stopped(KeyboardInterrupt):
    """A step that was ended. A KeyboardInterrupt, so that the rooms below hand over what they know by then."""


class Attention:
    """The handlers of the two signals; there is one for the process, `attention`."""

    def __init__(self) -> None:
        self.status = 0
        """The exit status, should the process have to end now."""
        self.pressed: float | None = None
        """When Ctrl-C was pressed first."""
        self._asked = 0
        self._late = False
        self._installed = False
        self._stoppable = False
        self._grace, self._last = 0.0, False

    @property
    def interrupted(self) -> bool:
        """Has Ctrl-C been pressed?"""
        return self.pressed is not None

    def stopped(self) -> str:
        """Why the step was stopped. To be called first by whoever catches the exception: the step is over for good then."""
        self._stoppable = False
        if self._installed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
        return "interrupted" if self.interrupted or not self._late else "out of time"

    def install(self, status: int) -> None:
        """From now on signals are dealt with here. Ctrl-C stays ignored if the caller wanted that (nohup)."""
        self.status = status
        self._installed = True
        signal.signal(signal.SIGALRM, self._ring)
        signal.signal(signal.SIGPROF, self._end)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._press)
        sys.unraisablehook = self._unraisable

    def heed(self, another: signal.Signals) -> None:
        """From now on this signal is another Ctrl-C: whoever stops a program that would run for ever wants its last words."""
        if self._installed:
            signal.signal(another, self._press)

    @contextmanager
    def step(self, seconds: float | None = None, grace: float = 0.0, last: bool = False) -> Iterator[None]:
        """Work that may be stopped. It has `seconds`, and then, to come to its end, a `grace` of CPU time.

        The grace is CPU time so that a busy machine does not shorten the last words. They are the only step that begins
        after Ctrl-C (`last`), and have the grace alone then.
        """
        self._late = False
        if not self._installed:
            yield
            return
        if self.interrupted and not last:
            raise Stopped
        try:
            self._grace, self._last, self._stoppable = grace, last, True
            if self.interrupted or seconds == 0:
                self._ring()
            else:
                signal.setitimer(signal.ITIMER_REAL, seconds or 0)
            yield
        finally:
            self.stopped()

    @contextmanager
    def shielded(self) -> Iterator[None]:
        """A part of a step that must not be cut in half; what happened meanwhile is heeded at its end."""
        asked = self._asked  # first: a signal that comes before the next line stops the step at once
        before, self._stoppable = self._stoppable, False
        try:
            yield
        finally:
            self._stoppable = before
        if self._asked > asked:
            self._stop()

    def _press(self, *_: object) -> None:
        now = time.monotonic()
        if self.pressed is not None and now - self.pressed > PATIENCE:
            os._exit(self.status)
        self.pressed = now if self.pressed is None else self.pressed
        self._asked += 1
        self._stop()

    def _ring(self, *_: object) -> None:
        """The time is up: from here on the grace runs, and then it is over."""
        if self._grace <= 0 or (self.interrupted and not self._last):
            self._end()
        signal.setitimer(signal.ITIMER_PROF, self._grace)
        signal.setitimer(signal.ITIMER_REAL, WAITING)
        self._grace = 0.0

    def _end(self, *_: object) -> None:
        self._late = True
        self._asked += 1
        self._stop()

    def _stop(self) -> None:
        """Raises, and again after a moment if the step still goes on: not all code takes notice (a callback of the core)."""
        if self._stoppable:
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            raise Stopped

    def _unraisable(self, lost: Any) -> None:
        """A stop that fell into a destructor, where Python can only drop it: it comes again."""
        if not isinstance(lost.exc_value, Stopped):
            sys.__unraisablehook__(lost)


attention = Attention()
