"""What do ten classes of `java.util.concurrent` answer when one thread calls them? Ordinary classes, for `models.from_class`.

They are the data types of Table 1 of Ozkan, Majumdar and Niksic, "Checking Linearizability Using Hitting Families" (PPoPP 2019),
written from the documentation of Java 17, with Java's names and exceptions. Only methods that return at once are here. Elements
are whole numbers; a map is written as a list of pairs, an array or a drained collection as a list. `bench/juc` records what the
real classes do, with one thread (to test these specifications) and with several (to check them).

    model = lp.models.from_class(juc.ConcurrentLinkedQueue)
"""

from linpoint.library.juc.collection import Collection
from linpoint.library.juc.deques import ConcurrentLinkedDeque, LinkedBlockingDeque
from linpoint.library.juc.exceptions import IllegalStateException, NoSuchElementException
from linpoint.library.juc.maps import ConcurrentHashMap, ConcurrentSkipListMap
from linpoint.library.juc.priority import PriorityBlockingQueue
from linpoint.library.juc.queues import (
    ArrayBlockingQueue,
    ConcurrentLinkedQueue,
    LinkedBlockingQueue,
    LinkedTransferQueue,
)
from linpoint.library.juc.sets import ConcurrentSkipListSet

CLASSES = (
    ArrayBlockingQueue,
    ConcurrentHashMap,
    ConcurrentLinkedDeque,
    ConcurrentLinkedQueue,
    ConcurrentSkipListMap,
    ConcurrentSkipListSet,
    LinkedBlockingDeque,
    LinkedBlockingQueue,
    LinkedTransferQueue,
    PriorityBlockingQueue,
)
"""In the order of the paper's tables."""

__all__ = [
    "CLASSES",
    "ArrayBlockingQueue",
    "Collection",
    "ConcurrentHashMap",
    "ConcurrentLinkedDeque",
    "ConcurrentLinkedQueue",
    "ConcurrentSkipListMap",
    "ConcurrentSkipListSet",
    "IllegalStateException",
    "LinkedBlockingDeque",
    "LinkedBlockingQueue",
    "LinkedTransferQueue",
    "NoSuchElementException",
    "PriorityBlockingQueue",
]
