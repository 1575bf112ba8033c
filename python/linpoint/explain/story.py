"""Why, in words, from the smallest history that is impossible: who contradicts whom, and what would be needed."""

from __future__ import annotations

from linpoint.check import Counterexample, Result, place
from linpoint.errors import LinpointError
from linpoint.explain.shrink.keep import Overwritten, rule_for
from linpoint.explain.shrink.roles import Left, Role, roles_of
from linpoint.explain.weaker import sequential_order
from linpoint.explain.words import why
from linpoint.models import Kinds, by_kind

MOST_SEARCHED = 100_000
"""In longer histories nobody looks for the origin of a value: it would take longer than the check."""
MANY = 40
"""Of more operations than these the last are listed: a screenful."""


def story(result: Result, counterexample: Counterexample) -> list[str]:
    """The explanation of a violation, line by line."""
    small = counterexample
    count = len(small.history)
    what = "This operation" if count == 1 else f"These {count:,} operations"
    verb = ("contradicts" if count == 1 else "contradict") if small.faithful else ("is" if count == 1 else "are")
    rest = " itself" if count == 1 else " each other"
    claim = (
        f"{verb}{rest}, whatever else happened"
        if small.faithful
        else f"{verb} impossible on {'its' if count == 1 else 'their'} own"
    )
    lines = [f"{what} of {len(result.history):,} {claim}:"]
    if count > MANY:
        lines.append(f"  … {count - MANY:,} earlier ones (result.shrunk.operations, and --save, have them all)")
    lines += [f"  {place(result.history[index])}" for index in small.operations[-MANY:]]
    if small.bystanders:
        who = (
            "1 pending operation in view cannot help and is"
            if small.bystanders == 1
            else (f"{small.bystanders:,} pending operations in view cannot help and are")
        )
        lines.append(f"  ({who} not shown)")
    if not small.minimal:
        lines.append("  (perhaps not the smallest such history: the time was up)")
    if not small.faithful:
        lines.append("  (operations were left out that the model may need: read it together with the whole history)")
    lines += ["", *why(small.evidence)]
    origin = _origin(result, small)
    if origin:
        lines += ["", origin]
    order = sequential_order(small.history, result.model)
    if order is not None:
        shown = ", ".join(str(small.history[index]) for index in order)
        lines += ["", f"Not linearizable, but these operations are sequentially consistent: {shown}"]
    return lines


def _roles_in(result: Result, kinds: Kinds) -> tuple[list[int], list[int], tuple[Left, list[Role]] | None]:
    """(the kind of each operation, the kinds in the scope of the evidence, what is known of their roles)."""
    names = sorted({kinds.codes[index] for index in result.scope})
    return kinds.codes, names, roles_of(result.model, [kinds.examples[kind] for kind in names], kinds)


def _origin(result: Result, small: Counterexample) -> str | None:
    """Where the value that the stuck operation saw comes from, if it was left out because it could not be that."""
    stuck = small.result.stuck
    if (
        stuck is None
        or len(result.history) > MOST_SEARCHED
        or not isinstance(rule_for(small.history, result.model), Overwritten)
    ):
        return None
    seen = result.history[small.operations[stuck.index]]
    try:
        kinds, names, known = by_kind(result.history, result.model, lambda kinds: _roles_in(result, kinds))
    except LinpointError:
        return None
    if known is None:
        return None
    role = dict(zip(names, known[1], strict=True))
    accepts = role[kinds[seen.index]].observes
    if accepts is None:
        return None
    calls, returns = result.history.columns.ranks()
    end = returns[seen.index]
    writers = [
        index
        for index in result.scope
        if role[kinds[index]].leaves
        and accepts(role[kinds[index]].leaves[0])
        and result.history[index].ok
        and (end is None or calls[index] < end)
    ]
    if not writers:
        return None if accepts(known[0]) else f"Nothing that was called before it returned left what {seen} needs."
    last = max(writers, key=lambda index: calls[index])
    if last in small.operations:
        return None
    return f"The last to leave what {seen} needs was {place(result.history[last])}: overwritten since."
