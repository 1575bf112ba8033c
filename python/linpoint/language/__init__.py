"""The restricted Python in which algorithms are written: words that both run as ordinary Python and can be explored.

    from linpoint.language import EMPTY, Node, Object, Ref, Value, cas

docs/reference/language.md says what is in the language and what every word means.
"""

from linpoint.errors import Blocked
from linpoint.language.compiler import compile_object
from linpoint.language.runtime import (
    GREATEST,
    LEAST,
    OPERATIONS,
    THREADS,
    Array,
    Bool,
    Int,
    Lock,
    Node,
    Object,
    Ref,
    Value,
    Word,
    atomic,
    cas,
    choose,
    compare_exchange,
    fetch_and_add,
    free,
    swap,
    thread_id,
    wait,
)
from linpoint.models.shipped import EMPTY

__all__ = [
    "EMPTY",
    "GREATEST",
    "LEAST",
    "OPERATIONS",
    "THREADS",
    "Array",
    "Blocked",
    "Bool",
    "Int",
    "Lock",
    "Node",
    "Object",
    "Ref",
    "Value",
    "Word",
    "atomic",
    "cas",
    "choose",
    "compare_exchange",
    "compile_object",
    "fetch_and_add",
    "free",
    "swap",
    "thread_id",
    "wait",
]
