"""A stored game on paper: the record of the contract, with the seed once the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from pbem.engine.sheet import Sheet
from pbem.engine.text import say
from pbem.service import rows
from pbem.service.errors import NotNow
from pbem.service.office import Office
from pbem.store.tables import Game, Move

FORMAT = "pbem-record/1"
OPENING = ("order", "cubes", "display", "bag", "accepts")
OPENING_PLAYER = ("cash", "income", "shares", "engine")


def export(office: Office, game_id: str) -> dict[str, Any]:
    """The record of a game (contract, section 5). Raises :class:`NoSuch`, and :class:`NotNow` before the start.

    A running game shows the commitment and how it was dealt; a finished one the seed, from which all follows.
    """
    with office.read() as session:
        game = rows.game(session, game_id)
        if game.imported is not None:
            return dict(game.imported)
        if game.started_at is None:
            raise NotNow(say("This game has not started; there is no record yet."))
        return _record(session, game)


def _record(session: Session, game: Game) -> dict[str, Any]:
    sheet = rows.sheet(game)
    query = select(Move).where(Move.game_id == game.id).order_by(Move.number)
    deal, *moves = session.scalars(query.options(undefer(Move.state))).all()
    dealt = sheet.position(sheet.decode(deal.state))
    seats = rows.seats(session, game.id)
    record: dict[str, Any] = {
        "format": FORMAT,
        "game": game.game,
        "map": game.map,
        "title": game.title,
        "options": game.options,
        "players": list(dealt.get("order") or [seat.colour for seat in seats]),
        "names": {seat.colour: seat.name for seat in seats},
        "commitment": game.commitment,
    }
    record |= {"seed": game.seed.hex()} if game.status == "over" else {"opening": _opening(dealt)}
    record["turns"] = [_entry(move) for move in moves]
    if game.status == "over":
        record["result"] = result(sheet, sheet.decode(game.state))
    return record


def _opening(dealt: dict[str, Any]) -> dict[str, Any]:
    opening = {key: dealt[key] for key in OPENING if key in dealt}
    players = dealt.get("players", {})
    opening["players"] = {
        seat: {key: figures[key] for key in OPENING_PLAYER if key in figures} for seat, figures in players.items()
    }
    return opening


def _entry(move: Move) -> dict[str, Any]:
    entry: dict[str, Any] = {"turn": move.turn, "phase": move.phase, "player": move.seat, "orders": move.orders}
    if move.chance:
        entry["chance"] = move.chance
    if move.cause != "player":
        entry["auto"] = True
    return entry


def result(sheet: Sheet, state: Any) -> Sequence[dict[str, Any]]:
    """The final table as records have it."""
    return [
        {"player": line.seat, "place": line.place, "score": line.score, "out": line.out}
        for line in sheet.standings(state)
    ]
