"""What is wrong with a class, and who is to blame: a copy, `readonly`, a hook, a result that no history can hold."""

from __future__ import annotations

import datetime
import decimal
import enum
import itertools
import random
import threading

import pytest

import linpoint as lp
from linpoint.models import from_class
from tests.models.test_from_class import run

METHODS = ["auto", "hitting", "depth-first"]


# Markers.


class OwnMarker:
    """Each object has a marker of its own, and all share another one."""

    class Missing:
        pass

    missing = Missing()

    def __init__(self):
        self.empty = object()
        self.value = self.empty
        self.other = OwnMarker.missing

    def put(self, value):
        if self.value is not self.empty:
            raise OverflowError
        self.value = value

    def take(self):
        if self.value is self.empty:
            raise LookupError
        value, self.value = self.value, self.empty
        return value

    def is_missing(self):
        return self.other is OwnMarker.missing


def test_a_marker_of_the_object_itself_is_told_by_its_place() -> None:
    calls = [("take", None, 2), ("put", 1, None), ("put", 2, None), ("take", None, 1), ("is_missing", None, True)]
    result = lp.check(run(*calls, overlap=True), from_class(OwnMarker), method="depth-first")
    assert (result.ok, result.certified) == (True, True)
    assert result.states == "copied by copy.deepcopy, told apart by what they hold"
    wrong = [("put", n, None) for n in range(5)]
    result = lp.check(run(*wrong, ("take", None, {"raised": "LookupError"}), overlap=True), from_class(OwnMarker))
    assert result.verdict is lp.Verdict.VIOLATION


# Results.


class Color(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


class Returns:
    def __init__(self, value):
        self._value = value

    def get(self):
        return self._value


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "value",
    [Color.RED, 1j, float("nan"), float("inf"), decimal.Decimal("NaN"), lp.models.ALL],
    ids=repr,
)
def test_a_result_that_no_history_can_hold_is_named(value, method) -> None:
    for made in (value, [value], {"a": (value,)}):
        kind = type(value).__name__
        with pytest.raises(
            lp.ModelError, match=rf"Returns\.get returned .*, of type {kind}, which no history can hold"
        ):
            lp.check(run(("get", None, 1)), from_class(lambda made=made: Returns(made)), method=method)


def test_results_that_can_be_compared() -> None:
    pairs = [
        (Level.LOW, 1),
        (b"x", b"x"),
        (bytearray(b"x"), {"#bytes": "78"}),
        (decimal.Decimal("1.50"), 1.5),
        (datetime.date(2026, 11, 15), "2026-11-15"),
        ((1, 2), [1, 2]),
        (lp.models.ANY, 7),
        ({(1, 2): 3}, {"#map": [[[1, 2], 3]]}),
        (range(2), [0, 1]),
    ]
    for made, recorded in pairs:
        line = lp.History.from_jsonl(run(("get", None, recorded)).to_jsonl())
        assert lp.check(line, from_class(lambda made=made: Returns(made))).ok


def test_an_endless_result() -> None:
    with pytest.raises(lp.ModelError, match=r"Returns\.get returns more than 100,000 items, perhaps endlessly many"):
        lp.check(run(("get", None, 1)), from_class(lambda: Returns(itertools.count())))


# What a method raises.


class Raises:
    def __init__(self, error):
        self._error = error

    def go(self):
        raise self._error


class Vanishing:
    """A method that is gone after it was called."""

    def __init__(self):
        self.go = lambda: 1

    def stop(self):
        del self.go


@pytest.mark.parametrize("method", ["auto", "hitting", "depth-first"])
def test_a_method_that_is_gone_is_an_answer(method) -> None:
    calls = [("go", None, 1), ("stop", None, None), ("go", None, {"raised": "AttributeError"})]
    assert lp.check(run(*calls), from_class(Vanishing), method=method).ok
    wrong = lp.check(run(*calls[:2], ("go", None, 1)), from_class(Vanishing), method=method)
    assert wrong.verdict is lp.Verdict.VIOLATION


class Stop(BaseException):
    pass


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [lp.ModelError, lp.UsageError, Stop, StopIteration, ValueError])
def test_whatever_a_method_raises_is_its_answer(kind, method) -> None:
    model = from_class(lambda: Raises(kind("no")))
    assert lp.check(run(("go", None, {"raised": kind.__name__})), model, method=method).ok
    assert lp.check(run(("go", None, None)), model, method=method).verdict is lp.Verdict.VIOLATION


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_exception_that_ends_a_program_is_no_answer(kind, method) -> None:
    for result in (None, {"raised": kind.__name__}):
        with pytest.raises(lp.ModelError, match=rf"Raises\.go raised {kind.__name__}.*ends a program"):
            lp.check(run(("go", None, result)), from_class(lambda: Raises(kind())), method=method)


# Copies.


class Forgetful:
    """A copy of it has lost what was added."""

    def __init__(self):
        self.items, self.lock_free = [], 1

    def add(self, item):
        self.items.append(item)
        return len(self.items)

    def __getstate__(self):
        return {"items": [], "lock_free": 1}


class Dropping(Forgetful):
    def __getstate__(self):
        return {"lock_free": 1}

    def __setstate__(self, state):
        self.__dict__.update(state, items=[])


class Marked(Forgetful):
    def __getstate__(self):
        return self.__dict__.copy()

    def twin(self):
        twin = Marked()
        twin.items, twin.is_copy = list(self.items), True
        return twin

    def copied(self):
        return hasattr(self, "is_copy")


