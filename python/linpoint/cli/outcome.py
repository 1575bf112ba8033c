"""What came of one file? From its name to a result: load, search, make smaller. Each is a step that Ctrl-C or the clock may end.

All steps share one budget. A violation is known from the moment the search reports it: what fails or is stopped afterwards is
said beside it (`notes`), and loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from linpoint.budget import Budget
from linpoint.check import Result
from linpoint.check import check as search
from linpoint.cli.ahead import Loaded
from linpoint.cli.attention import attention
from linpoint.cli.output import STATUS, TROUBLE, UNKNOWN, words_of
from linpoint.cli.progress import Bar
from linpoint.errors import InternalError, Interrupted, LinpointError, Unfinished
from linpoint.explain import Explanation, explain
from linpoint.explain.explain import unexplained
from linpoint.history import History
from linpoint.text import ascii_json, printable
from linpoint.verdict import Cause, Verdict

if TYPE_CHECKING:
    from linpoint.check.skew import Skew

HANDOVER = 0.3
"""Seconds of CPU time in which a search that is out of time hands over what it knows; then it is ended from outside."""
LAST_WORDS = 0.08
"""Seconds of CPU time for words and pictures when the time is up or Ctrl-C was pressed: most take a few thousandths."""


@dataclass
class Outcome:
    """What came of one file: a result, or an error in words."""

    file: str
    budget: Budget
    load_seconds: float = 0.0
    result: Result | None = None
    error: str | None = None
    status: int = TROUBLE
    notes: list[str] = field(default_factory=list)
    """What could not be done, in words."""
    explanation: Explanation | None = None
    skew: Skew | None = None
    """What becomes of a violation if clocks differ, if that was asked."""
    exhausted: bool = False
    """Has the grace for last words been used up?"""

    @contextmanager
    def last_words(self, begin: bool = True) -> Iterator[None]:
        """A step in which something is told; `begin`: also after Ctrl-C.

        When the time is up each has a grace, but the first that is stopped is the last: the history is too big for any.
        """
        grace = 0.0 if self.exhausted else LAST_WORDS
        try:
            with attention.step(self.budget.left(), grace, last=begin):
                yield
        except KeyboardInterrupt:
            attention.stopped()
            self.exhausted = True
            raise

    def explained(self, result: Result) -> Explanation:
        """The explanation that was made, or one without a counterexample."""
        if self.explanation is None:
            self.explanation = unexplained(result)
        return self.explanation

    def found(self, result: Result) -> None:
        """The search has come back."""
        if result.cause is Cause.INTERRUPTED and not attention.interrupted:
            result = replace(result, cause=Cause.TIME, why=str(Cause.TIME))  # the clock ended it, from outside
        self.result, self.status = result, STATUS[result.verdict]


def judge(file: str, load: Callable[[], Loaded], options: dict[str, Any], budget: Budget, bar: bool) -> Outcome:
    """Loads and judges one file. Errors become words; Ctrl-C and the end of the time become UNKNOWN."""
    outcome, doing = Outcome(file, budget), "reading"
    try:
        with attention.step(budget.left(), HANDOVER):
            loaded = load()
        outcome.load_seconds, outcome.budget, doing = loaded.seconds, loaded.budget.running(), "checking"
        _search(outcome, loaded.history, options, bar)
    except KeyboardInterrupt:
        why = attention.stopped()
        if outcome.result is None:
            outcome.error, outcome.status = f"{printable(file)}: {why} while {doing}", UNKNOWN
    except Unfinished as error:
        outcome.error, outcome.status = f"{printable(file)}: out of {error.cause} while {doing}", UNKNOWN
    except InternalError as error:
        outcome.error, outcome.status = f"{printable(file)}: a bug in linpoint, please report it: {error}", UNKNOWN
    except (LinpointError, OSError) as error:
        outcome.error = words_of(error, file)
    except Exception as error:  # in a user's model, in ours: never a traceback, never the status of a violation
        outcome.error = f"{printable(file)}: {type(error).__name__}: {error}"
    return outcome


def _search(outcome: Outcome, history: History, options: dict[str, Any], bar: bool) -> None:
    try:
        with attention.step(outcome.budget.left(), HANDOVER), Bar(outcome.file, enabled=bar) as progress:
            outcome.found(search(history, progress=progress, budget=outcome.budget, **options))
    except Interrupted as stopped:
        attention.stopped()
        outcome.found(stopped.result)


def explain_it(outcome: Outcome) -> None:
    """Looks for the counterexample of a violation. Whatever happens to that, the violation stays."""
    result = outcome.result
    if result is None or result.verdict is not Verdict.VIOLATION:
        return

    def work() -> None:
        outcome.explanation = explain(result)

    _beside(outcome, "no counterexample", work)


def skew_it(outcome: Outcome, words: str, options: dict[str, Any]) -> None:
    """Asks what becomes of a violation if clocks are off by so much. Whatever happens to that, the violation stays."""
    result = outcome.result
    if result is None or result.verdict is Verdict.UNKNOWN:
        return
    if result.verdict is Verdict.LINEARIZABLE:
        outcome.notes.append("clocks that are off change nothing: wider intervals only allow more orders")
        return
    plainly = options | {"model": result.model, "certify": False, "proof": False}

    from linpoint.check.skew import clocked, skewed, span_of  # noqa: PLC0415 - few ask for it

    def work() -> None:
        history = clocked(result.history)
        outcome.skew = skewed(
            history, span_of(words, history), lambda history: search(history, budget=outcome.budget, **plainly).verdict
        )

    _beside(outcome, "no answer for --clock-skew", work)


def _beside(outcome: Outcome, missing: str, work: Callable[[], None]) -> None:
    """Does something beside the verdict: what ends it leaves a note of what is missing, and the verdict."""
    try:
        with attention.step(outcome.budget.left()):
            work()
        return
    except KeyboardInterrupt:
        why = attention.stopped()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    outcome.notes.append(f"{missing}: {why}")


def as_json(outcome: Outcome) -> str:
    """One line of JSON in ASCII, whatever happens on the way."""
    result = outcome.result
    if result is None:
        return ascii_json({"file": outcome.file, "error": outcome.error})
    try:
        with outcome.last_words():
            return ascii_json(_entries(outcome, outcome.explained(result).to_dict(whole=True)) | _skew(outcome))
    except KeyboardInterrupt:
        why = attention.stopped()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    outcome.notes.append(f"the evidence was not written: {why}")
    return ascii_json({"file": outcome.file, "verdict": str(result.verdict), "notes": outcome.notes})


def _entries(outcome: Outcome, said: dict[str, Any]) -> dict[str, Any]:
    entries: dict[str, Any] = {"file": outcome.file}
    for name, value in said.items():
        if name == "check_seconds":
            entries["load_seconds"] = outcome.load_seconds
        entries[name] = value
    return {**entries, "notes": outcome.notes} if outcome.notes else entries


def _skew(outcome: Outcome) -> dict[str, Any]:
    """What is said of clocks, if that was asked."""
    return {} if outcome.skew is None else {"clock_skew": outcome.skew.to_dict()}
