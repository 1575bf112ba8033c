"""How does a program run? Local steps up to the next base operation, or all of it alone, without anybody in between.

Run alone it is its own specification (Theorem 1): the result and the cells that it leaves are what a linearization
has to show. A run that comes back to a state it was in, or goes on for `MOST_STEPS`, never ends when run alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from linpoint.extend.base import Base, Raised
from linpoint.extend.program import Call, Const, Equal, Expr, If, Let, New, Not, Program, Return, Var
from linpoint.extend.values import World

MOST_STEPS: Final = 200
"""Instructions without a base operation, and base operations of one run."""

UNBOUND: Final = type("Unbound", (), {"__repr__": lambda _: "UNBOUND"})()
"""What a local holds before it is assigned."""

Result: TypeAlias = tuple[str, Any]
"""("returned", value) or ("raised", name)."""
Locals: TypeAlias = list[Any]
Maker: TypeAlias = Callable[[int], Any]
"""Makes the object of a site."""


class Cells(Protocol):
    """What a run reads and writes: the content of each key."""

    def __getitem__(self, key: Any, /) -> Any: ...

    def __setitem__(self, key: Any, content: Any, /) -> None: ...

    def contents(self) -> tuple[Any, ...]:
        """What all cells hold."""


class Endless(Exception):
    """A run alone that does not come to an end, and a line of the loop."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def evaluate(expression: Expr, values: Locals, program: Program, world: World, make: Maker) -> Any:
    """The value of an expression."""
    if isinstance(expression, Var):
        value = values[expression.number]
        if value is UNBOUND:
            raise Raised("UnboundLocalError")
        return value
    if isinstance(expression, Const):
        return expression.value
    if isinstance(expression, Equal):
        left = evaluate(expression.left, values, program, world, make)
        return world.equal(left, evaluate(expression.right, values, program, world, make))
    if isinstance(expression, Not):
        return not world.truth(evaluate(expression.operand, values, program, world, make))
    if isinstance(expression, New):
        return make(expression.site)
    arguments = tuple(evaluate(each, values, program, world, make) for each in expression.arguments)
    if expression.function == "bool":
        return world.truth(arguments[0])
    return world.apply(expression.function, arguments, program.results[expression.function])


def advance(
    program: Program, place: int, values: Locals, world: World, make: Maker
) -> tuple[int, None] | tuple[int, Result]:
    """Runs local steps, up to a base operation (its place and None) or to the end (the place of the return, and the result)."""
    for _ in range(MOST_STEPS):
        step = program.code[place]
        if isinstance(step, Call):
            return place, None
        try:
            if isinstance(step, Let):
                values[step.to] = evaluate(step.value, values, program, world, make)
                place = step.next
            elif isinstance(step, If):
                truth = world.truth(evaluate(step.condition, values, program, world, make))
                place = step.then if truth else step.otherwise
            else:
                value = evaluate(step.value, values, program, world, make)
                return place, ("returned" if isinstance(step, Return) else "raised", value)
        except Raised as error:
            return place, ("raised", error.name)
    raise Endless(program.code[place].line)


def operate(
    program: Program, place: int, values: Locals, cells: Cells, base: Base, world: World, make: Maker
) -> tuple[int, Any, tuple[Any, ...], Result]:
    """Carries out the base operation at a place: where to go on (-1: nowhere, it raised), its key, arguments and result."""
    call = program.code[place]
    assert isinstance(call, Call)  # noqa: S101 - `advance` stops at calls
    try:
        key = evaluate(call.key, values, program, world, make)
        arguments = tuple(evaluate(each, values, program, world, make) for each in call.arguments)
    except Raised as error:
        return -1, None, (), ("raised", error.name)
    try:
        cells[key], result = base.operate(call.operation, cells[key], arguments, world.equal)
    except Raised as error:
        for handler in call.handlers:
            if not handler.names or error.name in handler.names:
                if call.exception >= 0:
                    values[call.exception] = error.name
                return handler.target, key, arguments, ("raised", error.name)
        return -1, key, arguments, ("raised", error.name)
    if call.to >= 0:
        values[call.to] = result
    return call.next, key, arguments, ("returned", result)


def frame(program: Program, arguments: tuple[Any, ...]) -> Locals:
    """The locals at the beginning."""
    return [*arguments, *([UNBOUND] * (len(program.locals) - len(arguments)))]


def run_alone(
    program: Program, arguments: tuple[Any, ...], cells: Cells, base: Base, world: World, make: Maker
) -> Result:
    """Runs the whole method with nobody in between; `cells` is changed. Raises Endless if it does not end."""
    values = frame(program, arguments)
    place, result = advance(program, 0, values, world, make)
    seen: set[Any] = set()
    for _ in range(MOST_STEPS):
        if result is not None:
            return result
        state = (place, *(values[each] for each in program.live[place]), *cells.contents())
        if state in seen:
            raise Endless(program.code[place].line)
        seen.add(state)
        after, _, _, answer = operate(program, place, values, cells, base, world, make)
        if after < 0:
            return answer
        place, result = advance(program, after, values, world, make)
    raise Endless(program.code[place].line)
