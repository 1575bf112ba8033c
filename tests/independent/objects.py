"""What would a sequential object answer? Written from docs/reference/models.md alone.

An object gives, for a state and an operation, the list of (next state, answer). States are plain immutable values. An answer is
a value, or one of the markers below, and `agrees` compares it with what was recorded. Nothing here is shared with linpoint or
with tests/agreement: when the three disagree, the contract decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Outcomes = list[tuple[Any, Any]]

TRUE, FALSE = ("bool", True), ("bool", False)


def freeze(value: Any) -> Any:
    """A hashable form in which true is not 1, a list is not a pair of this module, and maps have no order."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, list | tuple):
        return ("list", *(freeze(item) for item in value))
    if isinstance(value, dict):
        return ("map", frozenset((key, freeze(item)) for key, item in value.items()))
    return value


@dataclass(frozen=True)
class Marker:
    """An answer that is not simply a value."""

    name: str


IGNORED = Marker("results of this operation are not compared")
EMPTY = Marker("null or the text empty")


@dataclass(frozen=True)
class Optional:
    """An answer that is compared only if one was recorded."""

    answer: Any


@dataclass(frozen=True)
class AnyOf:
    """Several ways to write the same answer."""

    answers: tuple[Any, ...]


def agrees(answer: Any, recorded: Any) -> bool:
    if answer is IGNORED:
        return True
    if answer is EMPTY:
        return recorded is None or recorded == "empty"
    if isinstance(answer, Optional):
        return recorded is None or recorded == answer.answer
    if isinstance(answer, AnyOf):
        return recorded in answer.answers
    return bool(recorded == answer)


def truth(value: object) -> Any:
    return TRUE if value else FALSE


class Cells:
    """A finite map as an immutable value: what is not in it holds the default."""

    __slots__ = ("default", "items")

    def __init__(self, items: frozenset[tuple[Any, Any]], default: Any) -> None:
        self.items, self.default = items, default

    def get(self, key: Any) -> Any:
        for name, value in self.items:
            if name == key:
                return value
        return self.default

    def put(self, key: Any, value: Any) -> "Cells":
        rest = [(name, held) for name, held in self.items if name != key]
        if value != self.default:
            rest.append((key, value))
        return Cells(frozenset(rest), self.default)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cells) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)


def items(value: Any) -> tuple[Any, ...]:
    """The items of a frozen list."""
    return tuple(value[1:])


# --- registers ---------------------------------------------------------------------------------------------------------------


def register(state: Any, f: str, value: Any, result: Any) -> Outcomes:
    match f:
        case "read":
            return [(state, state)]
        case "write":
            return [(value, IGNORED)]
        case "swap":
            return [(value, state)]
        case "cas":
            old, new = items(value)
            return [(new, TRUE)] if state == old else [(state, FALSE)]
    raise ValueError(f)


def cells(state: Cells, f: str, value: Any, result: Any) -> Outcomes:
    """array, and the simple operations of multi-register."""
    match f:
        case "read":
            return [(state, state.get(value))]
        case "write":
            key, new = items(value)
            return [(state.put(key, new), IGNORED)]
        case "cas":
            key, old, new = items(value)
            return [(state.put(key, new), TRUE)] if state.get(key) == old else [(state, FALSE)]
    raise ValueError(f)


def multi_register(state: Cells, f: str, value: Any, result: Any) -> Outcomes:
    if f != "txn":
        return cells(state, f, value, result)
    answer, reads = [], False
    for step in items(value):
        kind, name, argument = items(step)
        if kind in ("w", "write"):
            state = state.put(name, argument)
            answer.append(step)
        else:
            reads = True
            answer.append(("list", kind, name, state.get(name)))
    full = ("list", *answer)
    return [(state, full if reads else AnyOf((None, full)))]


def kv(state: Cells, f: str, value: Any, result: Any) -> Outcomes:
    match f:
        case "get":
            held = state.get(value)
            return [(state, AnyOf((held, None)) if held == state.default else held)]
        case "put":
            key, text = items(value)
            return [(state.put(key, text), IGNORED)]
        case "append":
            key, text = items(value)
            return [(state.put(key, state.get(key) + text), IGNORED)]
    raise ValueError(f)


def append_list(state: Cells, f: str, value: Any, result: Any) -> Outcomes:
    """Lists; the empty one may be written as null."""
    if f == "append":
        key, element = items(value)
        return [(state.put(key, (*state.get(key), element)), IGNORED)]
    if f == "read":
        held = state.get(value)
        return [(state, AnyOf((held, None)) if held == state.default else held)]
    kind, key, element = items(items(value)[0])
    if kind == "append":
        return [(state.put(key, (*state.get(key), element)), AnyOf((None, value)))]
    held = state.get(key)
    full = ("list", ("list", kind, key, held))
    return [(state, AnyOf((full, None, ("list", ("list", kind, key, None)))) if held == state.default else full)]


def mapping(state: Cells, f: str, value: Any, result: Any) -> Outcomes:
    if f == "size":
        return [(state, len(state.items))]
    if f in ("get", "remove", "delete", "contains"):
        held = state.get(value)
        match f:
            case "get":
                return [(state, held)]
            case "remove":
                return [(state.put(value, None), held)]
            case "delete":
                return [(state.put(value, None), Optional(truth(held is not None)))]
        return [(state, truth(held is not None))]
    key, *rest = items(value)
    held = state.get(key)
    match f:
        case "put":
            return [(state.put(key, rest[0]), IGNORED)]
        case "swap":
            return [(state.put(key, rest[0]), held)]
        case "put_if_absent":
            return [(state.put(key, rest[0]) if held is None else state, held)]
        case "replace":
            return [(state if held is None else state.put(key, rest[0]), held)]
        case "replace_if":
            return [(state.put(key, rest[1]), TRUE)] if held == rest[0] else [(state, FALSE)]
        case "remove_if":
            return [(state.put(key, None), TRUE)] if held == rest[0] else [(state, FALSE)]
    raise ValueError(f)


