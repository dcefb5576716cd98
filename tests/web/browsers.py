"""A real browser, and the pages served to it on this machine."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as NoBrowser
from werkzeug.serving import make_server

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]


@contextmanager
def launched(*more: str) -> Iterator[Browser]:
    """Chromium, with more of its switches if any; skips where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no browser: chromium is not on the PATH")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=[*QUIET, *more])
        except NoBrowser as error:
            pytest.skip(f"no browser: {path} does not start: {error}")
        yield browser
        browser.close()


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Where the pages are served while this lasts."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
