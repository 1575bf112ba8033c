"""Takes the pictures of the report in docs/images: `python -m docs.screenshots`. Look at them before you keep them."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from tests.conftest import ROOT
from tests.explain.browser import Browser
from tests.explain.runs import registers

import linpoint as lp
from linpoint.explain.page import page
from linpoint.verify.page import page as run_page

IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Writes page.png, page-dark.png and run.png."""
    result = lp.check(registers(240, processes=8, keys=4, stale=150, faults=2, seed=14), "register:initial=0")
    explanation = lp.explain(result)
    chosen = explanation.operations[1]
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        file = Path(folder) / "report.html"
        file.write_text(page(explanation), encoding="utf-8")
        light = browser.open(file, 1280, 1120)
        (IMAGES / "page.png").write_bytes(light.screenshot())
        dark = browser.open(file, 1280, 860, dark=True)
        dark.evaluate("document.getElementById('history').scrollIntoView({block: 'end'})")
        dark.evaluate(f"linpoint.show({chosen}); linpoint.zoom(0.7)")
        dark.settle()
        place = dark.evaluate(f"linpoint.where({chosen})")
        dark.move(place["x"], place["y"])
        (IMAGES / "page-dark.png").write_bytes(dark.screenshot())
        found = lp.verify(f"{ROOT / 'examples/algorithms/stack.py'}:Stack", "stack", threads=2, ops=3)
        file.write_text(run_page(replace(found, target="stack.py:Stack")), encoding="utf-8")
        run = browser.open(file, 1400, 1120)
        run.evaluate("linpoint.go(25)")
        run.settle()
        (IMAGES / "run.png").write_bytes(run.screenshot())


if __name__ == "__main__":
    main()
