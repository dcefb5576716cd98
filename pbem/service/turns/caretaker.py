"""A caretaker: plays sensible legal orders for a player whose time is over, until the player is back."""

from __future__ import annotations

import hashlib
import random
from datetime import datetime

from sqlalchemy.orm import Session

from pbem import robot
from pbem.engine.moves import BadMove, Move, Refused
from pbem.engine.sheet import Sheet, State
from pbem.service.base import queries
from pbem.service.base.office import Office
from pbem.service.clocks import game_clock
from pbem.service.turns import progress
from pbem.store.tables import Game, Seat


def orders(session: Session, game: Game, sheet: Sheet, state: State) -> tuple[Move, ...]:
    """What the caretaker would play; the same in the same position of the same game."""
    seed = hashlib.sha256(b"caretaker" + game.seed + sheet.place(state).encode()).digest()
    try:
        moves = sheet.parse(state, robot.choose(sheet, state, random.Random(seed)), {})
        sheet.play(state, sheet.to_act(state) or "", moves, progress.chance_at(session, game, sheet, state))
    except (BadMove, Refused):  # it plans with dice of its own, and may be wrong about what it may do
        return (sheet.default(state),)
    return moves


def back(office: Office, game_id: str, account_id: int, now: datetime) -> bool:
    """The player is back and plays again; returns whether a caretaker had to go. Raises ``NoSuch``."""
    with office.write() as (session, _):
        game = queries.locked(session, game_id)
        for seat in queries.seats(session, game_id):
            if seat.account_id == account_id:
                return leave(session, game, seat, now)
    return False


def leave(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """The same inside a transaction: a question that is open gets its whole time."""
    if not game_clock.returned(session, seat):
        return False
    if game.to_act == seat.colour:
        game.counted_from, game.spent_seconds = now, 0
        game_clock.set_anew(session, game)
    return True
