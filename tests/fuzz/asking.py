"""Requests by chance, most of them nearly right: to every address, from every page, with any headers and bodies."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar
from urllib.parse import quote, quote_from_bytes, unquote, urljoin, urlsplit

from werkzeug.routing import Map, Rule

from tests.fuzz.mutate import NUMBERS, junk, mutated
from tests.fuzz.world import Known
from tests.web.reading import Form, Page

METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get", "X", "CONNECT")
ARGUMENTS = (
    "order", "steps", "put", "hex", "new", "typed", "check", "at", "colour", "from", "to", "own", "all", "sort",
    "answer", "older", "q", "k", "plan", "build", "text", "page", "said", "tested", "game", "map", "players", "done",
    "sure", "saved", "taken", "needed", "cancelled", "v", "turn", "host", "x",
    "follow", "with", "n", "log", "seat", "world", "invitation", "ahead",
)  # fmt: skip
FIELDS = (
    "orders", "typed", "send", "instead", "then", "do", "say", "note", "vote", "answer", "seat",
    "address", "mark", "title", "map", "players", "name", "until", "wanted", "account", "zone", "quiet_from", "url",
    "kind", "game", "remove", "from", "key", "scope", "parts", "shown", "List-Unsubscribe", "remind", "sure", "x",
)  # fmt: skip
TYPES = (
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "application/json", "text/plain", "", "x/",
    "application/json; charset=utf-16", "multipart/form-data", "multipart/form-data; boundary=" + "b" * 300,
    "application/x-www-form-urlencoded; charset=no-such", "application/octet-stream", "é", "multipart/mixed",
)  # fmt: skip
HEADERS: dict[str, tuple[str, ...]] = {
    "Accept": ("*/*", "application/json", "text/html;q=x", "image/png, " * 200, ";;;,"),
    "Accept-Language": ("de, en;q=0.5", "x" * 2000, "\xff", "*;q=99"),
    "Accept-Encoding": ("gzip", "br;q=nan", "identity;q=0"),
    "Range": ("bytes=0-10", "bytes=-5", "bytes=9-1", "bytes=0-0,2-3," * 100, "lines=1", "bytes=" + "9" * 40 + "-"),
    "If-Range": ('"x"', "Fri, 20 Nov 2026 18:00:00 GMT", "\xfe"),
    "If-None-Match": ("*", 'W/"x"', '"' + "x" * 500, ","),
    "If-Match": ("*", '"x"'),
    "If-Modified-Since": ("Fri, 20 Nov 2026 18:00:00 GMT", "Fri, 99 Nov 99999 18:00:00 GMT", "0", "-1"),
    "If-Unmodified-Since": ("Thu, 01 Jan 1970 00:00:00 GMT", "x"),
    "Referer": ("https://evil.example/", "\xff", "x" * 4000),
    "Origin": ("null", "https://evil.example", "x"),
    "X-Forwarded-For": ("1.2.3.4", "::1, unknown, \xff", "x" * 3000),
    "X-Forwarded-Proto": ("https", "javascript"),
    "X-Forwarded-Host": ("evil.example",),
    "Forwarded": ("for=_x;proto=https",),
    "X-Request-Id": ("x" * 500, "a b\tc", "\xff\xfe"),
    "X-HTTP-Method-Override": ("DELETE",),
    "Content-Encoding": ("gzip", "deflate", "br", "x"),
    "Transfer-Encoding": ("chunked", "identity"),
    "Content-Length": ("0", "-1", "x", "5", "99999999999999999999", "1_0", " 7"),
    "Expect": ("100-continue", "200-ok"),
    "User-Agent": ("", "\xff" * 40, "x" * 5000),
    "Authorization": ("Basic eDp5", "Bearer " + "x" * 400, "Digest username=\xff", "\xff", "Basic ="),
    "Host": ("evil.example", "play.example.org:99999", "[::1", "a b", "", "x" * 300, "\xff", "a,b", "_:0"),
    "Cookie": ("pbem=x", "pbem=" + "x" * 4000, "pbem=\xff; pbem=2", ";;;=;", '__Host-pbem="\\000', "pbem"),
    "Upgrade": ("websocket", "h2c"),
    "Connection": ("close, x", "upgrade"),
}
OF_A_KIND, LINKS = 12, 150
"""How many forms of a kind and how many links are kept in mind."""


T = TypeVar("T")


@dataclass
class Request:
    """What goes out: ``target`` is percent-encoded, header values are Latin-1. ``client``: the address it is from."""

    method: str
    target: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    client: str = "192.0.2.1"


class Asker:
    """Makes request after request; what came back is shown to it with :meth:`saw`, for its forms and links."""

    def __init__(self, known: Known, routes: Map, luck: Random, mark: str) -> None:
        self.known, self.luck, self.mark = known, luck, mark
        rules = sorted(routes.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint))
        self.rules = rules + [rule for rule in rules if rule.rule.startswith(("/t/", "/api/", "/games/"))] * 2
        self.forms: dict[tuple[str, ...], list[tuple[str, Form]]] = {}
        """With the cookies they came with, by what they are for: a rare form is sent as often as one of every page."""
        self.links: list[str] = []

    def next(self) -> Request:
        """Some request."""
        way = self.luck.random()
        if self.forms and way < 0.4:
            request = self._of_form()
        elif self.links and way < 0.5:
            request = Request("GET", self._spoiled_target(self.luck.choice(self.links)))
        elif way < 0.85:
            request = self._of_route()
        else:
            request = self._wild()
        return self._dressed(request)

    def saw(self, request: Request, html: str) -> Page:
        """Read a page that was answered."""
        found = Page(html, lenient=True)
        cookie = request.headers.get("Cookie", "")
        for form in found.forms:
            form.action = urljoin(request.target, form.action)
            self._keep(self.forms.setdefault(_purpose(form), []), (cookie, form), OF_A_KIND)
        for link in found.addresses[:: max(1, len(found.addresses) // 8)]:
            address = urlsplit(urljoin(request.target, link))
            if not address.scheme and not address.netloc:
                self._keep(self.links, address._replace(fragment="").geturl(), LINKS)
        return found

    def _keep(self, kept: list[T], new: T, most: int) -> None:
        if len(kept) < most:
            kept.append(new)
        else:
            kept[self.luck.randrange(most)] = new

    # a form of a page -----------------------------------------------------------------------------------------

    def _of_form(self) -> Request:
        """A form as a person would send it, with a fault in it or none."""
        cookie, form = self.luck.choice(self.luck.choice(list(self.forms.values())))
        chosen = [(name, self._value(offered)) for name, offered in form.offered.items()]
        if self.luck.random() < 0.75:
            chosen = self._faulty(chosen)
        pairs = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in chosen)
        headers = {"Cookie": cookie} if cookie else {}
        if form.method == "post":
            headers["Content-Type"] = TYPES[0]
            return Request("POST", form.action, headers, pairs.encode())
        return Request("GET", f"{form.action.partition('?')[0]}?{pairs}", headers)

    def _value(self, offered: list[str]) -> str:
        return offered[0] if self.luck.random() < 0.5 else self.luck.choice(offered)

    def _faulty(self, fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
        fields, luck = list(fields), self.luck
        for _ in range(luck.choice((1, 1, 2, 3))):
            at = luck.randrange(len(fields) + 1)
            match luck.randrange(9):
                case 0:
                    del fields[at : at + 1]
                case 1:
                    fields.append((luck.choice(FIELDS), self._text()))
                case 2 if fields:
                    fields.insert(at, luck.choice(fields))
                case _ if at < len(fields) and (fields[at][0] != "mark" or luck.random() < 0.1):
                    fields[at] = (fields[at][0], self._near(fields[at][1]))
        return fields

    def _near(self, value: str) -> str:
        """Something like the value, or an order, or anything."""
        luck = self.luck
        match luck.randrange(4):
            case 0:
                return mutated(value, luck, *self.known.orders[:20])
            case 1:
                return mutated(luck.choice(self.known.orders), luck, *self.known.orders)
            case 2:
                return luck.choice((*self.known.orders, *self.known.numbers, *self.known.games.values()))
        return self._text()

    def _text(self) -> str:
        return junk(self.luck)

    # an address of the map ------------------------------------------------------------------------------------

    def _of_route(self) -> Request:
        """An address of the map with arguments that name something, or nearly."""
        rule = self.luck.choice(self.rules)
        takes = sorted((rule.methods or set()) - {"OPTIONS"})
        method = self.luck.choice(takes) if self.luck.random() < 0.9 else self.luck.choice(METHODS)
        target = "".join(self._pieces(rule)) + self._query()
        body, kind = (b"", "") if method in ("GET", "HEAD") and self.luck.random() < 0.95 else self._body()
        return Request(method, target, {"Content-Type": kind} if kind else {}, body)

    def _pieces(self, rule: Rule) -> Iterator[str]:
        for is_argument, text in rule._trace:
            if text == "|":
                continue
            if not is_argument:
                yield text
                continue
            value = self._argument(text, rule)
            yield _quoted(mutated(value, self.luck) if self.luck.random() < 0.2 else value)

    def _argument(self, name: str, rule: Rule) -> str:
        known, luck = self.known, self.luck
        match name:
            case "token":
                kind = rule.rule.removeprefix("/api/v1").split("/")[1].replace("turn", "t")
                return luck.choice(known.tokens[kind])
            case "game_id":
                return luck.choice(list(known.games.values()))
            case "league_id":
                return luck.choice(known.leagues)
            case "slug":
                return luck.choice(("rust_belt", "ireland", "barbados", "germany"))
            case "seat":
                return luck.choice(("red", "blue", "green", "pink"))
            case "filename" | "name":
                return luck.choice(known.names)
        return luck.choice((*known.numbers, *NUMBERS))

    def _query(self) -> str:
        if self.luck.random() < 0.5:
            return ""
        pairs = [(self.luck.choice(ARGUMENTS), self._near("")) for _ in range(self.luck.choice((1, 1, 2, 4)))]
        return "?" + self.luck.choice(("&", "&", ";", "&&")).join(f"{_quoted(a)}={_quoted(b)}" for a, b in pairs)

    def _body(self) -> tuple[bytes, str]:
        luck = self.luck
        pairs = [(luck.choice(FIELDS), self._near("")) for _ in range(luck.choice((0, 1, 1, 2, 5, 200)))]
        match luck.randrange(8):
            case 0 | 1 | 2:
                return "&".join(f"{_quoted(a)}={_quoted(b)}" for a, b in pairs).encode(), TYPES[0]
            case 3 | 4:
                values: tuple[object, ...] = (None, [], "x", 1e99, *[{"orders": self._near("")}] * 9)
                return json.dumps(luck.choice(values)).encode("utf-8", "replace"), "application/json"
            case 5:
                return _multipart(pairs, luck), TYPES[1]
            case 6:
                return luck.randbytes(luck.choice((0, 1, 100, 66_000))), luck.choice(TYPES)
        deep = luck.choice((b"[" * 60_000, b'{"orders":' * 6_000, b"&" * 60_000, b"a=1&" * 16_000, b"\xff" * 3_000))
        return deep, luck.choice(TYPES)

    # anything ---------------------------------------------------------------------------------------------------

    def _wild(self) -> Request:
        target = self._spoiled_target("".join(self._pieces(self.luck.choice(self.rules))))
        body, kind = self._body()
        return Request(self.luck.choice(METHODS), target, {"Content-Type": kind}, body)

    def _spoiled_target(self, target: str) -> str:
        """An address with a fault; always one that begins with a stroke."""
        if self.luck.random() < 0.5:
            return target
        path = mutated(unquote(target, errors="surrogateescape"), self.luck)
        return "/" + quote(path.lstrip("/")[:6000].encode("utf-8", "surrogatepass"), safe="/?&=%;:@")

    def _dressed(self, request: Request) -> Request:
        """With the cookie of somebody, and other headers."""
        luck, cookies = self.luck, self.known.cookies
        if "Cookie" not in request.headers and (secret := luck.choice(list(cookies.values()))):
            request.headers["Cookie"] = f"{self.mark}={secret}"
        if luck.random() < 0.15:  # there are pages for a browser on the machine alone
            request.client, request.headers["Host"] = "127.0.0.1", "127.0.0.1:8000"
        while luck.random() < 0.25:
            name = luck.choice(sorted(HEADERS))
            request.headers[name] = luck.choice(HEADERS[name])
        if request.body and luck.random() < 0.03:
            request.body, request.headers["Content-Encoding"] = gzip.compress(request.body), "gzip"
        return request


def _purpose(form: Form) -> tuple[str, ...]:
    """What tells kinds of forms apart: the address without ids and tokens, and the names of the fields."""
    path = [part for part in form.action.partition("?")[0].split("/") if len(part) < 7 or part.isalpha()]
    return form.method, "/".join(path), *sorted(form.offered)[:12]


def _quoted(text: str) -> str:
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


def _multipart(pairs: list[tuple[str, str]], luck: Random) -> bytes:
    """A form in parts; some of them are files, some are broken."""
    parts = b""
    for name, value in pairs:
        file = luck.choice(("", "", '; filename="x.exe"', '; filename="../../x\r\nX: y"', "; filename*=utf-8''%ff"))
        parts += f'--b\r\nContent-Disposition: form-data; name="{name}"{file}\r\n'.encode("utf-8", "surrogatepass")
        parts += luck.choice(("", "Content-Type: text/plain; charset=utf-7\r\n", "Content-Length: 99999\r\n")).encode()
        parts += b"\r\n" + value.encode("utf-8", "surrogatepass") + luck.choice((b"\r\n", b"\r\n", b"\n", b""))
    return parts + luck.choice((b"--b--\r\n", b"--b", b"", b"--b--" * 1000))
