"""`check`: from a history and a model to a result whose evidence holds."""

import sys
from dataclasses import replace

import pytest

import linpoint as lp
from linpoint import Cause, Verdict
from linpoint.check.found import Known
from tests.cli.program import linpoint

OPS = [
    {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
    {"process": 0, "f": "write", "value": 2, "call": 2, "return": 7},
    {"process": 1, "f": "read", "result": 2, "call": 3, "return": 4},
    {"process": 2, "f": "read", "result": 1, "call": 5, "return": 6},
]


class Mine(lp.Model):
    initial = None

    def read(self, held, _):
        return held, held

    def write(self, held, value):
        return value, None


@pytest.mark.parametrize("model", ["register", lp.models.Register, lp.models.Register(), Mine, Mine()])
def test_a_violation(model):
    result = lp.check(OPS, model)
    assert result.verdict is Verdict.VIOLATION
    assert result.stuck == result.history[3]
    assert result.stuck_index == 3
    assert {op.index for op in result.prefix} == {0, 1, 2}
    assert [(c.order, c.state) for c in result.candidates] == [((0, 1, 2), "2")]
    assert (result.order, result.witness, result.cause, result.certified, result.confirmed) == (
        None,
        None,
        None,
        False,
        True,
    )
    assert not result.ok


GENERAL = ["auto", "depth-first", "breadth-first", "wgl"]


def test_a_monitor_decides_or_declines():
    assert lp.check(OPS[:3], "register", method="register-monitor").ok
    declined = lp.check(OPS[:3], "register", method="queue-monitor")
    assert (declined.verdict, declined.cause) == (Verdict.UNKNOWN, Cause.DECLINED)
    assert "another kind of object" in str(declined)
    twice = [*OPS[:3], {"process": 5, "f": "write", "value": 1, "call": 9, "return": 10}]
    assert lp.check(twice, "register").statistics.why_method


def test_a_queue_whose_values_repeat_has_a_search_of_its_own():
    again = [
        {"process": 0, "f": "enqueue", "value": 1, "call": 0, "return": 1},
        {"process": 0, "f": "enqueue", "value": 1, "call": 2, "return": 3},
        {"process": 1, "f": "dequeue", "result": 1, "call": 4, "return": 5},
    ]
    result = lp.check(again, "queue")
    assert (result.verdict, result.method) == (Verdict.LINEARIZABLE, "queue-search")
    assert "more than once" in result.statistics.why_method
    declined = lp.check(OPS[:3], "register", method="queue-search")
    assert (declined.verdict, declined.cause) == (Verdict.UNKNOWN, Cause.DECLINED)


@pytest.mark.parametrize("method", GENERAL)
@pytest.mark.parametrize("model", ["register", Mine])
def test_a_witness(model, method):
    result = lp.check(OPS[:3], model, method=method)
    assert result.verdict is Verdict.LINEARIZABLE
    assert result.ok
    assert result.order == (0, 1, 2)
    assert result.witness == tuple(lp.History(OPS[:3]))
    assert (result.certified, result.confirmed, result.stuck, result.candidates) == (True, None, None, ())
    assert result.configurations > 0 or result.method == "register-monitor"
    assert result.seconds >= 0


def test_without_certification():
    assert not lp.check(OPS[:3], "register", certify=False).certified
    assert lp.check(OPS, "register", certify=False).confirmed is None


def test_finding_24_no_verdict_from_an_ambiguous_guess(tmp_path):
    rows = [("add", 5, None), ("add", 6, None), ("remove", None, 6)]
    history = lp.History(
        {"process": 0, "f": f, "value": value, "result": result, "call": 2 * n, "return": 2 * n + 1}
        for n, (f, value, result) in enumerate(rows)
    )
    with pytest.raises(lp.AmbiguousModelError, match=r"queue \(violation\).*stack \(linearizable\)") as caught:
        lp.check(history)
    assert caught.value.candidates == {
        "queue": Verdict.VIOLATION,
        "bag": Verdict.LINEARIZABLE,
        "stack": Verdict.LINEARIZABLE,
        "priority-queue": Verdict.LINEARIZABLE,
    }
    assert isinstance(caught.value, lp.UsageError)
    agreed = lp.check(history[:2])
    assert agreed.ok
    assert "the verdict is the same for " in (agreed.guessed or "")
    file = tmp_path / "words.jsonl"
    history.to_jsonl(file)
    done = linpoint("check", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "queue (violation)" in done.stderr
    assert linpoint("check", file, "-m", "queue").returncode == 1


def test_a_guess_says_so():
    result = lp.check(OPS[:3])
    assert result.model == lp.models.Register()
    assert "read" in (result.guessed or "")
    assert lp.check(OPS[:3], "register").guessed is None


def test_an_empty_history_is_linearizable():
    assert lp.check([], "register").order == ()
    assert lp.check([], Mine()).order == ()


def test_parts_are_counted_and_named():
    keyed = [
        {**op, "key": key, "process": f"{key}{op['process']}"}
        for key in "ab"
        for op in (OPS if key == "b" else OPS[:3])
    ]
    for model in ("register", Mine()):
        result = lp.check(keyed, model)
        assert (result.verdict, result.parts, result.part) == (Verdict.VIOLATION, 2, '"b"')
        assert list(result.scope) == [3, 4, 5, 6]
        whole = lp.check(keyed, model, partition=False)
        assert (whole.verdict, whole.parts, whole.part) == (Verdict.VIOLATION, 1, None)


def test_partitioning_never_changes_what_a_key_means():
    """Without partitioning, a model that never looks at keys still has one state per key."""
    history = [
        {"process": 0, "f": "write", "value": 1, "key": "a", "call": 0, "return": 1},
        {"process": 0, "f": "write", "value": 2, "key": "b", "call": 2, "return": 3},
        {"process": 0, "f": "read", "result": 1, "key": "a", "call": 4, "return": 5},
    ]
    for model in ("register", Mine()):
        assert lp.check(history, model, partition=False).order == (0, 1, 2)
    bad = lp.check([*history[:2], {**history[2], "result": 2}], Mine(), partition=False)
    assert bad.verdict is Verdict.VIOLATION
    assert bad.candidates[0].state == '{"a": 1, "b": 2}'


def test_user_code_runs_once_per_state_and_operation():
    seen = []

    class Counting(Mine):
        def read(self, held, _):
            seen.append(held)
            return held, held

    many = [{"process": i, "f": "read", "result": None, "call": 0, "return": 1} for i in range(12)]
    assert lp.check(many, Counting(), certify=False).ok
    assert seen == [None, None]  # twice, to see whether it says the same


@pytest.mark.parametrize("readonly", [("read",), {"read"}, lambda op: op.f == "read"])
def test_readonly_is_a_method_or_names(readonly):
    model = Mine()
    model.readonly = readonly
    assert lp.check(OPS, model).verdict is Verdict.VIOLATION
    assert lp.check(OPS[:3], model).ok


def test_a_false_claim_of_readonly_is_found_out():
    class Liar(Mine):
        readonly = ("write",)

    class Text(Mine):
        readonly = "read"

    with pytest.raises(
        lp.ModelError, match=r"`readonly` of the model says that write\(1\) never changes the state, but it did"
    ):
        lp.check(OPS, Liar())
    with pytest.raises(lp.ModelError, match=r"readonly = \('read',\)"):
        lp.check(OPS, Text())


def test_a_fault_in_a_model_comes_out_as_it_is():
    class Broken(Mine):
        def read(self, held, _):
            raise RuntimeError("out of paper")

    with pytest.raises(
        lp.ModelError, match=r"Broken failed on read\(\) → 2 in state .*: RuntimeError: out of paper"
    ) as caught:
        lp.check(OPS, Broken())
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert caught.value.operation == 2


def test_failed_operations_are_never_asked_about():
    class Strict(Mine):
        def partition(self, op):
            assert op.type != "fail"
            return op.key

    history = [*OPS[:3], {"process": 5, "f": "fly", "call": 0, "return": 1, "type": "fail"}]
    for model in ("register", Strict()):
        assert lp.check(history, model).ok


def hard():
    """Too many orders for a search, too many matches for a solver: one element is left, and none is found."""
    pushes = [{"process": i, "f": "push", "value": i % 2, "call": 0, "return": 1} for i in range(29)]
    pops = [{"process": i, "f": "pop", "result": i % 2, "call": 2, "return": 3} for i in range(28)]
    return [*pushes, *pops, {"process": 99, "f": "pop", "result": None, "call": 4, "return": 5}]


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"timeout": "50ms"}, Cause.TIME),
        ({"timeout": 0}, Cause.TIME),
        ({"memory": "2MiB", "timeout": 60}, Cause.MEMORY),
    ],
)
def test_budgets(options, cause):
    result = lp.check(hard(), "stack", **options)
    assert (result.verdict, result.cause) == (Verdict.UNKNOWN, cause)
    assert result.why == str(cause)
    assert not result.ok
    assert (result.order, result.certified, result.confirmed) == (None, False, None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "no method 'magic'; there are auto, depth-first, breadth-first, wgl"),
        ({"cache": 10}, 'for method="wgl"'),
        ({"cache": "lots", "method": "wgl"}, "not a cache"),
        ({"threads": 0}, "at least 1"),
        ({"memory": "big"}, "not a size"),
    ],
)
def test_options_are_checked(options, words):
    with pytest.raises(lp.UsageError, match=words):
        lp.check(OPS, "register", **options)


