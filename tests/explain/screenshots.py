"""Takes the pictures of the report in docs/images: `python -m tests.explain.screenshots`. Look at them before you keep them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import linpoint as lp
from linpoint.explain.page import page
from linpoint.explain.shrink import shrink
from linpoint.explain.story import story
from tests.conftest import ROOT
from tests.explain.browser import Browser
from tests.explain.runs import registers

IMAGES = ROOT / "docs" / "images"


def main() -> None:
    result = lp.check(registers(240, processes=8, keys=4, stale=150, faults=2, seed=14), "register:initial=0")
    small = shrink(result)
    text = page(result, small.history, "\n".join(story(result, small)), small.operations)
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        file = Path(folder) / "report.html"
        file.write_text(text, encoding="utf-8")
        light = browser.open(file, 1280, 1120)
        (IMAGES / "page.png").write_bytes(light.screenshot())
        dark = browser.open(file, 1280, 860, dark=True)
        dark.evaluate("document.getElementById('history').scrollIntoView({block: 'end'})")
        dark.evaluate(f"linpoint.show({small.operations[1]}); linpoint.zoom(0.7)")
        dark.settle()
        place = dark.evaluate(f"linpoint.where({small.operations[1]})")
        dark.move(place["x"], place["y"])
        (IMAGES / "page-dark.png").write_bytes(dark.screenshot())


if __name__ == "__main__":
    main()
