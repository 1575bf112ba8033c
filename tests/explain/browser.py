"""A browser for tests: headless Chromium, driven by Playwright.

Chromium is the machine's own (`install_browser.sh`), not one that Playwright would download. What is ours: where the
browser is found, that a page has no network, and `complaints`, everything that a page must not do.

    with Browser() as browser:
        page = browser.open(Path("report.html"))
        page.evaluate("document.title")
        assert page.complaints == []
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any

from playwright.sync_api import ConsoleMessage, Dialog, Error, Request, sync_playwright
from playwright.sync_api import Page as Tab

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--disable-quic", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]

BrowserError = Error
"""What a page or the browser refused."""


def program() -> str | None:
    """The browser: LINPOINT_BROWSER, or the first of the usual names; None if there is none."""
    wanted = os.environ.get("LINPOINT_BROWSER")
    return shutil.which(wanted) if wanted else next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser. Use it in a `with`; it is ended afterwards."""

    def __enter__(self) -> Browser:
        path = program()
        if path is None:
            raise RuntimeError("there is no browser: see tests/explain/install_browser.sh")
        self._driver = sync_playwright().start()
        self._browser = self._driver.chromium.launch(
            executable_path=path, args=FLAGS, chromium_sandbox=os.geteuid() != 0
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._browser.close()
        self._driver.stop()

    def open(self, file: Path, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        """Opens a file in a new tab of the given size and waits until it is loaded and painted."""
        tab = self._browser.new_page(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        page = Page(tab)
        tab.goto(file.resolve().as_uri())
        page.settle()
        return page


class Page:
    """One tab, and what it complained about."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._complaints: list[str] = []
        tab.on("pageerror", lambda error: self._complaints.append(str(error)))
        tab.on("console", self._console)
        tab.on("dialog", self._dialog)
        tab.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self._complaints.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self._complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith("file:"):
            self._complaints.append(f"a request: {request.url[:200]}")

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings of the console, exceptions, breaches of the page's policy, and everything it tried to load."""
        self.evaluate("0")  # whatever was said before this is here now
        return list(self._complaints)

    def close(self) -> None:
        """Closes the tab."""
        self._tab.close()

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        return self._tab.evaluate(expression)

    def settle(self) -> None:
        """Waits until two frames have been painted, so that what was asked for has happened."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def prefer(self, scheme: str) -> None:
        """What the system is said to prefer: `dark` or `light`."""
        self._tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    def key(self, key: str, shift: bool = False) -> None:
        """Presses and releases a key: a character, or a name such as `ArrowLeft`."""
        self._tab.keyboard.press(f"Shift+{key}" if shift else key)
        self.settle()

    def type(self, text: str) -> None:
        """Types a text into what has the focus."""
        self._tab.keyboard.insert_text(text)
        self.settle()

    def move(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self._tab.mouse.move(x, y)
        self.settle()

    def click(self, x: float, y: float) -> None:
        """Clicks a place of the window."""
        self._tab.mouse.click(x, y)
        self.settle()

    def press(self, selector: str) -> None:
        """Scrolls an element into view and clicks its middle."""
        self._tab.locator(selector).first.evaluate("(e) => e.scrollIntoView({block: 'center'})")
        box = self._tab.locator(selector).first.bounding_box()
        assert box is not None, f"{selector} is not shown"
        self.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Presses at one place and releases at another."""
        self._tab.mouse.move(*start)
        self._tab.mouse.down()
        self._tab.mouse.move(*end, steps=4)
        self._tab.mouse.up()
        self.settle()

    def wheel(self, x: float, y: float, down: float) -> None:
        """Turns the wheel over a place."""
        self._tab.mouse.move(x, y)
        self._tab.mouse.wheel(0, down)
        self.settle()

    def screenshot(self) -> bytes:
        """What the window shows, as PNG."""
        return self._tab.screenshot()
