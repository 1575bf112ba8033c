"""Sizes, durations and what the machine has."""

import pytest

from linpoint import UsageError
from linpoint.check import budget
from linpoint.check.budget import default_memory, default_threads, parse_cache, parse_seconds, parse_size


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
    assert default_memory() == memory


def test_without_any_word_from_the_system(monkeypatch):
    monkeypatch.setattr(budget, "_meminfo", lambda: None)
    monkeypatch.setattr(budget, "_cgroup", lambda: None)
    assert default_memory() >= 1 << 26


def test_threads():
    assert default_threads() >= 1
