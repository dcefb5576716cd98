"""How a player's orders get to the server: through the page of a link, typed on a turn page, or by the turn API."""

import json
import re
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse
from urllib.parse import urlencode, urlsplit

from pbem.demo.browser import PageReader
from tests.storm.plan import Ledger, Order

API, LINK, TYPED = "API", "link in a mail", "typed on the page"
SECONDS = 20.0
SENT = re.compile(r"(?:/sent/|[?&]done=)(\d+)")
FORM = "application/x-www-form-urlencoded"


class Wire:
    """Requests to one of the web processes, each on a connection of its own.

    ``broken``: the answers that no reader should ever get, a sentence each.
    """

    def __init__(self, address: str, port: int) -> None:
        self.broken: list[str] = []
        self._address, self._port = address, port

    def ask(self, method: str, target: str, body: bytes | None = None, kind: str = "") -> tuple[int, str, bytes]:
        """Status, ``Location`` and body. Raises ``OSError`` and ``HTTPException`` when no answer comes."""
        connection = HTTPConnection(self._address, self._port, timeout=SECONDS)
        try:
            connection.request(method, target, body, {"Content-Type": kind} if kind else {})
            answer: HTTPResponse = connection.getresponse()
            if answer.status >= 500 and not _promised(answer):
                self.broken.append(f"{method} {_without_token(target)} was answered {answer.status} {answer.headers}")
            return answer.status, answer.headers.get("Location", ""), answer.read()
        finally:
            connection.close()


def _promised(answer: HTTPResponse) -> bool:
    """Whether it is what is said while the database is away, with all that belongs to it."""
    return answer.status == 503 and {"Retry-After", "Content-Security-Policy"} <= set(answer.headers)


def _without_token(target: str) -> str:
    return re.sub(r"[\w.-]{20,}", "…", target)


def send(wire: Wire, ledger: Ledger, order: Order, token: str, way: str, link: str = "") -> int:
    """Send orders once; the number of the submission, 0 when none was told."""
    began = time.monotonic()
    try:
        code, number = _by(wire, order, token, way, link)
    except (OSError, HTTPException):
        ledger.unanswered(way)
        return 0
    ledger.answered(order, way, code, number, time.monotonic() - began)
    return number


def _by(wire: Wire, order: Order, token: str, way: str, link: str) -> tuple[int, int]:
    if way == API:
        return _by_api(wire, order, token)
    if way == LINK:
        return _by_link(wire, link)
    body = urlencode({"send": "typed", "typed": order.text}).encode()
    code, location, _ = wire.ask("POST", f"/t/{token}", body, FORM)
    return code, _number(code, location)


def _by_api(wire: Wire, order: Order, token: str) -> tuple[int, int]:
    body = json.dumps({"orders": order.text}).encode()
    code, _, answer = wire.ask("POST", f"/api/v1/turn/{token}", body, "application/json")
    return code, int(json.loads(answer)["submission"]) if code == 202 else 0


def _by_link(wire: Wire, link: str) -> tuple[int, int]:
    """Open the page a link leads to and press its button."""
    parts = urlsplit(link)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    code, _, page = wire.ask("GET", target)
    if code != 200 or (reader := PageReader(page)).form is None:
        return code, 0
    action = urlsplit(reader.form.action or link).path
    code, location, _ = wire.ask("POST", action, urlencode(reader.form.fields).encode(), FORM)
    return code, _number(code, location)


def _number(code: int, location: str) -> int:
    found = SENT.search(location)
    return int(found[1]) if code == 303 and found else 0
