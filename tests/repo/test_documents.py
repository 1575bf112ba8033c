"""README and docs are true: every Python block runs, every command prints what the document says."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.repo.documents import DOCUMENTS, Block, blocks, commands, furnish, matches, shell

NAMES = [str(document.relative_to(ROOT)) for document in DOCUMENTS]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(furnish(tmp_path))
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_document_is_true(document: Path, place: Path) -> None:
    namespace: dict[str, object] = {"__name__": "document"}
    for block in blocks(document):
        where = f"{document.relative_to(ROOT)}:{block.line}"
        if block.language == "python":
            code = compile("\n" * block.line + block.text, str(document), "exec")
            with ThreadPoolExecutor(
                1
            ) as thread:  # of its own: in this one the browser of other tests may run its event loop
                thread.submit(exec, code, namespace).result()
        elif block.language == "console":
            status = 0
            for command, expected in commands(block):
                done = shell(command, status, place)
                status = done.returncode
                assert matches(expected, done.stdout), f"{where}: $ {command}\nprinted\n{done.stdout}"


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("x\n```console\n$ one\ntook … s\n…\nend\n$ two\n```\n```text\n$ no\n```\n")
    (block, other) = blocks(document)
    assert (block.line, other.language) == (2, "text")
    (one, two) = commands(block)
    assert (one.command, two) == ("one", ("two", ""))
    assert matches(one.expected, "took 3 s\nend\n")
    assert matches(one.expected, "\ntook 3 s \na\nb\nend")
    assert not matches(one.expected, "took 3\nend")
    assert not matches(one.expected, "took 3 s\nb")
    assert not matches(two.expected, "something")
    assert matches("a  … ms  b\n", "a   17 ms b")
    assert not matches("a b\n", "ab")
    assert list(commands(Block("console", 1, "no command\n"))) == []


def test_documents_have_something_to_run() -> None:
    readme = [block.language for block in blocks(ROOT / "README.md")]
    assert "python" in readme
    assert "console" in readme
    assert any(block.language == "console" for block in blocks(ROOT / "docs" / "tutorial.md"))
