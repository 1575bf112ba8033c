"""How does an algorithm of the restricted language run as ordinary Python? With the atomic steps that the language promises.

`linpoint verify` never runs a class: it compiles its text (`compiler.py`). But the same class is ordinary Python, so that
it can be unit-tested, stressed by threads and recorded. This file gives the words their meaning there: every read or write
of a field, and every `cas`, `swap`, `fetch_and_add` or `with atomic():` block, is one step under one lock of the process.
That is slow on purpose: the point is to have exactly the steps that the explorer has, not to be fast.

`free` gives a node back, and the next node of its class is the *same* Python object with new contents (the one freed last
comes first), so the ABA problem shows here as well.
"""

from __future__ import annotations

import inspect
import random
import threading
import weakref
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from linpoint.errors import Blocked, Fault

Ref: TypeAlias = Any
"""A field or variable that holds a node, or None."""
Value: TypeAlias = Any
"""A field or variable that holds a value of the client, None or EMPTY. Values are only compared and passed on."""
Word: TypeAlias = Any
"""A field or variable that holds a value or a node: told apart by `isinstance(word, self.Cell)`."""
Int: TypeAlias = int
"""A whole number; a parameter that is an Int may be compared by `<` and calculated with."""
Bool: TypeAlias = bool
"""True or False."""

THREADS: Final = 16
"""How many threads there are: at most 16 when the class runs as Python, the client's number when it is verified."""
OPERATIONS: Final = 10_000
"""How many operations all threads do together: at most 10,000 when the class runs as Python."""


class _Bound:
    """A number that is smaller, or greater, than every other."""

    def __init__(self, name: str, sign: int) -> None:
        self._name = name
        self._sign = sign

    def __lt__(self, other: object) -> bool:
        return other is not self and self._sign < 0

    def __gt__(self, other: object) -> bool:
        return other is not self and self._sign > 0

    def __le__(self, other: object) -> bool:
        return other is self or self._sign < 0

    def __ge__(self, other: object) -> bool:
        return other is self or self._sign > 0

    def __repr__(self) -> str:
        return self._name


LEAST: Final[Any] = _Bound("LEAST", -1)
"""Below every number: the key of a sentinel at the head of a sorted list."""
GREATEST: Final[Any] = _Bound("GREATEST", 1)
"""Above every number: the key of a sentinel at its end."""

_memory = threading.RLock()
"""Held for the length of one atomic step."""

T = TypeVar("T")


