"""What the operator does once and for all: delete or merge accounts, cancel a game, judge maps that people draw."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say
from pbem.service import BadInput, NotNow
from pbem.service.base.sentences import FORMER
from pbem.service.games import account_deletion, account_merging, cancelling
from pbem.service.operator import operating
from pbem.service.own_maps import states
from pbem.web.accounts.host import LISTED, number, who_acts, who_looks
from pbem.web.base.context import now, office
from pbem.web.base.forms import NO_BUTTON, BadForm, argument, field

pages = Blueprint("host_ends", __name__)


@pages.get("/host/delete")
def look_at_account() -> str:
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


@pages.post("/host/maps")
def judge_map() -> Response:
    own, key, wish = who_acts(), field("key"), field("do")
    match wish:
        case "keep":
            states.keep(office(), key, now())
        case "withdraw":
            reason = field("reason", longest=20_000, default="")
            try:
                states.withdraw_for_operator(office(), key, reason, now())
            except BadInput as bad:
                raise BadForm(bad.sentence, reason) from bad
        case _:
            raise BadForm(NO_BUTTON)
    operating.note(office(), own.id, "keeps-map" if wish == "keep" else "withdraws-map", 0, now())
    return redirect(url_for("host.show", done="map-kept" if wish == "keep" else "map-withdrawn"), code=303)


@pages.get("/host/merge")
def look_at_merge() -> str:
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
