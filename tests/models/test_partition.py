"""Which kinds of operations can be judged apart."""

import pytest

import linpoint as lp
from linpoint.models import parse, parts_of


def op(f, value=None, key=None):
    return lp.Operation(process=0, f=f, value=value, call=0, key=key)


def parts(spec, *operations):
    return parts_of(parse(spec) if isinstance(spec, str) else spec, operations)


def test_by_key():
    found = parts("map", op("put", ["a", 1]), op("get", "b"), op("get", None, key="a"), None)
    assert (found.of_kind, found.labels, found.count) == ([0, 1, 0, 0], ['"a"', '"b"'], 2)


def test_by_object_where_the_model_has_no_keys():
    assert parts("queue", op("enq", 1, "x"), op("enq", 1, "y"), op("enq", 1)).of_kind == [0, 1, 2]


def test_true_and_one_are_two_keys():
    assert parts("set", op("add", 1), op("add", True), op("add", 1.0)).of_kind == [0, 1, 0]


def test_an_operation_on_everything_keeps_everything_together():
    found = parts("set", op("add", 1), op("add", 2), op("size"))
    assert (found.of_kind, found.count) == ([0, 0, 0], 1)


def test_a_transaction_keeps_its_registers_together():
    found = parts(
        "multi-register",
        op("read", "x"),
        op("read", "y"),
        op("read", "z"),
        op("txn", [["r", "x", None], ["w", "z", 1]]),
    )
    assert (found.of_kind, found.labels) == ([0, 1, 0, 0], ['"x", "z"', '"y"'])


def test_nothing_to_split():
    assert parts("queue").count == 1
    assert parts("queue", None, None).of_kind == [0, 0]


class Bank(lp.Model):
    initial = 0

    def __init__(self, key):
        self.key = key

    def partition(self, op):
        return self.key(op)


@pytest.mark.parametrize(
    ("key", "of_kind"),
    [
        (lambda op: op.value, [0, 1, 2]),
        (lambda op: [op.value], [0, 1, 2]),
        (lambda op: lp.Several([op.value, 1]), [0, 0, 0]),
        (lambda op: lp.Several([op.value]) if op.value < 3 else lp.Several([1, 2]), [0, 0, 0]),
        (lambda op: lp.ALL if op.value == 3 else op.value, [0, 0, 0]),
        (lambda op: lp.Several([]), [0, 0, 0]),
    ],
)
def test_ones_own_partition(key, of_kind):
    assert parts(Bank(key), op("a", 1), op("a", 2), op("a", 3)).of_kind == of_kind


def test_a_fault_in_partition_is_named():
    with pytest.raises(lp.ModelError, match=r"Bank.partition failed on a\(1\).*ZeroDivisionError") as caught:
        parts(Bank(lambda op: 1 // 0), op("a", 1))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
