"""What members do about the clocks of their game: ask for a pause, end it, say that they are back."""

from datetime import date

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from pbem.service.games import pauses, votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.people import absences
from pbem.service.turns import caretaker
from pbem.web.base.context import now, office
from pbem.web.base.forms import NO_BUTTON, BadForm, field
from pbem.web.games.members import acting

pages = Blueprint("clocks", __name__)


@pages.post("/games/<game_id>/clocks")
@pages.post("/s/<token>/clocks")
def act(game_id: str = "", token: str = "") -> Response:
    member = acting(game_id, token)
    match field("do"):
        case "pause":
            until = field("until", default="")
            votes.ask(office(), member.game, member.number, Pausing(_day(until) if until else None), now())
        case "resume":
            pauses.end(office(), member.game, member.number, now())
        case "back":
            caretaker.back(office(), member.game, member.account, now())
        case _:
            raise BadForm(NO_BUTTON)
    return redirect(member.page("clocks"), code=303)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadForm(absences.NO_DAY, text) from error
