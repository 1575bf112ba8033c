"""One operation: its defaults, its words, its record."""

import dataclasses

import pytest

from linpoint import HistoryError, Operation


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"f": "cas", "value": [1, 2], "result": True}, "cas(1, 2) → true"),
        ({"f": "read", "result": None}, "read() → null"),
        ({"f": "write", "value": 3}, "write(3)"),
        ({"f": "write", "value": "x"}, 'write("x")'),
        ({"f": "swap", "value": 3, "result": 1}, "swap(3) → 1"),
        ({"f": "write", "value": 3, "ret": None}, "write(3) → ?"),
        ({"f": "write", "value": 3, "type": "fail"}, "write(3) failed"),
        ({"f": "write", "value": 3, "key": "x"}, "x: write(3)"),
        ({"f": "read", "result": 3, "key": 7}, "7: read() → 3"),
        ({"f": "put", "value": {"a": [1]}}, 'put({"a": [1]})'),
        ({"f": "get", "value": "k", "result": None}, 'get("k") → null'),
    ],
)
def test_words(fields, words):
    assert str(Operation(**{"process": 0, "call": 1, "ret": 2} | fields)) == words


def test_repr_tells_who_and_when():
    assert repr(Operation(process=2, f="read", result=1, call=5, ret=6, index=3)) == "<#3 process 2: read() → 1 [5, 6]>"
    assert repr(Operation(process="a", f="read", call=5)) == '<process "a": read() → ? [5, …]>'


@pytest.mark.parametrize(
    ("ret", "given", "kind"),
    [(1, "", "ok"), (None, "", "info"), (1, "fail", "fail"), (1, "info", "info")],
)
def test_type(ret, given, kind):
    op = Operation(process=0, f="read", call=0, ret=ret, type=given)
    assert (op.type, op.ok, op.pending) == (kind, kind == "ok", kind == "info")


def test_an_unknown_type_is_refused():
    with pytest.raises(HistoryError, match='"ok", "fail" or "info", not "maybe"'):
        Operation(process=0, f="read", call=0, type="maybe")


def test_it_is_immutable_and_hashable_whatever_it_holds():
    op = Operation(process=0, f="txn", value=[["r", "x", {"deep": [1]}]], call=0, ret=1)
    assert op.value == (("r", "x", {"deep": (1,)}),)
    assert op in {op}
    with pytest.raises(dataclasses.FrozenInstanceError):
        op.value = 3


def test_equality_leaves_its_place_out():
    op = Operation(process=0, f="read", call=0, ret=1)
    assert op == dataclasses.replace(op, index=7, line=12)
    assert op != dataclasses.replace(op, process=1)


@pytest.mark.parametrize(
    "record",
    [
        {"process": 0, "f": "cas", "value": [1, 2], "result": True, "call": 10, "return": 17},
        {"process": "a", "f": "write", "value": 1, "call": 10},
        {"process": 0, "f": "write", "value": 1, "call": 10, "return": 11, "type": "fail"},
        {"process": 0, "f": "write", "value": 1, "call": 10, "return": 11, "type": "info"},
        {
            "process": 0,
            "f": "read",
            "value": None,
            "result": 1,
            "call": 1.5,
            "return": 2.5,
            "key": "x",
            "extra": {"node": ["n1"]},
        },
        {
            "process": 0,
            "f": "read",
            "value": {"#map": [[1, {"#map": [["#map", True]]}]]},
            "call": "1700000000.123456791",
        },
    ],
)
def test_records_round_trip(record):
    assert Operation.from_record(record).to_record() == record


def test_a_record_without_a_name_is_refused():
    with pytest.raises(HistoryError, match="operation 4: an operation needs 'f'"):
        Operation.from_record({"process": 0, "call": 0}, 4)
