"""A regression test to paste: the counterexample as a self-contained pytest function.

One that begins at a cut is pasted with everything that led there. The operations stand in the order of the history: of
returns at the same time the first in the file counts as the earlier, and the test says which operation is to blame.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from linpoint.errors import UsageError
from linpoint.explain.explanation import Explanation
from linpoint.history import History
from linpoint.models.from_file import place_of


def pytest_function(explanation: Explanation, own: str | None = None) -> str:
    """The text of a test that says what the counterexample is. Values are Python literals; nothing is interpreted.

    `own`: where a model of the user's is, `FILE.py:Class`; a path is taken from the folder that the test is put in.
    """
    operations, history = _to_paste(explanation)
    model = explanation.model
    in_order = sorted(zip(operations, history, strict=True), key=lambda pair: pair[0])
    accused = [index for index, _ in in_order].index(explanation.accused or 0)
    rows = "\n".join(f"            {op.to_record()!r}," for _, op in in_order)
    name = "".join(c if c.isalnum() else "_" for c in model.split(":", maxsplit=1)[0])
    named, imported = (repr(model), "") if own is None else (_beside(own), "from pathlib import Path\n\n")
    return f'''{imported}import linpoint as lp


def test_{name}_counterexample() -> None:
    """A part of a recorded history that no sequential {json.dumps(model)[1:-1]} explains."""
    history = lp.History(
        [
{rows}
        ]
    )
    result = lp.check(history, {named})
    assert result.verdict is lp.Verdict.VIOLATION, str(result)
    assert result.stuck_index == {accused}, str(result)
'''


def _beside(own: str) -> str:
    """The model of a file, as Python: found from the folder of the test, so that the test can be started in any folder."""
    path = place_of(own).path
    return f"lp.models.from_file(str(Path(__file__).parent / {path!r}) + {own.removeprefix(path)!r})"


def _to_paste(explanation: Explanation) -> tuple[Sequence[int], History]:
    """The operations, by their indices and as a history. UsageError if there are none, or too many."""
    history, cut = explanation.counterexample, explanation.cut
    if history is None:
        raise UsageError("there is no counterexample to make a test of")
    if cut is None:
        return explanation.operations, history
    if cut.past is None:
        raise UsageError(
            f"this counterexample begins after {cut.returned:,} returns, too many for a test to paste: test the history itself"
        )
    return cut.past.operations, cut.past.history
