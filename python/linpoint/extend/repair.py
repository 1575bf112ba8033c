"""How can it be repaired? The known patterns of "check, then act", each with the one operation that does both.

A suggestion is made where the operations of a refuted method have the shape of a pattern; it is not applied, and what
comes out of it should be checked again. No pattern fits: nothing is suggested.
"""

from __future__ import annotations

from linpoint.extend.base import Base
from linpoint.extend.program import Apply, Call, If, Let, Program, Var, subexpressions

_LOOKS = frozenset({"get", "getitem", "contains"})
_WRITES = frozenset({"setitem", "put"})
_TAKES = frozenset({"pop", "delitem", "remove"})


def repair(program: Program, base: Base) -> str:
    """What to write instead; empty if no pattern fits."""
    calls = program.calls()
    names = {call.operation for call in calls}
    where = {call.operation: call.line for call in reversed(calls)}
    if not base.keyed:
        return _of_a_register(names, base)
    together = "put_if_absent" if "put" in names or "put_if_absent" in names else "setdefault"
    for call in calls:
        if call.operation in ("put_if_absent", "setdefault") and call.to < 0 and names & _LOOKS:
            kept = "what it returns" if call.operation == "setdefault" else "what it returns, unless that is None"
            return f"line {call.line}: go on with {kept}, instead of looking again or keeping your own value"
    if len({call.key for call in calls}) > 1:
        return "several keys are changed together: hold one lock from the first operation to the last"
    if names & _TAKES and names & _LOOKS and not names & _WRITES:
        line = next(where[name] for name in sorted(_TAKES) if name in where)
        one = "pop(key, default)" if base.name == "dict" else "remove(key)"
        return f"line {line}: take the value by `{one}` alone, and test what it returns"
    if names & _WRITES and names & _LOOKS:
        line = next(where[name] for name in sorted(_WRITES) if name in where)
        if _depends_on_what_was_read(program, calls):
            if base.swaps:
                return f"line {line}: try `replace(key, old, new)` again and again until it returns True, as an atomic update"
            return f"line {line}: a dict cannot compare and set; hold one lock from the first look to the write"
        if (
            not any(isinstance(step, If) and step.then != step.otherwise for step in program.code)
            and not calls[0].handlers
        ):
            if base.swaps:
                return f"line {line}: `put(key, value)` returns the value before, in the same step"
            return f"line {line}: a dict cannot write and look in one step; hold one lock around both"
        returned = "it returns" if together == "setdefault" else "it returns unless that is None"
        return f"line {line}: store by `{together}(key, value)` and go on with the value that {returned}"
    if names <= _LOOKS and "contains" in names:
        return f"line {where['contains']}: look once, `value = get(key, default)`, and test the value"
    if names <= _LOOKS:
        return "look once, and keep the value in a local"
    return ""


def _of_a_register(names: set[str], base: Base) -> str:
    if base.name != "register" or not names & {"write", "swap"} or "read" not in names:
        return ""
    return "read, then `compare_and_set(old, new)`, and try again until it returns True"


def _depends_on_what_was_read(program: Program, calls: list[Call]) -> bool:
    """Is a value written that was computed from one that was read?"""
    reached = {call.to for call in calls if call.operation in ("get", "getitem") and call.to >= 0}
    computed: set[int] = set()
    before = -1
    while before != len(reached) + len(computed):
        before = len(reached) + len(computed)
        for step in program.code:
            if isinstance(step, Let):
                inside = {part.number for part in subexpressions(step.value) if isinstance(part, Var)}
                if inside & computed or (inside & reached and isinstance(step.value, Apply)):
                    computed.add(step.to)
                elif inside & reached:
                    reached.add(step.to)
    for call in calls:
        if call.operation in _WRITES:
            for argument in call.arguments:
                inside = {part.number for part in subexpressions(argument) if isinstance(part, Var)}
                if inside & computed or (inside & reached and isinstance(argument, Apply)):
                    return True
    return False
