"""What does an operation observe, and what does it leave behind? The ground on which operations may be left out.

On an object that is overwritten as a whole (a register, one key of a map, an element of a set, a mutex) every
operation observes something of the state, or leaves a new one, or both; the state is always what the last writer
left. For such objects `keep.py` knows which operations may be dropped without changing the story.

Models whose states are as many as the values written are read off a table here; any other model is run on all states
it can reach, as long as these are few.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from linpoint.history import Operation
from linpoint.history.values import tag
from linpoint.models import Kinds, Model, Runner, Shipped
from linpoint.models.model import ANY

MOST_PROBES = 3_000
"""How many steps of a model may be spent on finding out what its operations do."""

Left = Hashable
"""A state, or what stands for it."""


@dataclass(frozen=True)
class Role:
    """What one kind of operation does to an object that is overwritten as a whole."""

    observes: Callable[[Left], bool] | None = None
    """In which states its recorded result is possible; None: in all."""
    exactly: Left | None = None
    """If that is one state only: which, wrapped in a tuple. Saves a search."""
    leaves: tuple[Left, ...] = ()
    """The state it leaves behind, if it is a writer."""
    surely: bool = True
    """Does a writer always write? A pending compare-and-set may not."""


def exact(state: Any) -> Role:
    """Sees this state."""
    name = tag(state)
    return Role(lambda left: left == name, (name,))


def other_than(state: Any) -> Role:
    """Sees any state but this."""
    name = tag(state)
    return Role(lambda left: left != name)


def writing(role: Role, state: Any, surely: bool = True) -> Role:
    """The same, leaving a state behind."""
    return Role(role.observes, role.exactly, (tag(state),), surely)


BLIND = Role()
"""Sees nothing in particular."""


def roles_of(
    model: Model, examples: Sequence[Operation | None], kinds: Kinds | None = None
) -> tuple[Left, list[Role]] | None:
    """(the initial state, the role of each kind), or None if the object is not overwritten as a whole."""
    if isinstance(model, Shipped) and model.name in _TABLES:
        initial, table = _TABLES[model.name]
        found = [BLIND if op is None else table(*model.understand(op), op) for op in examples]
        if any(role is None for role in found):
            return None
        start = initial(model)
        return tag(start), [role for role in found if role is not None]
    return _by_running(model, examples, kinds)


def _register(name: str, value: Any, result: Any, op: Operation) -> Role | None:
    if name == "read":
        return BLIND if result is ANY else exact(result)
    if name == "write":
        return writing(BLIND, value)
    if name == "swap":
        return writing(BLIND if result is ANY else exact(result), value)
    old, new = value
    if result is False:
        return other_than(old)
    return writing(exact(old), new, surely=not op.pending)


def _array(name: str, value: Any, result: Any, op: Operation) -> Role | None:
    rest = None if name == "read" else value[1] if len(value) == 2 else value[1:]
    return _register(name, rest, result, op)


def _map(name: str, value: Any, result: Any, op: Operation) -> Role | None:
    if name == "size":
        return None
    item = None if name in ("get", "remove", "delete", "contains") else value[1]
    seen = BLIND if result is ANY else exact(result)
    match name, result:
        case "get", _:
            return seen
        case "put", _:
            return writing(BLIND, item)
        case "swap", _:
            return writing(seen, item)
        case "remove", _:
            return seen if result is None else writing(seen, None)
        case ("delete", True) | ("contains", True):
            there = other_than(None)
            return writing(there, None) if name == "delete" else there
        case ("delete", False) | ("contains", False):
            return exact(None)
        case "delete", _:
            return writing(BLIND, None)
        case "contains", _:
            return BLIND
        case "put_if_absent", _ if result is ANY:
            return writing(exact(None), item, surely=False)
        case "put_if_absent", _:
            return writing(seen, item) if result is None else seen
        case "replace", _ if result is ANY:
            return writing(other_than(None), item, surely=False)
        case "replace", _:
            return seen if result is None else writing(seen, item)
        case (("replace_if" | "remove_if"), False):
            return other_than(item)
        case "replace_if", _:
            return writing(exact(item), value[2], surely=not op.pending)
        case _:
            return writing(exact(item), None, surely=not op.pending)


_Table = Callable[[str, Any, Any, Operation], Role | None]
_TABLES: dict[str, tuple[Callable[[Any], Any], _Table]] = {
    "register": (lambda model: model.initial, _register),
    "cas-register": (lambda model: model.initial, _register),
    "array": (lambda model: model.options.get("initial"), _array),
    "map": (lambda _: None, _map),
}


def _by_running(
    model: Model, examples: Sequence[Operation | None], told_apart: Kinds | None
) -> tuple[Left, list[Role]] | None:
    """Runs every kind in every state that any of them can lead to."""
    runner = Runner(model, told_apart)
    kinds = [(kind, op) for kind, op in enumerate(examples) if op is not None]
    first = runner.initial()
    states, found = [first], {first}
    steps: dict[tuple[int, int], int] = {}
    for state in states:
        if len(states) * len(kinds) > MOST_PROBES:
            return None
        for kind, op in kinds:
            after = runner.step(state, op)
            if len(after) > 1:
                return None
            if after:
                steps[kind, state] = after[0]
                if after[0] not in found:
                    found.add(after[0])
                    states.append(after[0])
    roles = [BLIND] * len(examples)
    for kind, _ in kinds:
        role = _role({state: steps[kind, state] for state in states if (kind, state) in steps}, states)
        if role is None:
            return None
        roles[kind] = role
    return first, roles


def _role(steps: dict[int, int], states: Sequence[int]) -> Role | None:
    """The role of a kind that leads from each state to the given one, where it is legal at all."""
    changed = {state for state, after in steps.items() if after != state}
    reached = set(steps.values())
    if not changed:
        return Role(None if len(steps) == len(states) else frozenset(steps).__contains__)
    if len(reached) == 1:
        return Role(None if len(steps) == len(states) else frozenset(steps).__contains__, None, tuple(reached))
    written = {steps[state] for state in changed}
    if len(written) == 1 and len(steps) == len(
        states
    ):  # legal everywhere: elsewhere it does nothing, and needs nothing
        return Role(frozenset(changed).__contains__, None, tuple(written), surely=False)
    return None
