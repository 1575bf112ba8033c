"""What does this class do, in instructions? `compile_object`, from the text of a class to `ir.Program`.

The class is found (`source.py`), its declarations are read (`declare.py`), kinds are inferred (`infer.py`), and every
operation is compiled with its helpers in place (`statements.py`, `assignments.py`, `expressions.py`). Nothing of it is
imported or run. How many threads and operations there will be is known, because arrays may be sized by them.
"""

from __future__ import annotations

import ast
from typing import Final, Literal, TypeAlias

from linpoint.errors import LanguageError, UsageError
from linpoint.language.declare import Declaration, declare
from linpoint.language.infer import Inference
from linpoint.language.ir import NUMBERS, SYMBOLS, NodeType, Program
from linpoint.language.source import Source, read_source, source_of, split_target
from linpoint.language.statements import Statements

Granularity: TypeAlias = Literal["access", "statement"]
GRANULARITIES: Final[tuple[Granularity, ...]] = ("access", "statement")
CELLS: Final = 200
FIELDS: Final = 14
KINDS: Final = 7


def compile_object(
    target: type | str, *, threads: int = 2, ops: int = 2, granularity: Granularity = "access"
) -> Program:
    """Compiles an algorithm: a class, or the text `file.py:Class`.

    threads, ops  the client: THREADS is the one, OPERATIONS their product
    granularity   what one step is: "access", a read or write of shared memory; "statement", all accesses of a statement

    Raises LanguageError with file, line and column for whatever is outside the language.
    """
    if granularity not in GRANULARITIES:
        raise UsageError(f"granularity is {' or '.join(GRANULARITIES)}, not {granularity!r}")
    if threads < 1 or ops < 1 or threads * ops > NUMBERS[-1]:
        raise UsageError(f"{threads} × {ops} operations: both are at least 1, and their product at most {NUMBERS[-1]}")
    source, name, line = _find(target)
    node = source.find_class(name, line)
    try:
        return _compiled(source, node, threads, threads * ops, granularity)
    except RecursionError:
        raise source.refusal(node, f"{name} is nested too deep, helpers included", "call fewer helpers") from None


def _compiled(source: Source, node: ast.ClassDef, threads: int, operations: int, granularity: Granularity) -> Program:
    declaration = declare(source, node, threads, operations)
    _small_enough(declaration)
    inference, symbols = Inference(declaration), list[str]()

    def compiler() -> Statements:
        return Statements(declaration, inference, symbols, granularity == "statement")

    initial = compiler().initial(declaration.methods.get("__init__"))
    public = [method for name, method in declaration.methods.items() if not name.startswith("_")]
    methods = tuple(compiler().method(method) for method in public)
    if len(symbols) > SYMBOLS:
        reason = f"{declaration.name} has {len(symbols)} different texts, and {SYMBOLS} is the most"
        raise source.refusal(declaration.node, reason, "use numbers")
    return Program(
        name=declaration.name,
        file=source.file,
        globals=tuple(cell for field in declaration.fields.values() for cell in field.names()),
        symbols=tuple(symbols),
        types=tuple(NodeType(kind.name, kind.cells(), kind.pool) for kind in declaration.nodes.values()),
        initial=initial,
        methods=methods,
    )


def _find(target: type | str) -> tuple[Source, str, int]:
    if not isinstance(target, str):
        source, node = source_of(target)
        return source, target.__qualname__, node.lineno
    found = split_target(target)
    if found is None:
        raise UsageError(f"{target!r} is no target: write file.py:Class")
    return read_source(found[0]), found[1], 0


def _small_enough(declaration: Declaration) -> None:
    cells = sum(len(field.names()) for field in declaration.fields.values())
    if cells > CELLS:
        raise _too_many(declaration, f"{cells} shared cells, and {CELLS} is the most")
    if len(declaration.nodes) > KINDS:
        raise _too_many(declaration, f"{len(declaration.nodes)} classes of nodes, and {KINDS} is the most")
    for kind in declaration.nodes.values():
        if len(kind.cells()) > FIELDS:
            raise _too_many(declaration, f"{len(kind.cells())} cells in {kind.name}, and {FIELDS} is the most")


def _too_many(declaration: Declaration, what: str) -> LanguageError:
    return declaration.source.refusal(declaration.node, f"{declaration.name} has {what}", "make it smaller")
