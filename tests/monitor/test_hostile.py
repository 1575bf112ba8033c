"""Options that cannot be carried out are refused at the start, and what goes wrong later does not end the watching."""

import socket
from pathlib import Path

import pytest

from linpoint.errors import UsageError
from linpoint.monitor import inputs
from tests.monitor.test_command import BAD, run, summary


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--on-violation", ""), "--on-violation needs a command"),
        (("--on-violation", "a 'b"), "cannot be split into words"),
        (("--on-violation", "/no/such/command"), "there is no command /no/such/command"),
        (("--report", "{}/page.txt"), "saved as .html, .svg or .json"),
        (("--metrics", "{}/both", "--checkpoint", "{}/both"), "need a file each"),
        (("--checkpoint", "{}/missing/kept"), "no such file or directory"),
        (("--socket", "{}/missing/socket"), "no such file or directory"),
        (("--socket", "{}/log"), "is there already, and is no socket"),
        (("--socket", f"{{}}/{'x' * 200}"), "too long"),
    ],
)
def test_it_is_refused_at_the_start(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    file = tmp_path / "log"
    file.write_text(BAD)
    given = [option.format(tmp_path) for option in options]
    done = run(*([] if "--socket" in options else [str(file)]), "--model", "register", *given)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_full_disk_does_not_end_it(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.symlink_to("/dev/full")
    for option, path in (("--metrics", "/dev/full"), ("--report", str(page))):
        done = run("--model", "register", option, path, given=BAD)
        assert done.returncode == 1
        assert done.stdout.endswith("\nVIOLATION since event 4 (4 events, 2 operations)\n")
        assert done.stderr == f"linpoint: {path}: no space left on device; watching goes on\n"


def test_a_file_may_begin_with_a_mark() -> None:
    told = summary("--model", "register", given="\ufeff" + BAD)
    assert (told["event"], told["skipped"]) == (4, 0)


def test_a_socket_is_not_taken_from_who_listens_to_it(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    first = inputs.from_socket(path)
    assert next(first) == b""
    with pytest.raises(UsageError, match="another program listens"):
        next(inputs.from_socket(path))
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(path)
        client.sendall(b"a line\n")
        assert next(piece for piece in first if piece) == b"a line\n"
    first.close()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left_behind:
        left_behind.bind(path)
    again = inputs.from_socket(path)
    assert next(again) == b""
    again.close()


def test_of_an_endless_line_not_all_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LONGEST", 10)
    pieces = inputs.from_socket(str(tmp_path / "socket"))
    assert next(pieces) == b""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(tmp_path / "socket"))
        for _ in range(3):
            client.sendall(b"x" * 7)
            while next(pieces):
                pass  # until nothing comes: it was read
        client.sendall(b"y\nnext\n")
        assert [next(piece for piece in pieces if piece) for _ in range(2)] == [b"x" * 10, b"\nnext\n"]
    pieces.close()
