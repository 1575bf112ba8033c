"""A regression test to paste: the counterexample as a self-contained pytest function."""

from __future__ import annotations

import json

from linpoint.errors import UsageError
from linpoint.explain.explanation import Explanation


def pytest_function(explanation: Explanation) -> str:
    """The text of a test that says what the counterexample is. Values are Python literals; nothing is interpreted."""
    history, model = explanation.counterexample, explanation.model
    if history is None or explanation.cut is not None:
        raise UsageError(
            "this counterexample begins after a long past, which the saved result does not hold: test the history itself"
        )
    accused = explanation.crossed_out
    rows = "\n".join(f"            {op.to_record()!r}," for op in history)
    name = "".join(c if c.isalnum() else "_" for c in model.split(":", maxsplit=1)[0])
    return f'''import linpoint as lp


def test_{name}_counterexample() -> None:
    """A part of a recorded history that no sequential {json.dumps(model)[1:-1]} explains."""
    history = lp.History(
        [
{rows}
        ]
    )
    result = lp.check(history, {model!r})
    assert result.verdict is lp.Verdict.VIOLATION, str(result)
    assert result.stuck_index == {accused}, str(result)
'''
