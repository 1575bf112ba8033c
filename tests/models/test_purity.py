"""A model that is not pure gets a ModelError that names the method, never a verdict."""

import enum
import importlib
import random
from dataclasses import dataclass, field

import pytest

import linpoint as lp
from linpoint.models import Runner
from linpoint.models.purity import contents, hashed_by_identity, is_sealed


class Box:
    def __init__(self, n=0):
        self.n = n


class EqualBox(Box):
    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return hash(self.n)


class NamedBox(Box):
    """Equal whatever it holds."""

    def __eq__(self, other):
        return isinstance(other, NamedBox)

    def __hash__(self):
        return 7


def counter(box):
    class Counter(lp.Model):
        def __init__(self):
            self.initial = box()

        def inc(self, box, by):
            box.n += by
            return box, None

        def get(self, box, _):
            return box, box.n

    return Counter()


ROWS = [
    {"process": 0, "f": "inc", "value": 1, "call": 0, "return": 1},
    {"process": 0, "f": "get", "result": 1, "call": 2, "return": 3},
]


@pytest.mark.parametrize("box", [Box, EqualBox, NamedBox])
@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], [*ROWS, ROWS[1] | {"call": 4, "return": 5}]])
def test_finding_4_a_state_changed_in_place(box, rows):
    model = counter(box)
    for _ in range(3):
        with pytest.raises(lp.ModelError, match=r"Counter\.inc changed the state that it was given") as caught:
            lp.check(rows, model)
        assert type(caught.value) is lp.ModelError


