"""The native replay and the replay in Python judge witnesses alike, right ones and tampered ones; and they share no code."""

import re
import tomllib
from collections import Counter

import pytest

import linpoint as lp
from linpoint import _core
from linpoint.models import parse
from tests.agreement.generate import MODELS
from tests.agreement.replays import in_python, judge, native
from tests.conftest import ROOT

CRATE = ROOT / "crates" / "replay"
HISTORIES = 400


@pytest.mark.parametrize("model", MODELS)
def test_the_replays_agree(model: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(HISTORIES):
        more, disagreement = judge(model, seed)
        assert not disagreement, f"\n{disagreement}"
        counts += more
    assert counts["right"] > 0.1 * counts.total(), counts
    assert counts["wrong"] > 0.2 * counts.total(), counts
    assert counts["cannot tell"] < 0.1 * counts.total(), counts


def test_it_knows_histories_and_budgets_only() -> None:
    manifest = tomllib.loads((CRATE / "Cargo.toml").read_text(encoding="utf-8"))
    own = {name for table in ("dependencies", "dev-dependencies") for name in manifest.get(table, {})}
    assert {name for name in own if name.startswith("linpoint")} == {"linpoint-base", "linpoint-history"}


def test_it_shares_no_code_with_the_search() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in CRATE.rglob("*.rs")}
    assert len(sources) > len(MODELS)
    for path, text in sources.items():
        crates = set(re.findall(r"\blinpoint_(\w+)", text))
        assert crates <= {"base", "history"} | ({"replay"} if "tests" in path.parts else set()), path
        assert not re.search(r"\binclude(_str|_bytes)?!|#\[path", text), path


def records(*rows: tuple) -> list[dict]:
    """(f, value, result, call, return, key): one process each."""
    names = ("f", "value", "result", "call", "return", "key")
    return [{"process": i} | dict(zip(names, row, strict=False)) for i, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("spec", "rows", "order", "judgement"),
    [
        ("register", [("write", 1, None, 0, 1), ("read", None, 1.0, 2, 3)], [0, 1], "right"),
        ("register", [("write", 1, None, 0, 1), ("read", None, True, 2, 3)], [0, 1], "wrong"),
        ("register", [("write", 2**70, None, 0, 1), ("read", None, float(2**70), 2, 3)], [0, 1], "right"),
        (
            "register",
            [("write", {"a": 1, "b": 2}, None, 0, 1), ("read", None, {"b": 2, "a": 1}, 2, 3)],
            [0, 1],
            "right",
        ),
        ("register:initial=[1]", [("read", None, [1], 0, 1), ("read", None, [1, 1], 0, 1)], [0, 1], "wrong"),
        ("queue", [("enq", "empty", None, 0, 1), ("deq", None, "empty", 2, 3)], [0, 1], "wrong"),
        ("counter", [("add", 10**27, None, 0, 1), ("read", None, 10**27, 2, 3)], [0, 1], "right"),
        ("counter", [("add", 10**27, None, 0, 1), ("read", None, 10**27 + 1, 2, 3)], [0, 1], "wrong"),
        ("mutex", [("acquire", None, None, 0, 1, "a"), ("acquire", None, None, 0, 1, "b")], [0, 1], "right"),
        ("mutex", [("acquire", None, None, 0, 1, "a"), ("acquire", None, None, 0, 1, "a")], [0, 1], "wrong"),
        (
            "bag",
            [("add", 1, None, 0, 1), ("take", None, None, 2, None), ("contains", 1, False, 4, 5)],
            [0, 1, 2],
            "cannot tell",
        ),
        ("set", [("add", 1, None, 0, 1), ("add", 2, None, 0, 1), ("read", None, [2, 1], 2, 3)], [0, 1, 2], "right"),
        ("set", [("add", 1, None, 0, 1), ("add", 2, None, 0, 1), ("read", None, [2, 2], 2, 3)], [0, 1, 2], "wrong"),
        (
            "priority-queue",
            [("insert", [1, "a"], None, 0, 1), ("insert", [1, "b"], None, 0, 1), ("poll", None, [1, "a"], 2, 3)],
            [0, 1, 2],
            "right",
        ),
        (
            "priority-queue",
            [("insert", 1.5, None, 0, 1), ("insert", 2**64, None, 0, 1), ("poll", None, 1.5, 2, 3)],
            [0, 1, 2],
            "wrong",
        ),
        (
            "priority-queue:order=min",
            [("insert", -(2**64), None, 0, 1), ("insert", -(2**65), None, 0, 1), ("poll", None, -(2**65), 2, 3)],
            [0, 1, 2],
            "right",
        ),
        (
            "height-stack",
            [("push", "a", 0, 0, 1), ("pop", None, [1, "a"], 2, 3), ("pop", None, 0, 4, 5)],
            [0, 1, 2],
            "right",
        ),
    ],
)
def test_values_and_keys(spec: str, rows: list, order: list[int], judgement: str) -> None:
    history, model = lp.History(records(*rows)), parse(spec)
    assert native(history, model, order)[0] == judgement
    assert judgement == "cannot tell" or in_python(history, model, order)[0] == judgement


def test_many_objects_in_parallel() -> None:
    keys = 40
    rows = [(f, v, r, 2 * i, 2 * i + 1, i % keys) for i in range(keys * 600) for f, v, r in [("write", i, None)]]
    reads = [("read", None, len(rows) - keys + k, 10**6 + 2 * k, 10**6 + 2 * k + 1, k) for k in range(keys)]
    history, model = lp.History(records(*rows, *reads)), parse("register")
    order = list(range(len(history)))

    def judged(order: list[int]) -> tuple[str, int | None]:
        witness = _core.Witness(order)
        return _core.replay(history.columns, "register", {}, witness, timeout=None, memory=2**30, threads=4)[:2]

    assert judged(order) == ("right", None)
    wrong = lp.History(records(*rows, *reads[:-1], ("read", None, 7, 10**7, 10**7 + 1, keys - 1)))
    answer = _core.replay(wrong.columns, model.name, {}, _core.Witness(order), timeout=None, memory=2**30, threads=4)
    assert answer[:2] == ("wrong", len(order) - 1)


def test_budgets_end_it() -> None:
    rows = [("write", i, None, 2 * i, 2 * i + 1) for i in range(5_000)]
    history = lp.History(records(*rows))

    def stopped(**limits: float | None) -> tuple[str, int | None, str]:
        witness = _core.Witness(range(len(history)))
        return _core.replay(
            history.columns, "register", {}, witness, threads=1, **{"timeout": None, "memory": 2**30, **limits}
        )

    assert stopped() == ("right", None, "")
    assert stopped(timeout=0.0) == ("stopped", None, "time")
    assert stopped(memory=1) == ("stopped", None, "memory")
