"""The base of the shipped models: one table per model says how its operations are called, asked and answered.

Every shipped model exists twice, written independently: in Rust for the search (`crates/spec/src/objects/`) and
here, as documentation, for the replay that certifies every witness, and as a second opinion in tests.
`docs/reference/models.md` is the contract of both. Readable first: a state is a plain immutable value.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, ClassVar, Final

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import freeze, same, show, thaw, to_json
from linpoint.models.model import ALL, ANY, Model, Outcome, Sentinel, State, fits, listed, mapping, squashed

EMPTY: Final = Sentinel("empty")
"""What a container answers when there is nothing in it; `null` and `"empty"` are read as this."""

Reading = Callable[[Any], Any]
"""How a recorded result is read: what the model is to answer, `ANY`, or a ValueError saying what was expected."""


def compared(recorded: Any) -> Any:
    """The result is compared as it is."""
    return recorded


def ignored(_: Any) -> Any:
    """The result is not compared."""
    return ANY


def boolean(recorded: Any) -> Any:
    """The result must be true or false."""
    if not isinstance(recorded, bool):
        raise ValueError(f"the result true or false, but has {show(recorded)}")
    return recorded


def optional_boolean(recorded: Any) -> Any:
    """True or false; null was not recorded and is not compared."""
    return ANY if recorded is None else boolean(recorded)


def element(recorded: Any) -> Any:
    """An element, or null or "empty" for none."""
    return EMPTY if recorded is None or recorded == "empty" else recorded


def whole(recorded: Any) -> Any:
    """A whole number."""
    if isinstance(recorded, bool) or not isinstance(recorded, int):
        raise ValueError(f"a whole number as result, but has {show(recorded)}")
    return recorded


def elements(initial: Any) -> tuple[Any, ...]:
    """What a container holds at first, from its option `initial`."""
    if not isinstance(initial, (list, tuple)):
        raise ModelError(f"initial is a list of elements, not {show(initial)}")
    return tuple(map(freeze, initial))


def with_default(entries: FrozenDict, key: Any, value: Any, default: Any) -> FrozenDict:
    """A copy in which `key` has `value`. A key with the default value is left out, so that equal states look equal."""
    return entries.drop(key) if same(value, default) else entries.set(key, value)


@dataclass(frozen=True)
class Op:
    """One row of a model's table."""

    synonyms: str = ""
    """Other names, separated by spaces."""
    takes: str = ""
    """The items of the value, in words; a single one is the value itself. A `key` comes first, or from the field `key`."""
    gives: Reading = ignored
    """How the recorded result is read."""
    reads: bool | Callable[[Any, Any], bool] = False
    """Does it leave every state in which it is legal as it is? A function of (value, recorded result), or always."""

    @cached_property
    def items(self) -> list[str]:
        """The items of the value."""
        return self.takes.split()


