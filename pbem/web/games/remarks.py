"""Forms of the page of a finished game: bookmark the position that is shown, remark on it, remove a remark."""

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from pbem.service import BadInput, NotNow
from pbem.service.games import remarks
from pbem.service.games.remarks import NewRemark
from pbem.service.people import accounts
from pbem.web.base.context import form_sender, now, office
from pbem.web.base.forms import NO_BUTTON, BadForm, field, named
from pbem.web.games.members import seat_of_token

pages = Blueprint("remarks", __name__)


@pages.post("/games/<game_id>/remarks")
@pages.post("/s/<token>/remarks")
def act(game_id: str = "", token: str = "") -> Response:
    game, account = _who(game_id, token)
    at = named("at")
    match field("do"):
        case "keep":
            text = field("remark", longest=20_000, default="")
            new = NewRemark(at, text, field("shared", default="") == "1")
            try:
                remarks.write(office(), game, account, new, now())
            except (BadInput, NotNow) as refused:
                raise BadForm(refused.sentence, text) from refused
        case "remove":
            remarks.remove(office(), game, account, named("remark"), now())
        case _:
            raise BadForm(NO_BUTTON)
    page = {"token": token} if token else {"game_id": game}
    return redirect(url_for("games.seat" if token else "games.game", at=at, _anchor="remarks", **page), code=303)  # type: ignore[arg-type] # of the page


def _who(game_id: str, token: str) -> tuple[str, int]:
    """The game and the account that writes: of the private link, or logged in."""
    if token:
        game, seat = seat_of_token(token)
        return game, accounts.of_seat(office(), game, seat.number)
    account = form_sender()
    return game_id, account.id
