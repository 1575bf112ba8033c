"""A value that no operation can have supplied by the time it was returned is a violation at once, before any search."""

import pytest

import linpoint as lp


def stack_that_never_held(value: object) -> lp.History:
    """24 pushes that overlap, then 24 pops that do, and one more: every order of the pushes is possible, and none helps."""
    pushes = [{"process": i, "f": "push", "value": i // 2, "call": 0, "return": 1} for i in range(24)]
    pops = [{"process": i, "f": "pop", "result": i // 2, "call": 2, "return": 3} for i in range(24)]
    return lp.History([*pushes, *pops, {"process": 24, "f": "pop", "result": value, "call": 2, "return": 3}])


@pytest.mark.parametrize("value", ["x", 3])
def test_finding_26_a_value_never_pushed(value: object) -> None:
    result = lp.check(stack_that_never_held(value), "stack", timeout=60)
    assert (result.verdict, result.method) == (lp.Verdict.VIOLATION, "supply-scan")
    assert result.configurations <= 20_000
