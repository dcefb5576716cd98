"""Merging two accounts of one person: the operator chooses both, looks at what happens, and then does it."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine.text import Say
from pbem.service import NotNow
from pbem.service.games import account_merging
from pbem.service.operator import operating
from pbem.web.accounts.host import LISTED
from pbem.web.accounts.operator import number, who_acts, who_looks
from pbem.web.base.context import now, office
from pbem.web.base.forms import argument, field

pages = Blueprint("host_merge", __name__)


@pages.get("/host/merge")
def look() -> str:
    """Choose the other account, or, when both are chosen, see what happens; changes nothing."""
    who_looks()
    kept, goes = number(argument("kept", longest=20)), number(argument("goes", longest=20))
    return _second_look(kept, goes) if goes else _choose(kept)


@pages.post("/host/merge")
def merge() -> Response | tuple[str, int]:
    own = who_acts()
    kept, goes = number(field("kept")), number(field("goes"))
    try:
        account_merging.merge(office(), own.id, kept, goes, now())
    except NotNow as refused:
        return _second_look(kept, goes, refused.sentence), 409
    who = operating.of(office(), kept).address
    return redirect(url_for("host.show", done="merged", who=who, _anchor="people"), code=303)


def _choose(kept: int) -> str:
    who = argument("who", longest=2000)[:100]
    found = [one for one in operating.find(office(), who, LISTED + 2) if one.id != kept]
    return render_template(
        "host_merge_choice.html",
        section="account",
        one=operating.of(office(), kept),
        who=who,
        found=found[:LISTED],
        more_found=len(found) > LISTED,
    )


def _second_look(kept: int, goes: int, problem: Say | None = None) -> str:
    told = account_merging.merging(office(), kept, goes)
    return render_template("host_merge.html", section="account", told=told, problem=problem)
