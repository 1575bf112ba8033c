"""What can a method reach that is not in the object? Globals, cells of closures, default arguments, attributes of classes.

A specification keeps its state in the object. One that keeps some elsewhere,

    _seen = set()

    class Once:
        def first(self, item):                 # true for the first object that is asked, false for all others
            new = item not in _seen
            _seen.add(item)
            return new

is found out by its answers, if it can be run both before and after the change. Where the change came first, all that can be
done is to see *that* something in reach was changed. The names in the code of a method are followed, through functions
and methods that it names; what is called by other ways, or held by a module of another name, is not found. A few microseconds per
name, looked up once per method.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any

from linpoint.models.fingerprint import Unreadable, fingerprint

MOST_FUNCTIONS = 100
"""So many functions are followed from one method."""

MOST_PARTS = 500
"""Larger things are not looked at."""

Reach = dict[str, Callable[[], Any]]
"""Names, in words, and how to get what they stand for now."""


def class_data(cls: type) -> tuple[str, ...]:
    """The attributes of a class that are data: what changes in them is shared by all objects."""
    names = {name for base in cls.__mro__ for name in vars(base) if not name.startswith(("__", "_abc_"))}
    readable = []
    for name in sorted(names):
        value = getattr(cls, name, None)
        if callable(value) or hasattr(type(value), "__get__"):
            continue
        try:
            fingerprint(value)
        except Unreadable:
            continue
        readable.append(name)
    return tuple(readable)


def reach(cls: type, method: str) -> Reach:
    """What a method of a class can reach outside of its objects, as far as its code names it."""
    found: Reach = {}
    seen: set[int] = set()
    todo = [getattr(cls, method, None)]
    while todo and len(seen) < MOST_FUNCTIONS:
        function = _plain_function(todo.pop())
        if function is None or id(function) in seen:
            continue
        seen.add(id(function))
        for words, get in _named(function):
            value = get()
            if isinstance(value, type) and value.__module__ == function.__module__:
                todo += vars(value).values()
                for name in class_data(value):
                    found[f"{value.__name__}.{name}"] = partial(getattr, value, name, None)
            elif callable(value):
                todo.append(value)
            elif not isinstance(value, types.ModuleType):
                found[words] = get
        todo += [vars(base)[name] for name in _names(function.__code__) for base in cls.__mro__ if name in vars(base)]
    return found


def now(things: Reach) -> dict[str, Hashable]:
    """What these are at the moment; what is too large to be read is left out."""
    found: dict[str, Hashable] = {}
    for words, get in things.items():
        try:
            found[words] = fingerprint(get(), loosely=True, most=MOST_PARTS)
        except Exception:  # noqa: S112 (it is no part of the class: whatever is wrong with it is no fault of the class)
            continue
    return found


def _plain_function(value: Any) -> types.FunctionType | None:
    """The Python function in a method, a decorated function, a class method."""
    for _ in range(10):
        if isinstance(value, types.FunctionType):
            return value
        value = getattr(value, "__func__", None) or getattr(value, "__wrapped__", None) or getattr(value, "fget", None)
    return None


def _named(function: types.FunctionType) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The globals, cells and default arguments of a function."""
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield f"the global {name}", partial(function.__globals__.get, name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name != "__class__":
            yield f"the variable {name}", partial(_content, cell)
    if function.__defaults__ or function.__kwdefaults__:
        yield (
            f"a default argument of {function.__name__}",
            lambda: (function.__defaults__, function.__kwdefaults__),
        )


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
