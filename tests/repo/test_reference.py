"""The reference lists what the core has: every method, and no other."""

import re

import linpoint as lp
from tests.conftest import ROOT

ROW = re.compile(r"^\| `([a-z-]+)` \| (.+) \|$", re.MULTILINE)


def test_every_method_is_in_the_reference_with_its_help() -> None:
    text = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
    assert ROW.findall(text) == list(lp.METHODS.items())
