"""The operations of every model and their names, from docs/reference/models.md: what `record` says → (f, value).

`KEYED` models take the key into the value; for every other model a key names one of several objects.
"""

from __future__ import annotations

import json
from typing import Any

from tests.agreement import answers
from tests.agreement import sequential as plain

OBJECTS: dict[str, type[plain.Sequential]] = {
    "register": plain.Register,
    "cas-register": plain.CasRegister,
    "multi-register": plain.MultiRegister,
    "kv": plain.Kv,
    "append-list": plain.AppendList,
    "map": plain.Map,
    "set": plain.Set,
    "array": plain.Array,
    "counter": plain.Number,
    "mutex": plain.Mutex,
    "semaphore": plain.Semaphore,
    "queue": plain.Queue,
    "stack": plain.Stack,
    "height-stack": plain.HeightStack,
    "deque": plain.Deque,
    "priority-queue": plain.PriorityQueue,
    "bag": plain.Bag,
}

KEYED = {"multi-register", "kv", "append-list", "map", "set", "array"}
ALONE = {"txn", "size"}
"""Operations of keyed models that are about all keys; so is the read of a set."""
BARE = {"get", "read", "contains", "remove", "delete"}
"""Operations of keyed models that need the key and nothing else; so do all of a set's."""

SYNONYMS: dict[str, dict[str, str]] = {
    "register": {"read": "get load", "write": "set put store"},
    "cas-register": {
        "read": "get load",
        "write": "set put store",
        "cas": "compare_and_set compareAndSet compare-and-set compare_and_swap",
        "swap": "get_and_set getAndSet exchange",
    },
    "multi-register": {"txn": "transaction", "read": "get load", "write": "set put store"},
    "kv": {"get": "read", "put": "set write", "append": ""},
    "append-list": {"append": "", "read": "get r", "txn": "transaction"},
    "map": {
        "get": "read lookup",
        "put": "set write store",
        "swap": "get_and_put getAndPut exchange",
        "remove": "",
        "delete": "discard",
        "put_if_absent": "putIfAbsent put-if-absent",
        "replace": "",
        "replace_if": "compare_and_set cas",
        "remove_if": "compare_and_remove",
        "contains": "containsKey contains_key has",
        "size": "len count",
    },
    "set": {
        "add": "insert put",
        "remove": "delete discard",
        "contains": "member has",
        "read": "",
        "size": "len count",
    },
    "array": {
        "read": "get load",
        "write": "set put store",
        "cas": "compare_and_set compareAndSet compare-and-set compare_and_swap",
    },
    "counter": {
        "add": "increment inc incr",
        "sub": "decrement dec decr subtract",
        "fetch_add": "get_and_add getAndAdd fetch-and-add",
        "add_and_get": "addAndGet add-and-get",
        "read": "get load value",
    },
    "mutex": {"acquire": "lock", "release": "unlock", "try_acquire": "try_lock tryLock tryAcquire"},
    "semaphore": {"acquire": "wait p down", "release": "signal v up post", "try_acquire": "try_wait tryAcquire"},
    "queue": {
        "enqueue": "enq add offer push put send insert",
        "dequeue": "deq remove poll pop take get receive recv",
        "peek": "front head first",
    },
    "stack": {"push": "add put insert", "pop": "remove poll take get", "peek": "top"},
    "height-stack": {"push": "add", "pop": "remove"},
    "deque": {
        "push_front": "add_first addFirst appendleft push_left",
        "push_back": "add_last addLast append push_right",
        "pop_front": "poll_first pollFirst popleft pop_left remove_first",
        "pop_back": "poll_last pollLast pop pop_right remove_last",
        "peek_front": "peek_first peekFirst peek_left",
        "peek_back": "peek_last peekLast peek_right",
    },
    "priority-queue": {
        "insert": "add offer push put enqueue enq",
        "poll": "remove pop take delete_max delete_min extract dequeue deq",
        "peek": "top max min find_max find_min first",
    },
    "bag": {
        "add": "insert put push offer",
        "take": "remove poll pop get",
        "remove_value": "discard delete",
        "contains": "has member",
    },
}

NAMES: dict[str, dict[str, str]] = {
    model: {name: f for f, others in words.items() for name in [f, *others.split()]}
    for model, words in SYNONYMS.items()
}
"""For each model: any name → the plain one."""


def understand(model: str, record: dict[str, Any]) -> tuple[Any, str, Any]:
    """The object an operation is on, the plain name of what it does, and its frozen argument."""
    f = NAMES[model][record["f"]]
    key, value = answers.freeze(record.get("key")), answers.freeze(record.get("value"))
    if model not in KEYED:
        return key, f, value
    if key is None or f in ALONE:
        return None, f, value
    if model == "set" or f in BARE:
        return None, f, key
    if f in ("cas", "replace_if"):
        return None, f, (key, *value)
    return None, f, (key, value)


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """`name:option=value,…` with values in JSON or bare words; only as much as the tests need."""
    name, _, rest = spec.partition(":")
    options = {}
    decoder = json.JSONDecoder()
    while rest:
        option, _, rest = rest.partition("=")
        try:
            value, end = decoder.raw_decode(rest)
        except json.JSONDecodeError:
            end = len(rest.split(",")[0])
            value = rest[:end]
        options[option] = answers.freeze(value)
        rest = rest[end:].lstrip(",")
    return name, options
