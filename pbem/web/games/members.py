"""Who acts in a game: somebody who is logged in, or who has followed the private link of a seat."""

from flask import Flask, request, url_for

from pbem.engine.text import say
from pbem.engine.values import Value
from pbem.service import NoSuch
from pbem.service.base.tokens import BadToken, SeatClaim
from pbem.service.games import views, watching
from pbem.service.people import accounts
from pbem.store.statuses import GameStatus
from pbem.views.games import GameView, SeatView
from pbem.web.base.context import office, own_form, read_as_seat, reader_or_login
from pbem.web.base.forms import NotAllowed
from pbem.web.boards.keys import may_look


def register(app: Flask) -> None:
    """A game in no public list is not there for others than its people: every address of it is the 404 of no game."""

    @app.before_request
    def hide() -> None:
        game_id = (request.view_args or {}).get("game_id")
        if game_id is not None and request.blueprint != "pictures" and not may_look(game_id):
            raise NoSuch(f"Game {game_id} is not listed.")


class Member(Value):
    """``player``: the seat, ``None`` for a host who does not play. ``token``: of the seat's link, or empty."""

    game: str
    player: SeatView | None
    account: int
    token: str = ""

    @property
    def number(self) -> int:
        """The seat's number. Raises a 403 for those without a seat."""
        if self.player is None:
            raise NotAllowed(say("Only players of this game can do this."))
        return self.player.number

    def page(self, anchor: str = "", **arguments: str | int) -> str:
        if self.token:
            return url_for("games.seat", token=self.token, _anchor=anchor or None, **arguments)  # type: ignore[arg-type]
        return url_for("games.game", game_id=self.game, _anchor=anchor or None, **arguments)  # type: ignore[arg-type]

    def people(self, **arguments: str | int | None) -> str:
        if self.token:
            return url_for("people.people", token=self.token, **arguments)  # type: ignore[arg-type]
        return url_for("people.people", game_id=self.game, **arguments)  # type: ignore[arg-type]


def seat_of_token(token: str) -> tuple[str, SeatView]:
    """The game and the seat of a private link. Raises ``BadToken`` when the seat has changed hands since."""
    claim = office().tokens.read(SeatClaim, token)
    for seat in views.game(office(), claim.game).seats:
        if seat.number == claim.number:
            if seat.holder != claim.holder:
                raise BadToken
            read_as_seat(claim.game, claim.number)
            return claim.game, seat
    raise NoSuch(f"Game {claim.game} has no seat {claim.number}.")


def looking(game_id: str, token: str) -> Member:
    """Who opens a page of members. Raises a 401 for guests, a 403 for those who are none of this game."""
    if token:
        game, seat = seat_of_token(token)
        return Member(game, seat, accounts.of_seat(office(), game, seat.number), token)
    account = reader_or_login()
    player = views.seat_of(office(), game_id, account.id)
    if player is None and not watching.hosts(office(), game_id, account.id):
        raise NotAllowed(say("Only players and the host of this game can open this page."))
    return Member(game_id, player, account.id)


def acting(game_id: str, token: str) -> Member:
    """Who sends a form; one of a logged-in browser must be its own."""
    found = looking(game_id, token)
    if not token:
        own_form()
    return found


def finished(game_id: str) -> GameView:
    """A game that is over. Raises ``NoSuch`` for every other."""
    view = views.game(office(), game_id)
    if view.status != GameStatus.OVER:
        raise NoSuch(f"Game {game_id} is not over.")
    return view
