"""A history is a pleasant, immutable sequence of operations."""

import gzip
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linpoint import History, HistoryError, Operation

RECORDS = [
    {"process": 0, "f": "write", "value": 1, "call": 0, "return": 3},
    {"process": 1, "f": "read", "result": 1, "call": 2, "return": 5, "node": "n1"},
    {"process": 0, "f": "cas", "value": [1, 2], "result": True, "call": 6, "return": 9},
    {"process": 2, "f": "write", "value": 9, "call": 7},
    {"process": 1, "f": "write", "value": 4, "call": 8, "return": 12, "type": "fail"},
]


@pytest.fixture
def history():
    return History(RECORDS)


def test_it_is_a_sequence(history):
    assert len(history) == 5
    assert [op.f for op in history] == ["write", "read", "cas", "write", "write"]
    assert [op.index for op in history] == [0, 1, 2, 3, 4]
    assert history[2].value == (1, 2)
    assert history[-1].type == "fail"
    assert history[1].extra == {"node": "n1"}
    assert history[0] in history
    with pytest.raises(IndexError, match="no operation 5: the history has 5"):
        history[5]


def test_operations_and_dicts_make_the_same_history(history):
    assert History.from_operations(history) == history == History([*history[:2], *RECORDS[2:]])
    assert history != RECORDS


def test_equality_is_about_what_happened_not_about_numbers(history):
    assert History(reversed(list(history))) == history
    assert history[:4] != history
    assert History([{**RECORDS[0], "return": 4}, *RECORDS[1:]]) != history
    assert History([{**RECORDS[0], "value": True}, *RECORDS[1:]]) != history


def test_slices_are_histories_numbered_anew(history):
    part = history[1:4]
    assert isinstance(part, History)
    assert [(op.index, op.f) for op in part] == [(0, "read"), (1, "cas"), (2, "write")]
    assert len(history[10:]) == 0


@pytest.mark.parametrize(
    ("start", "end", "indices"),
    [
        (4, 6, [1, 2]),
        (5, 5, [1]),  # closed intervals: it returns at 5
        (None, 0, [0]),
        (9, None, [2, 3, 4]),
        (100, None, [3]),  # pending: it never ends
        (None, None, [0, 1, 2, 3, 4]),
        (-5, -1, []),
    ],
)
def test_during(history, start, end, indices):
    assert history.during(start, end) == history.subhistory(indices)


def test_where(history):
    assert [op.process for op in history.where(lambda op: op.f == "write" and op.ok)] == [0]


def test_by_process(history):
    lanes = history.by_process
    assert history.processes == [0, 1, 2]
    assert {process: [op.f for op in lane] for process, lane in lanes.items()} == {
        0: ["write", "cas"],
        1: ["read", "write"],
        2: ["write"],
    }


def test_examples_prefer_what_happened():
    same = {"f": "write", "value": 1, "call": 0}
    history = History(
        [
            {"process": 0, **same, "return": 1, "type": "fail"},
            {"process": 1, **same},
            {"process": 2, "f": "read", "call": 0, "return": 1, "type": "fail"},
        ]
    )
    kinds, examples = history.examples()
    assert kinds[0] == kinds[1] != kinds[2]
    assert examples[kinds[0]].pending
    assert examples[kinds[2]] is None


def test_repr_is_short(history):
    assert repr(history) == "<History: 5 operations by 3 processes, 1 pending: cas, read, write>"
    assert repr(History()) == "<History: 0 operations by 0 processes>"
    assert repr(history[:1]) == "<History: 1 operation by 1 process: write>"


def test_str_lists_the_first_operations(history):
    assert str(history[:2]).splitlines()[1:] == ["     0  process 0  write(1)", "     1  process 1  read() → 1"]
    many = History({"process": i, "f": "read", "call": i} for i in range(25))
    assert str(many).splitlines()[-1] == "  … 5 more"


def test_jsonl_round_trip(history, tmp_path):
    assert History.from_jsonl(history.to_jsonl()) == history
    assert History.from_jsonl(history.to_jsonl().encode()) == history
    assert history.to_jsonl(tmp_path / "h.jsonl") is None
    assert (tmp_path / "h.jsonl").read_text() == history.to_jsonl()
    history.to_jsonl(tmp_path / "h.jsonl.gz")
    assert gzip.decompress((tmp_path / "h.jsonl.gz").read_bytes()).decode() == history.to_jsonl()
    assert History.from_jsonl("") == History()


def test_pickling_goes_through_jsonl(history):
    for original in (history, History()):
        again = pickle.loads(pickle.dumps(original))
        assert again == original
        assert [op.to_record() for op in again] == [op.to_record() for op in original]
    assert b"jsonl" in pickle.dumps(history)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def operations(draw):
    call = draw(st.integers(-(2**40), 2**40))
    ret = draw(st.none() | st.integers(0, 2**40).map(lambda span: call + span))
    kind = draw(st.sampled_from(["", "fail", "info"] if ret is not None else [""]))
    return Operation(
        process=0,
        f=draw(st.sampled_from(["read", "write", "compare-and-set", "ünïcode"])),
        value=draw(VALUES),
        result=draw(VALUES) if ret is not None and not kind else None,
        call=call,
        ret=ret,
        type=kind,
        key=draw(st.none() | st.text("xyz", min_size=1) | st.integers()),
        extra=draw(st.dictionaries(st.sampled_from(["node", "error"]), VALUES)),
    )


@given(st.lists(operations(), max_size=6))
def test_any_history_survives_a_round_trip(ops):
    ops = [Operation.from_record({**op.to_record(), "process": f"client {n}"}) for n, op in enumerate(ops)]
    history = History(ops)
    assert list(history) == ops
    again = History.from_jsonl(history.to_jsonl())
    assert again == history
    assert list(again) == ops


@pytest.mark.parametrize(
    ("records", "operation", "words"),
    [
        ([{"process": 0, "f": "read", "call": 5, "return": 4}], 0, "before it is called"),
        ([RECORDS[0], {"process": 0, "f": "read", "call": 1, "return": 2}], 1, "has not returned"),
        ([RECORDS[3], {"process": 2, "f": "read", "call": 9, "return": 10}], 1, "needs a new id"),
    ],
)
def test_complaints_name_the_operation(records, operation, words):
    with pytest.raises(HistoryError, match=words) as caught:
        History(records)
    assert caught.value.operation == operation
    assert str(caught.value).count(f"operation {operation}") == 1


def test_a_path_is_no_history():
    with pytest.raises(HistoryError, match=r"linpoint.read\(path\)"):
        History("run.edn")
