"""A history that no search finishes: everything overlaps, and the last answer is impossible."""

import linpoint


def hard(clients: int = 20) -> linpoint.History:
    """A stack: all push (one value twice, so no monitor covers it), all pop what was pushed, one pops what never was."""
    pushes = [{"process": i, "f": "push", "value": i % clients, "call": 0, "return": 1} for i in range(clients + 1)]
    pops = [{"process": i, "f": "pop", "result": (i * 7 + 3) % clients, "call": 2, "return": 3} for i in range(clients)]
    surprise = {"process": clients + 1, "f": "pop", "result": "never pushed", "call": 2, "return": 3}
    return linpoint.History([*pushes, *pops, surprise])
