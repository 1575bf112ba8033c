"""Wrong answers about what files say, once given: each test is named after the number of its finding."""

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

import linpoint as lp
from linpoint import Operation, Verdict
from linpoint.history.values import FrozenDict, from_json, same, show, to_json
from tests.cli.program import linpoint


def lines(*records):
    return "\n".join(map(json.dumps, records)).encode()


def test_finding_5_mixed_times():
    history = lp.read(
        b"""{"process":0,"f":"write","value":1,"call":1700000000000000000,"return":1700000000000000010}
{"process":1,"f":"read","result":null,"call":1700000000000000020,"return":1700000000000000030}
{"process":2,"f":"read","result":1,"call":1700000000000009000,"return":1700000000000009000.5}"""
    )
    assert lp.check(history, "register").verdict is Verdict.VIOLATION
    assert (history[0].call, history[2].call) == (1700000000000000000, 1700000000000009000)
    assert history[2].ret == Decimal("1700000000000009000.5"), "no float says that"


def test_finding_5_times_are_given_as_they_were_written():
    history = lp.read(
        b"""{"process":0,"f":"write","value":1,"call":1,"return":1.5}
{"process":1,"f":"read","result":1,"call":18446744073709551616,"return":18446744073709551617}"""
    )
    assert [(type(op.call), type(op.ret)) for op in history] == [(int, float), (int, int)]
    assert history[1].ret == 2**64 + 1
    exact = lp.read(b'{"process":0,"f":"write","value":1,"call":0.5,"return":1700000000.123456791}')
    assert (exact[0].call, exact[0].ret) == (Decimal("0.5"), Decimal("1700000000.123456791"))
    assert "1700000000.123456791" in exact.to_jsonl()
    for one in (history, exact):
        assert lp.History(one) == one
        assert lp.History([op.to_record() for op in one]) == one
        assert lp.History.from_jsonl(one.to_jsonl()) == one
        json.dumps([op.to_record() for op in one], allow_nan=False)


def test_finding_5_python_may_give_any_number():
    history = lp.History(
        [
            {"process": 0, "f": "write", "value": 1, "call": Decimal("0.1"), "return": 1},
            {"process": 1, "f": "write", "value": 1, "call": datetime(2026, 11, 15, tzinfo=UTC), "return": 1e300},
            Operation(process=2, f="write", value=1, call=-1e-300, ret=Decimal("1.00000000000000000001")),
        ]
    )
    assert [op.call for op in history] == [Decimal("0.1"), 1794700800, Decimal("-1e-300")]
    with pytest.raises(lp.HistoryError, match="expected an exponent of at most 400"):
        lp.History([{"process": 0, "f": "write", "call": Decimal("1e401")}])


DISORDER = lines(
    {"process": 0, "type": "invoke", "f": "write", "value": 1, "time": 0},
    {"process": 1, "type": "invoke", "f": "read", "value": None, "time": 20},
    {"process": 1, "type": "ok", "f": "read", "value": None, "time": 30},
    {"process": 0, "type": "ok", "f": "write", "value": 1, "time": 10},
)


def test_finding_6_events_out_of_time_order(tmp_path):
    with pytest.raises(lp.ReadError, match="time 10 comes after the call at 20 of line 2") as caught:
        lp.read(DISORDER)
    assert (caught.value.line, caught.value.column) == (4, DISORDER.splitlines()[3].index(b'"time"') + 1)
    history = lp.read(DISORDER, sort_by_time=True)
    assert lp.check(history, "register").verdict is Verdict.VIOLATION
    file = tmp_path / "disorder.jsonl"
    file.write_bytes(DISORDER)
    assert linpoint("check", str(file), "-m", "register").returncode == 2
    assert linpoint("check", str(file), "-m", "register", "--sort-by-time").returncode == 1


def test_finding_7_lookalikes():
    with pytest.raises(lp.ReadError, match="the field 'end' is unknown and return is missing") as caught:
        lp.read(
            b'{"process":0,"f":"write","value":1,"call":0,"return":1}\n{"process":0,"f":"write","value":1,"call":2,"end":3}'
        )
    assert (caught.value.line, caught.value.column) == (2, 45)
    with pytest.raises(lp.HistoryError, match="the field 'args' is unknown and value is missing"):
        lp.History([{"process": 0, "f": "write", "args": [1], "call": 0, "return": 1}])


def test_finding_7_mostly_pending_is_a_warning(tmp_path):
    calls = [{"process": n, "f": "write", "value": n, "call": n} for n in range(3)]
    history = lp.History([*calls, {"process": 9, "f": "read", "result": 1, "call": 5, "return": 6}])
    assert len(history.warnings) == 1
    assert "3 of 4 operations are pending" in history.warnings[0]
    assert lp.History(calls[:1]).warnings == []
    file = tmp_path / "pending.jsonl"
    history.to_jsonl(file)
    done = linpoint("check", str(file), "-m", "register")
    assert "3 of 4 operations are pending" in done.stderr
    assert "pending:" not in done.stdout
    assert linpoint("check", str(file), "-m", "register", "--quiet").stderr == ""


EXTRA = b"""{:process 0, :type :invoke, :f :write, :value 1, :result "x", :index 7, :operation 8, :line 9, "extra:value" 3}
{:process 0, :type :ok, :f :write, :value 1, :call 5}
{:process 1, :type :invoke, :f :read, :value nil, :result "x", :index 9}
{:process 1, :type :ok, :f :read, :value %s}
"""


