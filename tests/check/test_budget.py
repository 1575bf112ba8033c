"""Sizes, durations and what the machine has."""

import pytest

import linpoint as lp
from linpoint import UsageError, budget
from linpoint.budget import Budget, default_memory, default_threads, parse_cache, parse_seconds, parse_size


@pytest.mark.parametrize(
    ("words", "size"),
    [
        ("2GiB", 2 * 2**30),
        ("512 MiB", 512 * 2**20),
        ("1.5g", 3 * 2**29),
        ("10kb", 10_000),
        ("7", 7),
        (4096, 4096),
        (2.0, 2),
        (" 1 TB ", 10**12),
    ],
)
def test_sizes(words, size):
    assert parse_size(words) == size


@pytest.mark.parametrize(
    ("words", "seconds"), [("30s", 30), ("2m", 120), ("500ms", 0.5), ("1h", 3600), (".5", 0.5), (30, 30), (0, 0)]
)
def test_seconds(words, seconds):
    assert parse_seconds(words) == seconds


@pytest.mark.parametrize(("words", "size"), [("lru:100", 100), ("7", 7), (7, 7)])
def test_cache(words, size):
    assert parse_cache(words) == size


@pytest.mark.parametrize(
    "words", ["", "a lot", "-1", "1 parsec", "0", 0, -5, True, float("nan"), float("inf"), None, "1e3"]
)
def test_what_is_no_size(words):
    with pytest.raises(UsageError):
        parse_size(words)


@pytest.mark.parametrize("words", ["soon", "-1s", "1 MiB", -1, False, float("nan"), "s"])
def test_what_is_no_time(words):
    with pytest.raises(UsageError):
        parse_seconds(words)


@pytest.mark.parametrize("words", ["lru:", "lru:0", "fifo:9", "-3", 0, True, "1.5"])
def test_what_is_no_cache(words):
    with pytest.raises(UsageError, match="lru:SIZE"):
        parse_cache(words)


@pytest.mark.parametrize(
    ("free", "container", "memory"),
    [(8 << 30, None, 4 << 30), (8 << 30, 2 << 30, 1 << 30), (None, 6 << 30, 3 << 30), (1 << 20, None, 1 << 26)],
)
def test_half_of_what_is_available(monkeypatch, free, container, memory):
    monkeypatch.setattr(budget, "_meminfo", lambda: free)
    monkeypatch.setattr(budget, "_cgroup", lambda: container)
    assert budget._half_of_available() == memory


def test_without_any_word_from_the_system(monkeypatch):
    monkeypatch.setattr(budget, "_meminfo", lambda: None)
    monkeypatch.setattr(budget, "_cgroup", lambda: None)
    assert budget._half_of_available() >= 1 << 26


def test_the_system_is_asked_about_memory_once_a_second(monkeypatch):
    now, told = [100.0], iter([1 << 30, 1 << 31])
    monkeypatch.setattr(budget.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(budget, "_last_asked", 0.0)
    monkeypatch.setattr(budget, "_half_of_available", lambda: next(told))
    assert [default_memory(), default_memory()] == [1 << 30, 1 << 30]
    now[0] += 1.5
    assert default_memory() == 1 << 31


def test_threads():
    assert default_threads() >= 1


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves when told to: `clock[0] += 1`."""
    now = [1000.0]
    monkeypatch.setattr(budget.time, "monotonic", lambda: now[0])
    return now


def test_the_clock_of_a_budget_runs_until_the_time_is_up(clock):
    given = Budget.start("3s", "1MiB")
    assert (given.left(), given.spent(), given.memory) == (3.0, False, 2**20)
    clock[0] += 2
    assert given.left() == 1.0
    clock[0] += 2
    assert (given.left(), given.spent()) == (0.0, True)


def test_a_budget_without_end(clock):
    given = Budget.start(None, 7)
    clock[0] += 10**9
    assert (given.left(), given.spent()) == (None, False)
    assert given.at_most(5.0).left() == 5.0


def test_a_step_has_what_is_left_at_most(clock):
    given = Budget.start(3, 100)
    clock[0] += 2
    assert (given.at_most(5.0).left(), given.at_most(0.5).left()) == (1.0, 0.5)
    assert (given.at_most(1, 10).memory, given.at_most(1, 1000).memory, given.at_most(1).memory) == (10, 100, 100)


def test_a_paused_budget_waits(clock):
    given = Budget.start(3, 100)
    clock[0] += 1
    kept = given.paused()
    clock[0] += 100
    assert (kept.left(), kept.running().left(), kept.memory) == (2.0, 2.0, 100)
    resumed = kept.running()
    clock[0] += 2
    assert resumed.spent()
    assert resumed.running() is resumed


def test_a_result_remembers_what_is_left():
    write = {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1}
    found = lp.check([write], "register", timeout=100, memory="1GiB")
    assert (found.budget.begun, found.budget.memory) == (None, 2**30)
    assert 0 < found.budget.left() < 100
    running = Budget.start(100)
    assert lp.check([write], "register", budget=running).budget is running
    with pytest.raises(UsageError, match="one or the other"):
        lp.check([write], "register", budget=running, timeout=1)
