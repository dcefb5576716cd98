"""Deleting one's account: a page that says what it does, and the form that does it."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine.text import Say
from pbem.service import BadInput, NotNow
from pbem.service.base.sentences import FORMER
from pbem.service.games import account_deletion
from pbem.web.base.context import forget, form_sender, now, office, reader_or_login
from pbem.web.base.forms import field

pages = Blueprint("account_deletion", __name__)


@pages.get("/account/delete")
def ask() -> str:
    """What would happen, and the form; changes nothing."""
    return _page()


@pages.post("/account/delete")
def delete() -> Response | tuple[str, int]:
    """Delete the account when its address was typed; the browser is logged out."""
    own = form_sender()
    typed = field("address", longest=20_000, default="")
    try:
        account_deletion.delete(office(), own.id, typed, now())
    except BadInput as bad:
        return _page(bad.problems[0].sentence, typed[:320]), 400
    except NotNow as refused:
        return _page(refused.sentence, typed[:320]), 409
    response = redirect(url_for("lobby.lobby", deleted=1), code=303)
    forget(response)
    return response


def _page(problem: Say | None = None, typed: str = "") -> str:
    own = reader_or_login()
    return render_template(
        "account_delete.html",
        section="account",
        leaving=account_deletion.leaving(office(), own.id),
        nobody=FORMER,
        problem=problem,
        typed=typed,
    )
