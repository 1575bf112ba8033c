"""A few schedules instead of a million: strong hitting families, on the queue of Figure 2 of the paper.

Ozkan, Majumdar and Niksic (PPoPP 2019) show fourteen calls of seven threads on a ConcurrentLinkedQueue, and count the schedules:
orders of all calls that respect real time. Here is a history like that one, rebuilt from what the text says of it. Most calls
found the queue empty, so addAll took effect after them: it is enough to delay that one operation.
"""

import linpoint as lp
from linpoint.library import juc

CALLS = [  # method, argument, answer, call, return; two for each thread
    ("toString", None, "[]", 5, 11),
    ("poll", None, None, 12, 15),
    ("size", None, 0, 6, 16),
    ("isEmpty", None, True, 17, 18),
    ("clear", None, None, 7, 8),
    ("addAll", [1, 2], True, 10, 19),
    ("removeAll", [1, 0], False, 0, 20),
    ("retainAll", [2, 0], True, 22, 25),
    ("retainAll", [0, 0], False, 3, 4),
    ("poll", None, None, 9, 21),
    ("toArray", None, [], 1, 23),
    ("poll", None, 2, 26, 27),
    ("containsAll", [1, 1], False, 2, 13),
    ("remove", 0, False, 14, 24),
]
history = lp.History(
    [
        {"process": i // 2 + 1, "f": f, "value": value, "result": result, "call": call, "return": ret}
        for i, (f, value, result, call, ret) in enumerate(CALLS)
    ]
)
queue = lp.models.from_class(juc.ConcurrentLinkedQueue)

result = lp.check(history, queue, method="hitting")
print(lp.explain(result))
print()
for d in (1, 2, 3):
    print(f"schedules in the family of depth {d}: {sum(1 for _ in lp.hitting_family(history, d))}")
print(f"the depth of the history: {lp.depth(history, queue)}")

delayed = [schedule for schedule in lp.hitting_family(history, 1) if lp.strongly_hits(schedule, [history[5]])]
print("addAll as late as possible:", ", ".join(op.f for op in delayed[0]))

overlapping = [(a, b) for a in history for b in history if a.index < b.index and not (a.ret < b.call or b.ret < a.call)]
assert len(overlapping) == 48
assert result.ok
assert result.statistics.family == (7,)
assert result.statistics.depth == lp.depth(history, queue) == 1
