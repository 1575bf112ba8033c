"""How is an ordinary class made a specification? `from_class(C)`; what becomes of it is in `opaque.py`."""

from __future__ import annotations

import copy as copying
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, TypeVar, cast

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.values import brief, complaint
from linpoint.models.model import Model
from linpoint.models.opaque import Opaque

T = TypeVar("T")


def from_class(
    cls: Callable[[], T],
    *,
    copy: Callable[[T], T] | None = copying.deepcopy,
    state: Callable[[T], Hashable] | None = None,
    arguments: Callable[[Operation], Sequence[Any]] | None = None,
    result: Callable[[Any], Any] | None = None,
    synonyms: Mapping[str, Sequence[str]] | None = None,
    readonly: Callable[[Operation], bool] | Collection[str] = (),
    describe: Callable[[T], str] | None = None,
) -> Opaque:
    """Makes a model of an ordinary class: the operation `f(value)` is its method `f`, run by one thread.

    cls        a class, or a function that makes an object: `lambda: ArrayBlockingQueue(2)`
    copy       copies an object; None: it is never copied, the calls are run again on a new object
    state      what an object holds, as a hashable value, where linpoint cannot read it or reads too much
    arguments  from an operation to the arguments of the method; without it a list is several arguments, unless the method
               has one parameter
    result     from what a method returns to what is compared with the recorded result
    synonyms   other names of a method: `{"append": ["enqueue"], "__len__": ["size"]}`
    readonly   names of operations that never change the object, or a function op → bool: makes checks faster
    describe   the object in words, for explanations

    An exception is a result, `{"raised": "KeyError"}`. The class must be deterministic and keep its state in the
    object: see ModelError. (What it had set outside of its objects before it was first checked cannot be seen.)
    """
    if not callable(cls):
        raise ModelError(f"{brief(cls)} is not a class, and makes no object: give the class itself")
    if isinstance(cls, type) and issubclass(cls, Model):
        raise ModelError(f"{cls.__name__} is a model already: give it to check as it is")
    hooks = {"copy": copy, "state": state, "arguments": arguments, "result": result, "describe": describe}
    for name, hook in hooks.items():
        if hook is not None and not callable(hook):
            raise ModelError(f"`{name}` of from_class is a function, or None, not {brief(hook)}")
    _must_be_names(synonyms, readonly)
    made = cls if isinstance(cls, type) else type(_made(cls))
    body = {
        "__doc__": f"What {made.__name__} answers when one thread runs it.",
        "_make": staticmethod(cls),
        "_copier": None if copy is None else staticmethod(copy),
        "_state": None if state is None else staticmethod(state),
        "_holds": None if state is None else staticmethod(state),
        "_to_arguments": None if arguments is None else staticmethod(arguments),
        "_to_result": None if result is None else staticmethod(result),
        "_words": None if describe is None else staticmethod(describe),
        "synonyms": dict(synonyms or {}),
        "readonly": staticmethod(readonly) if callable(readonly) else readonly,
    }
    return cast(
        "Opaque", type(made.__name__, (Opaque,), body)()
    )  # a class of that name: complaints name `Account.withdraw`


def _must_be_names(synonyms: object, readonly: object) -> None:
    if not callable(readonly) and (isinstance(readonly, str) or not isinstance(readonly, Collection)):
        raise ModelError(
            f"`readonly` of from_class is a function, or names of operations in a tuple, not {brief(readonly)}"
        )
    lists = {} if synonyms is None else synonyms
    if not isinstance(lists, Mapping) or any(
        isinstance(names, str) or not isinstance(names, Sequence) for names in lists.values()
    ):
        wanted = '`{"append": ["enqueue"]}`, a method and a list of its other names'
        raise ModelError(f"`synonyms` of from_class is a map such as {wanted}, not {brief(synonyms)}")


def _made(cls: Callable[[], Any]) -> Any:
    try:
        return cls()
    except Exception as error:
        raise ModelError(f"{brief(cls)} makes no object: {complaint(error)}") from error
