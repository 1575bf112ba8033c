"""Is it allowed? From a history and a model to a verdict with evidence.

The compiled core decides: it splits the history into parts (P-compositionality, Horn & Kroening, FORTE 2015) and takes the
cheapest exact method for each (`crates/check/src/portfolio.rs`): a monitor, a scan, or a search. Its evidence is re-checked here
(`certify.py`) before the verdict is reported, unless `certify=False`.
Time and memory are bounded; what is known at the bound comes back as UNKNOWN with its cause.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from linpoint import _core
from linpoint._core import Stuck
from linpoint.budget import Budget, default_threads, parse_cache
from linpoint.check import own
from linpoint.check.adapter import last_seconds
from linpoint.check.certify import Contradiction, certify_violation, certify_witness
from linpoint.check.found import Found, Known
from linpoint.check.methods import DEEPEST, Progress, method_named
from linpoint.check.replay import replay
from linpoint.check.result import Result
from linpoint.check.rivals import agreed
from linpoint.errors import InternalError, Interrupted, ModelError, UsageError
from linpoint.history import History, Operation
from linpoint.history.door import door
from linpoint.models import Model, Opaque, Shipped, guess, is_native, resolve
from linpoint.verdict import Cause, Verdict


def check(
    history: History | Iterable[Operation | Mapping[str, Any]],
    model: Model | type[Model] | str | None = None,
    *,
    method: str = "auto",
    timeout: float | str | None = None,
    memory: int | str | None = None,
    partition: bool = True,
    cache: int | str | None = None,
    depth: int | None = None,
    proof: bool = False,
    certify: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
    native: bool = True,
    budget: Budget | None = None,
) -> Result:
    """Decides whether a history is linearizable.

    history    a History, or operations to make one of
    model      an instance or class of your own or of `linpoint.models`, words such as "cas-register:initial=0", or None:
               then it is guessed from the operations, and `result.guessed` says from what. Where several models have these
               operations, all are asked, and AmbiguousModelError names their verdicts if they differ
    method     one of `linpoint.METHODS`
    timeout    seconds, or words such as "2m"; None: as long as it takes
    memory     bytes that the work may take beside the history, or words such as "2GiB"; None: half of what is available
    partition  judge independent parts (keys, objects) apart: much faster, and never another verdict
    cache      for method "wgl" only: forget all but so many configurations ("lru:10000")
    depth      for method "hitting" only: run the schedules of no deeper families than this; None: as deep as it takes
    proof      for method "solve" only: let `result.proof` of a violation be a proof that others can check
    certify    re-check the evidence, by code that shares nothing with the search, before reporting it
    threads    None: as many as there are cores
    progress   called about ten times a second with (share explained so far, configurations)
    native     False runs a shipped model through its Python form: slower, for testing
    budget     instead of timeout and memory: one whose clock runs already, as the command line starts it before it reads

    Ctrl-C raises `Interrupted`, a KeyboardInterrupt whose `result` holds what is known: UNKNOWN, or the verdict if it was found.
    """
    given, budget = budget, Budget.given(timeout, memory, budget)
    if not isinstance(history, History):
        history = History(history)
    try:
        judge, guessed, rivals = guess(history) if model is None else (resolve(model), None, ())
    except ModelError as error:
        _locate(error, history)
        raise
    if cache is not None and method_named(method) != "wgl":
        raise UsageError('a cache is for method="wgl"; the other methods have none')
    if depth is not None and method_named(method) != "hitting":
        raise UsageError('a depth is for method="hitting"; the other methods have none')
    if depth is not None and (type(depth) is not int or not 1 <= depth <= DEEPEST):
        raise UsageError(f"a depth is a whole number from 1 to {DEEPEST:,}, not {depth!r}")
    if proof and method_named(method) != "solve":
        raise UsageError('a proof is for method="solve"; the other methods have none')
    if threads is not None and threads < 1:
        raise UsageError(f"{threads} threads cannot do anything: give at least 1")
    rest: dict[str, Any] = {
        "method": method,
        "partition": partition,
        "cache": cache,
        "depth": depth,
        "threads": threads,
        "native": native,
    }
    known = Known()
    request: _core.CheckRequest = {
        "method": method_named(method),
        "partition": partition,
        "cache": None if cache is None else parse_cache(cache),
        "depth": depth,
        "proof": proof,
        "timeout": budget.left(),
        "memory": budget.memory,
        "threads": threads or default_threads(),
        "progress": progress,
        "keep": known.keep(),
    }

    def ask(rival: Model) -> Result:
        try:
            return check(history, rival, **rest, budget=budget, certify=False)
        except Interrupted:
            raise KeyboardInterrupt from None  # what is known of a rival is no answer

    begun = time.perf_counter()
    sure: Result | None = None
    try:
        cause = _search(history, judge, budget, request, native, known)
        found = known.found() or Found.nothing(time.perf_counter() - begun, cause)
        result = agreed(_result(found, history, judge, guessed, budget), rivals, ask)
        if result.cause is Cause.INTERRUPTED:
            raise Interrupted(result)
        sure = _certified(result, budget, request["threads"], native) if certify else result
        return sure if given is not None else replace(sure, budget=budget.paused())
    except ModelError as error:
        _locate(error, history)
        raise
    except Interrupted:
        raise
    except KeyboardInterrupt:
        if sure is None:
            answer = None if rivals else known.found()  # without the rivals' answers there is none
            found = answer or Found.nothing(time.perf_counter() - begun, "interrupted")
            sure = _result(found, history, judge, guessed, budget)
            sure = _without_witness(sure, "interrupted") if certify else sure
        raise Interrupted(sure) from None


def _locate(error: ModelError, history: History) -> None:
    """A ModelError that blames an operation says the line of the file that it came from, too."""
    if error.line is None and error.operation is not None:
        error.line = history[error.operation].line


def _search(
    history: History, model: Model, budget: Budget, request: _core.CheckRequest, native: bool, known: Known
) -> str:
    """Lets the core search, with its own form of the model or with the Python one. Where it could not begin: why."""
    if native and is_native(model) and isinstance(model, Shipped):
        with door():
            _core.check_native(history.columns, model.name, model.options, request)
        return ""

    def ask(asked: own.Asked) -> None:
        more: _core.CheckRequest = {**request, "timeout": budget.left(), "keep": known.keep(asked.holds)}
        _core.check_python(history.columns, asked.adapter, asked.fields, more)
        found = known.found()
        if found is not None and found.verdict is not Verdict.UNKNOWN:
            asked.look_back(budget)

    try:
        own.ask_core(history, model, budget, request["partition"], ask)
    except own.Stopped as stopped:
        return stopped.cause
    return ""


def _result(found: Found, history: History, model: Model, guessed: str | None, budget: Budget) -> Result:
    cause = None if found.cause is None else Cause.parse(found.cause)
    return Result(
        verdict=found.verdict,
        history=history,
        model=model,
        evidence=found.evidence,
        statistics=found.statistics,
        cause=cause,
        why=found.cause,
        guessed=guessed,
        budget=budget,
        proof=found.proof,
        states=model.states_in(found.statistics.method) if isinstance(model, Opaque) else None,
    )


def _certified(result: Result, budget: Budget, threads: int, native: bool) -> Result:
    """The result with its evidence re-checked; InternalError if the evidence is wrong."""
    start = time.perf_counter()
    replayed: list[tuple[bool, bool | None]] = []
    memory = None if is_native(result.model) else budget.memory
    try:
        if native and replay(result, budget, threads):
            return _with_replay(result, start, True, None)
        if is_native(result.model) and budget.seconds is None:
            replayed.append(_replayed(result, memory))
        else:
            own.guarded(lambda: replayed.append(_replayed(result, memory)), last_seconds(budget))
        return _with_replay(result, start, *replayed[0])
    except Contradiction as error:
        raise _blamed(error, result) from error
    except own.Stopped as stopped:
        result = _without_witness(result, stopped.cause)
        if stopped.cause == "interrupted":
            raise Interrupted(result) from None
        return _with_replay(result, start, False, None)
    except KeyboardInterrupt:
        known = _with_replay(result, start, *replayed[0]) if replayed else _without_witness(result, "interrupted")
        raise Interrupted(known) from None


def _with_replay(result: Result, start: float, certified: bool, confirmed: bool | None) -> Result:
    """The result with what came of its replay, which began at `start`."""
    statistics = replace(result.statistics, certify_seconds=time.perf_counter() - start)
    return replace(result, statistics=statistics, certified=certified, confirmed=confirmed)


def _replayed(result: Result, memory: int | None) -> tuple[bool, bool | None]:
    """(Was the witness found right? Was the violation confirmed?) Each as far as that can be told."""
    if result.verdict is Verdict.LINEARIZABLE:
        if result.order is None:
            raise InternalError("a history was called linearizable without a witness")
        return certify_witness(result.history, result.model, result.order, memory), None
    if result.verdict is Verdict.VIOLATION:
        return False, certify_violation(result.history, result.model, result.stuck_index, result.parts, memory)
    return False, None


def _without_witness(result: Result, cause: str) -> Result:
    """What stays when certification was stopped: a witness that was not replayed is none; a violation stays one."""
    if result.verdict is not Verdict.LINEARIZABLE:
        return result
    why = f"{cause} while certifying" if cause == "interrupted" else cause
    return replace(result, verdict=Verdict.UNKNOWN, cause=Cause.parse(cause), why=why, evidence=Stuck(None))


def _blamed(error: Contradiction, result: Result) -> InternalError | ModelError:
    """Search and replay disagree. A shipped model: a bug in linpoint. A user's model: it said one thing, then another."""
    if is_native(result.model):
        return error
    method = result.model._answering(result.history[error.operation])
    if isinstance(result.model, Opaque) and result.model._state is not None:
        doubt = ", or the given state= is the same for two states that differ"
    else:
        doubt = ""
    return ModelError(f"the model answers differently when it is run again{doubt}: {method} ({error})", error.operation)
