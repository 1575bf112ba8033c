"""Does an object answer for itself alone, whatever other objects did before it?

A class may keep something where all its objects find it: a global that is set once, a memo, a registry. The first object then
answers otherwise than all later ones, and no two of those differ from each other: whoever compares only runs that come late
sees a deterministic class. So new objects are run *first of all*, and again when everything is over:

    before    each operation that could be the first, alone on a new object, once forth and once back; then the history in a few
              orders, each up to the first answer that was not recorded
    after     all of that again: a different answer is a ModelError

An operation that changed something outside of the object (`outside.py`) before another one was run for the first time may have
hidden what that one answers by itself. So all of that is run once more with what was there at first. What cannot be found in the
code of the methods, and was set before, cannot be seen. Cost: at most a few hundred calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.values import show, tag
from linpoint.models import outside
from linpoint.models.model import fits, is_readonly
from linpoint.models.opaque import Opaque

MOST_FIRST = 32
"""So many different first operations are run alone."""


@dataclass
class _Run:
    """Operations that are run on one new object, and what they answered."""

    operations: Sequence[Operation]
    answers: list[object] = field(default_factory=list)


class Instances:
    """Runs new objects of a class before and after a check.

    first    the operations that could be the first
    orders   orders of the operations of one object that respect real time
    """

    def __init__(self, model: Opaque, first: Sequence[Operation], orders: Iterable[Sequence[Operation]]) -> None:
        self._model = model
        calls: dict[Hashable, Operation] = {}
        for op in first:
            if op.ok:
                calls.setdefault(model._call(op).name, op)
        reads_first = sorted(calls.values(), key=lambda op: not is_readonly(model, op))
        self._alone = [_Run([op]) for op in reads_first[:MOST_FIRST]]
        self._whole = [_Run([op for op in order if op.ok or is_readonly(model, op)]) for order in orders]
        methods = {model._method(op.f) for run in (*self._alone, *self._whole) for op in run.operations}
        self._class = type(model._looked_at())
        self._outside = {words: place for name in sorted(methods) for words, place in model._reach(name).items()}
        outside.look_at(self._class, self._outside)

    def before(self) -> None:
        """Runs new objects, first of all."""
        self._alone = self._tried(self._alone)
        for run in reversed(self._alone):
            self._again(run)
        self._whole = self._tried(self._whole)

    def _tried(self, runs: Sequence[_Run]) -> list[_Run]:
        """Runs these for the first time. One that meets a fault is left out: it is one only if the check meets it, too."""
        tried = []
        for run in runs:
            try:
                run.answers = self._follow(run)
                tried.append(run)
            except ModelError:
                if self._model._fault is not None:
                    raise
        return tried

    def after(self) -> None:
        """Runs the same again, last of all; ModelError if the class cannot be a specification."""
        runs = (*self._alone, *self._whole)
        for run in runs:
            self._again(run)
        names = outside.changed(self._class, self._outside)
        for run in runs if names else ():
            with outside.as_at_first(self._class, self._outside, names):
                self._model._look_anew()
                answers = self._follow(run)
            self._model._look_anew()
            place = _difference(answers, run.answers)
            if place is not None:
                op, once, now = run.operations[place], show(answers[place]), show(run.answers[place])
                raise self._model._at_fault(
                    f"{self._model._answering(op)} depends on something outside of the object ({', '.join(names)}), which was"
                    f" changed: on a new object {op.invocation} gives {once} with what was there at first, and {now} after the"
                    " change. A specification keeps its state in the object"
                )

    def _follow(self, run: _Run) -> list[object]:
        """What a new object answers, up to the first answer that was not recorded."""
        model, answers = self._model, list[object]()
        thing = model._fresh()
        for op in run.operations:
            answers.append(model._ran(thing, model._call(op)))
            if op.ok and not fits(answers[-1], op.result):
                break
        return answers

    def _again(self, run: _Run) -> None:
        """The same answers as at first?"""
        answers = self._follow(run)
        place = _difference(run.answers, answers)
        if place is None:
            return
        op, once, again = run.operations[place], show(run.answers[place]), show(answers[place])
        if _difference(answers, self._follow(run)) is None:
            raise self._model._at_fault(
                f"{self._model._answering(op)} depends on something outside of the object, such as what other objects did:"
                f" on a new object {op.invocation} gave {once} at first and, after the same calls, {again} later."
                " A specification keeps its state in the object"
            )
        raise self._model._answers_differently(op, once, again)


def _difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    """The first place at which answers differ."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if tag(a) != tag(b)), None)
