"""The browser of the other page's tests."""

from tests.explain.conftest import browser, show

__all__ = ["browser", "show"]