class _Field:
    """One shared field: reading and writing it are atomic steps."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, owner: _Cells | None, kind: type) -> Any:
        if owner is None:
            return self
        with _memory:
            return owner._cells[self._name]

    def __set__(self, owner: _Cells, value: Any) -> None:
        with _memory:
            owner._cells[self._name] = value


class _Cells:
    """What objects and nodes have in common: fields that were declared in the class, each with its type."""

    _initial: ClassVar[dict[str, Any]] = {}
    """The declared first values; a field without one is not here."""
    _declared: ClassVar[tuple[str, ...]] = ()
    _cells: dict[str, Any]

    def __init_subclass__(cls) -> None:
        """Makes every annotated name of the class body a shared field."""
        super().__init_subclass__()
        own = tuple(name for name in inspect.get_annotations(cls) if not name.startswith("_"))
        cls._declared = cls._declared + own
        cls._initial = cls._initial | {name: cls.__dict__[name] for name in own if name in cls.__dict__}
        for name in own:
            setattr(cls, name, _Field(name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._declared:
            raise AttributeError(
                f"{type(self).__name__} declares no field {name!r}: write `{name}: Value = None` in the class"
            )
        super().__setattr__(name, value)


def _first_values(kind: type[_Cells]) -> dict[str, Any]:
    return {name: value.fresh() if isinstance(value, Array | Lock) else value for name, value in kind._initial.items()}


class Object(_Cells):
    """The base of an algorithm: declared fields are shared by the threads, public methods are its operations."""

    def __new__(cls) -> Object:
        """Fields have their first values before `__init__` begins, so a class needs no `super().__init__()`."""
        self = super().__new__(cls)
        missing = [name for name in cls._declared if name not in cls._initial]
        if missing:
            raise TypeError(f"{cls.__name__}.{missing[0]} has no first value: write `{missing[0]}: … = None`")
        object.__setattr__(self, "_cells", _first_values(cls))
        return self


class Node(_Cells):
    """The base of a cell of memory: `self.Cell(value=v, next=None)` makes one."""

    _pool: ClassVar[int]
    _freed: ClassVar[list[Node]]
    _alive: ClassVar[weakref.WeakSet[Node]]
    _is_free: bool

    def __init_subclass__(cls, pool: int = 0) -> None:
        """Every class of nodes has memory of its own; `pool` says how many may be in use at once."""
        super().__init_subclass__()
        cls._pool = pool
        cls._freed = []
        cls._alive = weakref.WeakSet()

    def __new__(cls, **_: Any) -> Node:
        """The node that was freed last, if there is one."""
        with _memory:
            if cls._pool and sum(not node._is_free for node in cls._alive) >= cls._pool:
                raise Blocked(f"all {cls._pool} nodes {cls.__name__} are in use")
            node = cls._freed.pop() if cls._freed else super().__new__(cls)
            object.__setattr__(node, "_is_free", False)
            if cls._pool:
                cls._alive.add(node)
            return node

    def __init__(self, **fields: Any) -> None:
        kind = type(self)
        cells = _first_values(kind) | fields
        if set(cells) != set(kind._declared):
            wrong = ", ".join(sorted(set(cells) ^ set(kind._declared)))
            raise TypeError(f"{kind.__name__} needs exactly its fields {', '.join(kind._declared)}: look at {wrong}")
        with _memory:
            object.__setattr__(self, "_cells", cells)


class Array(Generic[T]):
    """A row of shared cells of fixed length: `slots: Array[Ref] = Array(8, None)`. Each access is an atomic step."""

    def __init__(self, length: int, initial: T) -> None:
        self._initial = initial
        self._cells = [initial.fresh() if isinstance(initial, Lock) else initial for _ in range(length)]

    def fresh(self) -> Array[T]:
        """Another array like this one was at first."""
        return Array(len(self._cells), self._initial)

    def __len__(self) -> int:
        return len(self._cells)

    def __getitem__(self, index: int) -> Any:
        with _memory:
            return self._cells[self._checked(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        with _memory:
            self._cells[self._checked(index)] = value

    def cas(self, index: int, old: Any, new: Any) -> bool:
        """If the cell holds `old`, puts `new` there; did it?"""
        with _memory:
            return _same(self.compare_exchange(index, old, new), old)

    def compare_exchange(self, index: int, old: Any, new: Any) -> Any:
        """If the cell holds `old`, puts `new` there; what it held before."""
        with _memory:
            found = self[index]
            if _same(found, old):
                self[index] = new
            return found

    def swap(self, index: int, new: Any) -> Any:
        """Puts `new` there; what it held before."""
        with _memory:
            found, self[index] = self[index], new
            return found

    def fetch_and_add(self, index: int, amount: int) -> int:
        """Adds to the number there; what it was before."""
        with _memory:
            found: int = self[index]
            self[index] = found + amount
            return found

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self._cells):
            raise Fault(f"index {index} is outside an array of {len(self._cells)}")
        return index


class Lock:
    """Mutual exclusion: `lock: Lock = Lock()` in the class, `self.lock.acquire()`, `.release()` or `with self.lock:`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None

    def fresh(self) -> Lock:
        """A lock that nobody holds."""
        return Lock()

    def acquire(self) -> None:
        """Waits until nobody holds it, then holds it. Not reentrant."""
        if self._owner == threading.get_ident():
            raise Blocked("a thread waits for a lock that it holds itself")
        self._lock.acquire()
        self._owner = threading.get_ident()

    def try_acquire(self) -> bool:
        """Holds it if nobody does; did it?"""
        if not self._lock.acquire(blocking=False):
            return False
        self._owner = threading.get_ident()
        return True

    def release(self) -> None:
        """Lets it go."""
        if self._owner != threading.get_ident():
            raise Fault("a thread releases a lock that it does not hold")
        self._owner = None
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def cas(owner: Object | Node, /, **changes: tuple[Any, Any]) -> bool:
    """If every named field holds its old value, gives each its new one: `cas(self, top=(old, new))`; did it?"""
    with _memory:
        if not all(_same(getattr(owner, name), old) for name, (old, _) in changes.items()):
            return False
        for name, (_, new) in changes.items():
            setattr(owner, name, new)
        return True


def compare_exchange(owner: Object | Node, /, **change: tuple[Any, Any]) -> Any:
    """As `cas` of one field; what the field held before."""
    ((name, (old, new)),) = change.items()
    with _memory:
        found = getattr(owner, name)
        if _same(found, old):
            setattr(owner, name, new)
        return found


def swap(owner: Object | Node, /, **change: Any) -> Any:
    """Gives one field a new value: `swap(self, top=None)`; what it held before."""
    ((name, new),) = change.items()
    with _memory:
        found = getattr(owner, name)
        setattr(owner, name, new)
        return found


def fetch_and_add(owner: Object | Node, /, **change: int) -> int:
    """Adds to one field: `fetch_and_add(self, back=1)`; what it held before."""
    ((name, amount),) = change.items()
    with _memory:
        found: int = getattr(owner, name)
        setattr(owner, name, found + amount)
        return found


def atomic() -> AbstractContextManager[Any]:
    """The block of a `with` statement becomes one atomic step."""
    return _memory


def free(node: Node | None) -> None:
    """Gives a node back: a later node of its class may be the same piece of memory."""
    if node is None:
        raise Fault("None cannot be freed")
    with _memory:
        if node._is_free:
            raise Fault(f"a {type(node).__name__} is freed twice")
        object.__setattr__(node, "_is_free", True)
        type(node)._freed.append(node)


def wait(condition: bool) -> None:
    """The step is possible only where the condition holds; as ordinary Python, which cannot go back, Blocked is raised."""
    if not condition:
        raise Blocked("an operation would have to wait")


def choose(count: int) -> int:
    """Any number from 0 to count - 1; the explorer tries them all."""
    return random.randrange(count)  # noqa: S311 - no secret


_threads: dict[int, threading.Thread] = {}


def thread_id() -> int:
    """The number of the calling thread, from 0; a thread that has ended leaves its number to another."""
    me = threading.current_thread()
    with _memory:
        for number, thread in _threads.items():
            if thread is me:
                return number
        number = next((n for n in range(THREADS) if n not in _threads or not _threads[n].is_alive()), THREADS)
        if number == THREADS:
            raise Fault(f"more than {THREADS} threads ask for their number")
        _threads[number] = me
        return number


def _same(one: Any, other: Any) -> bool:
    """Nodes are the same by identity, values by type and value: 1 is not True."""
    return one is other or (type(one) is type(other) and not isinstance(one, Node) and one == other)
