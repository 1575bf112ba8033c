"""Reading heeds the budget: time, memory, Ctrl-C; what each reader counts is tested in `crates/history/tests/budget.rs`."""

import gzip
import io
import signal
import threading

import pytest

import linpoint as lp
from linpoint import Cause, Unfinished
from tests.cli.program import linpoint

LINE = b'{"process":0,"f":"write","value":%b,"call":0,"return":1}'
BIG = LINE % b"[%b]" % b",".join(b"%d" % number for number in range(10**9, 10**9 + 2_000_000))
"""Two million different values: some 100 MB once they are read, a second of work."""


def test_finding_21_a_gzip_bomb_stops_at_the_limit():
    bomb = gzip.compress(b"\n" * 2**28)
    with pytest.raises(Unfinished, match="out of memory") as caught:
        lp.read(bomb, memory="1MiB")
    assert caught.value.cause is Cause.MEMORY
    with pytest.raises(lp.ReadError, match="the file is empty"):
        lp.read(bomb, memory="1GiB")


def test_finding_18_reading_heeds_the_clock_and_the_limit(tmp_path):
    file = tmp_path / "big.jsonl"
    file.write_bytes(BIG)
    for source in (lambda: BIG, lambda: file, lambda: io.BytesIO(BIG)):
        with pytest.raises(Unfinished, match="out of time"):
            lp.read(source(), timeout=0)
        with pytest.raises(Unfinished, match="out of memory"):
            lp.read(source(), memory=1)


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_finding_18_ctrl_c_ends_reading():
    def keep_reading():
        while True:
            lp.read(BIG)

    timer = threading.Timer(0.05, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        keep_reading()
    timer.join()


def test_a_stream_without_end_is_not_read_to_its_end():
    class Endless(io.RawIOBase):
        def read(self, size=-1):
            return b" " * size

    with pytest.raises(Unfinished, match="out of memory"):
        lp.read(Endless(), memory="1MiB")


def test_finding_21_the_command_line_says_what_was_used_up(tmp_path):
    file = tmp_path / "bomb.gz"
    file.write_bytes(gzip.compress(b"\n" * 2**27))
    done = linpoint("check", file, "-m", "register", "--memory", "1MiB")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"linpoint: {file}: out of memory while reading\n"
    file.write_bytes(BIG)
    done = linpoint("check", file, "-m", "register", "--timeout", "1ms")
    assert (done.returncode, done.stderr) == (3, f"linpoint: {file}: out of time while reading\n")


def test_a_small_file_is_read_with_any_limit():
    assert len(lp.read(LINE % b"1", memory=1)) == 1
    with pytest.raises(lp.UsageError, match="one or the other"):
        lp.read(LINE % b"1", memory=1, budget=lp.Budget.start())
