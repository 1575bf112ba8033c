"""Which objects are there, how do they start, and what do their operations look like in a file?

`Shape.build` makes a model with options from the contract; `names` has every synonym of an operation. Whether a `key` names an
object of its own (register, queue …) or a cell of one object (map, array …) is told by `KEYED`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.independent import objects as o

#: Models in which the field `key` is part of one object; in all others it names an object of its own.
KEYED = {"map", "kv", "append-list", "array", "set", "multi-register"}

#: Synonyms, from the table of docs/reference/models.md. The first is the name that `objects.py` uses.
SYNONYMS: dict[str, list[str]] = {
    "register": ["read get load", "write set put store"],
    "cas-register": [
        "read get load",
        "write set put store",
        "cas compare_and_set compareAndSet compare-and-set compare_and_swap",
        "swap get_and_set getAndSet exchange",
    ],
    "multi-register": ["txn transaction", "read get load", "write set put store"],
    "kv": ["get read", "put set write", "append"],
    "append-list": ["append", "read get r", "txn transaction"],
    "map": [
        "get read lookup",
        "put set write store",
        "swap get_and_put getAndPut exchange",
        "remove",
        "delete discard",
        "put_if_absent putIfAbsent put-if-absent",
        "replace",
        "replace_if compare_and_set cas",
        "remove_if compare_and_remove",
        "contains containsKey contains_key has",
        "size len count",
    ],
    "set": ["add insert put", "remove delete discard", "contains member has", "read", "size len count"],
    "array": [
        "read get load",
        "write set put store",
        "cas compare_and_set compareAndSet compare-and-set compare_and_swap",
    ],
    "counter": [
        "add increment inc incr",
        "sub decrement dec decr subtract",
        "fetch_add get_and_add getAndAdd fetch-and-add",
        "add_and_get addAndGet add-and-get",
        "read get load value",
    ],
    "mutex": ["acquire lock", "release unlock", "try_acquire try_lock tryLock tryAcquire"],
    "semaphore": ["acquire wait p down", "release signal v up post", "try_acquire try_wait tryAcquire"],
    "queue": [
        "enqueue enq add offer push put send insert",
        "dequeue deq remove poll pop take get receive recv",
        "peek front head first",
    ],
    "stack": ["push add put insert", "pop remove poll take get", "peek top"],
    "height-stack": ["push add", "pop remove"],
    "deque": [
        "push_front add_first addFirst appendleft push_left",
        "push_back add_last addLast append push_right",
        "pop_front poll_first pollFirst popleft pop_left remove_first",
        "pop_back poll_last pollLast pop pop_right remove_last",
        "peek_front peek_first peekFirst peek_left",
        "peek_back peek_last peekLast peek_right",
    ],
    "priority-queue": [
        "insert add offer push put enqueue enq",
        "poll remove pop take delete_max delete_min extract dequeue deq",
        "peek top max min find_max find_min first",
    ],
    "bag": [
        "add insert put push offer",
        "take remove poll pop get",
        "remove_value discard delete",
        "contains has member",
    ],
}


@dataclass(frozen=True)
class Sequential:
    """An object: where it starts, and what an operation may do to it."""

    name: str
    initial: Any
    step: Callable[[Any, str, Any, Any], o.Outcomes]
    options: str = ""
    plain: dict[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        """What to write after --model."""
        return self.name + (":" + self.options if self.options else "")


def plain_names(name: str) -> dict[str, str]:
    return {word: words.split()[0] for words in SYNONYMS[name] for word in words.split()}


def build(name: str, **options: Any) -> Sequential:
    """The object of a shipped model with the given options."""
    initial = o.freeze(options["initial"]) if "initial" in options else None
    start: Any
    step: Callable[..., o.Outcomes]
    match name:
        case "register" | "cas-register":
            start, step = initial, o.register
        case "array":
            start, step = o.Cells(frozenset(), initial), o.cells
        case "multi-register":
            start, step = several(options.get("initial")), o.multi_register
        case "kv":
            start, step = o.Cells(frozenset(), options.get("initial", "")), o.kv
        case "append-list":
            start, step = o.Cells(frozenset(), o.freeze([])), o.append_list
        case "map":
            start, step = o.Cells(frozenset(), None), o.mapping
        case "set":
            start, step = frozenset(initial[1:]) if initial else frozenset(), o.set_
        case "counter":
            start, step = options.get("initial", 0), o.counter
        case "mutex":
            start, step = 1, o.mutex
        case "semaphore":
            start = options.get("permits", 1)
            step = o.semaphore(start, options.get("bounded", False))
        case "priority-queue":
            start, step = o.multiset(initial[1:] if initial else ()), o.priority_queue(options.get("order", "max"))
        case "bag":
            start, step = o.multiset(initial[1:] if initial else ()), o.bag
        case _:
            steps = {"queue": o.queue, "stack": o.stack, "height-stack": o.height_stack, "deque": o.deque}
            start, step = tuple(initial[1:]) if initial else (), steps[name]
    words = ",".join(f"{key}={json.dumps(value)}" for key, value in options.items())
    return Sequential(name, start, step, words, plain_names(name))


def several(initial: Any) -> o.Cells:
    if isinstance(initial, dict):
        return o.Cells(frozenset((key, o.freeze(value)) for key, value in initial.items() if value is not None), None)
    return o.Cells(frozenset(), o.freeze(initial))
