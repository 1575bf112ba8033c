"""Is every single field of a certificate vouched for? Each is changed, one at a time, and none may be accepted."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

import linpoint as lp
from linpoint.explain.certificate import CertificateError, certificate
from linpoint.explain.validate import validate

Path = tuple[str | int, ...]


def op(process: int, f: str, call: int, ret: int | None, **rest: Any) -> dict[str, Any]:
    record = {"process": process, "f": f, "call": call, **rest}
    return record if ret is None else {**record, "return": ret}


STALE = [
    op(0, "write", 0, 1, value=1),
    op(0, "write", 2, 3, value=2),
    op(1, "read", 4, 5, result=1),
]
"""A claim about everything, with a write that is shown for the reader's sake."""

ADDS = [op(0, "add", 2 * i, 2 * i + 1, value=1) for i in range(16)]

PLACED = [
    *[op(0, "add", 4 * i, 4 * i + 1, value=1, key="x") for i in range(14)],
    *[op(1, "add", 4 * i + 2, 4 * i + 3, value=1, key="y") for i in range(14)],
    op(2, "add", 0, 300, value=9, key="x"),
    op(1, "read", 100, 101, result=23, key="x"),
    op(1, "read", 200, 201, result=14, key="x"),
]
"""Two parts, and an operation that was open at the cut and in effect already."""

EITHER = [
    *ADDS,
    *[op(amount, "add", 1, 2, value=amount, type="info") for amount in (2, 3, 5)],
    op(1, "read", 200, 201, result=21),
    op(1, "read", 202, 203, result=20),
]
"""Two configurations at a cut: 5 was added, or 2 and 3."""

SAVED = {
    "stale": (STALE, None),
    "placed": (PLACED, "counter"),
    "either": (EITHER, "counter"),
}


def saved(name: str) -> tuple[dict[str, Any], lp.History]:
    records, model = SAVED[name]
    history = lp.History(records)
    result = lp.check(history, model)
    assert result.verdict is lp.Verdict.VIOLATION
    return json.loads(json.dumps(certificate(lp.explain(result)))), history


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Everything that can be changed: each text, number, bool or null, and each list as a whole."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, (*path, name))
        return
    yield path
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from leaves(item, (*path, place))


def others(value: Any) -> list[Any]:
    """Other values of the same kind."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return [value + "!", ""] if value else ["!"]
    if value is None:
        return ["!", 0]
    return [value[:-1], [*value, *value[-1:]]] if value else [[0]]


def altered(sound: dict[str, Any], path: Path, other: Any) -> dict[str, Any]:
    forged = copy.deepcopy(sound)
    at: Any = forged
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = other
    return forged


@pytest.mark.parametrize("name", SAVED)
def test_no_changed_field_is_accepted(name: str) -> None:
    sound, history = saved(name)
    assert validate(sound, history).startswith("violation")
    accepted = []
    for path in leaves(sound):
        at: Any = sound
        for step in path:
            at = at[step]
        for other in others(at):
            try:
                validate(altered(sound, path, other), history)
            except lp.LinpointError as refusal:
                if isinstance(refusal, CertificateError) or path == ("model",):
                    continue  # no such model: it cannot even be read
                raise
            if path[-1] != "start":  # an order may begin in another configuration as well
                accepted.append((path, at, other))
    assert accepted == []


@pytest.mark.parametrize("name", SAVED)
def test_no_missing_field_is_accepted(name: str) -> None:
    sound, history = saved(name)
    for fields in (sound, sound["explanation"]):
        for field in list(fields):
            kept = fields.pop(field)
            with pytest.raises(CertificateError):
                validate(sound, history)
            fields[field] = kept


def test_the_saved_explanations_are_of_every_kind() -> None:
    """Otherwise the tests above would look at less than they say."""
    cuts = {name: saved(name)[0]["explanation"]["cut"] for name in SAVED}
    assert cuts["stale"] is None
    assert saved("stale")[0]["guessed"] is not None
    assert cuts["placed"]["part"] == '"x"'
    assert any(found["early"] for found in cuts["placed"]["reachable"])
    assert len(cuts["either"]["reachable"]) > 1


def test_a_configuration_that_is_not_named_is_missed() -> None:
    """Consistently struck out, with its orders and its words: only walking through the past can tell."""
    sound, history = saved("either")
    said = sound["explanation"]
    said["cut"]["reachable"].pop()
    last = len(said["cut"]["reachable"])
    said["candidates"] = [one for one in said["candidates"] if one["start"] < last]
    with pytest.raises(CertificateError, match="not named"):
        validate(sound, history)


def test_a_result_that_a_pending_operation_never_had_is_rejected() -> None:
    sound, history = saved("either")
    pending = next(one for one in sound["explanation"]["cut"]["past"] if one.get("type") == "info")
    pending["result"] = 7
    with pytest.raises(CertificateError, match="is not what the history has"):
        validate(sound, history)


def test_numbers_of_schedules_fit_each_other() -> None:
    history = lp.History(
        [
            {"process": 0, "f": "write", "value": 1, "call": 0, "return": 5},
            {"process": 1, "f": "write", "value": 2, "call": 1, "return": 4},
            {"process": 0, "f": "read", "result": 3, "call": 6, "return": 7},
        ]
    )
    result = lp.check(history, "register", method="hitting")
    sound = json.loads(json.dumps(certificate(lp.explain(result))))
    assert (sound["depth"], sound["schedules"], sound["family"]) == (None, 2, [2])
    assert validate(sound, history).startswith("violation")
    for changed in ({"depth": 1}, {"schedules": 3}, {"family": [1]}, {"family": [2.0]}, {"method": "depth-first"}):
        with pytest.raises(CertificateError):
            validate(sound | changed, history)
