"""From an operation to a call of a method, and from what the method did to an answer that a history can hold.

A history says `f`, one `value` and one `result`; a method has parameters, returns anything, or raises. The rules:

    value       missing or null: no argument (null itself, if the method demands one)
                a list: its items are the arguments; but a method with one parameter gets the list
                anything else: one argument. Lists arrive as lists and maps as dicts, fresh ones for every call
    result      numbers, texts, lists, maps … as JSON would hold them; a set agrees with its elements in any order; an iterator
                or a view is run to its end and compared as a list; `ANY` agrees with everything
    exception   the answer `{"raised": "KeyError"}`: the name of its class, nothing else

What fits none of these is a ModelError, never a verdict: arguments that the method does not take, an object that no
history can hold (NaN, an Enum: no recorded result could ever agree with them), an exception that ends a program and not
a call. A TypeError is such a misfit, too, unless it is what the history recorded, where the parameters are not known
(methods in C), or where lists were passed and tuples may be wanted.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Collection, ItemsView, Iterator, KeysView, Mapping, Set, ValuesView
from datetime import date
from decimal import Decimal
from typing import Any

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.values import brief, show, simplest, thaw
from linpoint.models.model import ANY, bounded

PLAIN = frozenset({int, str, bool, float, type(None)})
"""Immutable and compared by value: most arguments and answers."""

ENDS = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""Exceptions that end a program or a generator: no answer of a method."""

_BINARY = (bytes, bytearray, memoryview)

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def signature_of(method: Callable[..., Any]) -> inspect.Signature | None:
    """The parameters of a bound method; None for one written in C that does not say."""
    try:
        return inspect.signature(method)
    except (TypeError, ValueError):
        return None


def spread(value: Any, signature: inspect.Signature | None) -> tuple[Any, ...]:
    """The arguments that a value stands for, frozen as the history holds them."""
    if signature is None:
        return () if value is None else value if isinstance(value, tuple) else (value,)
    parameters = signature.parameters.values()
    positional = [one for one in parameters if one.kind in _POSITIONAL]
    several = len(positional) != 1 or any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)
    if value is None:
        demanded = [one for one in positional if one.default is inspect.Parameter.empty]
        return (None,) if len(demanded) == 1 else ()
    return value if isinstance(value, tuple) and several else (value,)


def must_fit(name: str, arguments: tuple[Any, ...], signature: inspect.Signature | None) -> None:
    """ModelError if the method cannot be called so."""
    if signature is None:
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        given = ", ".join(map(show, arguments)) or "no arguments"
        advice = "`arguments=` of from_class says how a value becomes arguments"
        raise ModelError(f"{name}{signature} cannot be called with {given}: {error}; {advice}") from None


def is_plain(arguments: tuple[Any, ...]) -> bool:
    """May the same arguments be passed again and again? Not if a class could keep and change them."""
    return all(type(one) in PLAIN for one in arguments)


def thawed(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with lists as lists and maps as dicts, made anew."""
    return tuple(map(thaw, arguments))


def settled(result: Any, method: str) -> Any:
    """What a method returned, as a value of a history; ModelError if it can be none."""
    if isinstance(result, float):
        if math.isfinite(result):
            return result
    elif type(result) in PLAIN or isinstance(result, (int, str)) or result is ANY:
        return result
    elif isinstance(result, (*_BINARY, date)) or (isinstance(result, Decimal) and result.is_finite()):
        return simplest(result)
    elif isinstance(result, Mapping):
        return FrozenDict((settled(key, method), settled(item, method)) for key, item in result.items())
    elif isinstance(result, (Iterator, KeysView, ValuesView, ItemsView)):
        return tuple(settled(item, method) for item in bounded(result, method, "items"))
    elif isinstance(result, Set):
        return frozenset(settled(item, method) for item in result)
    elif isinstance(result, Collection):
        return tuple(settled(item, method) for item in bounded(result, method, "items"))
    advice = "`result=` of from_class says what it is compared as"
    raise ModelError(
        f"{method} returned {brief(result)}, of type {type(result).__name__}, which no history can hold; {advice}"
    )


def raised(error: BaseException) -> FrozenDict:
    """The answer of a method that raised."""
    return FrozenDict({"raised": type(error).__name__})


def is_misfit(error: BaseException, op: Operation, known: bool, plain: bool) -> bool:
    """Was the call itself wrong, and not the answer of the class? `known`: the parameters are, and the arguments fit them."""
    return isinstance(error, TypeError) and not (known and plain) and not (op.ok and op.result == raised(error))
