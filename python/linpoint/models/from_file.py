"""How is a model found in a file of the user's? `from_file("bank.py:Bank")` runs the file, on purpose, and takes its Bank.

Only words that a person typed lead here (`--model`, or a call of `from_file`): no history and no saved result ever does. The file
is run as a module of its own, as `import` would run it; modules beside it can be imported, but hide none of Python's own.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from linpoint.errors import ModelError, UsageError
from linpoint.history.values import brief, complaint
from linpoint.models.catalog import options_of
from linpoint.models.from_class import from_class
from linpoint.models.model import Model
from linpoint.text import printable

_WORDS = re.compile(r"(?P<path>.+?\.py)(?::(?P<name>[^\W\d]\w*)(?::(?P<options>.*))?)?", re.DOTALL)


class Place(NamedTuple):
    """Where a model is."""

    path: str
    name: str | None
    """The name in the file; None: the only model that it defines."""
    options: str
    """What the class is made with, as `name=value,name=value`."""


def names_a_file(words: str) -> bool:
    """Are these words for a file, `bank.py:Bank`, and not the name of a shipped model?"""
    return re.match(r".+?\.py(:|$)", words, re.DOTALL) is not None


def from_file(words: str) -> Model:
    """A model of your own: `from_file("bank.py:Bank")` runs the file and makes a Bank.

    The name is that of a class or an instance of `linpoint.Model`, of an ordinary class (see `from_class`), or of a function
    that makes one of these. Without a name the file must define one model. `bank.py:Bank:accounts=3` makes it with options, whose
    values are JSON. ModelError if the file or the class fails; OSError if the file cannot be read.
    """
    place = place_of(words)
    found = _named(_run(place.path), place)
    options = dict(options_of(place.options, words))
    if isinstance(found, Model):
        if options:
            raise UsageError(f"{printable(words)}: {place.name} is made already, and takes no options")
        return found
    if not callable(found):
        raise ModelError(f"{_where(place)} is {brief(found)}: name a class")
    if isinstance(found, type) and not issubclass(found, Model):
        return from_class(partial(found, **options) if options else found)
    try:
        made = found(**options)
    except Exception as error:
        raise ModelError(
            f"{_where(place)} cannot be made with {place.options or 'no options'}: {complaint(error)}"
        ) from error
    return made if isinstance(made, Model) else from_class(partial(found, **options))


def place_of(words: str) -> Place:
    """What the words for a model in a file say; UsageError if they are none."""
    match = _WORDS.fullmatch(words)
    if match is None:
        raise UsageError(
            f"{printable(words)!r} names no model in a file: say FILE.py:Class, or FILE.py:Class:option=value"
        )
    return Place(match["path"], match["name"], match["options"] or "")


def _where(place: Place) -> str:
    return printable(f"{place.path}:{place.name}")


def _run(path: str) -> ModuleType:
    """The file as a module. What it raises is a ModelError that names the line."""
    from importlib.machinery import SourceFileLoader  # noqa: PLC0415 - slow to load, and most models are shipped
    from importlib.util import module_from_spec, spec_from_loader  # noqa: PLC0415

    with open(path, "rb"):  # the usual OSError if it is not there or may not be read
        pass
    name = f"linpoint_own_{os.path.basename(path).removesuffix('.py')}"
    loader = SourceFileLoader(name, path)
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise ModelError(f"{printable(path)} is no module of Python")
    module = module_from_spec(spec)
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module  # dataclasses look there for the names that annotations use
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ModelError(f"{printable(path)}{_line(error, path)}: {complaint(error)}") from error
    return module


def _line(error: BaseException, path: str) -> str:
    """`:12`, the line of the file at which it failed; nothing if that is not known."""
    if isinstance(error, SyntaxError):
        return f":{error.lineno}" if error.filename == path and error.lineno else ""
    last, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            last = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return last


def _named(module: ModuleType, place: Place) -> Any:
    """What has the name; without one the only model that the file defines itself."""
    own = [
        name
        for name, thing in vars(module).items()
        if isinstance(thing, type) and issubclass(thing, Model) and thing.__module__ == module.__name__
    ]
    if place.name is None and len(own) == 1:
        return vars(module)[own[0]]
    if place.name is not None and place.name in vars(module):
        return vars(module)[place.name]
    has = f"its models are {', '.join(own)}" if own else "it defines no class that inherits from linpoint.Model"
    lacks = f"has no {place.name}" if place.name else "must be followed by the name of a class, FILE.py:Class"
    raise ModelError(f"{printable(place.path)} {lacks}; {has}")
