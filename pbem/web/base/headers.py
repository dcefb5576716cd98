"""What every answer carries beside its content: a strict content policy, and no traces of private links; and forms of
the pages of other sites, which are refused."""

from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from werkzeug.routing import RequestRedirect

from pbem.engine import catalog, say
from pbem.web.base.context import log_in_secret, office
from pbem.web.base.forms import NotAllowed

POLICY = (
    "default-src 'none'; img-src 'self'; font-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
SECURE = "max-age=31536000"
"""For a year browsers ask for this server by https only; of its other names nothing is said."""
FOR_EVER = "public, max-age=31536000, immutable"
PRIVATE = ("/t/", "/s/", "/i/", "/v/", "/o/", "/w/", "/p/", "/j/", "/sit/", "/l/", "/login/", "/u/", "/api/v1/turn/")
"""Addresses with a token in them."""
FINDABLE = frozenset(
    {
        "lobby.lobby", "maps.index", "maps.map", "how_to_play.index", "how_to_play.guide",
        "how_to_play.by_email", "rulings.page",
        "pictures.printed", "pictures.thumb", "pictures.map_card", "pictures.portrait", "static", "styles.sheet",
        "crawlers.robots", "crawlers.sitemap", "crawlers.security", "installing.favicon", "about.about", "about.names",
        "privacy.privacy",
    }
)  # fmt: skip
"""Pages and pictures that search engines may list: nobody who plays is named there."""
FEEDS = "/feed/"
"""The same, but programs ask for them again and again, and are to keep what has not changed."""


def register(app: Flask) -> None:
    app.before_request(_refuse_foreign)
    app.after_request(_complete)


def policy(text: str) -> None:
    g.policy = text


def let_be_found() -> None:
    g.findable = True


def _complete(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", g.get("policy", POLICY))
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    if office().settings.public_url.startswith("https:"):
        response.headers.setdefault("Strict-Transport-Security", SECURE)
    response.headers.setdefault("Referrer-Policy", "no-referrer" if private() else "same-origin")
    if isinstance(request.routing_exception, RequestRedirect):
        response.headers["Location"] = without_host(request.routing_exception.new_url)
    own = catalog.is_own((request.view_args or {}).get("slug", ""))
    if (request.endpoint not in FINDABLE or own) and not g.get("findable"):
        response.headers["X-Robots-Tag"] = "noindex"
    if (private() and not request.path.startswith(FEEDS)) or _of_somebody(response):
        response.headers["Cache-Control"] = "no-store"
    elif request.endpoint in ("static", "styles.sheet") and "v" in request.args:
        response.headers["Cache-Control"] = FOR_EVER
    elif "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "private, no-cache"
        response.vary.update(("Cookie", "Accept-Language"))
    return response


def without_host(url: str) -> str:
    """An address without its host, which whoever asks may have made up: nothing that could lead to another host."""
    to = urlsplit(url)
    return to._replace(scheme="", netloc="", path="/" + to.path.lstrip("/\\")).geturl()


def _of_somebody(response: Response) -> bool:
    """Whether it is a page as somebody sees it who is logged in; pictures are the same for all who may see them."""
    return response.mimetype == "text/html" and bool(log_in_secret())


def private() -> bool:
    return request.path.startswith((*PRIVATE, FEEDS))


CHANGING = ("POST", "PUT", "PATCH", "DELETE")
OURS = ("same-origin", "none")


def _refuse_foreign() -> None:
    if request.method in CHANGING and _foreign() and not _one_click():
        raise NotAllowed(
            say("The form came from another website. Open the link in your email and send the form there.")
        )


def _foreign() -> bool:
    """Whether a browser says that another site sent this.

    ``Origin`` is ``null`` on pages that send no referrer, as those with private links do; then the other header, which
    all browsers of the last years send, has the answer.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in OURS
    origin = request.headers.get("Origin", "null")
    return origin != "null" and origin.partition("://")[2] not in (request.host, _public_host())


def _one_click() -> bool:
    """Mail programs on the web may send the one click of RFC 8058 from their own pages; the link is all it takes."""
    return request.endpoint == "letters.stop" and "List-Unsubscribe" in request.form


def _public_host() -> str:
    return urlsplit(office().settings.public_url).netloc