def test_finding_8_unknown_fields_stay_apart(tmp_path):
    history = lp.read(EXTRA % b"1")
    assert lp.check(history, "register").verdict is Verdict.LINEARIZABLE
    assert lp.check(history, "register", native=False).verdict is Verdict.LINEARIZABLE
    write, read = history
    assert (read.result, read.extra["result"], read.call, read.index, read.line) == (1, "x", 2, 1, 3)
    assert write.extra == {"result": "x", "index": 7, "operation": 8, "line": 9, "value": 3, "return-call": 5}
    for again in (lp.History(history), lp.History.from_jsonl(history.to_jsonl()), lp.read(history.to_edn().encode())):
        assert [op.extra for op in again] == [op.extra for op in history]
        assert [op.result for op in again] == [None, 1]
    assert Operation.from_record(write.to_record()) == write
    file = tmp_path / "bad.edn"
    file.write_bytes(EXTRA % b"2")
    told = json.loads(linpoint("check", str(file), "-m", "register", "--json").stdout)
    assert (told["stuck"]["index"], told["stuck"]["line"], told["stuck"]["result"]) == (1, 3, 2)
    assert (
        all("result" not in name for name in told["stuck"].get("extra", {})) or told["stuck"]["extra"]["result"] == "x"
    )
    linpoint("check", str(file), "-m", "register", "--save", str(tmp_path / "saved.json"))
    assert linpoint("certify", str(tmp_path / "saved.json"), str(file)).returncode == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({1: 2}, {"1": 2}),
        ({1: 2}, {True: 2}),
        ({None: 2}, {"null": 2}),
        ({"a": {1: 2}}, {"a": {"1": 2}}),
        ({(1, 2): 3}, {"[1, 2]": 3}),
        (FrozenDict({"#map": ((1, 2),)}), {1: 2}),
        (FrozenDict([(1, "a"), (True, "b")]), {1: "b"}),
    ],
)
def test_finding_9_maps_with_different_keys_are_different(one, other):
    assert not same(one, other)
    assert show(one) != show(other)
    assert same(from_json(json.loads(json.dumps(to_json(one)))), one)
    history = lp.History(
        [
            Operation(process=0, f="write", value=one, call=0, ret=1),
            Operation(process=1, f="read", result=other, call=2, ret=3),
        ]
    )
    assert same(history[0].value, one)
    assert same(history[1].result, other)
    assert lp.History.from_jsonl(history.to_jsonl()) == history
    assert lp.History([op.to_record() for op in history]) == history
    assert [op.value for op in lp.read(history.to_edn().encode())] == [op.value for op in history]
    for native in (True, False):
        assert lp.check(history, "register", native=native).verdict is Verdict.VIOLATION
    start = lp.models.Register(one)
    assert lp.models.parse(str(start)) == start
    for native in (True, False):
        assert lp.check(history[1:], start, native=native).verdict is Verdict.VIOLATION
        same_read = lp.History([Operation(process=1, f="read", result=one, call=2, ret=3)])
        assert lp.check(same_read, start, native=native).verdict is Verdict.LINEARIZABLE


def test_certificates_keep_exact_times_keys_and_extra_fields(tmp_path):
    file, saved = tmp_path / "history.jsonl", tmp_path / "saved.json"
    file.write_bytes(
        b"""{"process":0,"f":"write","value":{"#map":[[1,2]]},"call":1700000000.123456789,"return":1700000000.123456790}
{"process":1,"f":"read","result":{"1":2},"call":1700000000.123456791,"return":1700000000.123456792,"index":77}"""
    )
    assert linpoint("check", file, "-m", "register", "--save", saved).returncode == 1
    assert linpoint("certify", saved, file).returncode == 0
    file.write_bytes(file.read_bytes().replace(b"123456791", b"123456790"))  # now they overlap
    assert linpoint("certify", saved, file).returncode == 1


def test_finding_9_keys_that_are_equal_numbers_are_equal():
    history = lp.History(
        [
            {"process": 0, "f": "write", "value": {1: 2}, "call": 0, "return": 1},
            {"process": 0, "f": "read", "result": {1.0: 2}, "call": 2, "return": 3},
        ]
    )
    assert lp.check(history, "register").verdict is Verdict.LINEARIZABLE


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_finding_22_numbers_that_are_not_finite_are_refused(number):
    written = json.dumps({"process": 0, "f": "write", "value": number, "call": 0, "return": 1})
    with pytest.raises(lp.ReadError, match="expected a finite number"):
        lp.read(written.encode())
    for given in (number, [number], {"a": number}, {number: 1}):
        with pytest.raises(lp.HistoryError, match="NaN and infinities are no values"):
            lp.History([{"process": 0, "f": "write", "value": given, "call": 0, "return": 1}])
        with pytest.raises(lp.LinpointError):
            lp.check(lp.History([Operation(0, "read", None, 1, 0, 1)]), lp.models.Register(given))


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (1, 1.0), (1e22, 10**22)])
def test_finding_22_equal_numbers_are_equal_in_both_languages(one, other):
    history = lp.History(
        [
            {"process": 0, "f": "write", "value": [one], "call": 0, "return": 1},
            {"process": 0, "f": "read", "result": [other], "call": 2, "return": 3},
        ]
    )
    for native in (True, False):
        assert lp.check(history, "register", native=native).verdict is Verdict.LINEARIZABLE
