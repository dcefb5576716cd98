"""Whether the stored positions of a game are those that its seed and its orders lead to."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from pbem.engine.chance import commitment
from pbem.engine.record import Entry, Record, digest, replay, start
from pbem.service.base import queries
from pbem.store.statuses import NOTES
from pbem.store.tables import Game, Move


def faults_of(session: Session, game: Game) -> Iterator[str]:
    """One sentence for each stored position that the replay from the seed does not reach."""
    sheet, where = queries.sheet(game), f"game {game.id} ({game.map})"
    query = select(Move).where(Move.game_id == game.id).options(undefer(Move.state)).order_by(Move.number)
    deal, *moves = session.scalars(query).all()
    if [move.number for move in (deal, *moves)] != list(range(game.version + 1)):
        yield f"{where} has {len(moves)} moves and is at version {game.version}"
    if commitment(game.seed) != game.commitment:
        yield f"{where} has a seed that does not belong to its commitment"
    counted = [move for move in moves if move.cause not in NOTES and move.taken_back_by is None]
    entries = tuple(_entry(move) for move in counted)
    seats = tuple(seat.colour for seat in queries.seats(session, game.id))
    record = Record(game.game, game.map, game.options, seats, entries, game.seed, game.commitment)
    state = start(sheet, record, from_seed=True)[0].state
    if sheet.encode(state) != deal.state:
        yield f"{where} was dealt otherwise than its seed says"
    for move, played in zip(counted, replay(sheet, record, from_seed=True), strict=False):
        state = played.state
        if played.step is None or sheet.encode(state) != move.state or digest(sheet, state) != move.digest:
            yield f"{where}: move {move.number} ({move.orders!r}) does not lead to the stored position"
            return
    if sheet.encode(state) != game.state:
        yield f"{where} does not stand where its moves lead"


def _entry(move: Move) -> Entry:
    return Entry(move.turn, move.phase, move.seat, move.orders, tuple(move.chance), move.cause != "player", move.digest)
