"""A history that no method finishes: everything overlaps, one element more is pushed than popped, and the last pop finds none."""

import linpoint


def hard(clients: int = 28) -> linpoint.History:
    """A stack of two values: a search has to try all orders, a solver all ways to match pushes and pops."""
    pushes = [{"process": i, "f": "push", "value": i % 2, "call": 0, "return": 1} for i in range(clients + 1)]
    pops = [{"process": i, "f": "pop", "result": i % 2, "call": 2, "return": 3} for i in range(clients)]
    return linpoint.History([*pushes, *pops, {"process": 0, "f": "pop", "result": None, "call": 4, "return": 5}])
