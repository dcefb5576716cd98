"""The page on which a browser computes every roll of a finished game again."""

from flask import Blueprint, Response, current_app, make_response, render_template

from pbem.service import NoSuch
from pbem.service.archive import proofs
from pbem.service.archive.proofs import Bag
from pbem.service.base.rate_limits import PICTURES
from pbem.service.games import views
from pbem.web.base import clients
from pbem.web.base.context import Shelf, now, office

pages = Blueprint("dice", __name__)

_bags: Shelf[dict[str, list[Bag | None]]] = Shelf(32)
"""Finished games never change; to find what a bag held, orders are played again."""


@pages.get("/games/<game_id>/dice")
def dice(game_id: str) -> str:
    view = views.game(office(), game_id)
    if not view.seed:
        raise NoSuch(f"Game {game_id} has no seed to show.")
    game = view.seen_by()
    return render_template(
        "dice.html", section="archive", game=game, voice=game.voice, rolls=proofs.rolls(office(), game_id)
    )


@pages.get("/games/<game_id>/bags.json")
def bags(game_id: str) -> Response:
    """What the bag held before every draw of a finished game: by entry of the record, a bag for each of its draws."""
    view = views.game(office(), game_id)

    def found() -> dict[str, list[Bag | None]]:
        clients.use(office(), PICTURES, clients.client(), now())
        return proofs.bags(office(), game_id)

    held = _bags.get((view.id, view.version, view.commitment, view.ended_at), found)
    return make_response(current_app.json.response(held))
