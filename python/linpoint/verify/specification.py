"""What is the object compared with? Θ_sp: the same client over an object whose operations take one step each.

The specification is a sequential model (a shipped one, a `Model`, an ordinary class), run as far as the client can go and handed
over as a table; or a class in the algorithm language, whose methods are turned into one atomic block each (seed 002, §2.3). An
operation that is not possible in a state waits until it is: that is how a blocking specification is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from linpoint import _core
from linpoint.errors import Blocked, ModelError, UsageError
from linpoint.history import FrozenDict, Operation
from linpoint.history.values import brief, show
from linpoint.language import ir
from linpoint.models import ANY, Model, Runner, from_class, resolve
from linpoint.models.shipped import EMPTY
from linpoint.verify.client import Call, Client, symbol, written

Outcomes = list[list[list[tuple[int, int]]]]
"""By state and call: (next state, result)."""

WAITS = FrozenDict({"raised": Blocked.__name__})
"""What an ordinary class answers where it has to wait."""


def model_of(spec: object) -> Model:
    """The sequential model that a caller means: words, a model, or an ordinary class."""
    if isinstance(spec, type) and not issubclass(spec, Model):
        return from_class(spec)
    return resolve(spec)


class Table:
    """A sequential model under a client, as numbers.

    `returns` says what the object returns from each method: a model that does not care about a result (`ANY`) accepts those.
    """

    def __init__(self, model: Model, client: Client, program: ir.Program, returns: Mapping[str, Iterable[int]]) -> None:
        self._model, self._client = model, client
        self._returns = {name: sorted(values) for name, values in returns.items()}
        self.symbols = list(program.symbols)
        """The symbols of the program, and results of the model that the program does not know."""
        self._known = len(program.symbols)
        places = {method.name: number for number, method in enumerate(program.methods, 1)}
        self._places = places
        self.outcomes: Outcomes = []
        self._fill()

    def _fill(self) -> None:
        """Runs the model breadth first; no state is further than the client can make calls."""
        runner = Runner(self._model)
        depths = {runner.initial(): 0}
        operations = [_operation(call) for call in self._client.menu]
        states = list(depths)
        for state in states:  # grows while it is read
            row: list[list[tuple[int, int]]] = [[] for _ in operations]
            if depths[state] < self._client.threads * self._client.ops:
                row = [self._steps(runner, state, op) for op in operations]
            self.outcomes.append(row)
            for after in (after for entry in row for after, _ in entry):
                if after not in depths:
                    depths[after] = depths[state] + 1
                    states.append(after)
        place = {state: number for number, state in enumerate(states)}
        self.outcomes = [
            [[(place[after], result) for after, result in entry] for entry in row] for row in self.outcomes
        ]

    def _steps(self, runner: Runner, state: int, op: Operation) -> list[tuple[int, int]]:
        """What an operation may do in a state: (next state, result), each once.

        What the model answers, and what it accepts of all that the object is seen to return: some models do not compare every
        result, and a history of the object must be judged here as `lp.check` would judge it.
        """
        returned = self._returns.get(op.f, [])
        found = [(after, byte) for byte in returned for after in self._accepted(runner, state, op, byte)]
        for after, result in runner.outcomes(state, op) or ():
            if result is ANY:
                found += [] if returned else [(after, 0)]
            elif result != WAITS:
                found.append((after, self._byte(result, op)))
        return sorted(set(found))

    def _accepted(self, runner: Runner, state: int, op: Operation, byte: int) -> list[int]:
        """Where the operation leads if the object returned this."""
        value = value_of(byte, self.symbols)
        try:
            return runner.step(state, replace(op, result=value, ret=1, type="ok"))
        except ModelError as error:
            raise ModelError(
                f"{op.f} of the object returns {show(value)}, and {self._model} says: {error.message}"
            ) from None

    def _byte(self, result: Any, op: Operation) -> int:
        """A result as a byte. One that the program cannot return gets a symbol of its own."""
        if result is EMPTY:
            return ir.byte("EMPTY" if "EMPTY" in self.symbols[: self._known] else None, tuple(self.symbols))
        if result is None or isinstance(result, bool) or (isinstance(result, int) and result in ir.NUMBERS):
            return ir.byte(result, tuple(self.symbols))
        name = result if isinstance(result, str) else f"{type(result).__name__} {show(result)}"
        if name not in self.symbols:
            if len(self.symbols) == ir.SYMBOLS:
                raise ModelError(f"{self._model} answers {op.f} with {brief(result)}: too many different results")
            self.symbols.append(name)
        return ir.byte(name, tuple(self.symbols))

    def lts(self, **limits: Any) -> _core.Lts:
        """Θ_sp."""
        client, places = self._client, self._places
        names = {number: name for name, number in places.items()}
        methods = ["", *(names[number] for number in sorted(names))]
        labels = ([written(call) for call in client.menu], methods, [symbol(name) for name in self.symbols])
        calls = [
            (places[name], [ir.byte(value, tuple(self.symbols)) for value in values]) for name, values in client.menu
        ]
        return _core.explore_specification(
            calls, self.outcomes, labels, threads=client.threads, ops=client.ops, order=client.order, **limits
        )


def value_of(byte: int, symbols: Iterable[str]) -> Any:
    """The value of a byte as a history has it: EMPTY is None there."""
    if byte < 3:
        return (None, False, True)[byte]
    if byte < 16:
        name = tuple(symbols)[byte - 3]
        return None if name == "EMPTY" else name
    return byte - 36


def _operation(call: Call) -> Operation:
    name, values = call
    value = None if not values else values[0] if len(values) == 1 else values
    return Operation(process=0, f=name, value=value, call=0)


def atomic(program: ir.Program) -> ir.Program:
    """The same object with every method one atomic block."""

    def one_step(method: ir.Method) -> ir.Method:
        begin = ir.Instruction(ir.Op.BEGIN, (), method.line, 0)
        return replace(method, code=(begin, *map(_moved, method.code)))

    return replace(program, methods=tuple(map(one_step, program.methods)))


def _moved(step: ir.Instruction) -> ir.Instruction:
    """An instruction one place further, glued to the one before."""
    operands = step.operands
    if step.op is ir.Op.JUMP:
        operands = (operands[0] + 1,)
    elif step.op is ir.Op.BRANCH:
        operands = (operands[0], operands[1] + 1)
    return replace(step, operands=operands, glued=True)


def spec_name(spec: object) -> str:
    """The specification in words."""
    if isinstance(spec, str):
        return spec
    name = getattr(spec, "__name__", None) if isinstance(spec, type) else str(spec)
    if not name:
        raise UsageError("the specification has no name")
    return name
