"""Does an object answer for itself alone? Globals, memos, registries and attributes of the class, seen by all objects."""

from __future__ import annotations

import functools
import itertools
import logging

import pytest

import linpoint as lp
from linpoint.models import from_class
from tests.models.test_from_class import run

METHODS = ["auto", "hitting", "depth-first"]

_flag = [False]
_seen: set[object] = set()
_cache: dict[object, object] = {}
_calls: list[str] = []
_log = logging.getLogger(__name__)


def _forget() -> None:
    _flag[0] = False
    _seen.clear()
    _cache.clear()
    SetOnce.ready = False
    _opened.cache_clear()


class SetOnce:
    """Its first object ever answers otherwise than all later ones, by an attribute of the class."""

    ready = False

    def start(self):
        first, SetOnce.ready = not SetOnce.ready, True
        return first


class Global:
    def start(self):
        first, _flag[0] = not _flag[0], True
        return first

    def turn_on(self):
        _flag[0] = True

    def is_on(self):
        return _flag[0]


class Registry:
    def add(self, name):
        _seen.add(name)

    def has(self, name):
        return name in _seen


class Memo:
    """Keeps its first answer for each item, for all objects."""

    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
        return _cache.setdefault(item, len(self.items))


@functools.cache
def _opened(name):
    _seen.add(name)
    return len(_seen)


class Cached:
    def number(self, name):
        return _opened(name)

    def count(self):
        return len(_seen)


class Counted:
    """Counts its calls where nobody looks at them: nothing depends on that."""

    def __init__(self):
        self.n = 0

    def inc(self):
        _calls.append("inc")
        self.n += 1
        return self.n

    def read(self):
        _calls.append("read")
        return self.n


OUTSIDE = r"depends on something outside of the object|changes an attribute of the class"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("cls", "calls"),
    [
        (SetOnce, [("start", None, True), ("start", None, False)]),
        (Global, [("start", None, True), ("start", None, False)]),
        (Global, [("turn_on", None, None), ("is_on", None, False)]),
        (Global, [("is_on", None, False), ("turn_on", None, None)]),
        (Registry, [("add", 1, None), ("has", 1, False)]),
        (Memo, [("add", 5, 2), ("add", 6, 1)]),
        (Cached, [("number", "a", 1), ("count", None, 0)]),
    ],
)
def test_answers_that_depend_on_other_objects_are_no_verdict(cls, calls, method) -> None:
    for order in itertools.permutations(calls):
        _forget()
        with pytest.raises(lp.ModelError, match=OUTSIDE):
            lp.check(run(*order, overlap=True), from_class(cls), method=method)


def _flagged():
    flag = []

    class Flagged:
        def turn_on(self):
            flag.append(1)

        def is_on(self):
            return bool(flag)

    return Flagged, flag


@pytest.mark.parametrize("method", METHODS)
def test_a_second_check_is_not_deceived_by_the_first(method) -> None:
    cls, flag = _flagged()
    for _ in range(3):
        with pytest.raises(
            lp.ModelError, match=r"is_on depends on something outside of the object \(the variable flag\)"
        ):
            lp.check(run(("turn_on", None, None), ("is_on", None, False), overlap=True), from_class(cls), method=method)
        assert flag
        assert cls().is_on(), "what was there is put back"


def test_a_global_that_was_not_there() -> None:
    class Maker:
        def turn_on(self):
            global _made  # noqa: PLW0603
            _made = True

        def is_on(self):
            return "_made" in globals()

    for method in METHODS:
        with pytest.raises(
            lp.ModelError, match=r"is_on depends on something outside of the object \(the global _made\)"
        ):
            lp.check(
                run(("turn_on", None, None), ("is_on", None, False), overlap=True), from_class(Maker), method=method
            )


def _square(n):
    if n not in _cache:
        _cache[n] = n * n
    return _cache[n]


class Squares:
    """Logs, counts and remembers outside of the object, and nothing depends on that."""

    def __init__(self):
        self.sum = 0

    def add(self, n):
        _log.info("add")
        self.sum += _square(n)
        return self.sum


@pytest.mark.parametrize("method", METHODS)
def test_a_memo_and_a_log_are_no_state(method) -> None:
    _forget()
    calls = [("add", 2, 4), ("add", 3, 13), ("add", 4, 99)]
    assert lp.check(run(*calls[:2], overlap=True), from_class(Squares), method=method).ok
    result = lp.check(run(*calls, overlap=True), from_class(Squares), method=method)
    assert (result.verdict, result.confirmed) == (lp.Verdict.VIOLATION, True)
    assert _cache[4] == 16, "the memo is the same object as before"


def test_the_depth_of_such_a_class_is_none() -> None:
    _forget()
    with pytest.raises(lp.ModelError, match=OUTSIDE):
        lp.depth(run(("start", None, True), ("start", None, False), overlap=True), from_class(Global))


@pytest.mark.parametrize("method", METHODS)
def test_what_is_outside_and_does_not_matter_is_fine(method) -> None:
    calls = [("inc", None, 1), ("read", None, 0), ("read", None, 7)]
    assert lp.check(run(*calls[:2], overlap=True), from_class(Counted), method=method).ok
    result = lp.check(run(*calls, overlap=True), from_class(Counted), method=method)
    assert (result.verdict, result.confirmed) == (lp.Verdict.VIOLATION, True)
