"""Is every history of this object linearizable, and does it always get on? Explore, reduce, compare (seed 002).

    explore the object  ──▶ Δ ──▶ Δ/≈ ─┐
                                        ├─▶ is every trace of Δ/≈ one of Θ/≈?     (Theorems 9 and 10)
    run the model ──▶ table ──▶ Θ ──▶ Θ/≈ ┘
    Δ ≈div Θ: linearizable and lock-free at once                                   (Corollary 15)
    Δ ≈div an abstract object: the same progress properties                        (Theorem 14)

X. Yang, J.-P. Katoen, H. Lin, H. Wu, "Proving Linearizability via Branching Bisimulation". What is proved is proved for this
client: so many threads, operations and values. A violation is one whatever the bound.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from linpoint.budget import Budget
from linpoint.check import check
from linpoint.errors import InternalError, Interrupted, Unfinished, UsageError
from linpoint.history.door import door
from linpoint.language import Object, compile_object, ir
from linpoint.language.compiler import Granularity
from linpoint.library.studies import STUDIES, Study
from linpoint.lts import Answer, Lts
from linpoint.models import Model
from linpoint.verdict import Cause, Verdict
from linpoint.verify.client import Call, Client, chosen, menu_of, positive, values_of, written
from linpoint.verify.explorer import Explored, Limits, Means, Progress, workers_available
from linpoint.verify.interleaving import history_of, interleaving
from linpoint.verify.progress import progress_of
from linpoint.verify.specification import Table, atomic, model_of, spec_name
from linpoint.verify.symmetry import checked, must_be_alike, must_be_sound
from linpoint.verify.verification import Counterexample, Verification

MOST_THREADS, MOST_OPS = 8, 100
MOST_WORKERS, MOST_STATES = 1024, 2**31
CONFIRM = 10
"""Seconds for a second opinion on the history of a counterexample, a handful of operations."""

Target = str | type
"""The name of a study, `file.py:Class`, or a class of the algorithm language."""


@dataclass(frozen=True)
class Asked:
    """What `verify` was asked."""

    target: Target
    spec: object
    threads: int
    ops: int
    values: int | None
    methods: Sequence[str] | None
    abstract: Target | None
    granularity: Granularity
    symmetry: Sequence[str]

    @property
    def study(self) -> Study | None:
        """The study that is meant, if it is one."""
        return _study(self.target)

    def compiled(self, target: Target) -> ir.Program:
        """A study or a class of the language in instructions."""
        study = _study(target)
        source = target if study is None else study.cls
        return compile_object(source, threads=self.threads, ops=self.ops, granularity=self.granularity)


def _study(target: Target) -> Study | None:
    found = STUDIES.get(target) if isinstance(target, str) else None
    if found is None and isinstance(target, str) and ".py:" not in target:
        raise UsageError(f"there is no study {target!r}: {', '.join(STUDIES)}; your own is file.py:Class")
    return found


def work(
    asked: Asked, budget: Budget, workers: int | None, states: int | None, progress: Progress | None
) -> Verification:
    """Verifies: see `verify`."""
    study, spec = asked.study, asked.spec
    positive(asked.threads, "threads", MOST_THREADS)
    positive(asked.ops, "operations per thread", MOST_OPS)
    if workers is not None:
        positive(workers, "cores", MOST_WORKERS)
    if states is not None:
        positive(states, "states", MOST_STATES)
    if spec is None:
        if study is None:
            raise UsageError("which specification? Name one: spec='stack', or a model or class of your own")
        spec = study.spec
    count = asked.values if asked.values is not None else 2 if study is None else study.values
    program = asked.compiled(asked.target)
    menu = chosen(_menu(asked, program, values_of(count)), asked.methods, program)
    symmetry = checked(asked.symmetry)
    must_be_sound(symmetry, program, menu, count)
    if symmetry and asked.abstract is not None:
        raise UsageError("an abstract object is compared on all runs: leave out the symmetry")
    client = Client(asked.threads, asked.ops, menu, symmetry, count)
    means = Means(budget, workers or workers_available(), states, progress)
    named = asked.target if isinstance(asked.target, str) else asked.target.__name__
    calls = tuple(map(written, client.menu))
    start = Verification(named, spec_name(spec), asked.threads, asked.ops, count, Verdict.UNKNOWN, calls, symmetry)
    abstract = None if asked.abstract is None else asked.compiled(asked.abstract)
    return _Work(program, client, means, start).run(spec, abstract, asked.abstract)


def _menu(asked: Asked, program: ir.Program, values: tuple[int, ...]) -> list[Call]:
    study = asked.study
    if study is None:
        return menu_of(program, values)
    return study.menu(values) + (study.optional(values) if asked.methods is not None else [])


class _Work:
    """A verification on its way: what is known so far stays known when the budget ends."""

    def __init__(self, program: ir.Program, client: Client, means: Means, known: Verification) -> None:
        self._program, self._client, self._means = program, client, means
        self._known = known

    def run(self, spec: object, abstract: ir.Program | None, abstract_name: Target | None) -> Verification:
        try:
            self._all(spec, abstract, abstract_name)
        except Unfinished as error:
            if error.cause is Cause.INTERRUPTED:
                raise self._interrupted() from None
            many = error.cause is Cause.WORK and self._means.states is not None
            self._learn(cause=error.cause, note=f"more than {self._means.states:,} states" if many else None)
        except KeyboardInterrupt:
            raise self._interrupted() from None
        return self._known

    def _interrupted(self) -> Interrupted:
        """Ctrl-C, with what was known at that moment."""
        if self._known.verdict is Verdict.UNKNOWN:
            self._learn(cause=Cause.INTERRUPTED)
        return Interrupted(self._known)

    def _learn(self, **news: Any) -> None:
        self._known = replace(self._known, **news)

    def _all(self, spec: object, abstract: ir.Program | None, abstract_name: Target | None) -> None:
        explored = Explored(self._program, self._client, self._means)
        self._learn(explore_seconds=explored.seconds, states=explored.states, transitions=explored.transitions)
        if explored.core.failure is not None:
            self._failed(explored, *explored.core.failure)
            return
        quotient, divergence = self._reduce(explored)
        self._refine(explored, quotient, divergence, spec)
        progress = progress_of(explored, self._means)
        self._learn(lassos=progress.shown, wait_free_not_known=progress.not_known, **progress.holds)
        if self._known.verdict is Verdict.LINEARIZABLE:
            shown = (progress.shown[name] for name in ("deadlock_free", "lock_free") if name in progress.shown)
            self._learn(counterexample=next(shown, None))
        if abstract is not None:
            self._compare(divergence, abstract, abstract_name)

    def _limits(self) -> Limits:
        return self._means.limits()

    def _reduce(self, explored: Explored) -> tuple[Lts, Lts]:
        """The two quotients; they are one where nothing diverges."""
        begun = time.perf_counter()
        system = explored.lts()
        quotient = system.reduce("branching", budget=self._means.budget)
        self._learn(quotient_states=quotient.states)
        divergence = quotient
        if explored.divergence is not None:
            divergence = system.reduce("divergence", budget=self._means.budget)
        seconds = explored.numbering + time.perf_counter() - begun  # states are numbered so that this is fast
        self._learn(divergence_quotient_states=divergence.states, reduce_seconds=seconds)
        return quotient, divergence

    def _refine(self, explored: Explored, quotient: Lts, divergence: Lts, spec: object) -> None:
        """Builds the specification and compares."""
        begun, budget = time.perf_counter(), self._means.budget
        model, theta, symbols = self._specification(spec, explored)
        reduced = theta.reduce("branching", budget=budget)
        self._learn(spec_states=theta.states, spec_quotient_states=reduced.states)
        inclusion = quotient.included_in(reduced, budget=budget)
        if inclusion.answer is Answer.UNKNOWN:
            raise Unfinished(inclusion.cause)
        if inclusion.trace is None:
            self._learn(verdict=Verdict.LINEARIZABLE)
            if not self._client.symmetry:
                same = divergence.compare(theta, "divergence", budget=budget).answer
                self._learn(bisimilar={Answer.YES: True, Answer.NO: False}.get(same))
        else:
            shown = self._history(explored, inclusion.trace, model, symbols)
            self._learn(verdict=Verdict.VIOLATION, bisimilar=False, counterexample=shown)
        self._learn(refine_seconds=time.perf_counter() - begun)

    def _specification(self, spec: object, explored: Explored) -> tuple[Model | None, Lts, Sequence[str]]:
        """Θ_sp, and the model that it is made of, if there is one."""
        in_language = (isinstance(spec, str) and ".py:" in spec) or (
            isinstance(spec, type) and issubclass(spec, Object)
        )
        if in_language and isinstance(spec, str | type):
            program = compile_object(spec, threads=self._client.threads, ops=self._client.ops)
            must_be_sound(self._client.symmetry, program, self._client.menu, self._client.values)
            theta = Explored(atomic(_fitting(program, self._program)), self._client, self._means)
            if theta.core.failure is not None:
                raise UsageError(f"the specification fails: {_where(theta.program, *theta.core.failure[:2])}")
            return None, theta.lts(), program.symbols
        model = model_of(spec)
        must_be_alike(self._client.symmetry, model)
        table = Table(model, self._client, self._program, explored.returns())
        with door():
            return model, Lts._of(table.lts(**self._limits())), table.symbols

    def _history(
        self, explored: Explored, trace: Sequence[str], model: Model | None, symbols: Sequence[str]
    ) -> Counterexample:
        run = explored.along(trace)
        shown = None if run is None else interleaving(explored, run)
        if shown is None:
            raise InternalError("the run of the counterexample was not found again")
        history = history_of(trace, self._client.menu, symbols)
        if model is not None and check(history, model, timeout=CONFIRM).verdict is Verdict.LINEARIZABLE:
            raise InternalError(f"the checker explains the history of the counterexample: {', '.join(trace)}")
        words = "the calls and returns of this run are those of no run of the specification"
        return Counterexample("history", words, shown, history, model)

    def _failed(self, explored: Explored, words: str, position: int, limit: bool) -> None:
        """An instruction failed: a mistake of the object, or a limit of ours."""
        where = _where(self._program, words, position)
        if limit:
            self._learn(cause=Cause.GAVE_UP, note=where)
            return
        run = explored.to_failure()
        shown = None if run is None else interleaving(explored, run, failing=True)
        self._learn(verdict=Verdict.VIOLATION, counterexample=Counterexample("fault", where, shown))

    def _compare(self, divergence: Lts, abstract: ir.Program, name: Target | None) -> None:
        """Theorem 14."""
        other = Explored(_fitting(abstract, self._program), self._client, self._means)
        if other.core.failure is not None:
            raise UsageError(f"the abstract object fails: {_where(other.program, *other.core.failure[:2])}")
        found = divergence.compare(other.lts(), "divergence", budget=self._means.budget)
        if found.answer is Answer.UNKNOWN:
            raise Unfinished(found.cause)
        self._learn(
            abstract=name if isinstance(name, str) else getattr(name, "__name__", None),
            abstract_bisimilar=found.answer is Answer.YES,
            abstract_difference=None if found.answer is Answer.YES else str(found),
        )


def _where(program: ir.Program, words: str, position: int) -> str:
    """What failed, and at which line."""
    code = [step for method in (program.initial, *program.methods) for step in method.code]
    return f"{words} (line {code[position].line} of {program.file})"


def _fitting(program: ir.Program, model: ir.Program) -> ir.Program:
    """The program, if it has every method of the other with as many parameters."""
    known = {method.name: len(method.parameters) for method in program.methods}
    for method in model.methods:
        if known.get(method.name) != len(method.parameters):
            raise UsageError(f"{program.name} has no method {method.name} with {len(method.parameters)} parameters")
    return program
