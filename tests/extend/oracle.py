"""Is an extension method linearizable? By the definition: three threads, few values, every interleaving; no theorem is used.

It shares nothing with `linpoint.extend`. A method is compiled as Python, with each base operation turned into a
`yield`, and Python runs it (a place in it, and its locals, are read from the generator's frame). All threads may be
inside a call at the same time. A monitor keeps every way in which the history so far may be linearized: the cells of
the specification, and for each open call whether it has taken effect, and with which result. No way left: a
violation. After every step somebody looks at every cell: a violation that is there stays one when others look. The
search is bounded by the number of calls.
"""

from __future__ import annotations

import ast
from collections import deque
from dataclasses import dataclass, field
from typing import Any

ABSENT = "<absent>"
THREADS = 3
LONGEST = 40


class Rewritten(ast.NodeTransformer):
    """The method as a generator: `yield ("get", k)` in place of `d.get(k)`."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.sites = 0

    def is_base(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.base

    def request(self, name: str, *parts: ast.expr) -> ast.expr:
        return ast.Yield(ast.Tuple([ast.Constant(name), *parts], ast.Load()))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and self.is_base(node.func.value):
            return self.request(node.func.attr, *node.args)
        if isinstance(node.func, ast.Name) and node.func.id == "object":
            self.sites += 1
            return self.request("new", ast.Constant(self.sites))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return self.request("getitem", node.slice) if self.is_base(node.value) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if self.is_base(node.comparators[0]):
            found = self.request("contains", node.left)
            return ast.UnaryOp(ast.Not(), found) if isinstance(node.ops[0], ast.NotIn) else found
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        node.value = self.visit(node.value)
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and self.is_base(target.value):
            return ast.Expr(self.request("setitem", target.slice, node.value))
        return node

    def visit_Delete(self, node: ast.Delete) -> ast.stmt:
        target = node.targets[0]
        assert isinstance(target, ast.Subscript)
        return ast.Expr(self.request("delitem", target.slice))


def rewritten(text: str, functions: dict[str, Any]) -> Any:
    """The method of a text as a generator function without its first parameter."""
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    base = function.args.args.pop(0).arg
    function.decorator_list = []
    rewriting = Rewritten(base)
    function.body = [rewriting.visit(each) for each in function.body]
    function.body.append(ast.If(ast.Constant(False), [ast.Expr(ast.Yield())], []))  # a generator in any case
    namespace: dict[str, Any] = dict(functions)
    exec(compile(ast.fix_missing_locations(tree), "<method>", "exec"), namespace)
    return namespace[function.name]


def apply(cells: dict[Any, Any], name: str, *rest: Any) -> tuple[Any, str | None]:
    """A base operation, written from the documentation of dict and ConcurrentMap: (result, exception)."""
    if name in ("read", "write", "swap", "compare_and_swap", "compare_and_set"):
        return register(cells, name, *rest), None
    key, *arguments = rest
    here = key in cells
    if name in ("put", "put_if_absent", "replace") and None in arguments:
        return None, "ValueError"
    if name == "contains":
        return here, None
    if name in ("get", "pop", "setdefault"):
        default = arguments[0] if arguments else None
        if name == "pop" and not here and not arguments:
            return None, "KeyError"
        found = cells.get(key, default)
        if name == "pop":
            cells.pop(key, None)
        elif name == "setdefault":
            cells.setdefault(key, default)
        return found, None
    if name in ("getitem", "delitem"):
        if not here:
            return None, "KeyError"
        return (cells[key] if name == "getitem" else cells.pop(key) and None), None
    if name == "setitem":
        cells[key] = arguments[0]
        return None, None
    before = cells.get(key)
    if name == "put":
        cells[key] = arguments[0]
        return before, None
    if name == "put_if_absent":
        if not here:
            cells[key] = arguments[0]
        return before, None
    if name == "replace" and len(arguments) == 2:
        matches = here and before == arguments[0]
        if matches:
            cells[key] = arguments[1]
        return matches, None
    if name == "replace":
        if here:
            cells[key] = arguments[0]
        return before, None
    assert name == "remove"
    if arguments:
        matches = here and before == arguments[0]
        if matches:
            del cells[key]
        return matches, None
    cells.pop(key, None)
    return before, None


def register(cells: dict[Any, Any], name: str, *arguments: Any) -> Any:
    before = cells[0]
    if name == "write":
        cells[0] = arguments[0]
        return None
    if name == "swap":
        cells[0] = arguments[0]
    elif name == "compare_and_swap" and before == arguments[0]:
        cells[0] = arguments[1]
    elif name == "compare_and_set":
        if before == arguments[0]:
            cells[0] = arguments[1]
        return before == arguments[0]
    return before


Call = tuple[str, tuple[Any, ...], int]
"""(name of a method, arguments, number of the call)."""


@dataclass
class Oracle:
    """One method, or several, on one kind of base object."""

    methods: dict[str, Any]
    """From a name to its generator function."""
    arguments: dict[str, list[tuple[Any, ...]]]
    """The argument lists that each may be called with."""
    operations: list[tuple[Any, ...]]
    """The base operations of the other threads."""
    initial: list[dict[Any, Any]]
    calls: int = 4
    """So many calls of methods and base operations in all."""
    memory: dict[Any, Any] = field(default_factory=dict)

    def next(self, call: Call, answers: tuple[Any, ...]) -> tuple[str, Any]:
        """What a call does after these answers to its operations: ("asks", operation), ("returned", v) or ("raised", name)."""
        known = self.memory.get((call, answers))
        if known is None:
            known = self.memory[call, answers] = self.replayed(call, answers)
        return known[0]

    def replayed(self, call: Call, answers: tuple[Any, ...]) -> tuple[tuple[str, Any], tuple[Any, ...]]:
        """The same, and the shortest answers known that lead to the same place with the same locals."""
        name, arguments, number = call
        running = self.methods[name](*arguments)
        made: dict[int, int] = {}
        try:
            request = next(running)
            for answer in (*answers, None):
                while request[0] == "new":
                    site = request[1]
                    made[site] = made.get(site, 0) + 1
                    request = running.send(f"new {number}.{site}.{made[site]}")
                if answer is None:
                    frame = running.gi_frame
                    here = (call, frame.f_lasti, tuple(made.items()), tuple(sorted(frame.f_locals.items())), request)
                    return ("asks", request), self.memory.setdefault(here, answers)
                value, exception = answer
                request = (
                    running.send(value)
                    if exception is None
                    else running.throw(KeyError if exception == "KeyError" else ValueError)
                )
        except StopIteration as end:
            return ("returned", end.value), answers
        except (KeyError, ValueError, TypeError, NameError) as error:
            return ("raised", type(error).__name__), answers
        raise AssertionError

    def shortest(self, call: Call, answers: tuple[Any, ...]) -> tuple[Any, ...]:
        """Answers that lead to the same place with the same locals: rounds of a loop are forgotten."""
        self.next(call, answers)
        return self.memory[call, answers][1]

    def alone(self, call: Call, cells: tuple[Any, ...]) -> tuple[tuple[str, Any], tuple[Any, ...]] | None:
        """The whole call with nobody in between: its result and the cells; None if it does not end."""
        state, answers = dict(cells), ()
        for _ in range(LONGEST):
            kind, what = self.next(call, answers)
            if kind != "asks":
                return (kind, what), frozen(state)
            answers = self.shortest(call, (*answers, apply(state, *what)))
        return None

    def violation(self) -> list[str] | None:
        """A history that is not linearizable, as a story; None if there is none within the bound."""
        waiting: deque[Any] = deque()
        seen: set[Any] = set()
        for cells in self.initial:
            idle = (None,) * THREADS
            waiting.append(
                ((frozen(cells), idle, self.calls, frozenset({(frozen(cells), idle)})), [f"at first {cells}"])
            )
        while waiting:
            state, story = waiting.popleft()
            for after, words in self.moves(state):
                if not after[3]:
                    return [*story, words]
                if after not in seen:
                    seen.add(after)
                    waiting.append((after, [*story, words]))
        return None

    def others(self, first: Call, name: str) -> list[tuple[Any, ...]]:
        """The arguments of calls that overlap the first one: the same, and two that differ."""
        given = self.arguments[name]
        different = [arguments for arguments in given if arguments != first[1]]
        return [first[1], *different[:2]] if first[1] in given else different[:3]

    def moves(self, state: Any) -> Any:
        cells, threads, left, monitor = state
        for thread, running in enumerate(threads):
            if running is not None:
                yield self.step(state, thread, running)
            elif left and (left == self.calls if thread == 0 else threads[0] and threads[thread - 1]):
                for name in self.methods:
                    for arguments in self.arguments[name] if thread == 0 else self.others(threads[0][0], name):
                        call = (name, arguments, left)
                        more = replaced(threads, thread, (call, ()))
                        opened = frozenset((spec, replaced(open_, thread, ("open", call))) for spec, open_ in monitor)
                        after = (cells, more, left - 1, self.looked(opened, cells))
                        yield after, f"thread {thread}: {name}{arguments} begins"
        if any(threads) and left:
            for operation in self.operations:
                real = dict(cells)
                result = apply(real, *operation)
                done = frozenset((frozen(real), open_) for _, open_ in monitor)  # every cell of theirs is as it is here
                after = (frozen(real), threads, left - 1, self.looked(done, frozen(real)))
                yield after, f"another thread: {operation} → {result}"

    def step(self, state: Any, thread: int, running: Any) -> Any:
        cells, threads, left, monitor = state
        call, answers = running
        kind, what = self.next(call, answers)
        if kind == "asks":
            changed = dict(cells)
            answer = apply(changed, *what)
            real = frozen(changed)
            more = replaced(threads, thread, (call, self.shortest(call, (*answers, answer))))
            return (real, more, left, self.looked(monitor, real)), f"thread {thread}: {what} → {answer}"
        kept = frozenset(
            (spec, replaced(open_, thread, None)) for spec, open_ in monitor if open_[thread] == ("done", (kind, what))
        )
        return (cells, replaced(threads, thread, None), left, kept), f"thread {thread}: {kind} {what!r}"

    def looked(self, monitor: Any, cells: Any) -> Any:
        """Open calls may take effect, and then somebody looks at every cell. Looking more often only excludes more."""
        return frozenset(way for way in self.closed(monitor) if way[0] == cells)

    def closed(self, monitor: Any) -> Any:
        """Every open call may take effect, in any order."""
        found = set(monitor)
        waiting = list(monitor)
        while waiting:
            spec, open_ = waiting.pop()
            for thread, status in enumerate(open_):
                if status is not None and status[0] == "open":
                    ran = self.alone(status[1], spec)
                    if ran is not None:
                        after = (ran[1], replaced(open_, thread, ("done", ran[0])))
                        if after not in found:
                            found.add(after)
                            waiting.append(after)
        return found


def frozen(cells: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(sorted(cells.items(), key=repr))


def replaced(items: tuple[Any, ...], number: int, item: Any) -> tuple[Any, ...]:
    return (*items[:number], item, *items[number + 1 :])
