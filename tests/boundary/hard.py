"""A history that no search finishes: everything overlaps, and the last two answers are impossible."""

import linpoint


def hard(clients: int = 20) -> linpoint.History:
    """A stack: all push (one value twice, so no monitor covers it), all pop what was pushed, then two leave out of order."""
    pushes = [{"process": i, "f": "push", "value": i % clients, "call": 0, "return": 1} for i in range(clients + 1)]
    pops = [{"process": i, "f": "pop", "result": (i * 7 + 3) % clients, "call": 2, "return": 3} for i in range(clients)]
    wrong = [("push", "value", "a"), ("push", "value", "b"), ("pop", "result", "a"), ("pop", "result", "b")]
    last = [
        {"process": 99, "f": f, field: x, "call": 4 + i, "return": 4.5 + i} for i, (f, field, x) in enumerate(wrong)
    ]
    return linpoint.History([*pushes, *pops, *last])
