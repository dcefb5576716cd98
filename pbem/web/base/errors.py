"""Error pages: what happened, what to do, and that nothing is lost where that is true."""

import logging
import secrets

import msgspec
from flask import Flask, Response, g, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import BadHost, BadRequest, HTTPException
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import Say, say
from pbem.engine.text import together
from pbem.language import times
from pbem.service import BadInput, BadToken, NoSuch, NotNow
from pbem.service.base.rate_limits import WRONG_LINKS, TooMuch
from pbem.store.database import AWAY
from pbem.web.base import clients, context, forms
from pbem.web.base.forms import BadForm, NotAllowed, NotThere

log = logging.getLogger(__name__)

HEADINGS = {
    400: say("We could not read your request"),
    403: say("You are not allowed to do this"),
    404: say("There is nothing at this address"),
    405: say("This address does not accept such a request"),
    409: say("You cannot do this now"),
    413: say("That is too long"),
    429: say("Too many tries"),
}
SENTENCES = {
    400: say("What you sent arrived incomplete or could not be read. Reload the page and try again."),
    404: say("Your email program may have cut the link in two, or it is not one of ours."),
    405: say("It shows a page or accepts a form, but not the request that was sent."),
    413: say("A form can have at most 64 KB, and this one has more. Nothing was accepted."),
    416: say("The file does not have this range of bytes."),
}
NO_GAME = say(
    "There is no such game, or it is in no public list: its players can open it when they are logged in, "
    "or with the link to their seat."
)
KEPT = say("Nothing you sent is lost: orders count once a page says “played”, and you are told if they are refused.")

AWAY_NOW = say(
    "The server cannot use its database at the moment. Try again in a minute; "
    "orders that we already have are not played twice."
)
AGAIN_SECONDS = 5


class Error(msgspec.Struct):
    error: str


def register(app: Flask) -> None:
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(BadHost, _no_host)
    app.register_error_handler(BadToken, _wrong_link)
    app.register_error_handler(TooMuch, _too_much)
    app.register_error_handler(NoSuch, lambda _: _answer(404))
    app.register_error_handler(NotNow, lambda error: _answer(409, error.sentence))
    app.register_error_handler(BadInput, lambda error: _answer(400, error.sentence))
    for away in AWAY:
        app.register_error_handler(away, _away)
    app.register_error_handler(Exception, _broken)


def _http(error: HTTPException) -> AnyResponse:
    code = error.code or 500
    if code < 400:
        return make_response(error.get_response())
    if code == 401 and not _wants_json():
        return redirect(url_for("login.ask", needed=1))
    response = _answer(code, _sentence(error, code), error.text if isinstance(error, BadForm) else "")
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After", "WWW-Authenticate"):
            response.headers[name] = value
    return response


def _sentence(error: HTTPException, code: int) -> Say | None:
    """What the error says; nothing where it has no words of ours."""
    if isinstance(error, BadForm | NotAllowed | NotThere):
        return error.sentence
    if code in SENTENCES and (code != 400 or error.description == BadRequest.description):
        return None
    return say("{sentence}", sentence=error.description) if error.description else None


def _no_host(_: BadHost) -> Response:
    """Without a host there are no addresses, and no page without addresses."""
    return Response("The Host header of the request cannot be read.\n", 400, mimetype="text/plain")


def _wrong_link(_: BadToken) -> Response:
    """Good links are answered whatever comes from the same client, so this only spares us the tries of programs."""
    try:
        clients.use(context.office(), WRONG_LINKS, clients.client(), context.now())
    except TooMuch as much:
        return _too_much(much)
    except AWAY as away:
        return _away(away)
    return _answer(404)


def _too_much(error: TooMuch) -> Response:
    again = say("Try again in {span}.", span=times.span(error.again))
    response = _answer(429, together(error.sentence, again), forms.typed())
    response.headers["Retry-After"] = str(clients.seconds(error.again))
    return response


def _away(error: Exception) -> Response:
    """The database does not answer: nothing of ours is broken, and what was sent can be sent again."""
    log.warning("no database for %s %s: %s", request.method, _route(), error, extra={"route": _route()})
    g.reader, g.notice = None, ""  # they stand in the database
    response = _answer(503, AWAY_NOW, forms.typed(), heading=say("Not now"))
    response.headers["Retry-After"] = str(AGAIN_SECONDS)
    return response


def _broken(error: Exception) -> Response:
    number = secrets.token_hex(4).upper()
    g.setdefault("notice", "")  # nothing more is read for the page that says so
    log.error("error %s on %s %s", number, request.method, _route(), exc_info=error, extra={"route": _route()})
    sentence = say("There was an error on our side. It is logged under number {number}.", number=number)
    return _answer(500, sentence, heading=say("An error on our side"))


def _route() -> str:
    """The address as the program has it: its own parts may be secrets."""
    return request.url_rule.rule if request.url_rule else "an address that is none"


def _answer(code: int, sentence: Say | None = None, text: str = "", heading: Say | None = None) -> Response:
    if isinstance(request.routing_exception, BadHost):  # refused before its host was looked at
        return _no_host(request.routing_exception)
    if code == 404 and sentence is None and "game_id" in (request.view_args or {}):
        sentence = NO_GAME  # the same for games that are not listed and for games that are none
    sentence = sentence or SENTENCES.get(code)
    if _wants_json():
        response = jsonify(msgspec.to_builtins(Error(str(sentence or heading or ""))))
    else:
        heading = heading or HEADINGS.get(code, say("This did not work"))
        page = render_template("error.html", code=code, heading=heading, sentence=sentence or "", text=text, kept=KEPT)
        response = make_response(page)
    response.status_code = code
    response.headers["Cache-Control"] = "no-store"
    return response


def _wants_json() -> bool:
    return request.path.startswith("/api/")
