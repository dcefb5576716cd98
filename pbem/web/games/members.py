"""Who acts in a game: somebody who is logged in, or who has followed the private link of a seat; and what the page
of the game shows of its people."""

from typing import Any

from flask import Flask, request, url_for

from pbem.engine import Value, say
from pbem.service import NoSuch
from pbem.service.base.tokens import BadToken, SeatClaim
from pbem.service.games import members, views, watching
from pbem.service.letters import talk
from pbem.service.people import accounts
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus
from pbem.views.games import GameView, SeatView
from pbem.views.people import BackView
from pbem.web.base.context import now, office, own_form, read_as_seat, reader, reader_or_login
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
        place = "games.seat" if self.token else "games.game"
        return url_for(place, _anchor=anchor or None, **_place(self.game, self.token), **arguments)  # type: ignore[arg-type]

    def people(self, **arguments: str | int | None) -> str:
        return url_for("people.people", **_place(self.game, self.token), **arguments)  # type: ignore[arg-type]


def _place(game_id: str, token: str) -> dict[str, Any]:
    return {"token": token} if token else {"game_id": game_id}


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
    view = views.game(office(), game_id)
    if view.status != GameStatus.OVER:
        raise NoSuch(f"Game {game_id} is not over.")
    return view


def of_game(view: GameView, player: SeatView | None, token: str, watching: bool = False) -> dict[str, Any]:
    """The values of the parts. ``watching``: by the link of spectators."""
    account = account_of(view, player, token)
    company = members.company(office(), view.id, player.number if player else None, account, now())
    member = player is not None or company.host
    place = _place(view.id, token)
    return {
        "company": company,
        "member": member,
        "posts": talk.said(office(), view.id),
        "note": talk.note(office(), view.id, account) if player and account is not None else "",
        "audit_log": audit_log.of_game(office(), view.id, player.number if player else None),
        "base": url_for("games.seat" if token else "games.game", **place),
        "people_page": url_for("people.people", **place) if member else "",
        "watching": watching,
        "may_rematch": view.status == GameStatus.OVER and not view.imported and player is not None and not token,
    }


def back_of(view: GameView, number: int | None, player: SeatView) -> BackView | None:
    back = members.company(office(), view.id, player.number, None, now()).back
    return back if back is not None and number is not None and back.number == number else None


def account_of(view: GameView, player: SeatView | None, token: str) -> int | None:
    if token and player is not None:
        return accounts.of_seat(office(), view.id, player.number)
    account = reader()
    return account.id if account else None
