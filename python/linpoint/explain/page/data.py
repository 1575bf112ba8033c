"""What does the page need to know? A history as compact columns of JSON, small enough to be opened from disk.

Operations come in the order of their calls, so that times, lines and places in the order differ little from one to the
next: integers are written as differences. Texts (labels, keys, values of extra fields) are written once, in a table,
and named by number. 100,000 operations take some 4 MB. Longer histories are cut to a stretch of time around the
violation, and texts are cut where all of them together would be too long; both are said in `notes`, which the page shows.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from linpoint.check import Result
from linpoint.explain.page.faults import bands
from linpoint.history import History, Operation, Time
from linpoint.history.values import show, show_key, show_process
from linpoint.models import split
from linpoint.text import printable

MOST = 100_000
"""So many operations are on a page; of a longer history those around the violation."""
BYTES_PER_OPERATION = 1_200
"""What an operation on a page takes while the page is made, about."""
MOST_TEXT = 12_000_000
"""Bytes of text on a page, all together."""
LONGEST_TEXTS = (4_000, 1_000, 250, 80, 40)
"""A text is cut to the first of these lengths with which all of them together are short enough."""
MOST_ANNOTATIONS = 5_000
EXACT = 2**53
"""JavaScript counts exactly up to here."""


@dataclass
class Data:
    """What the scripts of the page read, ready for JSON, and what else is said with it."""

    columns: dict[str, Any]
    shown: list[int]
    """The operations on the page by their index in the history, in the order of their calls."""
    notes: list[str] = field(default_factory=list)
    """What is left out, in words."""


def collect(result: Result, operations: Sequence[int] | None = None, most: int = MOST) -> Data:
    """The columns of a result's history, or of `most` operations around the violation.

    `operations` are those of the counterexample by their index in the history.
    """
    shown, notes = stretch(result, most)
    history = result.history.subhistory(shown)  # from here on operations are numbered as on the page
    records = [history.columns.record(number) for number in range(len(shown))]
    number_of = {index: number for number, index in enumerate(shown)}
    order = result.order if result.order is not None else result.prefix_order
    place = {number_of[index]: where for where, index in enumerate(order) if index in number_of}
    stuck = None if result.stuck_index is None else number_of[result.stuck_index]
    figure = None if operations is None else [number_of.get(index) for index in operations]
    records = _whole(records)
    texts, base = _Texts(), _base(records)
    columns: dict[str, Any] = {
        "total": len(result.history),
        "verdict": result.verdict.value,
        "ordered": len(order),
        "whole": result.order is not None,
        "stuck": stuck,
        "figure": figure,
        "index": deltas(shown),
        "line": deltas([record.get("line") for record in records]),
        "place": deltas([place.get(number) for number in range(len(shown))]),
        "type": "".join(str(record["type"])[0] for record in records),
        "base": str(base),
        **_times(records, base),
        **_lanes(history),
        **_kinds(result, history, stuck, records, texts),
        "extras": _extras(records, texts),
        "bands": _bands(history, records, base, notes),
    }
    columns["texts"], cut = texts.written()
    if cut:
        notes.append(f"Texts are cut to {cut:,} characters.")
    return Data(columns, shown, notes)


def stretch(result: Result, most: int) -> tuple[list[int], list[str]]:
    """The operations to put on the page, in the order of their calls, and what to say about those left out."""
    everything = _by_call(result.history)
    if len(everything) <= most:
        return list(everything), []
    total = f"{len(everything):,} operations"
    if result.stuck_index is None:
        return list(everything[:most]), [f"This page holds the first {most:,} of {total}."]
    middle = everything.index(result.stuck_index)
    first = max(
        0, min(middle - most * 3 // 4, len(everything) - most)
    )  # what led to it matters more than what followed
    note = (
        f"This page holds {most:,} of {total}: numbers {first + 1:,} to {first + most:,} in the order of their calls, "
        f"around operation {result.stuck_index:,}, which could not be explained."
    )
    return list(everything[first : first + most]), [note]


def _by_call(history: History) -> array[int]:
    """All operations in the order of their calls; four bytes each, for there may be millions."""
    calls, _ = history.columns.ranks()
    at = array("i", [-1]) * (2 * len(calls))
    for index, rank in enumerate(calls):
        at[rank] = index
    return array("i", (index for index in at if index >= 0))


def deltas(values: Sequence[int | None]) -> list[int | None]:
    """Each number less the one before it; None stays None and counts for nothing."""
    before, found = 0, list[int | None]()
    for value in values:
        found.append(None if value is None else value - before)
        before = before if value is None else value
    return found


def _whole(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records; times that a float cannot say are counted in the smallest unit of any."""
    times = [time for record in records for time in (record["call"], record["return"]) if isinstance(time, Decimal)]
    if not times:
        return records
    unit = max(-int(time.as_tuple().exponent) for time in times)

    def counted(time: Time | None) -> int | None:
        return None if time is None else int(Fraction(time) * 10**unit)

    return [{**record, "call": counted(record["call"]), "return": counted(record["return"])} for record in records]


def _base(records: Sequence[Mapping[str, Any]]) -> int:
    """The time from which the others are counted: the first, or 0 if times are small fractions."""
    first = min((record["call"] for record in records), default=0)
    return 0 if isinstance(first, float) and abs(first) < 1e6 else floor(first)


