"""A caretaker: plays sensible legal orders for a player whose time is over, until the player is back."""

from __future__ import annotations

import hashlib
import random
from datetime import datetime

from pbem import robot
from pbem.engine.moves import BadMove, Move, Refused
from pbem.service.base.office import Office
from pbem.service.base.work import GameWork
from pbem.service.clocks import game_clock
from pbem.service.turns import progress
from pbem.store.tables import Seat


def orders(work: GameWork) -> tuple[Move, ...]:
    """What the caretaker would play; the same in the same position of the same game."""
    sheet, state = work.sheet, work.state
    seed = hashlib.sha256(b"caretaker" + work.game.seed + sheet.place(state).encode()).digest()
    try:
        moves = sheet.parse(state, robot.choose(sheet, state, random.Random(seed)), {})
        sheet.play(state, sheet.to_act(state) or "", moves, progress.chance_at(work))
    except (BadMove, Refused):  # it plans with dice of its own, and may be wrong about what it may do
        return (sheet.default(state),)
    return moves


def back(office: Office, game_id: str, account_id: int, now: datetime) -> bool:
    """The player is back and plays again; returns whether a caretaker had to go. Raises ``NoSuch``."""
    with office.game(game_id, now) as work:
        for seat in work.seats:
            if seat.account_id == account_id:
                return leave(work, seat)
    return False


def leave(work: GameWork, seat: Seat) -> bool:
    """The same inside a transaction: a question that is open gets its whole time."""
    if not game_clock.returned(seat):
        return False
    if work.game.to_act == seat.colour:
        work.game.counted_from, work.game.spent_seconds = work.now, 0
        game_clock.set_anew(work)
    return True
