"""Budgets: a check can run out of time or memory. Then the answer is UNKNOWN, with its cause and what is known so far.

Checking is NP-hard, so every tool has histories that it cannot finish. This one: many clients push at the same
time and pop at the same time. One element more is pushed than popped, yet the last pop finds none: no order works, and all of
them must be tried. (Two values are pushed again and again: with unique values a monitor decides a stack without any search.)
"""

import linpoint as lp

CLIENTS = 28
operations = [{"process": i, "f": "push", "value": i % 2, "call": 0, "return": 1} for i in range(CLIENTS + 1)]
operations += [{"process": i, "f": "pop", "result": i % 2, "call": 2, "return": 3} for i in range(CLIENTS)]
operations += [{"process": 0, "f": "pop", "result": None, "call": 4, "return": 5}]
history = lp.History(operations)

result = lp.check(history, "stack", timeout=0.2)
print(lp.explain(result))

assert result.verdict is lp.Verdict.UNKNOWN
assert result.cause is lp.Cause.TIME

# A memory budget is kept inside the search, so the machine never has to kill it.
result = lp.check(history, "stack", memory="8MiB")
print(lp.explain(result))
assert result.verdict is lp.Verdict.UNKNOWN
assert result.cause is lp.Cause.MEMORY

# A verdict is never a bare bool: `if result.verdict:` would hide the third answer, so it raises.
try:
    bool(result.verdict)
except TypeError as error:
    print(error)
else:
    raise AssertionError("a verdict is not a bool")
