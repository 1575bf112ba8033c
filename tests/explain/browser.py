"""A browser for tests: starts headless Chromium and talks to it, with nothing but the standard library.

The Chrome DevTools Protocol goes over a pair of pipes (`--remote-debugging-pipe`: the browser reads file descriptor 3 and
writes 4): JSON texts with a zero byte after each. A call has an id and gets an answer with that id; anything else
is an event. One thread is enough, since nothing happens on our side that we do not wait for.

    with Browser() as browser:
        page = browser.open(Path("report.html"))
        page.evaluate("document.title")
        assert page.complaints == []
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--mute-audio",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # there is no network, whatever a page may try
    "--remote-debugging-pipe",
)
KEYS = {"Escape": 27, "Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
SHIFT = 8


def program() -> str | None:
    """The browser: LINPOINT_BROWSER, or the first of the usual names; None if there is none."""
    wanted = os.environ.get("LINPOINT_BROWSER")
    return shutil.which(wanted) if wanted else next((path for name in NAMES if (path := shutil.which(name))), None)


class BrowserError(RuntimeError):
    """The browser refused, broke, or did not answer in time."""


class Browser:
    """One browser with a fresh profile. Use it in a `with`; it is ended and its profile removed."""

    def __init__(self, patience: float = 60.0) -> None:
        path = program()
        if path is None:
            raise BrowserError("there is no browser: see tests/explain/install_browser.sh")
        self.patience = patience
        self._profile = tempfile.mkdtemp(prefix="linpoint-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        flags = [*FLAGS, f"--user-data-dir={self._profile}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        # The shell puts the pipes where the browser expects them, 3 and 4, whatever their numbers are here.
        script = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self._log = os.open(Path(self._profile) / "log", os.O_WRONLY | os.O_CREAT)
        self._process = subprocess.Popen(
            ["bash", "-c", script, path, *flags, "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._ids = b"", 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._send("Browser.close", {}, None)
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        os.close(self._log)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, parameters: dict[str, Any] | None = None, session: str | None = None) -> dict[str, Any]:
        """Calls a method of the protocol and waits for its answer; events that come meanwhile are kept."""
        number = self._send(method, parameters or {}, session)
        until = time.monotonic() + self.patience
        while True:
            message = self._receive(until, method)
            if message.get("id") == number:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error'].get('message')}")
                return dict(message["result"])
            self.events.append(message)

    def wait_for(self, event: str, session: str) -> dict[str, Any]:
        """Waits for an event, or takes one that has come already."""
        until = time.monotonic() + self.patience
        while True:
            for message in self.events:
                if message.get("method") == event and message.get("sessionId") == session:
                    self.events.remove(message)
                    return dict(message["params"])
            self.events.append(self._receive(until, event))

    def open(self, file: Path, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        """Opens a file in a new tab of the given size and waits until it is loaded and painted."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        page.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
        page.prefer("dark" if dark else "light")
        page.call("Page.navigate", {"url": file.resolve().as_uri()})
        self.wait_for("Page.loadEventFired", session)
        page.settle()
        return page

    def _send(self, method: str, parameters: dict[str, Any], session: str | None) -> int:
        self._ids += 1
        message = {"id": self._ids, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        return self._ids

    def _receive(self, until: float, what: str) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BrowserError(f"no answer to {what} within {self.patience:g} s")
            chunk = os.read(self._in, 1 << 20)
            if not chunk:
                said = (Path(self._profile) / "log").read_text(errors="replace")
                raise BrowserError(f"the browser ended while we waited for {what}:\n{said[-2000:]}")
            self._buffer += chunk
        text, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(text))


class Page:
    """One tab."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser, self._session, self._target = browser, session, target

    def call(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        return self._browser.call(method, parameters, self._session)

    def close(self) -> None:
        """Closes the tab and forgets what it said."""
        self._browser.call("Target.closeTarget", {"targetId": self._target})
        events = self._browser.events
        events[:] = [message for message in events if message.get("sessionId") != self._session]

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True, "userGesture": True},
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def settle(self) -> None:
        """Waits until two frames have been painted, so that what was asked for has happened."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def prefer(self, scheme: str) -> None:
        """What the system is said to prefer: `dark` or `light`."""
        self.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings of the console, exceptions, breaches of the page's policy, and everything it tried to load."""
        found = []
        self.evaluate("0")  # whatever was said before this is here now
        for message in self._browser.events:
            if message.get("sessionId") != self._session:
                continue
            method, params = message.get("method"), message.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(part.get("value", part.get("description"))) for part in params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                found.append(f"a dialog: {params['message']}")
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith("file:"):
                found.append(f"a request: {params['request']['url'][:200]}")
        return found

    def key(self, key: str, shift: bool = False) -> None:
        """Presses and releases a key: a character, or a name such as `ArrowLeft`."""
        event: dict[str, Any] = {
            "key": key,
            "modifiers": SHIFT if shift else 0,
            "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper())),
        }
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        if text:
            event["text"] = text
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event, "text": ""})
        self.settle()

    def type(self, text: str) -> None:
        """Types a text into what has the focus."""
        self.call("Input.insertText", {"text": text})
        self.settle()

    def move(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self._mouse("mouseMoved", x, y)
        self.settle()

    def click(self, x: float, y: float) -> None:
        """Clicks a place of the window."""
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self._mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def press(self, selector: str) -> None:
        """Scrolls an element into view and clicks its middle."""
        place = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            "const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        self.click(place[0], place[1])

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Presses at one place and releases at another."""
        self._mouse("mouseMoved", *start)
        self._mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for part in (0.25, 0.5, 0.75, 1.0):
            x, y = (one + (other - one) * part for one, other in zip(start, end, strict=True))
            self._mouse("mouseMoved", x, y, button="left", buttons=1)
        self._mouse("mouseReleased", *end, button="left", clickCount=1)
        self.settle()

    def wheel(self, x: float, y: float, down: float) -> None:
        """Turns the wheel over a place."""
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=down)
        self.settle()

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def screenshot(self, whole: bool = False) -> bytes:
        """What the window shows, or the whole page, as PNG."""
        found = self.call("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        return base64.b64decode(found["data"])
