"""The shipped models by name: `parse("register:initial=0")`, `catalog()`, and a guess from the operations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from linpoint import _core
from linpoint.errors import ModelError, UsageError
from linpoint.history import History
from linpoint.history.door import door
from linpoint.history.values import from_json
from linpoint.models.append_list import AppendList
from linpoint.models.array import Array
from linpoint.models.bag import Bag
from linpoint.models.counter import Counter
from linpoint.models.deque import Deque
from linpoint.models.height_stack import HeightStack
from linpoint.models.kv import KV
from linpoint.models.map import Map
from linpoint.models.model import Model
from linpoint.models.multi_register import MultiRegister
from linpoint.models.mutex import Mutex
from linpoint.models.priority_queue import PriorityQueue
from linpoint.models.queue import Queue
from linpoint.models.register import CasRegister, Register
from linpoint.models.semaphore import Semaphore
from linpoint.models.set import Set
from linpoint.models.shipped import Shipped
from linpoint.models.stack import Stack

SHIPPED: Mapping[str, type[Shipped]] = {
    cls.name: cls
    for cls in (
        *(Register, CasRegister, MultiRegister, KV, AppendList, Map, Set, Array, Counter, Mutex, Semaphore),
        *(Queue, Stack, HeightStack, Deque, PriorityQueue, Bag),
    )
}
"""Every shipped model by name."""


class Guess(NamedTuple):
    """A model that fits a history."""

    model: Model
    why: str
    """What it was guessed from."""
    rivals: tuple[Model, ...] = ()
    """Models that share the names of the operations, and may come to another verdict."""


def is_native(model: Model) -> bool:
    """Does the compiled core have this very model? A subclass that changes it is a model of its own."""
    return isinstance(model, Shipped) and SHIPPED.get(model.name) is type(model)


class OperationInfo(NamedTuple):
    """An operation of a shipped model, in words."""

    name: str
    synonyms: str
    value: str
    result: str


class OptionInfo(NamedTuple):
    """An option of a shipped model, in words."""

    name: str
    default: str
    meaning: str


class ModelInfo(NamedTuple):
    """A shipped model, in words."""

    name: str
    summary: str
    operations: list[OperationInfo]
    options: list[OptionInfo]
    aliases: list[str]
    """Other names of the model."""


def catalog() -> list[ModelInfo]:
    """Every shipped model as the compiled core describes it."""
    return [
        ModelInfo(
            name=info["name"],
            summary=info["summary"],
            operations=[OperationInfo(*operation) for operation in info["operations"]],
            options=[OptionInfo(*option) for option in info["options"]],
            aliases=list(info.get("aliases", ())),
        )
        for info in _core.models()
    ]


def parse(text: str) -> Shipped:
    """A shipped model from words: `cas-register`, `register:initial=0`, `semaphore:permits=2,bounded=true`.

    Upper case, `-`, `_` and spaces make no difference in a name, and aliases are names too: `FIFO`, `CasRegister`.
    The value of an option is JSON; a bare word is text.
    """
    name, _, rest = text.partition(":")
    try:
        cls = SHIPPED[_core.model_named(name.strip())]
    except _core.ModelError as error:
        hint = " (a model of your own is in a file: --model FILE.py:Class, or linpoint.models.from_file)"
        raise UsageError(f"{error.args[0]}{hint if _looks_own(text) else ''}") from None
    options = dict(options_of(rest, text))
    try:
        return cls(**options)
    except TypeError:
        known = next(info.options for info in catalog() if info.name == cls.name)
        has = ", ".join(option.name for option in known) or "none"
        raise UsageError(f"cannot make a {cls.name} with {', '.join(options)}; its options: {has}") from None


def _looks_own(text: str) -> bool:
    """Does it look like a class of the user's, `bank.Bank` or `bank.py:Bank`?"""
    return ".py" in text or "." in text.partition(":")[0]


def resolve(model: object) -> Model:
    """The model that a caller means: an instance, a class, or words for `parse`."""
    if isinstance(model, Model):
        return model
    if isinstance(model, str):
        return parse(model)
    if isinstance(model, type) and issubclass(model, Model):
        try:
            return model()
        except TypeError as error:
            raise ModelError(
                f"{model.__name__} cannot be made without arguments ({error}): give an instance"
            ) from error
    what = model.__name__ if isinstance(model, type) else type(model).__name__
    advice = "inherit from linpoint.Model, take an ordinary class with linpoint.models.from_class, or name one"
    raise ModelError(f"{what} is not a model: {advice}: {', '.join(SHIPPED)}")


def guess(history: History) -> Guess:
    """The shipped model that fits the operations of a history; ModelError when none does."""
    with door():
        text, why, rivals = _core.guess_model(history.columns)
    return Guess(parse(text), why, tuple(map(parse, rivals)))


def options_of(text: str, whole: str) -> list[tuple[str, Any]]:
    """`name=value,name=value`; a value may itself hold commas, as in `initial=[1,2]`."""
    found: list[tuple[str, Any]] = []
    rest = text.strip()
    while rest:
        name, equals, rest = rest.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"the options of {whole!r} are not of the form name=value,name=value")
        value, rest = _leading(rest)
        found.append((name.strip(), from_json(value) if isinstance(value, (dict, list)) else value))
        if rest and not rest.startswith(","):
            raise UsageError(f"expected a comma before {rest!r} in the options of {whole!r}")
        rest = rest[1:].strip()
    return found


def _leading(text: str) -> tuple[Any, str]:
    """The value at the start of `text`, and what follows it."""
    text = text.lstrip()
    word, _, _ = text.partition(",")
    if word.strip().isidentifier():  # a bare word, except the three of JSON
        return {"null": None, "true": True, "false": False}.get(word.strip(), word.strip()), text[len(word) :]
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        if text[:1] in ("[", "{", '"'):
            raise UsageError(f"the option {text!r} is not JSON") from None
        return word.strip(), text[len(word) :]
    following = text[end:].lstrip()
    bare = following and following[0] != "," and text[0] not in '[{"'  # 10.0.0.1 starts like a number
    return (word.strip(), text[len(word) :]) if bare else (value, following)
