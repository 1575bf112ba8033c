"""The program, called in this process: what the command line writes, without the cost of starting it."""

import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from linpoint.cli import program

COMMAND = typer.main.get_command(program())


class Said:
    """Exit status, standard output and standard error of one call."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


class Text(io.StringIO):
    """A standard output that also takes bytes, as a real one does."""

    encoding = "utf-8"

    @property
    def buffer(self) -> Any:
        outer = self

        class Bytes(io.RawIOBase):
            def writable(self) -> bool:
                return True

            def write(self, data: Any) -> int:
                outer.write(bytes(data).decode("utf-8", "replace"))
                return len(data)

        return Bytes()


def linpoint(*words: str) -> Said:
    """Runs `linpoint WORDS`. An exception that is not an exit is a bug and comes out as it is."""
    out, err = Text(), Text()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = COMMAND.main(list(words), prog_name="linpoint", standalone_mode=False)
        except SystemExit as end:
            status = end.code
        except typer.Exit as end:
            status = end.exit_code
        except click_errors() as error:
            status = error.exit_code
            err.write(error.format_message())
    return Said(int(status or 0), out.getvalue(), err.getvalue())


def click_errors() -> type[Exception]:
    """What click (or the copy of it that typer may carry) raises for bad usage."""
    for base in typer.BadParameter.__mro__:
        if base.__name__ == "ClickException":
            return base  # type: ignore[return-value]
    raise AssertionError("typer without click")


@contextlib.contextmanager
def workshop() -> Iterator[Path]:
    """A folder for the files of one worker, in memory where there is such a place."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="independent", dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


def write_jsonl(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
