"""Which runs differ only in names? One of them is explored, where that is sound, and refused where it may not be.

threads  Threads that run the same code, have the same menu and never ask for their number can be renamed in any run. So it is
         enough to look at runs whose first calls come in the order of the threads. Linearizability and progress do not depend
         on names.
values   Values that are only passed on and compared for equality can be renamed in any run (data independence: P. Wolper, POPL
         1986). So it is enough to look at runs that use values for the first time in order. The code must not calculate with
         numbers, order them, use them as an index, or name one of the values; the menu must treat all values alike; and the
         specification must be one of the shipped models that do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from linpoint.errors import UsageError
from linpoint.language.ir import Instruction, Op, Program
from linpoint.models import Model
from linpoint.verify.client import Call

SYMMETRIES = ("threads", "values")

ALIKE = ("bag", "deque", "queue", "register", "set", "stack")
"""Shipped models to which all values are alike."""

_NUMERIC = (Op.LT, Op.LE, Op.ADD, Op.SUB, Op.MOD, Op.FETCH_ADD, Op.CHOOSE, Op.ME)
_PLACES = {Op.LOAD: 1, Op.STORE: 0, Op.EXCHANGE_IF: 1, Op.SWAP: 1, Op.FETCH_ADD: 1, Op.LOCK: 0, Op.UNLOCK: 0}
"""Where the place stands among the operands."""


def checked(names: Iterable[str]) -> tuple[str, ...]:
    """The symmetries that are asked for, each once."""
    asked = tuple(dict.fromkeys(names))
    for name in asked:
        if name not in SYMMETRIES:
            raise UsageError(f"there is no symmetry {name!r}; symmetries: {', '.join(SYMMETRIES)}")
    return asked


def must_be_sound(asked: Collection[str], program: Program, menu: Collection[Call], values: int) -> None:
    """Refuses a symmetry that the program may break."""
    code = [(method.name, step) for method in program.methods for step in method.code]
    if "threads" in asked:
        for name, step in code:
            if step.op is Op.ME:
                raise _refused("threads", program, step, f"{name} asks for the number of its thread")
    if "values" in asked:
        for name, step in (("__init__", step) for step in program.initial.code):
            if _names_value(step, values):
                raise _refused("values", program, step, f"{name} names one of the values")
        for name, step in code:
            if step.op in _NUMERIC or _indexed(step):
                raise _refused("values", program, step, f"{name} calculates with numbers")
            if _names_value(step, values):
                raise _refused("values", program, step, f"{name} names one of the values")
        if not _closed(menu, values):
            raise UsageError("symmetry of values: the menu does not treat all values alike")


def must_be_alike(asked: Collection[str], model: Model) -> None:
    """Refuses the symmetry of values for a specification that may tell them apart."""
    if "values" in asked and str(model) not in ALIKE:
        raise UsageError(
            f"symmetry of values: all values are alike to {', '.join(ALIKE)}; that is not known of {model}"
        )


def _refused(symmetry: str, program: Program, step: Instruction, why: str) -> UsageError:
    return UsageError(f"symmetry of {symmetry}: {why} ({program.file}, line {step.line})")


def _names_value(step: Instruction, values: int) -> bool:
    """Is one of the operands the constant 1, 2 … values? Constants are the operands below 0."""
    return any(operand < 0 and 1 <= -1 - operand - 36 <= values for operand in step.operands)


def _indexed(step: Instruction) -> bool:
    """Is an element of an array chosen by a register?"""
    if step.op is Op.CAS:
        return any(step.operands[start + 4] >= 0 for start in range(2, len(step.operands), 7))
    at = _PLACES.get(step.op)
    return at is not None and step.operands[at + 4] >= 0


def _closed(menu: Collection[Call], values: int) -> bool:
    """Is the menu the same after any two neighbouring values are exchanged?"""
    calls = set(menu)
    for value in range(1, values):
        swap = {value: value + 1, value + 1: value}
        if any((name, tuple(_swapped(one, swap) for one in arguments)) not in calls for name, arguments in menu):
            return False
    return True


def _swapped(one: object, swap: dict[int, int]) -> object:
    return swap.get(one, one) if isinstance(one, int) and not isinstance(one, bool) else one
