"""The list of mutants that may survive is true: each is of a line that is still there, with a reason, once."""

import tomllib

import pytest

from tests.conftest import ROOT
from tests.mutants.mutant import Mutant

LIST = ROOT / "tests" / "mutants" / "survivors.toml"
ENTRIES = tomllib.loads(LIST.read_text(encoding="utf-8")).get("survivor", [])

DIFF = """--- src/layer.rs
+++ replace && with || in Layer<M>::insert
@@ -2,3 +2,3 @@
 two
-three && four
+three || four
 five
"""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['function']}: {entry['change']}")
def test_survivor(entry: dict[str, str]) -> None:
    assert set(entry) == {"file", "function", "change", "source", "reason"}
    lines = {line.strip() for line in (ROOT / entry["file"]).read_text(encoding="utf-8").splitlines()}
    assert entry["source"] in lines, "the line has changed: look whether the mutant still survives"
    assert entry["reason"].endswith(".")


def test_no_survivor_is_listed_twice() -> None:
    keys = [tuple(entry[name] for name in ("file", "function", "change", "source")) for entry in ENTRIES]
    assert len(set(keys)) == len(keys)


def test_a_mutant_is_named_by_its_line_and_put_in_its_place() -> None:
    name = "src/layer.rs:3:7: replace && with || in Layer<M>::insert"
    mutant = Mutant(file="src/layer.rs", line=3, function="Layer<M>::insert", name=name, diff=DIFF)
    assert mutant.key == ("src/layer.rs", "Layer<M>::insert", "replace && with ||", "three && four")
    assert mutant.applied("one\ntwo\nthree && four\nfive\nsix\n") == "one\ntwo\nthree || four\nfive\nsix\n"
    with pytest.raises(ValueError, match="not what cargo-mutants saw"):
        mutant.applied("one\ntwo\nthree\nfive\nsix\n")
