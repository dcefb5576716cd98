"""The pages and the browser of the tests of the web."""

from tests.web.conftest import chromium, empty, played, saved

__all__ = ["chromium", "empty", "played", "saved"]
