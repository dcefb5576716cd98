"""Deleting somebody's account and cancelling a game: the operator looks at what happens, and then does it."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine.text import Say
from pbem.service import BadInput, NotNow
from pbem.service.base.sentences import FORMER
from pbem.service.games import account_deletion, cancelling
from pbem.service.operator import operating
from pbem.web.accounts.operator import number, who_acts, who_looks
from pbem.web.base.context import now, office
from pbem.web.base.forms import argument, field

pages = Blueprint("host_ends", __name__)


@pages.get("/host/delete")
def look_at_account() -> str:
    """What would happen to an account; changes nothing."""
    who_looks()
    return _account(number(argument("number", longest=20)))


@pages.post("/host/delete")
def delete_account() -> Response | tuple[str, int]:
    who_acts()
    account = operating.of(office(), number(field("number")))
    typed = field("address", longest=20_000, default="")
    try:
        account_deletion.delete(office(), account.id, typed, now(), by_operator=True)
    except BadInput as bad:
        return _account(account.id, bad.problems[0].sentence, typed[:320]), 400
    except NotNow as refused:
        return _account(account.id, refused.sentence, typed[:320]), 409
    return redirect(url_for("host.show", done="deleted", _anchor="people"), code=303)


@pages.get("/host/cancel")
def look_at_game() -> str | Response:
    """What would happen to a game; changes nothing."""
    who_looks()
    return _game(argument("game", longest=100))


@pages.post("/host/cancel")
def cancel_game() -> Response:
    who_acts()
    try:
        cancelling.cancel(office(), field("game", longest=100), now())
    except NotNow:
        return _over_already()
    return redirect(url_for("host.show", done="cancelled", _anchor="games"), code=303)


def _account(account_id: int, problem: Say | None = None, typed: str = "") -> str:
    return render_template(
        "host_delete.html",
        section="account",
        person=operating.of(office(), account_id),
        leaving=account_deletion.leaving(office(), account_id),
        nobody=FORMER,
        problem=problem,
        typed=typed,
    )


def _game(game_id: str) -> str | Response:
    try:
        game = cancelling.look(office(), game_id)
    except NotNow:
        return _over_already()
    return render_template("host_cancel.html", section="account", game=game)


def _over_already() -> Response:
    return redirect(url_for("host.show", done="not-cancelled", _anchor="games"), code=303)
