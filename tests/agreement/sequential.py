"""Plain sequential objects: what a single thread would see. Written from docs/reference/models.md alone.

This is the third writing of the models (the others: Rust for the search, Python for certifying witnesses)
and it shares nothing with them: mutable objects, one method per operation, no cleverness. A method changes
the object and gives the answer; `Illegal` says that the call cannot happen now.

Where an object may choose (which element of a bag comes out), `ways` says among how many and the method is
told which. Arguments are frozen values (answers.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

from tests.agreement.answers import (
    ANYTHING,
    FALSE,
    NOTHING,
    TRUE,
    Answer,
    AnyOrder,
    Element,
    Illegal,
    Truth,
    perhaps,
    priority,
    rank,
    truth,
)


class Sequential:
    """One object. `data` is all there is to its state; `copied` is how it is copied."""

    data: Any
    copied: Callable[[Any], Any] | None = None

    def ways(self, f: str) -> int:
        return 1

    def do(self, f: str, value: Any, way: int = 0) -> Any:
        return getattr(self, f)(value)

    def twin(self) -> Sequential:
        """An equal object that goes its own way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        if self.copied:
            other.data = self.copied(self.data)
        return other

    def state(self) -> Hashable:
        return self.data


class Register(Sequential):
    def __init__(self, initial: Hashable = None) -> None:
        self.data = initial

    def read(self, _: Any) -> Any:
        return self.data

    def write(self, value: Any) -> Any:
        self.data = value
        return ANYTHING


class CasRegister(Register):
    def cas(self, value: Any) -> Any:
        old, new = value
        if self.data != old:
            return FALSE
        self.data = new
        return TRUE

    def swap(self, value: Any) -> Any:
        old, self.data = self.data, value
        return old


class Keyed(Sequential):
    """Objects with keys: `data` is a dict, and a key that is not in it holds `default`."""

    default: Hashable = None
    copied = dict

    def __init__(self) -> None:
        self.data: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        return self.data.get(key, self.default)

    def set(self, key: Any, value: Any) -> Any:
        self.data[key] = value
        return ANYTHING

    def state(self) -> Hashable:
        return frozenset(self.data.items())


class MultiRegister(Keyed):
    def __init__(self, initial: Hashable = None) -> None:
        super().__init__()
        if isinstance(initial, frozenset):
            self.data.update(initial)
        else:
            self.default = initial

    def read(self, register: Any) -> Any:
        return self.get(register)

    def write(self, value: Any) -> Any:
        return self.set(*value)

    def txn(self, steps: Any) -> Any:
        seen = []
        for kind, register, value in steps:
            if kind in ("read", "r"):
                seen.append((kind, register, self.get(register)))
            else:
                self.set(register, value)
                seen.append((kind, register, value))
        reads = any(kind in ("read", "r") for kind, _, _ in steps)
        return tuple(seen) if reads else Answer(None, tuple(seen))


class Kv(Keyed):
    def __init__(self, initial: str = "") -> None:
        super().__init__()
        self.default = initial

    def do(self, f: str, value: Any, way: int = 0) -> Any:
        if f == "get":
            held = self.get(value)
            return Answer(None, held) if held == self.default else held
        key, text = value
        return self.set(key, text if f == "put" else self.get(key) + text)


class AppendList(Keyed):
    default = ()

    def append(self, value: Any) -> Any:
        key, element = value
        return self.set(key, (*self.get(key), element))

    def read(self, key: Any) -> Any:
        return self.get(key) or Answer(None, ())

    def txn(self, steps: Any) -> Any:
        [(kind, key, item)] = steps
        if kind == "append":
            self.append((key, item))
            return Answer(None, steps)
        shown = self.get(key)
        return ((kind, key, shown),) if shown else Answer(None, ((kind, key, None),), ((kind, key, ()),))


class Array(Keyed):
    def __init__(self, initial: Hashable = None) -> None:
        super().__init__()
        self.default = initial

    def read(self, index: Any) -> Any:
        return self.get(index)

    def write(self, value: Any) -> Any:
        return self.set(*value)

    def cas(self, value: Any) -> Any:
        index, old, new = value
        if self.get(index) != old:
            return FALSE
        self.set(index, new)
        return TRUE


class Map(Keyed):
    """Holding null is the same as holding nothing."""

    def set(self, key: Any, value: Any) -> Any:
        self.data.pop(key, None)
        if value is not None:
            self.data[key] = value
        return ANYTHING

    def put(self, value: Any) -> Any:
        return self.set(*value)

    def swap(self, value: Any) -> Any:
        key, new = value
        old = self.get(key)
        self.set(key, new)
        return old

    def remove(self, key: Any) -> Any:
        return self.swap((key, None))

    def delete(self, key: Any) -> Any:
        return perhaps(self.remove(key) is not None)

    def put_if_absent(self, value: Any) -> Any:
        key, new = value
        old = self.get(key)
        if old is None:
            self.set(key, new)
        return old

    def replace(self, value: Any) -> Any:
        key, new = value
        old = self.get(key)
        if old is not None:
            self.set(key, new)
        return old

    def replace_if(self, value: Any) -> Any:
        key, old, new = value
        if self.get(key) != old:
            return FALSE
        self.set(key, new)
        return TRUE

    def remove_if(self, value: Any) -> Any:
        key, old = value
        return self.replace_if((key, old, None))

    def contains(self, key: Any) -> Any:
        return truth(key in self.data)

    def size(self, _: Any) -> Any:
        return len(self.data)


