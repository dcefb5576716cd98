"""What is true of every answer, whatever was asked."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from werkzeug.datastructures import Headers
from werkzeug.exceptions import default_exceptions

from tests.fuzz.asking import Request
from tests.web.reading import Page

NOT_READY = ("/readyz",)
"""Addresses whose 503 is an answer."""
CARRIED = ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy")
TOLD = ("Traceback (most recent", 'File "/', "site-packages", "sqlalchemy.", "werkzeug", "<built-in", " object at 0x")
"""Words that only programmers use."""
FOREIGN = {str(kind.description) for kind in default_exceptions.values() if kind.description}
"""What the library says where nobody has found words."""
UNCHANGED = 412
"""The answer to conditions that only programs set; it has no content."""
NO_PAGE = re.compile(r"/outbox/[^/]*/html|/games/[^/]*/game\.html")
"""Letters keep to the rules of mail programs, and a game as one file holds its own styles and pictures."""
SENTENCE = re.compile(r"[A-Z“\"\d][^.!?]* [^.!?]+[.!?]")


@dataclass
class Answer:
    """An answer in its parts."""

    status: int
    headers: Headers
    body: bytes

    @property
    def kind(self) -> str:
        """Its media type."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip()


def faults(request: Request, answer: Answer, page: Page | None, root: str) -> Iterator[str]:
    """All that is wrong with an answer; ``root`` is the address of the server."""
    if answer.status >= 500 and not (answer.status == 503 and request.target.startswith(NOT_READY)):
        yield f"status {answer.status}"
    yield from (f"without {name}" for name in CARRIED if name not in answer.headers)
    yield from (f"{name} with a line end" for name, value in answer.headers if set("\r\n\0") & set(value))
    if (to := answer.headers.get("Location")) and not _ours(to, root):
        yield f"leads to {to[:100]}"
    if answer.status == 304 or request.method == "HEAD":
        return
    text = answer.body.decode("utf-8", "replace") if answer.kind.startswith(("text/", "application/json")) else ""
    if page is None or answer.status >= 400:  # games may hold what looks like ours
        yield from (f"says {words!r}" for words in TOLD if words in text)
    if page is not None and not NO_PAGE.fullmatch(request.target.partition("?")[0]):
        yield from page.flaws[:3]
    if 400 <= answer.status < 500 and answer.status != UNCHANGED:
        yield from _unclear(answer, page, text)


def _unclear(answer: Answer, page: Page | None, text: str) -> Iterator[str]:
    """A refusal is at least one sentence of ours."""
    if any(words in text for words in FOREIGN):
        yield f"{answer.status} in words of the library"
    said = page.text if page is not None else _error(answer, text)
    if not SENTENCE.search(said):
        yield f"{answer.status} without a sentence: {said[:100]!r}"


def _error(answer: Answer, text: str) -> str:
    if answer.kind != "application/json":
        return text
    value = json.loads(text)
    return str(value.get("error", "")) if isinstance(value, dict) else ""


def _ours(to: str, root: str) -> bool:
    address = urlsplit(to)
    if not address.scheme and not address.netloc:
        return to.startswith("/") and not to.startswith(("//", "/\\"))
    return to.startswith(f"{root}/")
