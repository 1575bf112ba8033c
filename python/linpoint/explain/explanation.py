"""What a violation comes down to, or how far a search got: everything that is said about a result, as plain data.

An `Explanation` is made by `linpoint.explain(result)`. It holds its words and its picture's operations, so that it can be
printed, drawn and saved, and printed again from the file years later: nothing is judged anew.
"""

# ruff: noqa: PLC0415 - what draws is imported only when it is needed, so that `import linpoint` stays quick

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from typing import Any

from linpoint.check import Candidate, Result
from linpoint.history import History
from linpoint.verdict import Verdict


class Claim(Enum):
    """What is known of the operations of a counterexample."""

    WHATEVER_ELSE = "whatever else happened"
    """Together with any subset of all other operations they have no order."""
    AFTER_CUT = "after a cut"
    """From every configuration that can be reached at the cut they have no order, with any subset of what was called since."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Past:
    """All operations of a part that were called by the accused return."""

    operations: tuple[int, ...]
    """Their indices in the history."""
    history: History
    """The same, numbered anew."""


@dataclass(frozen=True)
class Cut:
    """A moment right behind a return, and every configuration that can be reached there."""

    after: int
    """The operation that returns, by index."""
    returned: int
    """How many operations of the part had returned by then, this one included."""
    reachable: tuple[Candidate, ...]
    """The configurations: an order of what came before that leads there, and the state."""
    early: tuple[tuple[int, ...], ...]
    """For each the operations that were still open and have taken effect; not those that only look."""
    others_open: bool
    """Were other operations of the part still open than those named in each? They may have taken effect as well."""
    part: str | None = None
    """The keys of the part that is meant, in words; None if the history is in one piece."""
    past: Past | None = None
    """Everything up to the accused return, for a test to paste; None if that is too much."""


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why a result is what it is. Print it to see words and a timeline. Operations are named by their index in the history."""

    verdict: Verdict
    model: str
    headline: str
    """The verdict in one line."""
    guessed: str | None
    """If the model was guessed: from what."""
    total: int
    """How many operations the history has."""
    accused: int | None
    """The operation whose return no order explains; of an unfinished search the one it got to."""
    claim: Claim | None
    """What is known of the operations of the counterexample; None if there is none."""
    shown: History
    """The operations to look at, numbered anew: the counterexample, or a part of the history."""
    operations: tuple[int, ...]
    """Their indices in the history."""
    support: tuple[int, ...]
    """Those of them that the contradiction could do without: they show where the others come from."""
    order: tuple[int, ...]
    """Those that take effect in the picture, in this order."""
    note: str
    """Which operations are shown, if not all and no counterexample; of a counterexample, why it may be none after all."""
    cut: Cut | None
    """Where the counterexample begins, if not in the initial state."""
    candidates: tuple[Candidate, ...]
    """Orders of the counterexample that explain every return before the accused one, each with the state it ends in."""
    minimal: bool
    """Without each operation, but those of `support`, could the others be explained? False if that was not tried out."""
    confirmed: bool | None
    """Was the claim confirmed by trying all orders in Python? None: too large for that."""
    sequential: tuple[int, ...] | None
    """An order that explains the counterexample if only the order of each process counts (sequential consistency)."""
    words: tuple[str, ...]
    """The explanation, line by line."""
    footer: str
    """How it was found, and how sure that is."""
    result: Result | None = None
    """What it explains; None if it was loaded."""

    @property
    def counterexample(self) -> History | None:
        """For a violation: few operations that show it, numbered anew. See `claim` for what is known of them."""
        return None if self.claim is None else self.shown

    @property
    def omitted(self) -> int:
        """How many operations are not shown."""
        return self.total - len(self.operations)

    @property
    def points(self) -> tuple[int, ...]:
        """`order` as it is in the picture: places in `shown`."""
        place = {index: number for number, index in enumerate(self.operations)}
        return tuple(place[index] for index in self.order if index in place)

    @property
    def crossed_out(self) -> int | None:
        """The place of the accused operation in `shown`."""
        return self.operations.index(self.accused) if self.accused in self.operations else None

    def to_dict(self, *, whole: bool = False) -> dict[str, Any]:
        """Everything, fit for JSON.

        `whole`: with its result, as `linpoint check --json` prints them, but for `file` and `load_seconds`.
        """
        from linpoint.explain.certificate import explanation_to_dict, said_of

        if not whole:
            return explanation_to_dict(self)
        return {**({} if self.result is None else self.result.to_dict()), **said_of(self)}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a report (`.html`), a picture (`.svg`) or a certificate that can be re-validated (`.json`)."""
        from linpoint.explain.save import save

        save(self, os.fspath(path))

    def __str__(self) -> str:
        """The verdict in words and as a timeline."""
        from linpoint.explain.report import plain

        return plain(self)

    def _repr_html_(self) -> str:
        """Words and timeline, for a notebook."""
        from linpoint.explain.timeline.svg import scene
        from linpoint.history.timeline.notebook import html

        return html(scene(self), (*self.words, self.footer))

    def __repr__(self) -> str:
        return f"<Explanation: {self.headline}>"
