"""Your own model: plain Python, and clear words when it goes wrong."""

import threading
from dataclasses import dataclass

import pytest

import linpoint as lp
from linpoint.history import Operation
from linpoint.models import Runner
from linpoint.models.model import fits, listed, operations_of


class Account(lp.Model):
    initial = 0
    readonly = ("balance",)
    synonyms = {"deposit": ["pay-in"]}  # noqa: RUF012 - as a user would write it

    def deposit(self, balance, amount):
        return balance + amount, None

    def withdraw(self, balance, amount):
        return (balance - amount, True) if amount <= balance else (balance, False)

    def balance(self, balance, _):
        return balance, balance

    def close_account(self, balance, _):
        return [] if balance else [(None, lp.ANY)]

    def _helper(self, balance, _):
        raise AssertionError("private methods are no operations")


def op(f, value=None, result=None, *, pending=False, key=None):
    return Operation(process=0, f=f, value=value, result=result, call=0, ret=None if pending else 1, key=key, index=3)


@pytest.mark.parametrize(
    ("state", "operation", "states"),
    [
        (5, op("deposit", 2), [7]),
        (5, op("pay-in", 2), [7]),
        (5, op("deposit", 2, result="receipt"), []),  # the method says None, the history says otherwise
        (5, op("withdraw", 2, True), [3]),
        (5, op("withdraw", 2, False), []),
        (5, op("withdraw", 9, False), [5]),
        (5, op("withdraw", 2, pending=True), [3]),
        (5, op("balance", result=5), [5]),
        (1, op("balance", result=True), []),  # 1 is not true
        (5, op("close-account"), []),
        (0, op("close account", result="bye"), [None]),  # ANY agrees with everything
    ],
)
def test_a_method_per_operation(state, operation, states):
    assert Account().step(state, operation) == states


def test_operations_are_public_methods_of_ones_own():
    assert operations_of(Account) == ["deposit", "withdraw", "balance", "close_account"]
    for name in ("_helper", "step", "partition", "initial", "synonyms", "fly"):
        with pytest.raises(lp.ModelError, match="it has deposit, withdraw, balance, close_account"):
            Account().step(0, op(name))


def test_several_outcomes():
    class Coin(lp.Model):
        initial = "?"

        def toss(self, state, _):
            return [("heads", "heads"), ("tails", "tails")]

    assert Coin().step("?", op("toss", result="tails")) == ["tails"]
    assert Coin().step("?", op("toss", pending=True)) == ["heads", "tails"]


@pytest.mark.parametrize("returned", [None, 7, (1, 2, 3), [1], {"state": 1}])
def test_a_method_must_return_pairs(returned):
    with pytest.raises(lp.ModelError, match="toss must return a pair"):
        listed(returned, op("toss"))


@pytest.mark.parametrize(
    ("result", "recorded", "agree"),
    [
        (lp.ANY, 7, True),
        ((1, 2), (1, 2), True),
        ([1, 2], (1, 2), True),
        ({1, 2}, (2, 1), True),
        ({1, 2}, (2, 2), False),
        ({1, 2}, (1, 2, 2), False),
        ({1}, (True,), False),
        (frozenset(), (), True),
        (None, False, False),
    ],
)
def test_results_are_compared_as_values(result, recorded, agree):
    assert fits(result, recorded) is agree


def test_keys_are_objects_unless_step_is_overridden():
    class Whole(lp.Model):
        initial = 0

        def step(self, state, op):
            return [state]

    assert Account().partition(op("balance", key="ann")) == "ann"
    assert Whole().partition(op("anything", key="ann")) is None


def test_words():
    assert (str(Account()), repr(Account())) == ("Account", "Account()")
    assert Account().describe(7) == "7"


class Faulty(lp.Model):
    def __init__(self, initial=0, after=0):
        self.initial = initial
        self.after = after

    def go(self, state, value):
        return self.after, 1 // value


def test_a_fault_names_operation_and_state_and_keeps_its_cause():
    runner = Runner(Faulty())
    with pytest.raises(lp.ModelError, match=r"Faulty failed on go\(0\).* in state 0: ZeroDivisionError") as caught:
        runner.step(runner.initial(), op("go", 0, 1))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.operation == 3


@pytest.mark.parametrize("holder", [[], {}, (1, [2])])
def test_a_state_that_can_neither_be_hashed_nor_read(holder):
    runner = Runner(Faulty(after=[threading.Lock(), holder]))
    with pytest.raises(
        lp.ModelError, match=r"the state after go\(1\).*since it holds a lock.*linpoint.FrozenDict for a dict"
    ):
        runner.step(runner.initial(), op("go", 1, 1))


@pytest.mark.parametrize(
    ("one", "other"), [([1], [1]), ({1: [2]}, {1: [2]}), ({2, 1, 9}, {9, 1, 2}), ((1, {2}), (1, {2}))]
)
def test_states_that_cannot_be_hashed_are_told_apart_by_what_they_hold(one, other):
    runner = Runner(Faulty())
    assert runner.number(one, None) == runner.number(other, None)
    assert runner.unhashable
    assert len({runner.number(state, None) for state in ([1], [2], (1,), {1}, [True], one)}) >= 5


def test_a_model_needs_an_initial_state():
    class Empty(lp.Model):
        pass

    class Method(lp.Model):
        def initial(self):
            return 0

    with pytest.raises(lp.ModelError, match="give the class an attribute `initial`"):
        Runner(Empty()).initial()
    with pytest.raises(lp.ModelError, match="a value, not a method"):
        Runner(Method()).initial()


def test_states_are_told_apart_as_values():
    @dataclass(frozen=True)
    class Cell:
        value: int

    runner = Runner(Account())
    numbers = [runner.number(state, None) for state in (1, True, 1.0, (1,), (True,), Cell(1), Cell(2), "1")]
    assert numbers == [0, 1, 0, 2, 3, 4, 5, 6]
    assert runner.state(1) is True


def test_what_would_have_been_answered():
    runner = Runner(Account())
    assert runner.answers(runner.number(5, None), op("withdraw", 9, True)) == ["false"]
    assert runner.answers(runner.number(5, None), op("close-account")) == []
