"""Does the explorer do what the instructions mean? Against the naive one, on random programs and on the library."""

import pytest

from linpoint.budget import Budget
from linpoint.language import compile_object
from linpoint.library.studies import STUDIES
from linpoint.lts import Answer
from linpoint.verify.client import Client
from linpoint.verify.explorer import Explored, Means
from tests.verify.naive import Naive
from tests.verify.random_programs import compared


def test_random_programs() -> None:
    found = [compared(seed, 2500) for seed in range(80)]
    assert found.count("the same") > 40
    assert found.count("fails") > 0


@pytest.mark.parametrize("name", STUDIES)
def test_the_library_one_operation_each(name: str) -> None:
    study = STUDIES[name]
    program = compile_object(study.cls, threads=2, ops=1)
    client = Client(2, 1, tuple(study.menu((1,))))
    slow = Naive(program, client)
    fast = Explored(program, client, Means(Budget.start(), 2, None, None))
    assert not slow.crashes
    assert fast.core.failure is None
    assert fast.lts().compare(slow.lts(), "divergence").answer is Answer.YES
    assert fast.states < slow.states
