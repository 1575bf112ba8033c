"""Random extension methods: is the verdict that of the definition? `python -m tests.extend.agree --methods 2000 --seed 0`."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from linpoint.extend.base import BASES
from linpoint.extend.decide import Decision, decide
from linpoint.extend.lower import Lowering
from linpoint.extend.sorts import grouped
from linpoint.extend.surroundings import survey
from linpoint.language.source import parse_source
from linpoint.verdict import Verdict
from tests.extend.generate import method
from tests.extend.oracle import Oracle, rewritten


def judged(base: str, text: str) -> Decision:
    """What linpoint says."""
    source = parse_source(text, "method.py")
    lowering = Lowering(
        "method", source.find_function("method"), BASES[base], "d", survey(source), pure=frozenset({"f"})
    )
    program = lowering.program()
    assert not lowering.refusals, (text, lowering.refusals)
    return decide(grouped(BASES[base], [program]), program)


def tables(text: str) -> list[dict[str, Any]]:
    """Functions that `f` may be; their results are among the values that others store, too."""
    if "f(" not in text:
        return [{}]
    values = values_of("map", text)
    turned = {value: values[(number + 1) % len(values)] for number, value in enumerate(values)}
    return [
        {"f": lambda value: turned.get(value, values[0])},
        {"f": lambda value: values[-1] if value == values[0] else values[0]},
        {"f": lambda value: None if value in (values[0], None) else value},
        {"f": lambda value: "w" if value is None else value},
    ]


def values_of(base: str, text: str) -> list[Any]:
    """Three values, those that the text mentions, and None where it can be stored."""
    truths = any(word in text for word in ("if not ", "if a:", "if b:", "if c:", "if v:"))
    values: list[Any] = ["x", "", 0] if truths else ["x", "y", "z"]
    if "'c'" in text:
        values[2:] = ["c", 0] if truths else ["c"]
    return values if base == "map" else [*values, None]


def oracle(base: str, text: str, functions: dict[str, Any], calls: int, more: tuple[Any, ...] = ()) -> Oracle:
    """The definition, for this method; `more` values beside the usual ones."""
    values = [*values_of(base, text), *more]
    keys = ["a"] if "j" not in text.partition("\n")[0] else ["a", "b"]
    given: list[tuple[Any, ...]] = [(value,) for value in values if value != "y"]  # y is as good as z
    if base == "map" and "None" in text:
        given.append((None,))
    if len(keys) == 2:
        given = [(k, j, *rest) for k, j in (("a", "b"), ("a", "a")) for rest in given]
    elif base != "register":
        given = [("a", *rest) for rest in given]
    operations: list[tuple[Any, ...]] = []
    for key in keys:
        if base == "dict":
            operations += [("pop", key, None), *(("setitem", key, value) for value in values if value != "z")]
            operations += [("setdefault", key, value) for value in values[:2]]
        elif base == "map":
            operations += [("remove", key), *(("put", key, value) for value in values if value != "z")]
        else:
            operations += [("swap", value) for value in values if value != "z"]
    initial: list[dict[Any, Any]]
    if base == "register":
        initial = [{0: value} for value in values if value not in ("y", "z")]
    else:
        initial = [{}, *({"a": value} for value in values if value not in ("y", "z"))]
        if len(keys) == 2:
            initial = [{}, {"a": "x"}, {"b": "x"}, {"a": "x", "b": "y"}]
    return Oracle({"method": rewritten(text, functions)}, {"method": given}, operations, initial, calls)


def compare(seed: int, most_calls: int = 4) -> str | None:
    """What is wrong with the verdict on the method of a seed, in words; None: nothing, as far as so many calls can tell."""
    base, text = method(seed)
    decision = judged(base, text)
    found = None
    for calls in range(2, most_calls + 1):
        if decision.verdict is Verdict.UNKNOWN:
            break
        for functions in tables(text):
            found = oracle(base, text, functions, calls).violation()
            if found is not None:
                break
        enough = 2 if most_calls < 4 or decision.reduction == "one base operation" or ", j" in text else 3
        if found is not None or (decision.verdict is Verdict.LINEARIZABLE and calls == enough):
            break
    if decision.verdict is Verdict.VIOLATION and found is None:  # it may take a stored True or False
        found = oracle(base, text, tables(text)[0], 3, (True, False)).violation()
    if decision.verdict is Verdict.LINEARIZABLE and found is not None:
        return f"seed {seed}, {base}: called linearizable ({decision.reduction}), but\n{text}\n" + "\n".join(found)
    if decision.verdict is Verdict.VIOLATION and found is None:
        moves = "\n".join(map(str, decision.violation.moves)) if decision.violation else ""
        return f"seed {seed}, {base}: called a violation, and brute force finds none\n{text}\n{moves}"
    counted[decision.verdict.value] = counted.get(decision.verdict.value, 0) + 1
    if decision.verdict is Verdict.UNKNOWN:
        causes[decision.cause] = causes.get(decision.cause, 0) + 1
    return None


counted: dict[str, int] = {}
causes: dict[str, int] = {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun, wrong = time.monotonic(), 0
    for seed in range(options.seed, options.seed + options.methods):
        complaint = compare(seed)
        if complaint is not None:
            wrong += 1
            print(complaint, f"\nagain: python -m tests.extend.agree --methods 1 --seed {seed}\n")
    print(f"{options.methods} methods, {wrong} disagreements, {counted}, {time.monotonic() - begun:.0f} s")
    for cause, number in causes.items():
        print(f"  unknown {number} times: {cause}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