class Set(Sequential):
    copied = set

    def __init__(self, initial: tuple[Hashable, ...] = ()) -> None:
        self.data = set(initial)

    def state(self) -> Hashable:
        return frozenset(self.data)

    def add(self, element: Any) -> Any:
        new = element not in self.data
        self.data.add(element)
        return perhaps(new)

    def remove(self, element: Any) -> Any:
        old = element in self.data
        self.data.discard(element)
        return perhaps(old)

    def contains(self, element: Any) -> Any:
        return truth(element in self.data)

    def read(self, _: Any) -> Any:
        return AnyOrder(self.data)

    def size(self, _: Any) -> Any:
        return len(self.data)


class Number(Sequential):
    def __init__(self, initial: int = 0) -> None:
        self.data = initial

    def add(self, value: Any) -> Any:
        self.data += 1 if value is None else value
        return ANYTHING

    def sub(self, value: Any) -> Any:
        self.data -= 1 if value is None else value
        return ANYTHING

    def fetch_add(self, value: Any) -> Any:
        before = self.data
        self.add(value)
        return before

    def add_and_get(self, value: Any) -> Any:
        self.add(value)
        return self.data

    def read(self, _: Any) -> Any:
        return self.data


class Semaphore(Sequential):
    def __init__(self, permits: int = 1, bounded: Truth = FALSE) -> None:
        self.data = permits
        self.most = permits if bounded is TRUE else None

    def acquire(self, value: Any) -> Any:
        if self.try_acquire(value) is FALSE:
            raise Illegal
        return ANYTHING

    def release(self, value: Any) -> Any:
        self.data += 1 if value is None else value
        if self.most is not None and self.data > self.most:
            raise Illegal
        return ANYTHING

    def try_acquire(self, value: Any) -> Any:
        wanted = 1 if value is None else value
        if wanted > self.data:
            return FALSE
        self.data -= wanted
        return TRUE


class Mutex(Sequential):
    def __init__(self) -> None:
        self.data = "free"

    def acquire(self, _: Any) -> Any:
        if self.data == "held":
            raise Illegal
        self.data = "held"
        return ANYTHING

    def release(self, _: Any) -> Any:
        if self.data == "free":
            raise Illegal
        self.data = "free"
        return ANYTHING

    def try_acquire(self, _: Any) -> Any:
        if self.data == "held":
            return FALSE
        self.data = "held"
        return TRUE


class Row(Sequential):
    """Containers that keep an order: `data` is a list, front or bottom first."""

    copied = list

    def __init__(self, initial: tuple[Hashable, ...] = ()) -> None:
        self.data = list(initial)

    def state(self) -> Hashable:
        return tuple(self.data)

    def see(self, place: int) -> Any:
        if not self.data:
            return NOTHING
        return Element(self.data[place])

    def out(self, place: int) -> Any:
        answer = self.see(place)
        if self.data:
            self.data.pop(place)
        return answer

    def into(self, place: int, element: Any) -> Any:
        self.data.insert(place, element)
        return ANYTHING


class Queue(Row):
    def enqueue(self, element: Any) -> Any:
        return self.into(len(self.data), element)

    def dequeue(self, _: Any) -> Any:
        return self.out(0)

    def peek(self, _: Any) -> Any:
        return self.see(0)


class Stack(Row):
    def push(self, element: Any) -> Any:
        return self.into(len(self.data), element)

    def pop(self, _: Any) -> Any:
        return self.out(-1)

    def peek(self, _: Any) -> Any:
        return self.see(-1)


class HeightStack(Row):
    def push(self, element: Any) -> Any:
        self.data.append(element)
        return len(self.data) - 1

    def pop(self, _: Any) -> Any:
        height = len(self.data)
        return (height, self.data.pop()) if height else Answer(0, (0, None), *NOTHING.allowed)


class Deque(Row):
    def push_front(self, element: Any) -> Any:
        return self.into(0, element)

    def push_back(self, element: Any) -> Any:
        return self.into(len(self.data), element)

    def pop_front(self, _: Any) -> Any:
        return self.out(0)

    def pop_back(self, _: Any) -> Any:
        return self.out(-1)

    def peek_front(self, _: Any) -> Any:
        return self.see(0)

    def peek_back(self, _: Any) -> Any:
        return self.see(-1)


class Choosing(Row):
    """Containers that may choose what comes out: one way for each distinct candidate."""

    taking: tuple[str, ...]

    def state(self) -> Hashable:
        return frozenset(Counter(self.data).items())

    def candidates(self) -> list[Any]:
        return list(dict.fromkeys(self.data))

    def ways(self, f: str) -> int:
        return max(1, len(self.candidates())) if f in self.taking else 1

    def do(self, f: str, value: Any, way: int = 0) -> Any:
        if f not in self.taking:
            return getattr(self, f)(value)
        if not self.data:
            return NOTHING
        chosen = self.candidates()[way]
        if f != "peek":
            self.data.remove(chosen)
        return Element(chosen)


class Bag(Choosing):
    taking = ("take",)

    def add(self, element: Any) -> Any:
        return self.into(0, element)

    def remove_value(self, element: Any) -> Any:
        there = element in self.data
        if there:
            self.data.remove(element)
        return perhaps(there)

    def contains(self, element: Any) -> Any:
        return truth(element in self.data)


class PriorityQueue(Choosing):
    taking = ("poll", "peek")

    def __init__(self, order: str = "max", initial: tuple[Hashable, ...] = ()) -> None:
        super().__init__(initial)
        self.best = {"max": max, "min": min}[order]

    def insert(self, element: Any) -> Any:
        return self.into(0, element)

    def candidates(self) -> list[Any]:
        ranks = {element: rank(priority(element)) for element in self.data}
        return [element for element in ranks if ranks[element] == self.best(ranks.values())]
