"""States are weighed, roughly: what is shared is there once."""

from linpoint.models.weigh import Scale, process_bytes, weigh


def test_sizes():
    assert weigh("x" * 160_000) in range(160_000, 161_000)
    numbers = tuple(range(10**6, 10**6 + 20_000))
    assert weigh(numbers) in range(20_000 * 30, 20_000 * 42)  # 8 bytes of the tuple and 28 of each number
    assert weigh((*numbers, 1), numbers) in range(160_000, 170_000)


def test_what_is_shared_weighs_nothing():
    chain = ()
    for link in range(1000):
        chain = (link, chain)
    longer = (1000, chain)
    assert weigh(longer, chain) < 200
    assert weigh(longer) > 50_000
    assert weigh(chain, chain) == 0


def test_a_sizeof_of_ones_own():
    class Odd:
        def __sizeof__(self):
            raise ValueError

    assert weigh(Odd()) > 0


def test_a_scale():
    scale = Scale(limit=10**9)
    for number in range(1000):
        scale.add("x" * 1000 + str(number), None)
    assert scale.bytes in range(950_000, 1_150_000)
    assert not scale.exceeded()
    light = Scale(limit=2**30)
    light.bytes = 2**31
    assert light.exceeded() is (process_bytes() is None)  # the process has not grown by that much
    assert Scale().exceeded() is False


def test_a_scale_that_is_exceeded():
    scale = Scale(limit=2**20)
    held = b"x" * (64 * 2**20)  # written to, so that the process grows
    scale.add(held, None)
    assert scale.exceeded()