def set_(state: frozenset[Any], f: str, value: Any, result: Any) -> Outcomes:
    match f:
        case "add":
            return [(state | {value}, Optional(truth(value not in state)))]
        case "remove":
            return [(state - {value}, Optional(truth(value in state)))]
        case "contains":
            return [(state, truth(value in state))]
        case "size":
            return [(state, len(state))]
        case "read":  # any order, each once: compared as a sorted list
            recorded = items(result) if isinstance(result, tuple) and result[0] == "list" else None
            same = recorded is not None and len(recorded) == len(state) and set(recorded) == state
            return [(state, result if same else ("list", *sorted(state, key=repr)))]
    raise ValueError(f)


# --- numbers and locks -------------------------------------------------------------------------------------------------------


def counter(state: int, f: str, value: Any, result: Any) -> Outcomes:
    by = 1 if value is None else value
    match f:
        case "add":
            return [(state + by, IGNORED)]
        case "sub":
            return [(state - by, IGNORED)]
        case "fetch_add":
            return [(state + by, state)]
        case "add_and_get":
            return [(state + by, state + by)]
        case "read":
            return [(state, state)]
    raise ValueError(f)


def semaphore(permits: int, bounded: bool) -> Callable[[int, str, Any, Any], Outcomes]:
    def step(state: int, f: str, value: Any, result: Any) -> Outcomes:
        many = 1 if value is None else value
        match f:
            case "acquire":
                return [(state - many, IGNORED)] if state >= many else []
            case "release":
                return [] if bounded and state + many > permits else [(state + many, IGNORED)]
            case "try_acquire":
                return [(state - many, TRUE)] if state >= many else [(state, FALSE)]
        raise ValueError(f)

    return step


def mutex(state: int, f: str, value: Any, result: Any) -> Outcomes:
    return semaphore(1, True)(state, f, None, result)


# --- containers --------------------------------------------------------------------------------------------------------------


def queue(state: tuple[Any, ...], f: str, value: Any, result: Any) -> Outcomes:
    if f == "enqueue":
        return [((*state, value), IGNORED)]
    if not state:
        return [(state, EMPTY)]
    return [(state[1:] if f == "dequeue" else state, state[0])]


def stack(state: tuple[Any, ...], f: str, value: Any, result: Any) -> Outcomes:
    if f == "push":
        return [((*state, value), IGNORED)]
    if not state:
        return [(state, EMPTY)]
    return [(state[:-1] if f == "pop" else state, state[-1])]


def height_stack(state: tuple[Any, ...], f: str, value: Any, result: Any) -> Outcomes:
    if f == "push":
        return [((*state, value), len(state))]
    if not state:
        return [(state, AnyOf((0, ("list", 0, None), None, "empty")))]
    return [(state[:-1], ("list", len(state), state[-1]))]


def deque(state: tuple[Any, ...], f: str, value: Any, result: Any) -> Outcomes:
    verb, end = f.split("_")
    if verb == "push":
        return [((value, *state) if end == "front" else (*state, value), IGNORED)]
    if not state:
        return [(state, EMPTY)]
    seen = state[0] if end == "front" else state[-1]
    if verb == "pop":
        state = state[1:] if end == "front" else state[:-1]
    return [(state, seen)]


def priority(element: Any) -> Any:
    """Null < false < true < numbers < texts < lists item by item < maps (all equal)."""
    if isinstance(element, tuple) and element[0] == "list":
        element = element[1] if len(element) > 1 else element
    return rank(element)


def rank(value: Any) -> Any:
    if value is None:
        return (0,)
    if isinstance(value, str):
        return (3, value)
    if isinstance(value, tuple):
        if value[0] == "bool":
            return (1, value[1])
        return (4, [rank(item) for item in items(value)]) if value[0] == "list" else (5,)
    return (2, value)


def take_one(state: tuple[Any, ...], element: Any) -> tuple[Any, ...]:
    at = state.index(element)
    return state[:at] + state[at + 1 :]


def multiset(elements: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(elements, key=repr))


def priority_queue(order: str) -> Callable[[tuple[Any, ...], str, Any, Any], Outcomes]:
    best = max if order == "max" else min

    def step(state: tuple[Any, ...], f: str, value: Any, result: Any) -> Outcomes:
        if f == "insert":
            return [(multiset((*state, value)), IGNORED)]
        if not state:
            return [(state, EMPTY)]
        top = best(priority(element) for element in state)
        tops = {element for element in state if priority(element) == top}
        return [(take_one(state, element) if f == "poll" else state, element) for element in sorted(tops, key=repr)]

    return step


def bag(state: tuple[Any, ...], f: str, value: Any, result: Any) -> Outcomes:
    match f:
        case "add":
            return [(multiset((*state, value)), IGNORED)]
        case "contains":
            return [(state, truth(value in state))]
        case "remove_value":
            return [(take_one(state, value) if value in state else state, Optional(truth(value in state)))]
        case "take":
            return [(take_one(state, one), one) for one in sorted(set(state), key=repr)] or [(state, EMPTY)]
    raise ValueError(f)
