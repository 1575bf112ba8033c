"""What can a method reach that is not in the object? Globals, cells of closures, default arguments, attributes of classes.

A specification keeps its state in the object. One that keeps some elsewhere,

    _seen = set()

    class Once:
        def first(self, item):                 # true for the first object that is asked, false for all others
            new = item not in _seen
            _seen.add(item)
            return new

is found out by its answers, if it can be run both before and after the change. Where the change came first, it is run with
what was there at first: names are bound to copies of that for a moment, and back again; nothing is changed in place. "At first"
is when a class was first looked at in this process: a second check finds the traces of the one before it.

The names in the code of a method are followed, through functions and methods that it names. What is reached in other ways is not
found: attributes of modules, files, the environment. Some microseconds per name and check.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import types
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from weakref import WeakKeyDictionary

from linpoint._core import Halted
from linpoint.models.fingerprint import Unreadable, fingerprint
from linpoint.models.model import Sentinel

MOST_FUNCTIONS = 100
"""So many functions are followed from one method."""

MOST_PARTS = 10_000
"""Larger things are not looked at."""

_MISSING: Final = Sentinel("MISSING")


@dataclass(frozen=True)
class Place:
    """Something outside of an object: how to get what is there, and how to put something else there."""

    get: Callable[[], Any]
    put: Callable[[Any], None]


Places = dict[str, Place]
"""By their names, in words."""


@dataclass(frozen=True)
class _Found:
    """What was at a place at first."""

    held: tuple[Hashable, ...]
    copy: Any


_at_first: WeakKeyDictionary[type, dict[str, _Found]] = WeakKeyDictionary()


def look_at(cls: type, places: Places) -> None:
    """Notes what is there, if that was not done before. What cannot be copied is left out."""
    known = _at_first.setdefault(cls, {})
    for words, place in places.items():
        if words not in known and (held := _held(place)) is not None:
            try:
                value = place.get()
                twin = copy.deepcopy(value)
                place.put(value)  # some cannot be bound to anything else
                if _tokens(twin) == held:
                    known[words] = _Found(held, twin)
            except Exception:  # noqa: S112 (whatever is wrong with it, it is no part of the class)
                continue


def changed(cls: type, places: Places) -> list[str]:
    """Those places where something else is now."""
    known = _at_first.get(cls, {})
    return [
        words for words, place in places.items() if words in known and _held(place) not in (None, known[words].held)
    ]


@contextlib.contextmanager
def as_at_first(cls: type, places: Places, names: Collection[str]) -> Iterator[None]:
    """As long as this lasts, these places hold copies of what was there at first."""
    now: Mapping[str, Any] = {words: places[words].get() for words in names}
    try:
        for words in names:
            places[words].put(copy.deepcopy(_at_first[cls][words].copy))
        yield
    finally:
        try:
            _put_back(places, now)
        except Halted:  # came between two lines of it
            _put_back(places, now)
            raise


def _put_back(places: Places, values: Mapping[str, Any]) -> None:
    for words, value in values.items():
        places[words].put(value)


def _held(place: Place) -> tuple[Hashable, ...] | None:
    try:
        return _tokens(place.get())
    except Exception:
        return None


def _tokens(value: Any) -> tuple[Hashable, ...]:
    return fingerprint(value, loosely=True, most=MOST_PARTS)


def class_data(cls: type) -> tuple[str, ...]:
    """The attributes of a class that are data: what changes in them is shared by all objects."""
    readable = []
    for name in sorted(set(names_of(cls))):
        value = getattr(cls, name, None)
        if callable(value) or hasattr(type(value), "__get__"):
            continue
        try:
            fingerprint(value)
        except Unreadable:
            continue
        readable.append(name)
    return tuple(readable)


def reach(cls: type, method: str) -> Places:
    """What a method of a class can reach outside of its objects: data of the class, and whatever its code names."""
    found = attributes_of(cls)
    seen: set[int] = set()
    todo = [getattr(cls, method, None)]
    while todo and len(seen) < MOST_FUNCTIONS:
        function = _plain_function(todo.pop())
        if function is None or id(function) in seen:
            continue
        seen.add(id(function))
        for words, place in _named(function):
            value = place.get()
            if isinstance(value, type) and value.__module__ == function.__module__:
                todo += vars(value).values()
                found |= attributes_of(value)
            elif callable(value):
                todo.append(value)
            elif not isinstance(value, types.ModuleType):
                found[words] = place
        todo += [vars(base)[name] for name in _names(function.__code__) for base in cls.__mro__ if name in vars(base)]
    return found


def attributes_of(cls: type) -> Places:
    """The data of a class, and where it is."""
    found: Places = {}
    for name in class_data(cls):
        owner = next(base for base in cls.__mro__ if name in vars(base))
        found[f"{owner.__name__}.{name}"] = Place(partial(getattr, owner, name), partial(setattr, owner, name))
    return found


def names_of(cls: type) -> tuple[str, ...]:
    """The names that a class has, in itself and in what it inherits from."""
    return tuple(name for base in cls.__mro__[:-1] for name in vars(base) if not name.startswith(("__", "_abc_")))


def _plain_function(value: Any) -> types.FunctionType | None:
    """The Python function in a method, a decorated function, a class method."""
    for _ in range(10):
        if isinstance(value, types.FunctionType):
            return value
        value = getattr(value, "__func__", None) or getattr(value, "__wrapped__", None) or getattr(value, "fget", None)
    return None


def _named(function: types.FunctionType) -> Iterator[tuple[str, Place]]:
    """The globals, cells and default arguments of a function."""
    variables = function.__globals__
    for name in _names(function.__code__):
        if name in variables:
            yield f"the global {name}", _global(variables, name)
    for one in dis.get_instructions(function):
        if one.opname == "STORE_GLOBAL" and one.argval not in variables:
            yield f"the global {one.argval}", _global(variables, one.argval)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name != "__class__":
            yield f"the variable {name}", Place(partial(_content, cell), partial(setattr, cell, "cell_contents"))
    if function.__defaults__:
        place = Place(partial(getattr, function, "__defaults__"), partial(setattr, function, "__defaults__"))
        yield f"a default argument of {function.__name__}", place


def _global(variables: dict[str, Any], name: str) -> Place:
    def put(value: Any) -> None:
        if value is _MISSING:
            variables.pop(name, None)
        else:
            variables[name] = value

    return Place(partial(variables.get, name, _MISSING), put)


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


def _names(code: types.CodeType) -> list[str]:
    """The names that are looked up in code, and in the functions within it."""
    todo, names = [code], dict[str, None]()
    while todo:
        one = todo.pop()
        names |= dict.fromkeys(one.co_names)
        todo += [inner for inner in one.co_consts if isinstance(inner, types.CodeType)]
    return list(names)
