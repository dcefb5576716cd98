"""What every request has at hand: the office, the time, who is logged in, whether a form is their own."""

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Generic, TypeVar, cast
from zoneinfo import ZoneInfo

from flask import Flask, current_app, g, request
from markupsafe import Markup
from werkzeug.exceptions import Unauthorized
from werkzeug.wrappers import Response as BaseResponse

from pbem.engine import say
from pbem.language import ENGLISH as ENGLISH_LANGUAGE
from pbem.language import current, languages, reading
from pbem.rails.scene import Scene
from pbem.service import Office
from pbem.service.base.tokens import BadToken, GuestClaim
from pbem.service.operator import operating
from pbem.service.people import accounts
from pbem.settings.settings import Settings
from pbem.store.time_controls import zone_named
from pbem.views.accounts import USUAL_LOOK, AccountView, BoardLook
from pbem.views.games import GameView
from pbem.web.base import clients, forms

T = TypeVar("T")


class Shelf(Generic[T]):
    """The things asked for last, by everything that decides what they are; safe for threads."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._kept: dict[tuple[object, ...], T] = {}

    def get(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._size:
                del self._kept[next(iter(self._kept))]
        return made


KEPT = 400
"""Pictures kept in memory: boards of about 100 KB among many tiles of about 5 KB."""
PARTS = 300
"""Logs of a turn that are kept as markup, some 15 KB each."""
TRIALS = 100
"""Positions of trials that are kept, some 100 KB each: the next page of a trial goes on from the last one."""
COOKIE = "pbem"
COOKIES = {
    "log-in": ("", accounts.STAYS),
    "language": ("-language", timedelta(days=365)),
    "game": ("-game", accounts.STAYS),
    "outbox": ("-outbox", timedelta(days=1)),
}
"""Every cookie that is set, by what it is for: the end of its name, and how long a browser keeps it."""
HOST_ONLY = "__Host-"
"""With this before its name browsers take a cookie by https from the host itself, and from nobody else."""
EXTENSION = "pbem.context"
ENGLISH = frozenset({"api", "programs", "openapi", "metrics", "health", "crawlers"})
"""What only programs read: always in English."""
PICTURES = "pictures"
INSTALLING = "installing"
"""What a browser fetches by itself, and without cookies: the language stands in the address."""
WORDLESS = frozenset({"pictures.small", "pictures.thumb", "pictures.portrait", "pictures.mark", "pictures.tile"})
"""Pictures without a word; the addresses of all others say in which language they are."""


PICTURED = re.compile(r"pictures\.(?!card|map_card|portrait)\w+|trials\.\w+_(map_alone|live|tile|board)")
"""Pictures of boards and players that are for one reader: not those that are shown beside links or of robots."""
LOOK, CLEAR_COLOURS, NO_LABELS = "look", "c", "n"
"""What the address of a picture says of how it looks, if not as usual."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What all requests of one application share.

    ``patience``: seconds a result page waits for the worker before it says "wait".
    """

    office: Office
    clock: Callable[[], datetime]
    patience: float
    pictures: Shelf[bytes] = field(default_factory=lambda: Shelf(KEPT))
    markup: Shelf[tuple[Markup, object]] = field(default_factory=lambda: Shelf(PARTS))
    scenes: Shelf[Scene] = field(default_factory=lambda: Shelf(KEPT // 10))
    trials: Shelf[GameView] = field(default_factory=lambda: Shelf(TRIALS))


def context() -> RequestContext:
    found: RequestContext = current_app.extensions[EXTENSION]
    return found


def register(app: Flask) -> None:
    """Let everything that a page reads be of one state of the database."""

    @app.before_request
    def look_once() -> None:
        if request.method in ("GET", "HEAD"):
            g.look = ExitStack()
            g.look.enter_context(office().one_look())

    @app.before_request
    def read_in_language() -> None:
        if request.blueprint in ENGLISH or request.endpoint in ("static", "styles.sheet"):
            return
        g.language = ExitStack()
        if request.blueprint == PICTURES:
            chosen = forms.argument("lang")
        elif request.blueprint == INSTALLING:
            chosen = forms.argument("lang") or _language()
        else:
            chosen = _language()
        g.language.enter_context(reading(chosen))

    @app.url_defaults
    def picture_in_language(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint.startswith(f"{PICTURES}.") and endpoint not in WORDLESS and current() is not ENGLISH_LANGUAGE:
            values.setdefault("lang", current().code)

    @app.url_defaults
    def picture_as_seen(endpoint: str, values: dict[str, Any]) -> None:
        if PICTURED.fullmatch(endpoint) and (seen := look()) != USUAL_LOOK:
            values.setdefault(LOOK, f"{CLEAR_COLOURS * seen.clear}{NO_LABELS * (not seen.labels)}")

    @app.teardown_request
    def look_away(_error: BaseException | None) -> None:
        for name in ("language", "look"):
            if (stack := g.pop(name, None)) is not None:
                stack.close()


def office() -> Office:
    return context().office


def _once(name: str, find: Callable[[], T]) -> T:
    """What is found once in a request, however often it is asked."""
    if name not in g:
        setattr(g, name, find())
    return cast("T", getattr(g, name))


def now() -> datetime:
    """The moment of this request."""
    return _once("now", context().clock)


def reader() -> AccountView | None:
    """Who is logged in on this browser, ``None`` for a guest."""
    return _once("reader", lambda: accounts.logged_in(office(), secret, now()) if (secret := log_in_secret()) else None)


def notice() -> str:
    return _once("notice", lambda: operating.notice(office()))


def reader_or_login() -> AccountView:
    """Who is logged in; a guest is led to the log-in page."""
    found = reader()
    if found is None:
        raise Unauthorized
    return found


def zone() -> ZoneInfo:
    """Whose clock the page shows: that of the player whose private link was opened, else the reader's, else UTC."""
    return _once("zone", lambda: zone_named(found.zone if (found := reader()) else "UTC"))


