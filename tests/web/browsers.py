"""A real browser, and the pages served to it on this machine."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, ViewportSize, expect, sync_playwright
from playwright.sync_api import Error as NoBrowser
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PHONE, DESKTOP = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
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
        expect.set_options(timeout=1000 * PATIENCE)  # its own is too short for a machine with other work
        yield browser
        browser.close()


class _Counted:
    """An application that knows how many of its answers are still on their way."""

    def __init__(self, app: Flask) -> None:
        self._app, self._changed, self._open = app, threading.Condition(), 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self._count(1)
        try:
            answer = self._app(environ, start_response)
        except BaseException:
            self._count(-1)
            raise
        return self._given(answer)

    def _given(self, answer: Iterable[bytes]) -> Iterator[bytes]:
        """The answer, closed whatever happens: the server forgets to when the browser has gone away."""
        try:
            yield from answer
        finally:
            if close := getattr(answer, "close", None):
                close()
            self._count(-1)

    def _count(self, by: int) -> None:
        with self._changed:
            self._open += by
            self._changed.notify_all()

    def wait(self) -> None:
        """Until every answer has been given or given up: files that are being sent would be left open."""
        with self._changed:
            self._changed.wait_for(lambda: self._open == 0, timeout=PATIENCE)


class _Connection(WSGIRequestHandler):
    """One that a browser holds open without a word is given up after some seconds."""

    timeout = 5


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Where the pages are served while this lasts."""
    counted = _Counted(app)
    server = ThreadedWSGIServer("127.0.0.1", 0, counted, handler=_Connection)
    server.daemon_threads = False  # closing waits for them: a page may send a last request as it goes
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        counted.wait()
        server.server_close()


def press(target: Locator) -> None:
    """Press it; what is folded away is unfolded first."""
    if fold := folded(target):
        fold.click()
    target.click()


def folded(target: Locator) -> Locator | None:
    """What unfolds it, when it is folded away on the page that is there or comes."""
    target.wait_for(state="attached")
    if target.is_visible():
        return None
    around = target.page.locator("details:not([open])", has=target)
    return around.first.locator("summary").first if around.count() else None
