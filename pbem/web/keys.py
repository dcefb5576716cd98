"""Pictures of games that are not listed: their addresses carry a key, which the pages that show them add."""

from __future__ import annotations

from typing import Any

from flask import Flask, g, request

from pbem.service import watching
from pbem.views import GameView
from pbem.web.desk import office, reader

LONGEST = 32
SEAT = "seat"
"""What the key of those with a private link is made of; that of spectators is made of the key of their link."""


def register(app: Flask) -> None:
    """Let addresses of pictures carry the key of the page they stand on."""

    @app.url_defaults
    def add_key(endpoint: str, values: dict[str, Any]) -> None:
        game_id, key = g.get("picture_key", ("", ""))
        if game_id and endpoint.startswith("pictures.") and values.get("game_id") == game_id:
            values.setdefault("k", key)


def show(game: GameView, holder: str = SEAT) -> None:
    """This page may show pictures of the game; ``holder``: the key in the link of spectators."""
    if game.unlisted:
        g.picture_key = (game.id, _key(game.id, holder))


def may_see(game: GameView) -> bool:
    """Whether this request may have a picture of the game."""
    if not game.unlisted:
        return True
    given, tokens = request.args.get("k", "")[:LONGEST], office().tokens
    holders = [SEAT, *watching.key_of(office(), game.id)]
    if any(tokens.sealed(given, "picture", game.id, holder, shown=LONGEST) for holder in holders):
        return True
    account = reader()
    return watching.may_look(office(), game.id, account.id if account else None)


def _key(game_id: str, holder: str) -> str:
    return office().tokens.seal("picture", game_id, holder, shown=LONGEST)
