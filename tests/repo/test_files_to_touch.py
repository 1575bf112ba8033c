"""Are the lists of files to touch in CONTRIBUTING true? Each is held against one example."""

import ast
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

SECTION = re.compile(r"^### A new (.+?) \(example: `([\w-]+)`\)$(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
SECTIONS = {
    kind: (example, text)
    for kind, example, text in SECTION.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
}


def listed(text: str) -> set[str]:
    """The files at the head of each point; `docs/reference/models.md` in a sentence is no point."""
    points = re.findall(r"^- (.*?): ", text, re.MULTILINE)
    return {path for point in points for path in re.findall(r"`([^`]+)`", point)}


def code(path: Path) -> str:
    """What a file does, without what it says about it: comments, docstrings and tests."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".rs":
        return re.sub(r"//.*", "", text.partition("#[cfg(test)]")[0])
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ]
    return ast.unparse(tree)


def names(example: str) -> re.Pattern[str]:
    """The example as a word in any of its spellings: supply-scan, SupplyScan, supply."""
    words = example.split("-")
    spellings = {"-".join(words), "_".join(words), "".join(word.title() for word in words), words[0] + "::"}
    spellings |= {f"mod {words[0]};", f'"{example}"'}
    return re.compile(
        "|".join(
            rf"(?<![A-Za-z]){re.escape(spelling)}(?![a-z])" if spelling[-1].isalpha() else re.escape(spelling)
            for spelling in spellings
        )
    )


def source_files() -> list[Path]:
    rust = [path for path in (ROOT / "crates").glob("*/src/**/*.rs") if "testkit" not in path.parts]
    return rust + list((ROOT / "python" / "linpoint").rglob("*.py"))


@pytest.mark.parametrize("kind", ["method", "model", "format", "kind of evidence"])
def test_the_files_to_touch_are_those_of_the_example(kind: str) -> None:
    example, text = SECTIONS[kind]
    files = listed(text)
    assert [path for path in sorted(files) if not (ROOT / path).exists()] == []
    found = {str(path.relative_to(ROOT)) for path in source_files() if names(example).search(code(path))}
    own = {path for path in files if re.match(r"crates/(?!testkit)\w+/src/|python/.*\.py$", path)}
    assert found | {path for path in own if Path(path).stem in example} == own
    for path in files - own:
        if (ROOT / path).is_file():
            assert names(example).search((ROOT / path).read_text(encoding="utf-8")), f"{path} does not name {example}"