def _times(records: Sequence[Mapping[str, Any]], base: int) -> dict[str, Any]:
    """Calls and returns: differences of integers, floats as they are, and integers too far apart for a float as text."""
    calls: list[float] = [record["call"] for record in records]
    returns: list[float | None] = [record.get("return") for record in records]
    every = [*calls, *(time for time in returns if time is not None)]
    if any(isinstance(time, float) for time in every):
        return {"clock": "float", "call": calls, "return": returns}
    if max(every, default=0) - base >= EXACT:
        texts = [None if time is None else str(time) for time in returns]
        return {"clock": "text", "call": [str(time) for time in calls], "return": texts}
    lasted = [None if end is None else end - start for start, end in zip(calls, returns, strict=True)]
    return {"clock": "int", "call": deltas([int(time - base) for time in calls]), "return": lasted}


def _lanes(history: History) -> dict[str, Any]:
    """The processes, numbers by value and then texts, and which of them each operation is by."""
    codes, every = history.columns.process_codes(), history.processes
    sorted_codes = sorted(range(len(every)), key=lambda code: _by_name(every[code]))
    lane = {code: number for number, code in enumerate(sorted_codes)}
    names = [show_process(every[code]) for code in sorted_codes]
    return {"processes": names, "process": [lane[code] for code in codes]}


def _by_name(process: Any) -> tuple[bool, int, str]:
    number = isinstance(process, int)
    return not number, process if number else 0, show(process)


def _kinds(
    result: Result, history: History, stuck: int | None, records: Sequence[Mapping[str, Any]], texts: _Texts
) -> dict[str, Any]:
    """What operations say, once a kind: label, key, part. Operations of one kind differ in process and time only."""
    codes, examples = history.examples()
    parts = None
    if result.parts > 1:
        told_apart, parts = split(history, result.model)
        codes, examples = told_apart.codes, told_apart.examples
    numbers: dict[tuple[int, str], int] = {}
    kinds: dict[str, list[int | None]] = {"label": [], "key": [], "part": []}
    keys: dict[str, int] = {}
    column = []
    for code, record in zip(codes, records, strict=True):
        kind = (code, str(record["type"]))  # a failed and a pending operation may be of one kind
        if kind not in numbers:
            numbers[kind] = len(numbers)
            example = examples[code]
            op = example if example is not None and example.type == kind[1] else Operation.from_record(record)
            key = None if op.key is None else show_key(op.key)
            kinds["label"].append(texts.number(str(op)))
            kinds["key"].append(None if key is None else keys.setdefault(key, len(keys)))
            kinds["part"].append(None if parts is None or example is None else parts.of_kind[code])
        column.append(numbers[kind])
    return {
        "kind": column,
        "kinds": kinds,
        "keys": [texts.number(key) for key in keys],
        "parts": [] if parts is None else [texts.number(label) for label in parts.labels],
        "part": None if parts is None or stuck is None else parts.of_kind[codes[stuck]],
    }


def _extras(records: Sequence[Mapping[str, Any]], texts: _Texts) -> list[dict[str, Any]]:
    """The other fields of the source, a column each: integers as differences, all else as texts."""
    fields = [record.get("extra", {}) for record in records]
    names = dict.fromkeys(name for extra in fields for name in extra)
    found = []
    for name in names:
        values = [extra.get(name) for extra in fields]
        if all(value is None or (type(value) is int and abs(value) < EXACT) for value in values):
            found.append({"name": printable(name), "numbers": deltas(values)})
        else:
            words = [None if value is None else value if isinstance(value, str) else show(value) for value in values]
            found.append(
                {"name": printable(name), "texts": [None if word is None else texts.number(word) for word in words]}
            )
    return found


def _bands(history: History, records: Sequence[Mapping[str, Any]], base: int, notes: list[str]) -> list[dict[str, Any]]:
    """The annotations, each from when to when."""
    annotations = history.annotations
    if len(annotations) > MOST_ANNOTATIONS:
        notes.append(f"Of {len(annotations):,} annotations the first {MOST_ANNOTATIONS:,} are drawn.")
    calls, returns = history.columns.ranks()
    events: list[tuple[int, Time]] = [
        (rank, record["call"] - base) for rank, record in zip(calls, records, strict=True)
    ]
    events += [
        (rank, record["return"] - base) for rank, record in zip(returns, records, strict=True) if rank is not None
    ]
    most = LONGEST_TEXTS[1]
    return [
        {
            "name": printable(band.name[:most]),
            "from": band.start,
            "to": band.end,
            "fields": [[printable(name[:most]), printable(text[:most])] for name, text in band.fields],
        }
        for band in bands(annotations[:MOST_ANNOTATIONS], sorted(events))
    ]


class _Texts:
    """A table of distinct texts; control characters are made visible, so that a text cannot turn the one beside it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(printable(text), len(self._numbers))

    def written(self) -> tuple[list[str], int]:
        """The texts, and to how many characters they were cut; 0 if none was."""
        for most in LONGEST_TEXTS:
            if sum(len(json.dumps(text[:most])) for text in self._numbers) <= MOST_TEXT or most == LONGEST_TEXTS[-1]:
                break
        cut = [
            text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"
            for text in self._numbers
        ]
        return cut, most if any(len(text) > most for text in self._numbers) else 0
