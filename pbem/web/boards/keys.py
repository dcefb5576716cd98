"""Pictures of games that are not listed: their addresses carry a key, which the pages that show them add.

A key ends with the right to see the page: that of a seat when the seat changes hands, that of spectators when their
link is made void. The key on a turn page is for one position.
"""

from collections.abc import Iterator
from typing import Any

from flask import Flask, g, request

from pbem.service.games import guests, watching
from pbem.views.games import GameView, SeatView
from pbem.web.base.context import guest, office, reader

LONGEST = 32


def register(app: Flask) -> None:
    @app.url_defaults
    def add_key(endpoint: str, values: dict[str, Any]) -> None:
        game_id, key = g.get("picture_key", ("", ""))
        if game_id and endpoint.startswith("pictures.") and values.get("game_id") == game_id:
            values.setdefault("k", key)


def show_seat(game: GameView, seat: SeatView) -> None:
    """This page may show all pictures of the game, as long as the seat is in the same hands."""
    _show(game, *_seat(seat))


def show_position(game: GameView, seat: SeatView) -> None:
    """This page may show pictures of the position it is about, as long as the seat is in the same hands."""
    _show(game, *_seat(seat), str(game.version))


def show_spectators(game: GameView, key: str) -> None:
    """This page may show all pictures of the game; ``key``: of the link of spectators, and void with it."""
    _show(game, "watch", key)


def may_see(game: GameView) -> bool:
    if not game.unlisted:
        return True
    given, tokens = request.args.get("k", "")[:LONGEST], office().tokens
    if any(tokens.sealed(given, "picture", game.id, *holder, shown=LONGEST) for holder in _holders(game)):
        return True
    return may_look(game.id)


def may_look(game_id: str) -> bool:
    account, claim = reader(), guest()
    if claim is not None and guests.plays(office(), claim, game_id):
        return True
    return watching.may_look(office(), game_id, account.id if account else None)


def _holders(game: GameView) -> Iterator[tuple[str, ...]]:
    for seat in game.seats:
        yield _seat(seat)
        yield (*_seat(seat), str(game.version))
    for key in watching.key_of(office(), game.id):
        yield "watch", key


def _seat(seat: SeatView) -> tuple[str, ...]:
    return "seat", str(seat.number), str(seat.holder)


def _show(game: GameView, *holder: str) -> None:
    if game.unlisted:
        g.picture_key = (game.id, office().tokens.seal("picture", game.id, *holder, shown=LONGEST))