class Replay:
    """A mutable object that replays operations quickly; the quick forms of the models inherit from it.

    It may guess where a pending operation leaves a choice: if it accepts all operations they are fine,
    if not it may have guessed wrong.
    """

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation, given as `Shipped.understand` understood it; False if its result is impossible here."""
        raise NotImplementedError


class Stepper(Replay):
    """Replays a model on one state after the other; gives up where a pending operation leaves a choice."""

    def __init__(self, model: Shipped) -> None:
        self._model = model
        self._state = model.initial

    def do(self, name: str, value: Any, expected: Any) -> bool:
        """Carries out an operation; False if its result is impossible here, or there is a choice."""
        outcome: Any = getattr(self._model, name)(self._state, value)
        outcomes: list[Any] = outcome if isinstance(outcome, list) else [outcome]
        fitting = [after for after, result in outcomes if fits(result, expected)]
        if len(fitting) != 1:
            return False
        self._state = fitting[0]
        return True


_DEFAULTS: dict[type, dict[str, Any]] = {}
"""The options of each model with their defaults, once it was made: to ask for them takes 20 µs."""


def _defaults(cls: type[Shipped]) -> dict[str, Any]:
    """The options of a model with their defaults."""
    if cls not in _DEFAULTS:
        parameters = inspect.signature(cls).parameters
        _DEFAULTS[cls] = {name: parameter.default for name, parameter in parameters.items()}
    return _DEFAULTS[cls]


class Shipped(Model):
    """A model of the catalog. Options are the arguments of its constructor, and `str(model)` is how to ask for it."""

    name: ClassVar[str]
    table: ClassVar[dict[str, Op]]
    keyed: ClassVar[bool]
    """Has it operations on one key? Then a history is about one object; otherwise each `key` is an object of its own."""
    _names: ClassVar[dict[str, str]]
    """Every name of every operation → the canonical one."""
    _squashed: ClassVar[dict[str, str]]
    """The same for names without upper case, `-` and `_`, which make no difference where no name is the same."""

    def __init_subclass__(cls) -> None:
        cls.keyed = any(row.takes.startswith("key") for row in cls.table.values())
        cls._names = {name: own for own, row in cls.table.items() for name in (own, *row.synonyms.split())}
        cls._squashed = {squashed(name): own for name, own in cls._names.items()}

    def __init__(self, **options: Any) -> None:
        for name, value in options.items():
            if not _is_finite(value):
                raise ModelError(f"the option {name} is {show(value)}: NaN and infinities are no values")
        defaults = _defaults(type(self))
        self.options = {name: thaw(value) for name, value in options.items() if not same(value, defaults[name])}
        """Options that differ from their default."""

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """(Canonical name, value as the method takes it, expected result or ANY); ModelError if it makes no sense."""
        name = self._canonical(op.f)
        row = self.table[name]
        if op.result is False and row.gives is ignored and op.ok and False not in _items(op.value):
            advice = 'if it did not take effect, its type is "fail"; if it did, its result is null'
            raise ModelError(f"{op.f} answered false: {advice}", index_of(op) if index_of(op) >= 0 else None)
        try:
            expected = ANY if op.pending else row.gives(op.result)
        except ValueError as error:
            raise ModelError(f"a completed {op.f} needs {error}", index_of(op) if index_of(op) >= 0 else None) from None
        return name, _value(op, row), expected

    def step(self, state: State, op: Operation) -> list[State]:
        """The states `op` may lead to."""
        name, value, expected = self.understand(op)
        outcomes = listed(getattr(self, name)(state, value), op)
        return [after for after, result in outcomes if fits(result, expected)]

    def readonly(self, op: Operation) -> bool:
        """Does `op`, with its recorded result, leave every state in which it is legal as it is?"""
        name, value, expected = self.understand(op)
        reads = self.table[name].reads
        return reads(value, expected) if callable(reads) else reads

    def partition(self, op: Operation) -> Hashable:
        """By key where the model has keys; otherwise each `key` of the history is an object of its own."""
        row = self.table[self._canonical(op.f)]
        if row.takes.startswith("key"):
            value = _value(op, row)
            return value if row.takes == "key" else value[0]  # type: ignore[no-any-return]
        return ALL if self.keyed else op.key

    def describe(self, state: State) -> str:
        """The state in words."""
        return show(state)

    def sequential(self) -> Replay | None:
        """A fresh object for quick replay. A model with keys, whose whole state is large, has one only if it says how."""
        return None if self.keyed else Stepper(self)

    def _outcomes(self, state: State, op: Operation) -> list[Outcome]:
        name, value, _ = self.understand(op)
        return listed(getattr(self, name)(state, value), op)

    def _canonical(self, f: str) -> str:
        name = self._names.get(f) or self._squashed.get(squashed(f))
        if name is None:
            known = ", ".join(self.table)
            raise ModelError(f"{self.name} has no operation {f!r}; it has {known}{mapping(f, known)}")
        return name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shipped):
            return NotImplemented
        return type(self) is type(other) and same(self.options, other.options)

    def __hash__(self) -> int:
        return hash((type(self), freeze(self.options)))

    def __str__(self) -> str:
        options = ",".join(f"{name}={_option(value)}" for name, value in self.options.items())
        return f"{self.name}:{options}" if options else self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.options.items())})"


def _items(value: Any) -> list[Any]:
    """The value, or its items, as far as they are true or false: an operation may repeat its argument as its answer."""
    return [item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, bool)]


def _value(op: Operation, row: Op) -> Any:
    """The value of an operation in the form its method takes: nothing, one item, or a tuple of items."""
    items = row.items
    keyed = op.key is not None and items[:1] == ["key"]
    wanted = items[1:] if keyed else items
    if not wanted:
        return op.key if keyed else None
    if len(wanted) > 1 and not (isinstance(op.value, tuple) and len(op.value) == len(wanted)):
        message = f"{op.f} needs a value [{', '.join(wanted)}], but has {show(op.value)}"
        raise ModelError(message, index_of(op) if index_of(op) >= 0 else None)
    if not keyed:
        return op.value
    return (op.key, *op.value) if len(wanted) > 1 else (op.key, op.value)


def _is_finite(value: Any) -> bool:
    """Is no number in the value NaN or infinite?"""
    if isinstance(value, Mapping):
        return all(_is_finite(key) and _is_finite(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or isfinite(value)


def _option(value: Any) -> str:
    """An option's value as `linpoint.models.parse` reads it back: a plain word stays bare."""
    if isinstance(value, str) and value.isidentifier() and value not in ("null", "true", "false"):
        return value
    return json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"))
