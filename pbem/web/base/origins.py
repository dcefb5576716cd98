"""Forms come from our own pages: what a browser sends for the page of another site is refused.

Forms of a logged-in browser carry a mark beside (:func:`pbem.web.base.context.own_form`); this holds for all of them,
those of private links and of the log-in among them. Programs, which are no browsers, send neither header.
"""

from urllib.parse import urlsplit

from flask import Flask, request

from pbem.engine.text import say
from pbem.web.base.context import office
from pbem.web.base.forms import NotAllowed

CHANGING = ("POST", "PUT", "PATCH", "DELETE")
OURS = ("same-origin", "none")


def register(app: Flask) -> None:
    app.before_request(_refuse_foreign)


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