class Dice(Forgetful):
    def twin(self):
        twin = Dice()
        twin.items = list(self.items)
        return twin

    def roll(self):
        return random.random()


@pytest.mark.parametrize("cls", [Forgetful, Dropping])
@pytest.mark.parametrize("method", METHODS)
def test_a_copy_that_loses_something_is_not_used(cls, method) -> None:
    calls = [("add", n, 5 - n) for n in range(5)]
    result = lp.check(run(*calls, overlap=True), from_class(cls), method=method)
    assert (result.ok, result.certified) == (True, True)
    wrong = lp.check(run(*calls, ("add", 9, 1), overlap=True), from_class(cls), method="depth-first")
    assert (wrong.verdict, wrong.confirmed) == (lp.Verdict.VIOLATION, True)
    assert "replayed from the start, since copy.deepcopy makes an object that does not hold the same" in wrong.states


def test_a_copy_that_answers_otherwise_is_blamed_and_not_the_class() -> None:
    calls = [("add", 1, 1), ("copied", None, False), ("add", 2, 2)]
    words = r"Marked\.copied answers differently on a copy of the object: .* made by the given copy="
    with pytest.raises(lp.ModelError, match=words):
        lp.check(run(*calls), from_class(Marked, copy=Marked.twin), method="depth-first")
    with pytest.raises(lp.ModelError, match=r"Dice\.roll answers differently when the same calls are run again"):
        lp.check(run(("add", 1, 1), ("roll", None, 1)), from_class(Dice, copy=Dice.twin), method="depth-first")


@pytest.mark.parametrize("copy", [lambda one: one, lambda _: None, lambda _: 5])
def test_a_given_copy_that_gives_none(copy) -> None:
    with pytest.raises(lp.ModelError, match="the given copy= returned"):
        lp.check(run(("add", 1, 1)), from_class(Forgetful, copy=copy))


# What is given to from_class.


@pytest.mark.parametrize(
    "given",
    [
        {"copy": 5},
        {"state": "n"},
        {"arguments": []},
        {"result": 1},
        {"describe": "x"},
        {"synonyms": ["a"]},
        {"synonyms": {"add": "put"}},
        {"readonly": "size"},
        {"readonly": 5},
    ],
    ids=repr,
)
def test_hooks_are_functions_and_names_are_lists(given) -> None:
    with pytest.raises(lp.ModelError, match=f"`{next(iter(given))}` of from_class is"):
        from_class(Forgetful, **given)


@pytest.mark.parametrize("method", METHODS)
def test_a_function_that_every_object_makes_anew_is_the_same(method) -> None:
    class Keyed:
        def __init__(self):
            self.items, self.key = [], lambda item: -item

        def add(self, item):
            self.items = sorted([*self.items, item], key=self.key)
            return self.items[0]

    result = lp.check(run(("add", 1, 2), ("add", 2, 2), overlap=True), from_class(Keyed), method=method)
    assert result.ok


def test_the_blame_is_where_it_belongs() -> None:
    class Numbered:
        count = 0

        def __init__(self):
            Numbered.count += 1

        def one(self):
            return 1

    with pytest.raises(lp.ModelError, match=r"Numbered\.__init__ changes an attribute of the class"):
        lp.check(run(("one", None, 1)), from_class(Numbered))
    with pytest.raises(lp.ModelError, match="has no method 'put', which `synonyms` names for 'add'"):
        lp.check(run(("add", 1, 1)), from_class(Forgetful, synonyms={"put": ["add"]}))
    with pytest.raises(lp.ModelError, match="`state` of Forgetful returned the object itself"):
        lp.check(run(("add", 1, 1)), from_class(Forgetful, state=lambda one: one), method="depth-first")


class Box:
    def __init__(self):
        self.items, self.reads = [], 0

    def add(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop(0) if self.items else None

    def first(self):
        self.reads += 1
        return self.items[0]


class LockedBox(Box):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


@pytest.mark.parametrize("certify", [True, False])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cls", [Box, LockedBox])
def test_a_false_readonly_is_named(cls, method, certify) -> None:
    calls = [("add", 1, None), ("add", 2, None), ("pop", None, 1), ("pop", None, 2)]
    words = r"`readonly` (of the model )?says that pop.* never changes the (object|state), but .*did"
    with pytest.raises(lp.ModelError, match=words):
        lp.check(run(*calls), from_class(cls, readonly=("pop",)), method=method, certify=certify)


@pytest.mark.parametrize("method", METHODS)
def test_a_false_readonly_of_a_pending_operation_is_named(method) -> None:
    rows = [*map(lp.Operation.to_record, run(("add", 1, None), ("add", 2, None), ("pop", None, 2)))]
    pending = {"process": 9, "f": "take", "call": 1}
    model = from_class(Box, readonly=lambda op: op.f == "take", synonyms={"pop": ["take"]})
    with pytest.raises(lp.ModelError, match="`readonly`"):
        lp.check([*rows, pending], model, method=method, certify=False)


def test_what_is_no_state_may_change_in_a_read() -> None:
    calls = [("add", 1, None), ("first", None, 1), ("first", None, 1)]
    with pytest.raises(lp.ModelError, match="say with `state=` what is"):
        lp.check(run(*calls), from_class(LockedBox, readonly=("first",)))
    model = from_class(LockedBox, readonly=("first",), copy=None, state=lambda box: tuple(box.items))
    assert lp.check(run(*calls), model).ok
    assert lp.check(run(*calls), model, method="depth-first").ok
