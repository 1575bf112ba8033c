"""Reads are found by trying, soundly, and at little cost."""

import pytest

import linpoint as lp
from linpoint.check.readonly import find_reads
from linpoint.models import Runner, is_readonly, parts_of
from tests.check.test_check import Mine


def op(f, value=None, result=None, key=None, call=0, ret=1):
    return {"process": f"{f} {value} {result} {key}", "f": f, "value": value, "result": result, "key": key} | (
        {"call": call} if ret is None else {"call": call, "return": ret}
    )


def reads(model, *operations, effort=1000):
    """The operations that are found to be reads, in words."""
    _, examples = lp.History(operations).examples()
    found, _ = find_reads(Runner(model), examples, parts_of(model, examples), effort)
    return [str(examples[kind]) for kind in sorted(found)]


class Cas(Mine):
    def cas(self, held, pair):
        old, new = pair
        return (new, True) if held == old else (held, False)


def test_reads_and_what_is_a_read_given_its_result():
    assert reads(
        Cas(),
        op("read", None, 1),
        op("write", 1),
        op("cas", [1, 2], True),
        op("cas", [1, 2], False),
        op("cas", [2, 2], True),
        op("read", None, None, ret=None),
    ) == ["read() → 1", "cas(1, 2) → false", "cas(2, 2) → true", "read() → ?"]


def test_writing_what_is_there_already_is_no_read():
    """It changes nothing in the initial state, but it would in another that the operations can reach."""
    assert reads(Mine(), op("write", None), op("write", 1)) == []
    assert reads(Mine(), op("write", None)) == ["write()"]  # here no other state can be reached


def test_parts_are_walked_apart():
    assert reads(Mine(), op("write", 1, key="a"), op("write", None, key="b"), op("read", None, 1, key="a")) == [
        "b: write()",
        "a: read() → 1",
    ]


class Endless(Mine):
    initial = 0

    def add(self, count, number):
        return count + number, None


def test_endless_states_conclude_nothing():
    assert reads(Endless(), op("add", 1), op("read", None, 3)) == []
    assert reads(Endless(), op("read", None, 3)) == ["read() → 3"]


def test_the_effort_is_bounded():
    model = Endless()
    runner = Runner(model)
    _, examples = lp.History([op("add", 1), op("read", None, 3)]).examples()
    _, steps = find_reads(runner, examples, parts_of(model, examples), 2)
    assert len(steps) == 8


def test_a_fault_in_a_state_that_nobody_reaches_is_no_fault():
    """Two writes in a row never happen here, so the model may not like it."""

    class Once(lp.Model):
        initial = 0

        def write(self, count, _):
            if count:
                raise RuntimeError("once only")
            return count + 1, None

        def reset(self, count, _):
            return 0, None

    history = [op("write", call=0, ret=1), op("reset", call=2, ret=3), op("write", 7, call=4, ret=5)]
    assert lp.check(history, Once()).ok
    with pytest.raises(lp.ModelError, match="once only"):
        lp.check([*history, op("write", 8, call=6, ret=7)], Once())


def test_a_model_that_says_so_is_believed():
    class Says(Mine):
        def readonly(self, op):
            return op.f == "read" and op.ok

    assert reads(Says(), op("read", None, 1)) == []
    example = lp.History([op("read", None, 1)])[0]
    assert is_readonly(Says(), example)
    assert not is_readonly(Mine(), example)


@pytest.mark.parametrize("readonly", [(), ("read",)])
def test_finding_reads_never_changes_a_verdict(readonly):
    model = Cas()
    model.readonly = readonly
    overlap = [
        op("write", 1, call=0, ret=9),
        op("cas", [1, 2], True, call=0, ret=9),
        op("read", None, 2, call=10, ret=11),
    ]
    assert lp.check(overlap, model).ok
    assert lp.check([*overlap, op("read", None, 1, call=12, ret=13)], model).verdict is lp.Verdict.VIOLATION


def test_ctrl_c_while_looking_is_an_unknown():
    class Pressed(Mine):
        def read(self, held, _):
            raise KeyboardInterrupt

    with pytest.raises(lp.Interrupted) as caught:
        lp.check([op("read", None, 1)], Pressed())
    assert caught.value.result.cause is lp.Cause.INTERRUPTED


def account(readonly, *operations):
    class Account(lp.Model):
        initial = 1

        def withdraw(self, balance, amount):
            return (balance - amount, True) if amount <= balance else (balance, False)

        def balance(self, balance, _):
            return balance, balance

    Account.readonly = staticmethod(readonly)
    return lp.check(operations, Account()).verdict


@pytest.mark.parametrize(
    "readonly",
    [
        lambda op: op.f == "balance" or op.result is False,
        lambda op: op.f == "balance" or not op.result,
        lambda op: op.f == "balance" or op.result is not True,
        lambda op: op.f == "balance" or op.result < 1,
        lambda op: op.f == "balance" or op.extra.get("result", op.result) is False,
    ],
)
def test_a_pending_operation_is_no_read_because_of_a_result_that_it_may_not_have(readonly):
    """The withdrawal explains the balance, whatever the log says of its answer; left out, there would be a violation."""
    pending = {"process": 0, "f": "withdraw", "value": 1, "call": 0, "return": 9, "type": "info", "result": False}
    refused = op("withdraw", 5, False, call=0, ret=1)
    for operation in (pending, {**pending, "result": None}):
        found = account(readonly, operation, refused, op("balance", None, 0, call=10, ret=11))
        assert found is lp.Verdict.LINEARIZABLE
    assert account(readonly, pending, op("balance", None, 2, call=10, ret=11)) is lp.Verdict.VIOLATION
