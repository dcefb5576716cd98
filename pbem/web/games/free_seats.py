"""Seats of running games that are free: the list, one of them, taking it, who wants to hear of them; invitations."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, say
from pbem.service import NoSuch, NotNow
from pbem.service.base import merged
from pbem.service.base.tokens import InvitationClaim, OfferClaim
from pbem.service.games import members, opening, seat_changes, views, watching
from pbem.service.people import accounts, blocks, notifications
from pbem.store.statuses import SeatStatus
from pbem.web.base.context import (
    form_sender,
    now,
    office,
    own_form,
    read_as_account,
    read_as_seat,
    reader,
    reader_or_login,
)
from pbem.web.base.forms import NO_BUTTON, BadForm, argument, field, named
from pbem.web.boards.keys import may_look

pages = Blueprint("free_seats", __name__)


@pages.get("/o/<token>")
def offer(token: str) -> tuple[str, int]:
    return _offer(token)


@pages.post("/o/<token>")
def take(token: str) -> Response | tuple[str, int]:
    claim = office().tokens.read(OfferClaim, token)
    account = claim.account
    if not account:
        account = reader_or_login().id
        own_form()
    try:
        game_id = seat_changes.take(office(), claim.offer, account, now())
    except NotNow as late:
        return _offer(token, problem=late.sentence)
    return redirect(url_for("free_seats.offer", token=token, taken=game_id), code=303)


def _offer(token: str, problem: Say | None = None) -> tuple[str, int]:
    """The seat and its game; once the seat of an unlisted game is taken, only the people of the game see more of it."""
    claim = office().tokens.read(OfferClaim, token)
    found, free = members.offer_of(office(), claim)
    read_as_account(claim.account)
    account = merged.meant(office(), claim.account)
    if not free and not may_look(found.game) and not watching.may_look(office(), found.game, account):
        return render_template("offer_gone.html", private=True), 404
    game = views.game(office(), found.game).seen_by()
    page = render_template(
        "offer.html",
        private=True,
        game=game,
        voice=game.voice,
        offer=found,
        free=free,
        personal=bool(claim.account),
        token=token,
        problem=problem,
        taken=argument("taken") == found.game and not free,
    )
    return page, 409 if problem else 200


@pages.get("/seats")
def seats() -> str:
    account = reader()
    free = members.free_seats(office(), account.id if account else None)
    return render_template(
        "seats.html",
        section="games",
        offers=[(found, office().tokens.make(OfferClaim(found.id, 0))) for found in free],
        wanted=accounts.wants(office(), account.id, "substitute") if account else False,
        blocked=blocks.blocked(office(), account.id) if account else (),
        done=argument("done") == "1",
    )


@pages.post("/seats")
def wishes() -> Response:
    account = form_sender()
    match field("do"):
        case "wanted":
            accounts.want(office(), account.id, "substitute", field("wanted", default="") == "1")
        case "unblock":
            blocks.unblock(office(), account.id, named("account"))
        case _:
            raise BadForm(NO_BUTTON)
    return redirect(url_for("free_seats.seats", done=1), code=303)


ANSWERS = ("accept", "decline")


@pages.get("/i/<token>")
def invitation(token: str) -> str:
    answer = argument("answer")
    return _page(token, answer=answer if answer in ANSWERS else "", done=argument("done") == "1")


@pages.post("/i/<token>")
def answer(token: str) -> Response | tuple[str, int]:
    claim = office().tokens.read(InvitationClaim, token)
    wish = field("answer")
    if wish not in ANSWERS:
        raise BadForm(say("Answer “accept” or “decline”."))
    try:
        opening.answer(office(), claim, wish == "accept", now())
        if wish == "accept":
            account = accounts.of_seat(office(), claim.game, claim.number)
            notifications.guess_zone(office(), account, field("browser_zone", default=""))
    except NotNow as late:
        return _page(token, problem=late.sentence), 409
    return redirect(url_for("free_seats.invitation", token=token, done=1), code=303)


def _page(token: str, *, answer: str = "", done: bool = False, problem: Say | None = None) -> str:
    claim = office().tokens.read(InvitationClaim, token)
    game = views.game(office(), claim.game).seen_by()
    for seat in game.seats:
        if seat.number == claim.number and not (game.unlisted and seat.holder != claim.holder):
            read_as_seat(claim.game, claim.number)
            host = next((other.name for other in game.seats if other.host), "")
            return render_template(
                "invitation.html",
                private=True,
                game=game,
                seat=seat,
                host=host,
                token=token,
                answer="" if done else answer,
                done=done and seat.status != SeatStatus.INVITED,
                problem=problem,
            )
    raise NoSuch(f"Game {game.id} has no seat {claim.number}, or it is not listed and the seat is somebody else's.")
