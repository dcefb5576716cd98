"""As much of a browser as a robot needs: one connection, pages, and the form on a page."""

import json
import ssl
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from typing_extensions import override

SECONDS = 30


class Astray(RuntimeError):
    """The server did not answer as a robot expects; the text shows what came."""


@dataclass(slots=True)
class Form:
    action: str
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``location``: where a redirection leads."""

    status: int
    body: bytes
    location: str


class PageReader(HTMLParser):
    """Finds the first form of a page that is posted and has the id ``play``, and the link to what comes next."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.form: Form | None = None
        self.next = ""
        """Where a link with ``rel="next"`` leads."""
        self.again = False
        """The page will look again by itself: what it waits for has not happened."""
        self._inside = False
        self.feed(page.decode())

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        match tag, {name: value or "" for name, value in attrs}:
            case "form", {"method": "post", "id": "play"} as values if self.form is None:
                self.form, self._inside = Form(values.get("action", "")), True
            case "input", {"type": "hidden"} as values if self._inside and self.form is not None:
                self.form.fields[values.get("name", "")] = values.get("value", "")
            case "a", {"rel": "next"} as values:
                self.next = values.get("href", "")
            case "meta", {"http-equiv": "refresh"}:
                self.again = True

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False


@cache
def _trusting() -> ssl.SSLContext:
    """Whom this machine trusts: read once for all robots, because it takes longer than a page."""
    return ssl.create_default_context()


class Browser:
    def __init__(self, root: str) -> None:
        parts = urlsplit(root)
        self._host = parts.netloc
        if parts.scheme == "https":
            self._connection: HTTPConnection = HTTPSConnection(self._host, timeout=SECONDS, context=_trusting())
        else:
            self._connection = HTTPConnection(self._host, timeout=SECONDS)

    def close(self) -> None:
        self._connection.close()

    def get(self, url: str) -> bytes:
        """The body of a page that must be there. Raises :class:`Astray`."""
        return self._ask("GET", url, (200,)).body

    def look(self, url: str) -> Answer:
        """A page, or where one is led on from it at once. Raises :class:`Astray` for everything else."""
        return self._ask("GET", url, (200, 302))

    def get_json(self, url: str) -> Any:
        return json.loads(self.get(url))

    def post_json(self, url: str, value: Any) -> Any:
        return json.loads(self._ask("POST", url, (202,), json.dumps(value).encode(), "application/json").body)

    def send_form_of(self, url: str) -> str:
        """Open a page and press the button of its form; returns the address of the page that comes then, if any."""
        form = PageReader(self.get(url)).form
        if form is None:
            raise Astray(f"There is no form on {url}.")
        body = urlencode(form.fields).encode()
        return self._ask("POST", form.action or url, (200, 303), body, "application/x-www-form-urlencoded").location

    def _ask(
        self, method: str, url: str, expected: tuple[int, ...], body: bytes | None = None, kind: str = ""
    ) -> Answer:
        answer = self._answer(method, url, body, kind)
        if answer.status not in expected:
            raise Astray(f"{method} {url} answered {answer.status}: {answer.body[:300]!r}")
        return answer

    def _answer(self, method: str, url: str, body: bytes | None, kind: str) -> Answer:
        parts = urlsplit(url)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        headers = {"Content-Type": kind} if kind else {}
        for again in (True, False):
            try:
                self._connection.request(method, target, body, headers)
                answer = self._connection.getresponse()
                return Answer(answer.status, answer.read(), answer.headers["Location"] or "")
            except (HTTPException, ConnectionError):  # the server closes connections that were idle for a while
                self._connection.close()
                if not again:
                    raise
        raise AssertionError("not reached")
