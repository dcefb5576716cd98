"""The answer to an invitation."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine.text import Say, say
from pbem.service import NoSuch, NotNow
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening, views
from pbem.service.people import accounts, notifications
from pbem.store.statuses import SeatStatus
from pbem.web.base.context import now, office, read_as_seat
from pbem.web.base.forms import BadForm, argument, field

pages = Blueprint("invitations", __name__)

ANSWERS = ("accept", "decline")


@pages.get("/i/<token>")
def invitation(token: str) -> str:
    """What the invitation is to; ``answer`` in the address asks to confirm it. Changes nothing."""
    answer = argument("answer")
    return _page(token, answer=answer if answer in ANSWERS else "", done=argument("done") == "1")


@pages.post("/i/<token>")
def answer(token: str) -> Response | tuple[str, int]:
    """Accept or decline; the last to accept starts the game."""
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
    return redirect(url_for("invitations.invitation", token=token, done=1), code=303)


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
