"""What is known of a stream at some moment, for whoever has to tell it when the monitor cannot be asked any more."""

from __future__ import annotations

from dataclasses import dataclass

from linpoint.monitor import Counts, Monitor
from linpoint.verdict import Cause, Verdict


@dataclass(frozen=True)
class Known:
    """What a monitor says of what it judged so far."""

    counts: Counts
    standing: tuple[Verdict, int | None, Cause | None]
    """The verdict, the event since which, and why it is unknown."""
    lost: tuple[int, Cause] | None
    """The event since which not everything was judged, and why; also behind a violation."""

    @classmethod
    def of(cls, monitor: Monitor) -> Known:
        """Asks it. ModelError if it is lost to the code of a model that did not come back."""
        return cls(monitor.counts(), monitor.standing(), monitor.lost())