def test_a_change_is_noticed_late_too():
    """The state is changed only when it has grown: after the steps that are taken twice."""

    class Late(lp.Model):
        initial = EqualBox(0)

        def step(self, box, op):
            if box.n == 200:
                box.n += 1
                return [box]
            return [EqualBox(box.n + 1)]

    rows = [{"process": 0, "f": "inc", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(300)]
    with pytest.raises(lp.ModelError, match=r"Late\.step changed the state"):
        lp.check(rows, Late())


def test_a_state_hashed_by_identity_is_refused():
    class Fresh(lp.Model):
        initial = 0

        def inc(self, state, _):
            return Box(1), None

    class Held(Fresh):
        initial = (0, Box(3))

    with pytest.raises(lp.ModelError, match=r"the state after inc\(1\), from Fresh\.inc, holds a Box.*__eq__"):
        lp.check(ROWS[:1], Fresh())
    with pytest.raises(lp.ModelError, match="the initial state of Held holds a Box"):
        lp.check(ROWS[:1], Held())


class Colour(enum.Enum):
    RED = 1


@dataclass(frozen=True)
class Pair:
    one: object
    other: object = field(default=None, compare=False)


class Marker:
    """Holds nothing."""


FINE = [1, None, "x", Colour.RED, object(), Marker(), len, Box, Pair(1), Pair(1, Box()), (Marker(), 2), frozenset({1})]
FINE += [lp.FrozenDict({1: (2,)}), lp.ANY]
BAD = [Box(), (1, Box()), frozenset({Box()}), Pair(Box()), lp.FrozenDict({1: Box()}), random.Random(1), iter(())]


@pytest.mark.parametrize("state", FINE, ids=lambda state: type(state).__name__)
def test_markers_and_values_are_fine(state):
    assert hashed_by_identity(state) is None


@pytest.mark.parametrize("state", BAD, ids=lambda state: type(state).__name__)
def test_what_holds_something_and_equals_only_itself_is_not(state):
    assert hashed_by_identity(state) is not None
    assert not is_sealed(state)


def test_contents_see_every_change():
    box = Box([1, {"a": {2}}])
    before = contents(box)
    assert contents(box) == before
    box.n[1]["a"].add(3)
    assert contents(box) != before
    box.n.append(box)  # a circle ends
    assert contents(box) == contents(box)


def test_a_model_that_rolls_dice():
    class Dice(lp.Model):
        initial = 0
        dice = random.Random(7)

        def roll(self, state, _):
            return self.dice.random(), lp.ANY

    rows = [{"process": 0, "f": "roll", "call": 0, "return": 1}]
    with pytest.raises(lp.ModelError, match=r"Dice\.roll answers differently when it is run again"):
        lp.check(rows, Dice())


def at_the_replay(monkeypatch, change):
    """Lets something change between the search and the replay of what it found."""
    room = importlib.import_module("linpoint.check.check")
    replayed = room._replayed

    def changed(result, memory):
        change()
        return replayed(result, memory)

    monkeypatch.setattr(room, "_replayed", changed)


def test_a_model_that_remembers(monkeypatch):
    """It answers as it should throughout the search: the replay finds out."""

    class Tired(lp.Model):
        initial = 0
        tired = False

        def step(self, state, op):
            return [] if self.tired and state == 333 else [state + 1]

    model = Tired()
    at_the_replay(monkeypatch, lambda: setattr(model, "tired", True))
    rows = [{"process": 0, "f": "inc", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(700)]
    with pytest.raises(lp.ModelError, match=r"answers differently when it is run again: Tired\.step"):
        lp.check(rows, model)


def test_a_violation_that_a_second_look_explains(monkeypatch):
    class Moody(lp.Model):
        initial = 0
        mild = False

        def step(self, state, op):
            return [state + 1] if op.f == "inc" or self.mild else []

    rows = [
        {"process": 0, "f": "inc", "value": i, "call": 2 * i, "return": 2 * i + 1}
        if i != 36
        else {"process": 0, "f": "get", "value": i, "call": 2 * i, "return": 2 * i + 1}
        for i in range(38)
    ]
    model = Moody()
    at_the_replay(monkeypatch, lambda: setattr(model, "mild", True))
    with pytest.raises(lp.ModelError, match=r"answers differently when it is run again: Moody\.step"):
        lp.check(rows, model)


def test_outcomes_may_be_yielded():
    class Coin(lp.Model):
        initial = "?"

        def toss(self, state, _):
            yield "heads", "heads"
            yield "tails", "tails"

        def stuck(self, state, _):
            return iter(())

    class Low(lp.Model):
        initial = 0

        def step(self, state, op):
            yield state + 1
            yield state + 2

    rows = [
        {"process": 0, "f": "toss", "result": "tails", "call": 0, "return": 1},
        {"process": 0, "f": "toss", "call": 2},
    ]
    assert lp.check(rows, Coin()).certified
    stuck = [*rows, {"process": 1, "f": "stuck", "call": 4, "return": 5}]
    assert lp.check(stuck, Coin()).verdict is lp.Verdict.VIOLATION
    assert lp.check(rows, Low()).certified


@pytest.mark.parametrize("returned", [None, 7, "abc", b"abc", {1: 2}])
def test_a_step_must_return_states(returned):
    class Wrong(lp.Model):
        initial = 0

        def step(self, state, op):
            return returned

    with pytest.raises(lp.ModelError, match=r"Wrong\.step must return a list of next states"):
        lp.check(ROWS[:1], Wrong())


def test_endless_outcomes_end():
    class Endless(lp.Model):
        initial = 0

        def step(self, state, op):
            while True:
                yield state

    with pytest.raises(lp.ModelError, match=r"Endless\.step has more than 100,000 outcomes"):
        lp.check(ROWS[:1], Endless())


class Rude:
    def __repr__(self):
        raise RuntimeError("no words")

    def __eq__(self, other):
        return isinstance(other, Rude)

    def __hash__(self):
        return 1


@pytest.mark.parametrize("words", [7, None, "x" * 10**6, RuntimeError("no words"), Rude()])
def test_finding_17_a_fault_in_describe_loses_nothing(words):
    class Silent(lp.Model):
        initial = Rude()

        def get(self, state, _):
            return state, 1

        def describe(self, state):
            if isinstance(words, Exception):
                raise words
            return words

    rows = [ROWS[1], ROWS[1] | {"call": 4, "return": 5, "result": 2}]
    result = lp.check(rows, Silent())
    assert (result.verdict, result.stuck_index) == (lp.Verdict.VIOLATION, 1)
    assert len(result.candidates[0].state) <= 10_000
    if not isinstance(words, str):
        assert "Silent.describe" in result.candidates[0].state
    assert "VIOLATION" in str(result)
    assert "could not be drawn" not in str(result)


def test_a_fault_in_a_state_that_cannot_be_shown():
    class Wrong(lp.Model):
        initial = Rude()

        def step(self, state, op):
            return 1 // 0

    runner = Runner(Wrong())
    with pytest.raises(lp.ModelError, match="in state <Rude whose repr failed: RuntimeError>: ZeroDivisionError"):
        runner.step(runner.initial(), lp.Operation(process=0, f="go"))


def test_a_model_without_words_for_itself():
    class Nameless(lp.Model):
        initial = 0

        def __str__(self):
            raise RuntimeError("no name")

    with pytest.raises(lp.ModelError, match=r"Nameless\.__str__ failed: RuntimeError: no name"):
        lp.check(ROWS, Nameless())


def test_a_deep_state():
    """A linked list: seven hundred tuples, one in the other."""

    class Linked(lp.Model):
        initial = ()

        def step(self, state, op):
            return [(op.value, state)]

    rows = [{"process": 0, "f": "push", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(300)]
    assert lp.check(rows, Linked()).certified
    rows = [{"process": 0, "f": "push", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(3000)]
    with pytest.raises(
        lp.ModelError, match=r"the state after push\(\d+\), from Linked\.step, cannot be hashed: Recursion"
    ):
        lp.check(rows, Linked())


@pytest.mark.parametrize("name", ["__hash__", "__eq__"])
def test_a_fault_in_hash_or_equality(name):
    def fail(*_):
        raise RuntimeError("not today")

    kind = type("Odd", (NamedBox,), {"__hash__": NamedBox.__hash__, name: fail})

    class Wrong(lp.Model):
        initial = kind()

        def step(self, state, op):
            return [kind()]

    with pytest.raises(lp.ModelError, match="not today"):
        lp.check(ROWS[:1], Wrong())
