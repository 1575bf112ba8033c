"""`--save`, `--report`, `--svg`, `--proof`: files for results, tried before the search, written after the verdict is told."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from linpoint.cli.attention import attention
from linpoint.cli.outcome import Outcome
from linpoint.cli.output import complain, words_of
from linpoint.errors import UsageError
from linpoint.files import is_plain, try_path, write_file
from linpoint.text import printable
from linpoint.verdict import Verdict

ENDINGS = {".html", ".htm", ".svg", ".json"}


class Target:
    """A file that will be written. Making one raises a UsageError or an OSError if that cannot be."""

    def __init__(self, path: str, sources: Sequence[str], otherwise: str) -> None:
        self.path = path
        self.kind = Path(path).suffix.lower()
        if self.kind not in ENDINGS and not os.path.isdir(path):
            if is_plain(path):
                raise UsageError(
                    f"{printable(path)}: a result is saved as .html, .svg or .json: the ending of the name says which"
                )
            self.kind = otherwise  # a pipe or /dev/stdout has no ending
        try_path(path, sources)

    def write(self, outcome: Outcome) -> None:
        """Saves the result. What goes wrong is said, and leaves verdict and exit status as they are."""
        if outcome.result is None:
            return
        from linpoint.explain.save import rendered  # noqa: PLC0415 - what draws pages is loaded when one is wanted

        try:
            with outcome.last_words(begin=False):
                write_file(
                    self.path,
                    rendered(outcome.explained(outcome.result), f"result{self.kind}", _about(outcome)).encode(),
                )
            return
        except KeyboardInterrupt:
            why = attention.stopped()
        except OSError as error:
            why = words_of(error, self.path).removeprefix(f"{printable(self.path)}: ")
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
        complain(f"{printable(self.path)} was not written: {why}")


class ProofFiles:
    """The two files of a proof: PROOF.cnf and PROOF.drat."""

    def __init__(self, path: str, sources: Sequence[str]) -> None:
        if Path(path).suffix != ".cnf":
            raise UsageError(
                f"{printable(path)}: the premises of a proof are saved as .cnf, and its steps beside them as .drat"
            )
        self.premises, self.steps = path, steps_beside(path)
        for each in (self.premises, self.steps):
            try_path(each, sources)

    def write(self, outcome: Outcome) -> None:
        """Saves the proof. What goes wrong is said, and leaves verdict and exit status as they are."""
        result = outcome.result
        if result is None:
            return
        if result.proof is None:
            complain(f"{printable(self.premises)} was not written: {WITHOUT_PROOF[result.verdict]}")
            return
        texts = {
            self.steps: result.proof.drat,
            self.premises: result.proof.headed(result.model),
        }  # premises alone prove nothing
        for path, text in texts.items():
            try:
                write_file(path, text.encode())
            except OSError as error:
                why = words_of(error, path).removeprefix(f"{printable(path)}: ")
                complain(f"{printable(path)} was not written: {why}")
                return


WITHOUT_PROOF = {
    Verdict.LINEARIZABLE: "there is no proof of what is no violation",
    Verdict.VIOLATION: "time or memory ended first",
    Verdict.UNKNOWN: "it was not decided",
}


def steps_beside(premises: str) -> str:
    """The file with the steps of a proof, by the file with its premises."""
    return str(Path(premises).with_suffix(".drat"))


def _about(outcome: Outcome) -> str:
    """The file and the day, for the head of a page."""
    return f"{outcome.file}, checked on {time.strftime('%Y-%m-%d')}"


def targets(save: str | None, page: str | None, sources: Sequence[str]) -> list[Target]:
    """The files that were asked for."""
    if save is not None and save == page:
        raise UsageError(f"--save and --report name the same file: {printable(save)}")
    wanted = ((save, ".json"), (page, ".html"))
    return [Target(path, sources, kind) for path, kind in wanted if path is not None]
