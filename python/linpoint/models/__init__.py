"""What is allowed: write your own `Model`, take an ordinary class (`from_class`), or a shipped model."""

from linpoint.models.append_list import AppendList
from linpoint.models.array import Array
from linpoint.models.bag import Bag
from linpoint.models.catalog import SHIPPED, Guess, ModelInfo, catalog, guess, is_native, parse, resolve
from linpoint.models.counter import Counter
from linpoint.models.deque import Deque
from linpoint.models.fields import Kinds, NewField, by_kind, in_order, looks_of
from linpoint.models.from_class import from_class
from linpoint.models.from_file import from_file, names_a_file
from linpoint.models.height_stack import HeightStack
from linpoint.models.instances import Instances
from linpoint.models.kv import KV
from linpoint.models.map import Map
from linpoint.models.model import ALL, ANY, Model, Several, is_readonly
from linpoint.models.multi_register import MultiRegister
from linpoint.models.mutex import Mutex
from linpoint.models.opaque import Opaque
from linpoint.models.partition import Parts, keys_of, parts_of, split
from linpoint.models.priority_queue import PriorityQueue
from linpoint.models.queue import Queue
from linpoint.models.register import CasRegister, Register
from linpoint.models.run import Runner
from linpoint.models.semaphore import Semaphore
from linpoint.models.set import Set
from linpoint.models.shipped import Replay, Shipped
from linpoint.models.stack import Stack

__all__ = [
    "ALL",
    "ANY",
    "KV",
    "SHIPPED",
    "AppendList",
    "Array",
    "Bag",
    "CasRegister",
    "Counter",
    "Deque",
    "Guess",
    "HeightStack",
    "Instances",
    "Kinds",
    "Map",
    "Model",
    "ModelInfo",
    "MultiRegister",
    "Mutex",
    "NewField",
    "Opaque",
    "Parts",
    "PriorityQueue",
    "Queue",
    "Register",
    "Replay",
    "Runner",
    "Semaphore",
    "Set",
    "Several",
    "Shipped",
    "Stack",
    "by_kind",
    "catalog",
    "from_class",
    "from_file",
    "guess",
    "in_order",
    "is_native",
    "is_readonly",
    "keys_of",
    "looks_of",
    "names_a_file",
    "parse",
    "parts_of",
    "resolve",
    "split",
]
