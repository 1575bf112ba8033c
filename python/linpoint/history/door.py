"""The one place where errors of the compiled core become linpoint's own.

Use it around every call into `_core` that can complain:

    with door():
        columns = _core.read_path(…)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from linpoint import _core
from linpoint.errors import HistoryError, ModelError, ReadError, Unfinished
from linpoint.verdict import Cause


@contextmanager
def door() -> Iterator[None]:
    """Turns the exceptions of `_core` into `linpoint.errors`, and what Ctrl-C stopped into KeyboardInterrupt."""
    try:
        yield
    except _core.ReadError as error:
        raise ReadError(*error.args) from None
    except _core.HistoryError as error:
        raise HistoryError(*error.args) from None
    except _core.ModelError as error:
        raise ModelError(*error.args) from None
    except _core.Stopped as error:
        cause = Cause.parse(error.args[0])
        raise KeyboardInterrupt if cause is Cause.INTERRUPTED else Unfinished(cause) from None


def give_memory_back() -> None:
    """For a program of its own: memory that a step of a check frees goes back to the system, where that can be had."""
    _core.give_memory_back()
