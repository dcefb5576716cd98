"""The page on which an account becomes that of a program, and its tokens are made and withdrawn."""

from http import HTTPStatus
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import say
from pbem.service import NotNow
from pbem.service.base.validation import PROGRAM
from pbem.service.people import programs
from pbem.web.base import forms
from pbem.web.base.context import form_sender, now, office, reader_or_login
from pbem.web.base.forms import BadForm, argument

pages = Blueprint("account_program", __name__)


@pages.get("/account/program")
def show() -> str:
    return _page(withdrawn=argument("withdrawn") == "1")


@pages.post("/account/program")
def change() -> Response | tuple[str, int]:
    """Make a token, which stands on this answer and nowhere else, or withdraw one."""
    account = form_sender()
    match forms.field("do"):
        case "make":
            try:
                page = make_response(_page(token=programs.make_token(office(), account.id, now())))
            except NotNow as no:
                return _page(problem=no.sentence), HTTPStatus.CONFLICT
            page.headers["Cache-Control"] = "no-store"
            return page
        case "withdraw":
            programs.withdraw(office(), account.id, forms.named("token"))
            return redirect(url_for("account_program.show", withdrawn=1), code=HTTPStatus.SEE_OTHER)
    raise BadForm(say("Choose “make” or “withdraw”."))


def _page(**values: Any) -> str:
    account = reader_or_login()
    made = programs.tokens(office(), account.id)
    is_one = account.program or "token" in values
    return render_template(
        "program.html",
        section="account",
        program=is_one,
        obstacle=None if is_one else programs.obstacle(office(), account.id),
        tokens=made,
        most=programs.MOST,
        mark=PROGRAM.strip(),
        api=f"{office().settings.public_url}/api/v1/questions",
        **values,
    )
