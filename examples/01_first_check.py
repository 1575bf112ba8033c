"""Your first check: a history written by hand, a model off the shelf, an answer with its reason.

Three clients use one register. Client 2 reads 1 after client 1 has already read 2: time cannot run backward.
"""

import linpoint as lp

history = lp.History(
    [
        {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
        {"process": 0, "f": "write", "value": 2, "call": 2, "return": 7},
        {"process": 1, "f": "read", "result": 2, "call": 3, "return": 4},
        {"process": 2, "f": "read", "result": 1, "call": 5, "return": 6},
    ]
)

result = lp.check(history, lp.models.Register())
print(lp.explain(result))

assert result.verdict is lp.Verdict.VIOLATION
assert result.stuck == history[3]  # no order explains what this operation returned

# Had client 2 called before client 1 returned, both answers would be fine: the two reads overlap.
history = lp.History([*history[:3], {"process": 2, "f": "read", "result": 1, "call": 3, "return": 6}])
result = lp.check(history, "register")
print(lp.explain(result))

assert result.verdict is lp.Verdict.LINEARIZABLE
assert result.order == (0, 3, 1, 2)  # the witness: one order that explains every result
