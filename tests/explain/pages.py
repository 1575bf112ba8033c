"""A browser, and a way to open a page in it. Tests that need one are skipped, visibly, where there is none."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.explain.browser import Browser, Page, program

Show = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if program() is None:
        pytest.skip("no browser: see tests/explain/install_browser.sh")
    with Browser() as running:
        yield running


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Opens a page that was made, and sees to it that nothing complains."""
    tabs: list[Page] = []

    def opened(text: str, **how: Any) -> Page:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        tab = browser.open(file, **how)
        tabs.append(tab)
        assert tab.complaints == []
        return tab

    yield opened
    for tab in tabs:
        tab.close()
