"""A caretaker plays for a player whose time is over, until the player is back; what it orders is in ``robots``."""

from datetime import datetime

from pbem.service.base import GameWork, Office
from pbem.service.clocks import game_clock
from pbem.service.turns import progress
from pbem.store.statuses import GameStatus
from pbem.store.tables import Seat


def back(office: Office, game_id: str, account_id: int, now: datetime) -> bool:
    """The player is back and plays again; returns whether a caretaker had to go. Raises ``NoSuch``.

    Who is asked at the moment gets the email now that was not sent while a caretaker played.
    """
    with office.game(game_id, now) as work:
        seat = work.seat_of(account_id)
        if seat is None or not leave(work, seat):
            return False
        if work.game.status == GameStatus.RUNNING and work.game.to_act == seat.colour:
            progress.tell_asked(work)
        return True


def leave(work: GameWork, seat: Seat) -> bool:
    """The same inside a transaction: a question that is open gets its whole time."""
    if not game_clock.returned(seat):
        return False
    if work.game.to_act == seat.colour:
        game_clock.run(work)
    return True
