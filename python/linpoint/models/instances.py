"""Does an object answer for itself alone, whatever other objects did before it?

A class may keep something where all its objects find it: a global that is set once, a memo, a registry. The first object then
answers otherwise than all later ones, and no two of those differ from each other: whoever compares only runs that come late
sees a deterministic class. So new objects are run *first of all*, and again when everything is over:

    before    each operation that could be the first, alone on a new object, once forth and once back; then the history in the
              order of its calls, up to the first answer that was not recorded
    after     all of that again: a different answer is a ModelError

An operation that changed something outside (`outside.py`) before another one was run for the first time may have hidden what that
one answers by itself. What goes on changing with every call (a count of calls, a log) was seen in many states, and the answers
were the same. What was changed and then stays (a flag, a memo) was not: a violation is then no verdict. What was set before the
check began cannot be seen. Cost: at most a few hundred calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.values import show, tag
from linpoint.models import outside
from linpoint.models.model import fits, is_readonly
from linpoint.models.opaque import Opaque

MOST_FIRST = 32
"""So many different first operations are run alone."""

LONGEST = 64
"""Of a history so many operations are run in the order of their calls."""


@dataclass
class _Run:
    """Operations that are run on one new object, and what they answered."""

    operations: Sequence[Operation]
    answers: list[object] = field(default_factory=list)


class Instances:
    """Runs new objects of a class before and after a check.

    first    the operations that could be the first
    whole    operations of one object in the order of their calls
    """

    def __init__(self, model: Opaque, first: Sequence[Operation], whole: Sequence[Operation]) -> None:
        self._model = model
        calls: dict[Hashable, Operation] = {}
        for op in first:
            if op.ok:
                calls.setdefault(model._call(op).name, op)
        reads_first = sorted(calls.values(), key=lambda op: not is_readonly(model, op))
        self._alone = [_Run([op]) for op in reads_first[:MOST_FIRST]]
        self._whole = _Run([op for op in whole if op.ok or is_readonly(model, op)][:LONGEST])
        methods = {model._method(op.f) for run in (*self._alone, self._whole) for op in run.operations}
        self._outside = {words: get for name in sorted(methods) for words, get in model._reach(name).items()}
        self._at_first = outside.now(self._outside)

    def before(self) -> None:
        """Runs new objects, first of all."""
        for run in list(self._alone):
            try:
                run.answers = self._follow(run)
            except ModelError:
                if self._model._fault is not None:
                    raise
                self._alone.remove(run)  # a fault only if the check meets it, too
        for run in reversed(self._alone):
            self._again(run)
        try:
            self._whole.answers = self._follow(self._whole)
        except ModelError:
            if self._model._fault is not None:
                raise
            self._whole.operations = []

    def after(self, violation: bool) -> None:
        """Runs the same again, last of all; ModelError if the class cannot be a specification."""
        then = outside.now(self._outside)
        for run in (*self._alone, self._whole):
            self._again(run)
        changed = _changed(self._at_first, then)
        stays = changed - _changed(then, outside.now(self._outside))
        if violation and stays:
            raise self._model._at_fault(
                f"{self._model} changed {min(stays)}, which all objects share, and it stays so: what the methods that use it"
                " answered before cannot be seen. A specification keeps its state in the object. If this is no state, let it be"
                " set before the check"
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


def _changed(one: dict[str, Hashable], other: dict[str, Hashable]) -> set[str]:
    return {words for words in one.keys() & other.keys() if one[words] != other[words]}


def _difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    """The first place at which answers differ."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if tag(a) != tag(b)), None)
