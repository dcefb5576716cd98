"""The language of pages and emails, chosen in the foot of every page or on the account page."""

from urllib.parse import urlsplit

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from pbem.engine.text import say
from pbem.language import languages
from pbem.service.people import accounts
from pbem.web.base.context import office, own_form, reader, remember_language
from pbem.web.base.forms import BadForm, field

pages = Blueprint("languages", __name__)


@pages.post("/language")
def choose() -> Response:
    """Speak another language on this browser, and to whoever is logged in by email as well."""
    own, code = reader(), field("language", default="", longest=16)
    if own is not None:
        own_form()
    if code not in [known.code for known in languages()]:
        raise BadForm(say("Choose one of the languages."))
    if own is not None:
        accounts.speak(office(), own.id, code)
    response = redirect(_back(field("back", default="", longest=2_000)), code=303)
    remember_language(response, code)
    return response


def _back(page: str) -> str:
    """The page the form stood on, by its path: nothing that could lead to another host."""
    to = urlsplit(page)
    return to._replace(scheme="", netloc="", path="/" + to.path.lstrip("/\\")).geturl()