def look() -> BoardLook:
    """How who reads this page sees boards; of a picture its address says so."""
    return _once("board_look", _look)


def _look() -> BoardLook:
    if PICTURED.fullmatch(request.endpoint or ""):
        named = forms.argument(LOOK)
        return BoardLook(CLEAR_COLOURS in named, NO_LABELS not in named)
    found = reader()
    return found.look if found else USUAL_LOOK


def read_as_seat(game_id: str, number: int) -> None:
    """Show the page as the player in a seat reads it, who has opened a private link: by that clock and language."""
    read_as(*accounts.how_a_seat_reads(office(), game_id, number))


def read_as_account(account_id: int) -> None:
    """The same for the private link of an account; without one by that number the page stays the reader's."""
    if (found := accounts.how_an_account_reads(office(), account_id)) is not None:
        read_as(*found)


def read_as(zone: ZoneInfo, language: str, look: BoardLook = USUAL_LOOK) -> None:
    """The same where all this is at hand; a language that was chosen on this browser stays."""
    g.zone, g.board_look = zone, look
    if language and "language" in g and not g.language_chosen:
        g.language.enter_context(reading(language))


def remember_language(response: BaseResponse, code: str) -> None:
    _keep(response, "language", code)


def _keep(response: BaseResponse, what: str, value: str) -> None:
    settings, (_, stays) = office().settings, COOKIES[what]
    response.set_cookie(
        cookie_name(settings, what), value, stays, httponly=True, samesite="Lax", secure=_by_https(settings)
    )


def _kept(what: str) -> str:
    return request.cookies.get(cookie_name(office().settings, what), "")


def _language() -> str:
    """In which language this request is answered: that of the account, else what was chosen on this browser, else the
    first that the browser asks for and we have."""
    found = reader()
    chosen = (found.language if found else "") or _kept("language")
    codes = [known.code for known in languages()]
    g.language_chosen = chosen in codes
    if g.language_chosen:
        return chosen
    asked = (tag.lower().partition("-")[0] for tag in request.accept_languages.values())
    return next((code for code in asked if code in codes), codes[0])


def reads_outbox() -> bool:
    """Whether emails may be read here: in a browser of this machine, or with the key that ``pbem serve`` prints."""
    return clients.on_this_machine() or office().tokens.sealed(_kept("outbox"), "outbox")


def remember_outbox(response: BaseResponse, key: str) -> None:
    _keep(response, "outbox", key)


def cookie_name(settings: Settings, what: str = "log-in") -> str:
    """The name of a cookie. By https the plain name would let other hosts of the domain plant one."""
    return f"{HOST_ONLY if _by_https(settings) else ''}{COOKIE}{COOKIES[what][0]}"


def log_in_secret() -> str:
    return _kept("log-in")


def remember(response: BaseResponse, secret: str) -> None:
    _keep(response, "log-in", secret)


def forget(response: BaseResponse) -> None:
    settings = office().settings
    response.delete_cookie(cookie_name(settings), httponly=True, samesite="Lax", secure=_by_https(settings))


def cookies(settings: Settings) -> dict[str, tuple[str, timedelta]]:
    """Every cookie of this server, by what it is for: its name, and how long a browser keeps it."""
    kept = {what: (cookie_name(settings, what), stays) for what, (_, stays) in COOKIES.items()}
    if settings.smtp_url:
        del kept["outbox"]
    return kept


def _by_https(settings: Settings) -> bool:
    return settings.public_url.startswith("https:")


def form_mark() -> str:
    """What forms of a logged-in browser carry, so that no other site can send them; empty for guests."""
    secret = log_in_secret()
    if not secret or reader() is None:
        return ""
    return office().tokens.seal("form", secret)


def guest() -> GuestClaim | None:
    """The game that was begun on this browser without an account, as long as its cookie says so."""
    token = _kept("game")
    try:
        return office().tokens.read(GuestClaim, token) if token else None
    except BadToken:
        return None


def remember_guest(response: BaseResponse, claim: GuestClaim) -> None:
    token = office().tokens.make(GuestClaim(claim.game, claim.number))
    _keep(response, "game", token)


def own_form() -> None:
    """Refuse a form that does not carry :func:`form_mark`."""
    mark, secret = forms.field("mark", longest=64), log_in_secret()
    if reader() is None or not office().tokens.sealed(mark, "form", secret):
        raise forms.NotAllowed(
            say(
                "This form belongs to another browser, or you have logged in again since. Reload the page and "
                "try again."
            )
        )


def form_sender() -> AccountView:
    """Who is logged in and sends a form of their own; a guest is led to the log-in page."""
    account = reader_or_login()
    own_form()
    return account
