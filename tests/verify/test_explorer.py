"""Is what was explored the same on any number of cores, and is nothing that crosses the door believed?"""

import pytest

from linpoint import _core
from linpoint.budget import Budget
from linpoint.language import compile_object
from linpoint.library.studies import STUDIES
from linpoint.verify.client import Client
from linpoint.verify.explorer import Explored, Means


def explored(name: str, workers: int, threads: int = 2, ops: int = 2) -> Explored:
    study = STUDIES[name]
    program = compile_object(study.cls, threads=threads, ops=ops)
    client = Client(threads, ops, tuple(study.menu((1,))))
    return Explored(program, client, Means(Budget.start(), workers, None, None))


@pytest.mark.parametrize("name", ["treiber-hp", "ms-queue", "lazy-list"])
def test_the_numbers_do_not_depend_on_how_many_work(name: str) -> None:
    one, *others = [explored(name, workers, ops=3).lts().to_aut() for workers in (1, 2, 3)]
    assert all(other == one for other in others)


def test_statements_are_coarser_than_accesses() -> None:
    study = STUDIES["lazy-list"]
    client = Client(2, 2, tuple(study.menu((1,))))
    means = Means(Budget.start(), 1, None, None)
    fine = Explored(compile_object(study.cls, threads=2, ops=2), client, means)
    coarse = Explored(compile_object(study.cls, threads=2, ops=2, granularity="statement"), client, means)
    assert coarse.states < fine.states


EMPTY_PROGRAM = (1, 0, (), ((0, 1, ((14, (-1,), False),)),))
LIMITS = {"timeout": None, "memory": 1 << 20, "progress": None, "states": None}
LIMITS |= {"ops": 1, "order": (False, False, 0), "patience": 0, "workers": 1}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ((99, (), False), "no such instruction"),
        ((0, (0,), False), "missing"),
        ((0, (0, 5), False), "register 5"),
        ((0, (0, -200), False), "constant 199"),
        ((0, (0, -5), False), "constant 4"),
        ((0, (0, 0, 0), False), "too many operands"),
        ((12, (7,), False), "instruction 7"),
        ((16, (0, 0, 0, 9, 1, -37), False), "cell 9"),
        ((16, (0, 0, 0, 0, 3, 0), False), "length 3"),
        ((16, (0, 0, 0, 0, 1, 0), False), "outside of its array"),
        ((24, (0, 0), False), "kind of node 0"),
        ((11, (0, 0), False), "choice"),
    ],
)
def test_a_program_that_is_none_is_refused(code: tuple[object, ...], words: str) -> None:
    method = (0, 1, (code, (14, (-1,), False)))
    program = (*EMPTY_PROGRAM[:3], (*EMPTY_PROGRAM[3], method))
    with pytest.raises(ValueError, match=words):
        _core.explore_object(program, [(1, [])], (["m()"], ["", "m"], []), threads=1, **LIMITS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("calls", "threads", "words"),
    [
        ([(0, [])], 1, "no method"),
        ([(1, [40])], 1, "arguments"),
        ([(7, [])], 1, "no method"),
        ([(1, [])], 9, "threads"),
    ],
)
def test_a_client_that_is_none_is_refused(calls: list[tuple[int, list[int]]], threads: int, words: str) -> None:
    program = (*EMPTY_PROGRAM[:3], EMPTY_PROGRAM[3] * 2)
    with pytest.raises(ValueError, match=words):
        _core.explore_object(program, calls, (["m()"], ["", "m"], []), threads=threads, **LIMITS)  # type: ignore[arg-type]


def test_a_method_must_end() -> None:
    open_end = (0, 1, ((0, (0, -1), False),))
    with pytest.raises(ValueError, match="goes on after its last"):
        _core.explore_object(
            (*EMPTY_PROGRAM[:3], (*EMPTY_PROGRAM[3], open_end)),
            [(1, [])],
            (["m()"], ["", "m"], []),
            threads=1,
            **LIMITS,  # type: ignore[arg-type]
        )
