"""A regression test to paste: the minimal history as a self-contained pytest function."""

from __future__ import annotations

import json

from linpoint.history import History


def pytest_function(history: History, model: str) -> str:
    """The text of a test that says what this history is. Every value is written as a Python literal; nothing is interpreted."""
    rows = "\n".join(f"            {_literal(op.to_record())}," for op in history)
    name = "".join(c if c.isalnum() else "_" for c in model.split(":", maxsplit=1)[0])
    return f'''import linpoint as lp


def test_{name}_counterexample() -> None:
    """The smallest part of a recorded history that no sequential {json.dumps(model)[1:-1]} explains."""
    history = lp.History(
        [
{rows}
        ]
    )
    result = lp.check(history, {model!r})
    assert result.verdict is lp.Verdict.VIOLATION, str(result)
'''


def _literal(record: object) -> str:
    """A value as Python writes it: dicts, lists, texts, numbers, True, False, None."""
    return repr(record)
