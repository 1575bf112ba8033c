"""Finding a class in a file, and refusing what cannot be read: always one LanguageError with a place, never a traceback."""

from pathlib import Path

import pytest

from linpoint.errors import LanguageError
from linpoint.language.source import (
    DEEPEST,
    LARGEST,
    parse_source,
    read_source,
    shown,
    source_of,
    split_target,
)

FILE = '''
class Stack:
    """One."""

    class Cell:
        pass

    def push(self): ...


if True:
    def helper(): ...


async def later(): ...


def outer():
    class Stack:
        def pop(self): ...
'''


def refused(text: str) -> LanguageError:
    with pytest.raises(LanguageError) as caught:
        parse_source(text, "a.py")
    return caught.value


class Here:
    def method(self) -> None: ...


class NoMethod:
    pass


def test_definitions_are_found_by_qualified_name() -> None:
    source = parse_source(FILE, "a.py")
    assert [name for name, _ in source.definitions()] == [
        "Stack",
        "Stack.Cell",
        "Stack.push",
        "helper",
        "later",
        "outer",
        "outer.<locals>.Stack",
        "outer.<locals>.Stack.pop",
    ]
    assert source.find_class("Stack").lineno == 2
    assert source.find_class("outer.<locals>.Stack").lineno == 19
    assert source.find_function("helper").lineno == 12
    assert source.line(12) == "    def helper(): ..."
    assert source.line(0) == source.line(99) == ""


def test_what_is_not_there_is_refused_with_what_is() -> None:
    source = parse_source(FILE, "a.py")
    with pytest.raises(LanguageError, match=r"a.py: no class is called Stakc \(there is Stack"):
        source.find_class("Stakc")
    with pytest.raises(LanguageError, match="no function is called Stack"):
        source.find_function("Stack")
    with pytest.raises(LanguageError, match=r"a.py:15:1: later is a coroutine"):
        source.find_function("later")
    with pytest.raises(LanguageError, match="the file defines no class at all"):
        parse_source("x = 1").find_class("Stack")


def test_two_of_one_name_are_told_apart_by_a_line_or_refused() -> None:
    source = parse_source("class A:\n    x = 1\nclass A:\n    x = 2\n", "a.py")
    with pytest.raises(LanguageError, match=r"a.py:3:1: there are 2 definitions of A, in lines 1, 3"):
        source.find_class("A")
    assert source.find_class("A", 4).lineno == 3


def test_live_classes_and_functions_are_found_in_their_files() -> None:
    source, node = source_of(Here)
    assert (Path(source.file), node.name) == (Path(__file__), "Here")
    assert "class Here" in source.line(node.lineno)
    assert source_of(refused)[1].name == "refused"
    assert source_of(NoMethod)[1].name == "NoMethod"
    for thing, word in ((int, "cannot be found"), (7, "neither a class nor")):
        with pytest.raises(LanguageError, match=word):
            source_of(thing)  # type: ignore[arg-type]
    namespace: dict[str, type] = {}
    exec("class Ghost:\n    def f(self): ...", namespace)
    with pytest.raises(LanguageError, match="the source of Ghost cannot be found"):
        source_of(namespace["Ghost"])


def test_positions_count_characters_from_one() -> None:
    source = parse_source("ä = 'ö'; x = 1", "a.py")
    second = source.tree.body[1]
    assert source.position(second) == (1, 10)
    assert str(source.refusal(second, "no", "yes")) == "a.py:1:10: no (yes)"
    assert str(source.refusal(None, "no")) == "a.py: no"
    assert source.position(source.tree) == (0, 0)


def test_a_syntax_error_has_its_place() -> None:
    error = refused("x = 1\nclass A(:\n")
    assert (error.file, error.line, error.column) == ("a.py", 2, 9)
    assert error.reason.startswith("this is not Python")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 150 + "]" * 150,
        "(" * 100_000,
        "x = " + "-" * 5_000 + "1",
        "x = " + "not " * 100_000 + "1",
        "x = a" + ".b" * 5_000,
        "x = 1" + "+1" * 20_000,
        "x = " + "lambda:" * 5_000 + "1",
        "".join(" " * n + "if x:\n" for n in range(99)) + " " * 99 + "y = -1\n",
        "".join(" " * n + "if x:\n" for n in range(300)) + " " * 300 + "pass\n",
    ],
    ids=["brackets", "open", "minus", "not", "dots", "plus", "lambda", "almost", "ifs"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    error = refused(text)
    assert error.file == "a.py"
    assert "nested" in error.reason or "too many" in error.reason


def test_a_tree_that_is_just_not_too_deep_is_read() -> None:
    deep = DEEPEST - 3
    assert parse_source("x = " + "-" * deep + "y")
    assert "levels deep" in refused("x = " + "-" * (deep + 1) + "y").reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe\x00\x01", "encoding"),
        (b"# coding: utf-8\nx = '\xe4'\n", "encoding"),
        (b"# coding: klingon\n", "encoding"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding"),
        (b"# coding: utf-16\nx = 1\n", "not"),
        (b"# coding: rot13\nx = 1\n", "encod"),
        (b"x = 1\x00\n", "not Python"),
        (b"x = " + b"1" * 5_000 + b"\n", "not Python"),
        (b"x = 1\n" * (LARGEST // 6 + 1), "bytes"),
    ],
    ids=["bom", "lie", "unknown", "two", "utf16", "rot13", "null", "digits", "huge"],
)
def test_odd_files_are_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(content)
    with pytest.raises(LanguageError, match=reason) as caught:
        read_source(path)
    assert caught.value.file == str(path)


def test_other_encodings_and_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes("# coding: latin-1\r\nx = 'ä'\r\nclass A:\r    y = '\\d'".encode("latin-1"))
    source = read_source(path)
    assert source.find_class("A").lineno == 3
    assert source.line(2) == "x = 'ä'"
    assert parse_source("\ufeffx = 1").line(1) == "x = 1"
    with pytest.raises(OSError, match="No such file"):
        read_source(tmp_path / "none.py")
    with pytest.raises(LanguageError, match="characters"):
        parse_source("#" * (LARGEST + 1))


def test_targets_are_split() -> None:
    assert split_target("a/b.py:Stack") == ("a/b.py", "Stack")
    assert split_target("c:a.py:Stack.Cell") == ("c:a.py", "Stack.Cell")
    assert [split_target(name) for name in ("treiber", "a.py", "a.py:", "a.txt:B")] == [None] * 4


def test_nodes_are_shown_short() -> None:
    tree = parse_source("x = [1,\n  2]\ny = '" + "a" * 100 + "\x1b'").tree
    assert shown(tree.body[0]) == "x = [1, 2]"
    assert shown(tree.body[1], 20) == "y = 'aaaaaaaaaaaaaa…"
