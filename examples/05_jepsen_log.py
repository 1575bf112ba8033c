"""A Jepsen log: the format is recognised, faults become annotations, crashed clients are pending operations."""

from pathlib import Path

import linpoint as lp

history = lp.read(Path(__file__).parent / "histories" / "jepsen.edn")
print(history)
print("faults:", [note["fields"]["f"] for note in history.annotations])

assert [op.pending for op in history] == [False, False, True, False, False]
assert history[1].type == "fail"  # it did not happen

result = lp.check(history, lp.models.CasRegister())
print(lp.explain(result))
assert result.verdict is lp.Verdict.LINEARIZABLE
assert 2 in result.order  # the crashed write took effect after all: the last read saw it
