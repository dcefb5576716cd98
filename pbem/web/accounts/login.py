"""Logging in with a link that is sent by email, and out again."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.service import BadInput, NotNow
from pbem.service.base.tokens import LoginClaim
from pbem.service.games import guests
from pbem.service.people import accounts, notifications
from pbem.web.base.clients import client
from pbem.web.base.context import forget, form_sender, guest, log_in_secret, now, office, remember
from pbem.web.base.forms import argument, field
from pbem.web.games import lobby

pages = Blueprint("login", __name__)


@pages.get("/login")
def ask() -> str:
    return render_template("login.html", needed=argument("needed") == "1")


@pages.post("/login")
def send() -> str | tuple[str, int]:
    """Email the link; whether the address is known is told to nobody."""
    address, then = field("address", longest=20_000), field("then", default="")
    then = then if lobby.form_of(then) else ""
    try:
        accounts.ask_login(office(), address, now(), client(), then)
    except BadInput as bad:
        problem, typed = bad.problems[0].sentence, address[:320]
        return render_template("login.html", problem=problem, typed_address=typed, then=then), 400
    return render_template("login.html", sent_to=address.strip())


@pages.get("/login/<token>")
def enter(token: str) -> str:
    """The page with the button that logs in; changes nothing, because mail scanners follow links."""
    claim = office().tokens.read(LoginClaim, token)
    works = accounts.login_works(office(), claim, now())
    return render_template("login_enter.html", private=True, token=token, works=works, then=argument("then"))


@pages.post("/login/<token>")
def log_in(token: str) -> Response | tuple[str, int]:
    """Use up the link and let the browser remember who it is.

    It leads to what was come for; else a game that was begun on this browser goes on where it was.
    """
    claim = office().tokens.read(LoginClaim, token)
    try:
        secret = accounts.log_in(office(), claim, now())
    except NotNow as used:
        sentence = used.sentence
        return render_template("login_enter.html", private=True, token=token, works=False, sentence=sentence), 409
    if (own := accounts.logged_in(office(), secret, now())) is not None:
        notifications.guess_zone(office(), own.id, field("browser_zone", default=""))
    game = guest()
    begun = game is not None and guests.confirmed(office(), game)
    wanted = lobby.form_of(field("then", default=""))
    response = redirect(wanted or url_for("play.go_on" if begun else "lobby.lobby"), code=303)
    remember(response, secret)
    return response


@pages.post("/logout")
def log_out() -> Response:
    form_sender()
    accounts.log_out(office(), log_in_secret())
    response = redirect(url_for("lobby.lobby", logged_out=1), code=303)
    forget(response)
    return response
