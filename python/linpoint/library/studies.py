"""Which algorithms can be verified by name, against what, with which calls? The registry of `linpoint verify NAME`.

The rows are the case studies of X. Yang, J.-P. Katoen, H. Lin, H. Wu, "Proving Linearizability via Branching Bisimulation",
in the order of their Table 1, and the queue of their introduction; each says what is known of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from linpoint.language.ir import Constant
from linpoint.library import conditional_swaps, hm_list, lists, queues, stacks
from linpoint.library.specifications import BlockingQueue, ConditionalSwap, DoubleCompareSwap

Call: TypeAlias = tuple[str, tuple[Constant, ...]]
Menu: TypeAlias = Callable[[tuple[int, ...]], list[Call]]


@dataclass(frozen=True)
class Study:
    """One algorithm, how to verify it, and what is known of it."""

    name: str
    title: str
    number: str
    """Its row in Table 1; empty for the queue of the introduction."""
    cls: type
    spec: str | type
    """The name of a shipped model, or an ordinary class."""
    menu: Menu
    """Which calls a client may choose from, given the values it uses."""
    paper: str
    linearizable: bool = True
    lock_free: bool | None = None
    """None: not a question that the paper asks, for algorithms with locks."""
    lock_based: bool = False
    nonfixed_lps: bool = False
    """Does the linearization point depend on what other threads do later?"""
    abstract: str | None = None
    """Another study that is divergence-sensitive branching bisimilar to it."""
    values: int = 2
    optional: Menu = lambda _: []
    """Calls that a client makes only if it is asked to, with `--methods`."""


def stack_menu(values: tuple[int, ...]) -> list[Call]:
    """Push each value, pop."""
    return [*(("push", (value,)) for value in values), ("pop", ())]


def queue_menu(values: tuple[int, ...]) -> list[Call]:
    """Enqueue each value, dequeue."""
    return [*(("enqueue", (value,)) for value in values), ("dequeue", ())]


def set_menu(values: tuple[int, ...]) -> list[Call]:
    """Add and remove each key."""
    return [(method, (value,)) for method in ("add", "remove") for value in values]


def contains_menu(values: tuple[int, ...]) -> list[Call]:
    """Ask for each key."""
    return [("contains", (value,)) for value in values]


def ccas_menu(_: tuple[int, ...]) -> list[Call]:
    """The cell goes from 0 to 1 and back, the flag on and off."""
    return [("ccas", (0, 1)), ("ccas", (1, 0)), ("set_flag", (False,)), ("set_flag", (True,))]


def rdcss_menu(_: tuple[int, ...]) -> list[Call]:
    """The data word goes from 0 to 1 and back while the control word is 0, or 1; the control word is given both values."""
    swaps: list[Call] = [("rdcss", (control, old, 1 - old)) for control in (0, 1) for old in (0, 1)]
    return [*swaps, ("write", (0,)), ("write", (1,))]


_ALL: Final = (
    Study("treiber", "Treiber stack", "1", stacks.TreiberStack, "stack", stack_menu, "Treiber 1986", lock_free=True),
    Study(
        "treiber-hp",
        "Treiber stack + HP",
        "2",
        stacks.TreiberStackHazard,
        "stack",
        stack_menu,
        "Michael 2004",
        lock_free=True,
    ),
    Study(
        "treiber-hp-fu",
        "Treiber stack + HP (revised)",
        "3",
        stacks.TreiberStackHazardFu,
        "stack",
        stack_menu,
        "Fu et al. 2010",
        lock_free=False,
    ),
    Study(
        "ms-queue",
        "MS queue",
        "4",
        queues.MSQueue,
        "queue",
        queue_menu,
        "Michael & Scott 1996",
        lock_free=True,
        nonfixed_lps=True,
        abstract="dglm-queue",
    ),
    Study(
        "dglm-queue",
        "DGLM queue",
        "5",
        queues.DGLMQueue,
        "queue",
        queue_menu,
        "Doherty et al. 2004",
        lock_free=True,
        nonfixed_lps=True,
        abstract="ms-queue",
    ),
    Study(
        "ccas",
        "CCAS",
        "6",
        conditional_swaps.CCAS,
        ConditionalSwap,
        ccas_menu,
        "Turon et al. 2013",
        lock_free=True,
        nonfixed_lps=True,
    ),
    Study(
        "rdcss",
        "RDCSS",
        "7",
        conditional_swaps.RDCSS,
        DoubleCompareSwap,
        rdcss_menu,
        "Harris et al. 2002",
        lock_free=True,
        nonfixed_lps=True,
    ),
    Study(
        "fine-list",
        "Fine-grained list",
        "8",
        lists.FineList,
        "set",
        set_menu,
        "Herlihy & Shavit 2008",
        lock_based=True,
        optional=contains_menu,
    ),
    Study(
        "hm-list-buggy",
        "HM lock-free list",
        "9-1",
        hm_list.HMListBuggy,
        "set",
        set_menu,
        "Herlihy & Shavit 2008",
        linearizable=False,
        nonfixed_lps=True,
        optional=contains_menu,
    ),
    Study(
        "hm-list",
        "HM lock-free list (revised)",
        "9-2",
        hm_list.HMList,
        "set",
        set_menu,
        "Herlihy & Shavit 2008, errata",
        lock_free=True,
        nonfixed_lps=True,
        optional=contains_menu,
    ),
    Study(
        "optimistic-list",
        "Optimistic list",
        "10",
        lists.OptimisticList,
        "set",
        set_menu,
        "Herlihy & Shavit 2008",
        lock_based=True,
        optional=contains_menu,
    ),
    Study(
        "lazy-list",
        "Lazy list",
        "11",
        lists.LazyList,
        "set",
        set_menu,
        "Heller et al. 2007",
        lock_based=True,
        nonfixed_lps=True,
        optional=contains_menu,
    ),
    Study(
        "two-lock-queue",
        "MS two-lock queue",
        "12",
        queues.TwoLockQueue,
        "queue",
        queue_menu,
        "Michael & Scott 1996",
        lock_based=True,
    ),
    Study(
        "hw-queue",
        "Herlihy–Wing queue",
        "",
        queues.HWQueue,
        BlockingQueue,
        queue_menu,
        "Herlihy & Wing 1990",
        lock_free=False,
        nonfixed_lps=True,
    ),
)

STUDIES: Final[dict[str, Study]] = {study.name: study for study in _ALL}
"""Every study by its name, in the order of Table 1."""