def test_the_cache_of_wgl_may_be_small():
    for cache in (1, "lru:1"):
        assert lp.check(OPS, "register", method="wgl", cache=cache).verdict is Verdict.VIOLATION


def test_a_path_is_no_history():
    with pytest.raises(lp.HistoryError, match=r"linpoint.read\(path\)"):
        lp.check("run.edn", "register")


def test_a_witness_that_does_not_replay_is_never_reported(monkeypatch):
    """A search gone wrong, acted out: the core's report is turned round before it is certified."""
    honest = Known.found

    def lying(known):
        found = honest(known)
        return replace(found, evidence=lp.Witness(found.evidence.order[::-1]))

    monkeypatch.setattr(Known, "found", lying)
    with pytest.raises(lp.InternalError, match="the witness has"):
        lp.check(OPS[:3], "register")

    monkeypatch.setattr(Known, "found", lambda known: replace(honest(known), evidence=lp.Stuck(None)))
    with pytest.raises(lp.InternalError, match="without a witness"):
        lp.check(OPS[:3], "register")

    false = {"verdict": lp.Verdict.VIOLATION, "evidence": lp.Stuck(2)}
    monkeypatch.setattr(Known, "found", lambda known: replace(honest(known), **false))
    with pytest.raises(lp.InternalError, match="there is an order"):
        lp.check(OPS[:3], "register")


def test_ctrl_c_while_certifying_is_an_unknown(monkeypatch):
    module = sys.modules["linpoint.check.check"]

    def pressed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "replay", pressed)
    with pytest.raises(lp.Interrupted) as caught:
        lp.check(OPS[:3], "register")
    assert (caught.value.result.verdict, caught.value.result.cause) == (Verdict.UNKNOWN, Cause.INTERRUPTED)
    assert caught.value.result.order is None
