"""Is this helper method atomic? From functions, a file or a folder to a verdict on each extension method.

Nothing of what is read is imported or run. Methods of one class (or one module) on the same object form a group:
where the theorems allow it each is verified alone, otherwise with calls of all of them in the environment.
"""

from __future__ import annotations

import os
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from linpoint.budget import Budget
from linpoint.errors import LanguageError, UsageError
from linpoint.extend.base import Base
from linpoint.extend.closure import Answer
from linpoint.extend.closure import replaceable as replaceable_program
from linpoint.extend.decide import Decision, decide, most_operations, saved
from linpoint.extend.lower import Lowering
from linpoint.extend.program import Program
from linpoint.extend.repair import repair
from linpoint.extend.result import Extension
from linpoint.extend.sorts import grouped
from linpoint.extend.surroundings import Surroundings, survey
from linpoint.extend.targets import Target, target_of, targets
from linpoint.language.source import Source, read_source, source_of
from linpoint.verdict import Verdict


def extend_functions(
    functions: Iterable[tuple[Callable[..., Any], dict[str, Any]]], budget: Budget
) -> tuple[Extension, ...]:
    """The verdict on each of these functions, which are judged together; with each its options, as `extension` takes them."""
    found = []
    known: dict[str, Surroundings] = {}
    for function, options in functions:
        if not isinstance(function, types.FunctionType):
            raise UsageError(f"{function!r} is not a function written in Python")
        source, node = source_of(function)
        around = known.setdefault(source.file, survey(source))
        owner = function.__qualname__.rpartition(".")[0]
        target = target_of(function.__qualname__.rpartition(".")[2], node, around.classes.get(owner), owner, options)  # type: ignore[arg-type]
        found.append((target, around))
    return tuple(_judged(found, False, budget, together=True))


def replaceable(function: Callable[..., Any], base: Base) -> Answer | None:
    """Is every call of a method as good as one base call of a finite object, both ways? None if that is not known."""
    source, node = source_of(function)  # type: ignore[arg-type]
    around = survey(source)
    target = target_of(function.__name__, node, None, "", {"base": base})  # type: ignore[arg-type]
    lowering = Lowering(target.name, target.function, base, target.on, around)
    program = lowering.program()
    if lowering.refusals:
        first = lowering.refusals[0]
        raise LanguageError(first.reason, "", source.file, first.line, first.column)
    return replaceable_program(grouped(base, [program]), program)


def extend_file(
    path: str | os.PathLike[str],
    function: str = "",
    *,
    pure: Iterable[str] = (),
    assume_pure: bool = False,
    budget: Budget | None = None,
    every: bool = True,
) -> list[Extension]:
    """Every extension method of a file, or the one that is named; with `every=False` none with a single base operation."""
    return extend_source(read_source(path), function, pure=pure, assume_pure=assume_pure, budget=budget, every=every)


def extend_source(
    source: Source,
    function: str = "",
    *,
    pure: Iterable[str] = (),
    assume_pure: bool = False,
    budget: Budget | None = None,
    every: bool = True,
) -> list[Extension]:
    """The same for a file that was read."""
    around = survey(source)
    if function:
        source.find_function(function)
    given = frozenset(pure)
    found = [(replace(target, pure=target.pure | given), around) for target in targets(around, function)]
    return list(_judged(found, assume_pure, budget or Budget.start(), every or bool(function)))


def walk(
    paths: Iterable[str | os.PathLike[str]],
    *,
    pure: Iterable[str] = (),
    assume_pure: bool = False,
    budget: Budget | None = None,
    trouble: Callable[[str, str], None] = lambda _file, _words: None,
) -> Iterator[Extension]:
    """The extension methods of all Python files in folders: what looks and acts on a shared dict in several steps.

    A file that cannot be read is told to `trouble` and left out.
    """
    clock = budget or Budget.start()
    for path in python_files(paths):
        try:
            yield from extend_file(path, pure=pure, assume_pure=assume_pure, budget=clock, every=False)
        except LanguageError as error:
            trouble(path, str(error))


def python_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[str]:
    """The Python files in folders, in a fixed order, and the files that are given themselves."""
    for given in paths:
        path = os.fspath(given)
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
            yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))


def _judged(
    found: list[tuple[Target, Surroundings]],
    assume_pure: bool,
    budget: Budget,
    every: bool = True,
    together: bool = False,
) -> Iterator[Extension]:
    """Lowers all targets, puts them into groups, and decides each; `together`: all on the same kind of base are one group."""
    lowered: list[tuple[Target, Lowering, Program]] = []
    for target, around in found:
        lowering = Lowering(
            target.name.rpartition(".")[2],
            target.function,
            target.base,
            target.on,
            around,
            target.scope,
            target.pure,
            target.makers,
            assume_pure,
        )
        lowered.append((target, lowering, lowering.program()))
    for target, lowering, program in lowered:
        if not every and not target.declared and most_operations(program) < 2:
            continue
        companions = [
            companion
            for other, other_lowering, companion in lowered
            if companion is not program
            and not (other_lowering.refusals or other.complaint)
            and other.base == target.base
            and (together or (other.shared and (other.owner_of_base, other.on) == (target.owner_of_base, target.on)))
        ]
        yield _one(target, lowering, program, companions, budget)


def _one(target: Target, lowering: Lowering, program: Program, companions: list[Program], budget: Budget) -> Extension:
    source = lowering.surroundings.source
    blank = Extension(
        target.name,
        source.file,
        target.function.lineno,
        f"{target.base.name} {target.on}",
        Verdict.UNKNOWN,
        assumptions=tuple(lowering.assumptions),
    )
    if target.complaint:
        return replace(blank, cause=target.complaint)
    if not program.calls() and not lowering.refusals:
        return replace(blank, cause=f"it makes no operation on {target.on}")
    if lowering.refusals:
        return replace(
            blank,
            cause="not covered: it is not encapsulated, or beyond what is read",
            refusals=tuple(lowering.refusals),
        )
    begun = time.perf_counter()
    decision = decide(grouped(target.base, [program, *companions]), program, budget.spent)
    return replace(_told(blank, decision, program, target.base, source), seconds=time.perf_counter() - begun)


def _told(blank: Extension, decision: Decision, program: Program, base: Base, source: Source) -> Extension:
    told = replace(
        blank,
        verdict=decision.verdict,
        reduction=decision.reduction,
        states=decision.states,
        cause=decision.cause,
        checked=tuple(decision.checked),
    )
    if decision.violation is None:
        return told
    lines = {move.line: source.line(move.line).strip() for move in decision.violation.moves if move.line}
    return replace(
        told,
        interleaving=decision.violation.moves,
        initially=decision.violation.initial,
        history=decision.violation.history,
        model=decision.violation.model,
        repair=repair(program, base),
        lines=lines,
    )


def unreduced(source: Source, result: Extension, pure: Iterable[str] = (), assume_pure: bool = False) -> str:
    """For `--why`: how many states the driver of Theorem 1 has without further reductions."""
    around = survey(source)
    for target in targets(around, result.name):
        given = frozenset(pure) | target.pure
        lowering = Lowering(
            target.name,
            target.function,
            target.base,
            target.on,
            around,
            target.scope,
            given,
            target.makers,
            assume_pure,
        )
        program = lowering.program()
        found = saved(grouped(target.base, [program]), program)
        more = "more than " if found.reason else ""
        return f"without these reductions the driver of Theorem 1 has {more}{found.states:,} states instead of {result.states:,}"
    return ""
