"""Where does this piece of Python stand, and how is it refused? Reading programs for `verify` and `extend`, never running them.

A file is parsed with `ast`; nothing of it is imported or executed. Whatever is wrong with it (an encoding that lies, a
syntax error, brackets thousands deep, a class that is not there) is one `LanguageError` with file, line and column.
`Source.refusal` makes the same error for a node of the tree, so everybody who refuses something says where it stands.
Linear in the file; a file of more than `LARGEST` bytes, or a tree deeper than `DEEPEST`, is refused, so that walking a tree
recursively is safe afterwards.
"""

from __future__ import annotations

import ast
import difflib
import io
import linecache
import os
import sys
import tokenize
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from linpoint.errors import LanguageError

LARGEST: Final = 1 << 20
"""Bytes of a program; algorithms are small, and a parser's memory is a hundred times its text."""
DEEPEST: Final = 100
"""Levels of a tree. Python itself stops at 100 indentations."""

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One parsed file."""

    file: str
    text: str = field(repr=False)
    tree: ast.Module = field(repr=False)

    def refusal(self, node: ast.AST | None, reason: str, suggestion: str = "") -> LanguageError:
        """The error to raise about a node; about the whole file if it is None."""
        line, column = self.position(node) if node is not None else (0, 0)
        return LanguageError(reason, suggestion, self.file, line, column)

    def position(self, node: ast.AST) -> tuple[int, int]:
        """Line and column where a node begins, from 1, columns in characters; (0, 0) if it has no place of its own."""
        line: int = getattr(node, "lineno", 0)
        if not line:
            return 0, 0
        before = self.line(line).encode("utf-8")[: getattr(node, "col_offset", 0)]
        return line, len(before.decode("utf-8", "ignore")) + 1

    def line(self, number: int) -> str:
        """One line of the text, counted from 1, without its end."""
        lines = self._lines()
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def definitions(self) -> Iterator[tuple[str, Definition]]:
        """Every class and function with its qualified name (`Stack.Cell`, `test.<locals>.Stack`), in the order of the file."""
        waiting: list[tuple[str, ast.AST]] = [("", self.tree)]
        while waiting:
            outside, node = waiting.pop()
            inside = outside
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = outside + node.name
                yield name, node
                inside = f"{name}." if isinstance(node, ast.ClassDef) else f"{name}.<locals>."
            waiting += [(inside, child) for child in reversed(list(ast.iter_child_nodes(node)))]

    def find_class(self, name: str, line: int = 0) -> ast.ClassDef:
        """The class of that qualified name; if there are several, the one that the line is in."""
        found = self._find(name, ast.ClassDef, "class", line)
        assert isinstance(found, ast.ClassDef)  # noqa: S101 - _find was told the kind
        return found

    def find_function(self, name: str, line: int = 0) -> ast.FunctionDef:
        """The function (or method) of that qualified name; if there are several, the one that the line is in."""
        found = self._find(name, (ast.FunctionDef, ast.AsyncFunctionDef), "function", line)
        if isinstance(found, ast.AsyncFunctionDef):
            raise self.refusal(found, f"{name} is a coroutine", "write `def` instead of `async def`")
        assert isinstance(found, ast.FunctionDef)  # noqa: S101 - _find was told the kind
        return found

    def _find(self, name: str, kind: type | tuple[type, ...], word: str, line: int) -> Definition:
        known = [(found, node) for found, node in self.definitions() if isinstance(node, kind)]
        same = [node for found, node in known if found == name]
        if line and len(same) > 1:
            same = [node for node in same if first_line(node) <= line <= (node.end_lineno or line)] or same
        if len(same) == 1:
            return same[0]
        if same:
            lines = ", ".join(str(node.lineno) for node in same)
            raise self.refusal(same[1], f"there are {len(same)} definitions of {name}, in lines {lines}", "rename one")
        names = list(dict.fromkeys(found for found, _ in known))
        near = difflib.get_close_matches(name, names, 3) or names[:5]
        more = ", …" if len(names) > len(near) else ""
        hint = f"there is {', '.join(near)}{more}" if near else f"the file defines no {word} at all"
        raise self.refusal(None, f"no {word} is called {name}", hint)

    def _lines(self) -> list[str]:
        return self.text.split("\n")


def first_line(node: Definition) -> int:
    """The line where a definition begins, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def read_source(path: str | os.PathLike[str]) -> Source:
    """Reads and parses a file. An OSError if there is no such file, a LanguageError for everything else."""
    name = os.fspath(path)
    with open(name, "rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise LanguageError(f"the file has more than {LARGEST} bytes", "put the class into a file of its own", name)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        text = raw.decode(encoding)
    except SyntaxError as error:  # an encoding that nobody knows, or two that contradict each other
        raise LanguageError(f"the encoding cannot be read: {error.msg}", "save it as UTF-8", name, 1) from None
    except (UnicodeDecodeError, LookupError) as error:
        raise LanguageError(f"the file is not what its encoding says: {error}", "save it as UTF-8", name) from None
    return parse_source(text, name)


def parse_source(text: str, file: str = "<text>") -> Source:
    """Parses a program that is there as text."""
    if len(text) > LARGEST:
        raise LanguageError(f"the text has more than {LARGEST} characters", "leave out what is not needed", file)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    deep = f"it is nested more than {DEEPEST} levels deep"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a string is no matter of ours
            tree = ast.parse(text, file)
            too_deep = _deeper_than(tree, DEEPEST)
            if too_deep is None:
                compile(
                    tree, file, "exec", dont_inherit=True
                )  # runs nothing; knows more errors: `break` outside a loop
    except SyntaxError as error:
        line, column = error.lineno or 0, max(error.offset or 0, 0)
        raise LanguageError(f"this is not Python: {error.msg}", "", file, line, column) from None
    except ValueError as error:  # null bytes
        raise LanguageError(f"this is not Python: {error}", "", file) from None
    except (RecursionError, MemoryError):
        raise LanguageError(deep, "give parts of it names", file) from None
    source = Source(file, text, tree)
    if too_deep is not None:
        raise source.refusal(too_deep, deep, "give parts of it names")
    return source


def source_of(thing: type | types.FunctionType) -> tuple[Source, Definition]:
    """Where a class or function that exists in memory was written. Reads its file again; runs nothing."""
    if not isinstance(thing, type | types.FunctionType):
        raise LanguageError(f"{type(thing).__name__} is neither a class nor a function", "give the class itself")
    name = thing.__qualname__
    filename, line = _written(thing)
    source = _source_named(filename, name)
    return source, source.find_class(name, line) if isinstance(thing, type) else source.find_function(name, line)


def split_target(target: str) -> tuple[str, str] | None:
    """`file.py:Class` as ("file.py", "Class"); None if it does not look like that."""
    path, colon, name = target.rpartition(":")
    return (path, name) if colon and path.endswith(".py") and name else None


def shown(node: ast.AST, longest: int = 40) -> str:
    """A node as short source text, for messages."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _source_named(filename: str, name: str) -> Source:
    if os.path.isfile(filename):
        return read_source(filename)
    text = "".join(linecache.getlines(filename))  # a notebook keeps its cells there
    if not text:
        raise LanguageError(f"the source of {name} cannot be found", "write it in a file", filename)
    return parse_source(text, filename)


def _written(thing: type | types.FunctionType) -> tuple[str, int]:
    """The file, and a line of the definition where one is known: a class has none of its own, but its methods do."""
    if isinstance(thing, types.FunctionType):
        return thing.__code__.co_filename, thing.__code__.co_firstlineno
    for value in vars(thing).values():
        function: Any = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if isinstance(function, types.FunctionType) and function.__qualname__.startswith(f"{thing.__qualname__}."):
            return function.__code__.co_filename, function.__code__.co_firstlineno
    return getattr(sys.modules.get(thing.__module__), "__file__", None) or "", 0


def _deeper_than(tree: ast.AST, deepest: int) -> ast.AST | None:
    """The first node below that level, without recursion; nodes that have no place stand at their parent's."""
    level: list[ast.AST] = [tree]
    for _ in range(deepest):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return next((node for node in level if hasattr(node, "lineno")), None)
