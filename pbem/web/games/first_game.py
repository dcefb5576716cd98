"""The first game: the page that begins a game of seven emails for somebody who has never played."""

from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.service import BadInput
from pbem.service.base.tokens import LONGEST, InvitationClaim
from pbem.service.games import guests
from pbem.service.turns import lessons
from pbem.views.accounts import AccountView
from pbem.web.base import forms
from pbem.web.base.clients import client
from pbem.web.base.context import guest, now, office, own_form, reader, remember_guest

pages = Blueprint("first_game", __name__, url_prefix="/first-game")


@pages.get("")
def page() -> str:
    token = forms.argument("invitation", longest=LONGEST)
    return _page(token, _invited(token) if token else reader())


@pages.post("")
def begin() -> Response | tuple[str, int]:
    """Begin it: for whoever is logged in or was invited at once, for others when the address is confirmed."""
    token = forms.field("invitation", longest=LONGEST, default="")
    account = _invited(token) if token else reader()
    if account is not None:
        if not token:
            own_form()
        guests.begin_first_game(office(), account.id, now())
        return redirect(url_for("first_game.begun"), code=303)
    name, address = forms.field("name", longest=20_000, default=""), forms.field("email", longest=20_000, default="")
    try:
        claim = guests.start(office(), lessons.FIRST, name, address, now(), client())
    except BadInput as bad:
        problems = {problem.field: problem.sentence for problem in bad.problems}
        return _page("", None, problems=problems, typed={"name": name[:200], "email": address[:320]}), 400
    response = redirect(url_for("first_game.begun"), code=303)
    remember_guest(response, claim)
    return response


@pages.get("/begun")
def begun() -> str:
    claim = guest()
    here = claim is not None and guests.plays(office(), claim, claim.game)
    return render_template("first_game_begun.html", private=True, unconfirmed=here and reader() is None)


def _invited(token: str) -> AccountView:
    return guests.invited(office(), office().tokens.read(InvitationClaim, token))


def _page(token: str, account: AccountView | None, **values: Any) -> str:
    """``account``: for whom it begins at once; ``token``: of the invitation that says so."""
    told = lessons.lesson(lessons.FIRST)
    return render_template(
        "first_game.html",
        section="how-to-play",
        private=bool(token),
        token=token,
        account=account,
        sheet=told.sheet,
        robots=len(told.robots),
        replies=bool(office().settings.orders_address),
        **{"problems": {}, "typed": {}, **values},
    )
