"""Base objects: what each theorem needs of them, and what a user's own may be."""

import pytest

import linpoint as lp
from linpoint.extend import Base, composition_closed, extend_source, replaceable
from linpoint.language.source import parse_source
from linpoint.verdict import Verdict


def swapping(values: tuple[int, ...]) -> Base:
    """A generic register: read, write that returns the value before, compare-and-swap that does, too."""
    return lp.finite_base(
        values,
        {
            "read": lambda state: (state, state),
            "swap": lambda state, new: (new, state),
            "cas": lambda state, old, new: (new if state == old else state, state),
        },
        {"swap": [(value,) for value in values], "cas": [(old, new) for old in values for new in values]},
    )


def counting(modulus: int) -> Base:
    return lp.finite_base(
        range(modulus),
        {"read": lambda state: (state, state), "increase": lambda state: ((state + 1) % modulus, None)},
    )


def writing(values: tuple[int, ...]) -> Base:
    """A register whose write returns nothing."""
    return lp.finite_base(
        values,
        {"read": lambda state: (state, state), "write": lambda _, new: (new, None)},
        {"write": [(value,) for value in values]},
    )


def test_lemma_2_a_generic_register_is_composition_closed() -> None:
    assert composition_closed(swapping((0, 1, 2))).holds


def test_a_counter_and_a_register_that_says_nothing_are_not() -> None:
    answer = composition_closed(counting(4))
    assert not answer.holds
    assert "increase" in answer.words
    assert not composition_closed(writing((0, 1))).holds


def is_even(counter):
    first = counter.read()
    if first % 2 == 0:
        return True
    second = counter.read()
    return first != second


def set_to_one(flag):
    before = flag.read()
    if before == 0:
        flag.write(1)
    return before


def test_replaceable_as_the_paper_says() -> None:
    even = replaceable(is_even, counting(4))
    assert even is not None
    assert even.holds
    once = replaceable(set_to_one, writing((0, 1)))
    assert once is not None
    assert not once.holds
    assert "set_to_one()/0" in once.words


def test_a_finite_object_of_a_user() -> None:
    result = lp.extend(is_even, base=counting(4))
    assert (result.verdict, result.reduction) == (Verdict.LINEARIZABLE, "Corollary 1")
    assert any("not composition-closed" in words for words in result.checked)
    broken = lp.extend(set_to_one, base=writing((0, 1)))
    assert broken.verdict is Verdict.VIOLATION
    assert lp.check(broken.history, broken.model).verdict is Verdict.VIOLATION


def test_a_modulus_that_hides_a_step_is_noticed() -> None:
    """In a counter of three 2 is followed by 0, so an odd number follows an even one only once: 1, 2, 0, 1."""
    assert lp.extend(is_even, base=counting(3)).verdict is Verdict.LINEARIZABLE
    assert lp.extend(is_even, base=swapping((1, 2, 3))).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("states", [(), (0, 1)])
def test_a_finite_object_must_stay_within_its_states(states) -> None:
    with pytest.raises(lp.UsageError):
        lp.finite_base(states, {"grow": lambda state: (state + 1, None)})


def test_unknown_names_are_refused() -> None:
    with pytest.raises(lp.UsageError, match="no base object is called 'list'"):
        lp.extension(base="list")
    text = "import linpoint as lp\n\n@lp.extension(base='list')\ndef f(d, k):\n    return d[k]\n"
    (found,) = extend_source(parse_source(text))
    assert "no base object" in found.cause


COUNTER = "import linpoint as lp\n\n@lp.extension(base='counter')\ndef f(c):\n"
COUNTED = [
    ("    a = c.read()\n    b = c.read()\n    return a == b\n", Verdict.VIOLATION),
    ("    a = c.read()\n    c.increase()\n    return a\n", Verdict.VIOLATION),
    ("    a = c.read()\n    if a < 3:\n        c.increase()\n", Verdict.VIOLATION),
    ("    a = c.read()\n    if a % 3 == 1:\n        return True\n    return c.read() % 3 == 1\n", Verdict.LINEARIZABLE),
    ("    if c.read() > 2:\n        return True\n    return c.read() > 2\n", Verdict.LINEARIZABLE),
    ("    a = c.read()\n    return a * 2\n", Verdict.LINEARIZABLE),
    ("    a = c.read()\n    if c.read() == a * 2:\n        return 1\n", Verdict.UNKNOWN),
]


@pytest.mark.parametrize(("body", "verdict"), COUNTED, ids=[str(number) for number in range(len(COUNTED))])
def test_counters(body: str, verdict: Verdict) -> None:
    (found,) = extend_source(parse_source(COUNTER + body))
    assert found.verdict is verdict, found


def test_several_functions_are_judged_together() -> None:
    one, other = lp.extend(is_even, set_to_even, base=counting(4))
    assert one.verdict is Verdict.LINEARIZABLE
    assert other.name == "set_to_even"


def set_to_even(counter):
    if counter.read() % 2:
        counter.increase()
