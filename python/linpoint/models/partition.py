"""Which operations can be judged apart? Asks the model for the key of each kind of operation.

P-compositionality (Horn & Kroening, FORTE 2015): operations on different keys share nothing, so each
key's operations are a history of their own. Keys that some operation touches together stay together
(union-find), and one operation on `ALL` keeps everything together. O(number of kinds).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from linpoint.errors import ModelError
from linpoint.history import History, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import complaint, show, tag
from linpoint.models.fields import Kinds, by_kind
from linpoint.models.model import ALL, Model, Several


@dataclass(frozen=True)
class Parts:
    """Kinds of operations, grouped into independent parts."""

    of_kind: list[int]
    """For each kind the number of its part; 0 for a kind without example."""
    labels: list[str]
    """For each part its keys, in words."""

    @property
    def count(self) -> int:
        """How many parts there are; at least one."""
        return len(self.labels)


def parts_of(model: Model, examples: Sequence[Operation | None]) -> Parts:
    """Groups kinds of operations, given one example each, into the parts that the model makes of them."""
    keys = [None if op is None else _keys(model, op) for op in examples]
    parent: dict[Hashable, Hashable] = {}
    shown: dict[Hashable, str] = {}
    whole = False
    for found in keys:
        whole = whole or found == ()
        for name, key in found or ():
            if name not in parent:
                shown[name], parent[name] = show(key), name
            parent[_root(parent, name)] = _root(parent, found[0][0])  # type: ignore[index]
    if whole or not parent:
        return Parts([0] * len(examples), [", ".join(shown.values())])
    numbers: dict[Hashable, int] = {}
    members: list[list[str]] = []
    for name in parent:
        number = numbers.setdefault(_root(parent, name), len(members))
        if number == len(members):
            members.append([])
        members[number].append(shown[name])
    of_kind = [numbers[_root(parent, found[0][0])] if found else 0 for found in keys]
    return Parts(of_kind, [", ".join(words) for words in members])


def keys_of(model: Model, op: Operation) -> list[Hashable] | None:
    """The keys of the parts that an operation is about; None if it is about all of them."""
    return [key for _, key in _keys(model, op)] or None


def split(history: History, model: Model) -> tuple[Kinds, Parts]:
    """The operations of a history, sorted by what the model tells apart, and the parts that it makes of them."""
    return by_kind(history, model, lambda kinds: (kinds, parts_of(model, kinds.examples)))


def _keys(model: Model, op: Operation) -> tuple[tuple[Hashable, Hashable], ...]:
    """The keys of an operation, each behind its tag; none if it is about all of them."""
    try:
        key = model.partition(op)
        if key is ALL or (isinstance(key, Several) and not key):
            return ()
        return tuple((tag(part), part) for part in key) if isinstance(key, Several) else ((tag(key), key),)
    except ModelError as error:
        blamed = index_of(op) if error.operation is None else error.operation
        raise ModelError(error.message, blamed) from error.__cause__
    except Exception as error:
        message = f"{type(model).__name__}.partition failed on {op}: {complaint(error)}"
        raise ModelError(message, index_of(op) if index_of(op) >= 0 else None) from error


def _root(parent: dict[Hashable, Hashable], name: Hashable) -> Hashable:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name
