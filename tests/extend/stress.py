"""Verified methods in real threads: every recorded history must be linearizable. `python -m tests.extend.stress --rounds 200`.

Random methods run as the Python that they are, on a real dict, map or register; the specification is the same Python
run by one thread. The methods of the library make objects, which the specification may name as it likes, so theirs is
the model behind `lp.extend`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any

import linpoint as lp
from linpoint.extend.base import MAP
from linpoint.extend.confirm import ExtensionModel
from linpoint.extend.lower import Lowering
from linpoint.extend.sorts import grouped
from linpoint.extend.surroundings import survey
from linpoint.language.source import source_of
from linpoint.library.extensions import figures, shapes
from linpoint.library.extensions.bases import ConcurrentMap, Register
from linpoint.verdict import Verdict
from tests.extend.agree import judged
from tests.extend.generate import method

THREADS, CALLS = 3, 3


@contextmanager
def impatient() -> Iterator[None]:
    """Threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def recorded(work: list[list[tuple[str, list[Any], Callable[[], Any]]]]) -> lp.History:
    """Runs the calls of each thread and records when each began and ended."""
    operations: list[dict[str, Any]] = []
    start = threading.Barrier(len(work))

    def run(process: int) -> None:
        start.wait()
        for name, arguments, act in work[process]:
            call = time.perf_counter_ns()
            try:
                result = act()
            except (KeyError, ValueError) as error:
                result = {"raised": type(error).__name__}
            end = time.perf_counter_ns()
            entry = {"process": process, "f": name, "value": arguments, "result": result, "call": call, "return": end}
            operations.append(entry)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return lp.History(sorted(operations, key=lambda entry: entry["call"]))


class Shared:
    """A base object with a method on it, for threads and for one thread."""

    def __init__(self, base: str, function: Callable[..., Any]) -> None:
        self.object: Any = {"dict": dict, "map": ConcurrentMap, "register": Register}[base]()
        self.base, self.function = base, function

    def act(self, name: str, *arguments: Any) -> Any:
        if name == "method":
            return self.function(self.object, *arguments)
        if name == "setitem":
            self.object[arguments[0]] = arguments[1]
            return None
        return getattr(self.object, name)(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments: self.act(name, *arguments)


class Alone(lp.Model):
    """The same, one call after the other; a state is what the object holds."""

    initial: Any = None

    def __init__(self, base: str, function: Callable[..., Any]) -> None:
        self.base, self.function = base, function

    def step(self, state: Any, op: lp.Operation) -> list[Any]:
        shared = Shared(self.base, self.function)
        if self.base == "dict":
            shared.object.update(state or ())
        elif self.base == "map":
            for key, value in state or ():
                shared.object.put(key, value)
        else:
            shared.object.write(state)
        try:
            result = shared.act(op.f, *op.value)
        except (KeyError, ValueError) as error:
            result = {"raised": type(error).__name__}
        if self.base == "register":
            after = shared.object.read()
        else:
            held = shared.object if self.base == "dict" else shared.object._values
            after = tuple(sorted(held.items(), key=repr)) or None
        same = lp.History([{"process": 0, "f": "x", "result": result, "call": 0, "return": 1}])[0].result
        return [after] if same == op.result else []


OTHERS = {
    "dict": [("setitem", "a", "x"), ("setitem", "a", "c"), ("pop", "a", None), ("get", "a", "<absent>")],
    "map": [("put", "a", "x"), ("put", "a", "c"), ("remove", "a"), ("get", "a")],
    "register": [("swap", "x"), ("write", "c"), ("read",), ("write", None)],
}


def random_method(seed: int, rounds: int) -> str | None:
    """Runs the method of a seed if it is verified; what is wrong, in words, None: nothing."""
    base, text = method(seed)
    if (
        any(word in text for word in ("object()", "f(", ", j", "while", "replace"))
        or judged(base, text).verdict is not Verdict.LINEARIZABLE
    ):
        return None
    namespace: dict[str, Any] = {}
    exec(compile(text, "<method>", "exec"), namespace)
    function = namespace["method"]
    random = Random(seed)
    for _ in range(rounds):
        shared = Shared(base, function)
        calls = [("method", *([] if base == "register" else ["a"]), value) for value in ("x", "y", "c", None)]
        work = []
        for _ in range(THREADS):
            chosen = [random.choice(calls if random.random() < 0.6 else OTHERS[base]) for _ in range(CALLS)]
            work.append([(name, rest, partial(shared.act, name, *rest)) for name, *rest in chosen])
        history = recorded(work)
        if lp.check(history, Alone(base, function)).verdict is not Verdict.LINEARIZABLE:
            return f"seed {seed}, {base}: verified, and yet\n{text}\n{history.to_jsonl()}"
    return None


def library_method(function: Callable[..., Any], rounds: int) -> str | None:
    """The same for a verified method of the library on a map."""
    source, node = source_of(function)
    lowering = Lowering(function.__name__, node, MAP, node.args.args[0].arg, survey(source), pure=frozenset({"square"}))
    (program,) = grouped(MAP, [lowering.program()]).programs
    for number in range(rounds):
        history, made = one_round(function, number)
        model = ExtensionModel(MAP, [program], {}, {("square", (3,)): 9}, made)
        if lp.check(history, model).verdict is not Verdict.LINEARIZABLE:
            return f"{function.__name__}: verified, and yet\n{history.to_jsonl()}"
    return None


def one_round(function: Callable[..., Any], number: int) -> tuple[lp.History, list[str]]:
    """Three threads on one key of a new map: what happened, and the names of the objects that were made."""
    objects, key = ConcurrentMap(), 3
    counter = itertools.count(1)
    made: list[str] = []

    def make(*_: Any) -> str:
        made.append(f"new Made() {next(counter)}")
        return made[-1]

    call = (function.__name__, [key], lambda: function(objects, key))
    work = [
        [call, ("get", [key], lambda: objects.get(key))],
        [call, ("remove", [key], lambda: objects.remove(key))],
        [("put", [key, number], lambda: objects.put(key, number))] * (number % 2) + [call],
    ]
    shapes.Made, before = make, shapes.Made  # type: ignore[misc,assignment]
    try:
        return recorded(work), made
    finally:
        shapes.Made = before  # type: ignore[misc]


LIBRARY = [figures.compute_if_absent, figures.inc, shapes.get_or_put_if_absent, shapes.put_if_absent_first]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--methods", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong = 0
    with impatient():
        for function in LIBRARY:
            complaint = library_method(function, options.rounds)
            wrong += complaint is not None
            print(complaint or f"{function.__name__}: {options.rounds} histories, all linearizable")
        for seed in range(options.seed, options.seed + options.methods):
            complaint = random_method(seed, options.rounds)
            if complaint is not None:
                wrong += 1
                print(complaint)
    print(f"{options.methods} random methods, {wrong} failures")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
