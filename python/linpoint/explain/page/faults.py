"""When was something broken on purpose? Annotations of a history as bands in time.

A nemesis writes `start-partition`, later `stop-partition`; or `kill` and `start`, `pause` and `resume`, `partition` and
`heal`. Jepsen writes each twice, when it is asked for and when it is done: the band lasts from the first to the last.
What has no end is open until the end of the history; any other annotation is a mark, a band without width.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any

from linpoint.history import Time
from linpoint.history.values import show

_BEGIN = re.compile(r"^(?:start|begin)(?:[-_ :](.*))?$|^(.*)[-_ :](?:start|begin)$")
_END = re.compile(r"^(?:stop|end|finish)(?:[-_ :](.*))?$|^(.*)[-_ :](?:stop|end|finish)$")
_BREAKS = {"kill": "kill", "crash": "kill", "pause": "pause", "partition": "cut", "isolate": "cut", "split": "cut"}
_MENDS = {"start": "kill", "restart": "kill", "recover": "kill", "resume": "pause", "heal": "cut", "join": "cut"}


@dataclass
class Band:
    """From when to when something was the matter."""

    name: str
    start: float
    end: float | None
    """None: until the end of the history."""
    fields: list[tuple[str, str]]
    """All that the source says about it, in words."""


def bands(annotations: Sequence[Mapping[str, Any]], events: Sequence[tuple[int, Time]]) -> list[Band]:
    """The annotations as bands. `events` are (rank, time) of the calls and returns on the page, sorted."""
    found: list[Band] = []
    opened: dict[str, Band] = {}
    last: tuple[str, Band] | None = None  # of the annotation just before
    for annotation in sorted(annotations, key=lambda entry: entry["after"]):
        fields = annotation["fields"] if isinstance(annotation["fields"], Mapping) else {"value": annotation["fields"]}
        name = _name(fields)
        here = _time(annotation["after"], events)
        told = [(str(field), show(value)) for field, value in fields.items() if value is not None]
        if annotation.get("line"):
            told.append(("line", str(annotation["line"])))
        if last is not None and last[0] == name:  # Jepsen says everything twice
            last[1].fields += told
            if last[1].end is not None:
                last[1].end = here
            continue
        kind, band = _ended(name, opened), None
        if kind is not None:
            band = opened.pop(kind)
            band.end, band.fields = here, [*band.fields, *told]
        else:
            kind = _begun(name)
            subject = name if name in _BREAKS else kind or name  # `partition` for `start-partition`
            band = Band(subject, here, here if kind is None else None, told)
            found.append(band)
            if kind is not None:
                opened[kind] = band
        last = (name, band)
    return found


def _name(fields: Mapping[str, Any]) -> str:
    for field in ("f", "fault", "name", "event"):
        if isinstance(fields.get(field), str):
            return str(fields[field])
    return next((value for value in fields.values() if isinstance(value, str)), "annotation")


def _begun(name: str) -> str | None:
    """What breaks with this annotation; None if nothing does."""
    found = _BEGIN.match(name)
    return _BREAKS.get(name, (found[1] or found[2] or "") if found else None)


def _ended(name: str, opened: Mapping[str, Band]) -> str | None:
    """Which of the open bands ends with this annotation; None if none does."""
    found = _END.match(name)
    kind = _MENDS.get(name, (found[1] or found[2] or "") if found else None)
    return kind if kind in opened else None


def _time(after: int, events: Sequence[tuple[int, Time]]) -> float:
    """The middle between the last event before and the first event after the annotation."""
    place = bisect_left(events, after, key=itemgetter(0))
    around = [time for _, time in events[max(place - 1, 0) : place + 1]]
    return float(sum(map(Fraction, around)) / len(around)) if around else 0.0
