"""The page of who runs the server: how it is, what is stuck, whose emails came back, with a button for each."""

from __future__ import annotations

import logging

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

import pbem
from pbem.engine.text import Say, say
from pbem.service.accounts import bounces
from pbem.service.base.numbers import NUMBERS
from pbem.service.reading import health, hosting
from pbem.service.turns import stuck
from pbem.statuses import GameStatus
from pbem.views import AccountView
from pbem.web.base.context import now, office, own_form, reader, reader_or_login
from pbem.web.base.forms import argument, field

pages = Blueprint("host", __name__)

_log = logging.getLogger("pbem.web.host")

LISTED = 12
"""Orders and addresses that the page lists; the next come when these are dealt with."""
DONE = {
    "played": say("A worker plays the orders now."),
    "closed": say("The orders are closed: the game has moved on."),
    "gone": say("These orders are not set aside any more."),
    "mail": say("Emails go to this address again, a test email first."),
    "mail-gone": say("Emails go to this address already."),
}
"""What the page says after a button was pressed."""
GAMES = {
    GameStatus.OPEN: say("not started"),
    GameStatus.RUNNING: say("running"),
    GameStatus.STOPPING: say("about to end"),
    GameStatus.OVER: say("finished"),
    GameStatus.CANCELLED: say("cancelled"),
}


@pages.get("/host")
def show() -> str:
    """How the server is, and the buttons; there is no such page for anybody else."""
    own = reader()
    if own is None or not _runs(own):
        raise NotFound
    aside = stuck.of_all(office())
    silent = bounces.all_unreachable(office(), LISTED + 1)
    return render_template(
        "host.html",
        section="account",
        seen=hosting.overview(office(), now()),
        within=health,
        games=GAMES,
        aside=aside[:LISTED],
        more_aside=len(aside) > LISTED,
        silent=silent[:LISTED],
        more_silent=len(silent) > LISTED,
        version=pbem.__version__,
        done=_done(argument("done")),
    )


@pages.post("/host/orders")
def orders() -> Response:
    """Play orders again that were set aside, or close those that answer nothing any more."""
    own = _who_runs()
    number = _number(field("number"))
    played = stuck.play_again(office(), [number], now()).get(number)
    outcome = "gone" if played is None else "played" if played else "closed"
    _log.info("The operator plays orders again.", extra={"account": own.id, "submission": number, "outcome": outcome})
    return _back(outcome)


@pages.post("/host/emails")
def emails() -> Response:
    """Send emails to an address again from which they came back."""
    own = _who_runs()
    account = _number(field("number"))
    silent = bounces.unreachable(office(), account) is not None
    outcome = "mail" if silent and bounces.switch_on(office(), account, now()) else "mail-gone"
    _log.info("The operator sends emails again.", extra={"account": own.id, "to": account, "outcome": outcome})
    return _back(outcome)


def _runs(account: AccountView) -> bool:
    return hosting.runs(office().settings, account.address)


def _who_runs() -> AccountView:
    """Whoever runs the server, by a form of the page; for all others there is nothing here."""
    own = reader_or_login()
    own_form()
    if not _runs(own):
        raise NotFound
    return own


def _number(text: str) -> int:
    """The number of a row; 0, which no row has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 and int(text) in NUMBERS else 0


def _done(what: str) -> Say | None:
    return DONE.get(what)


def _back(done: str) -> Response:
    return redirect(url_for("host.show", done=done), code=303)
