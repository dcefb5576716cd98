"""Players who leave a game: who resigns, who is removed because no answers came."""

from datetime import datetime

from pbem.engine import say
from pbem.service.base import GameWork, NotNow, Office
from pbem.service.games import seat_changes, votes
from pbem.service.turns import audit_log
from pbem.store.tables import Account, Seat


def resign(office: Office, game_id: str, number: int, now: datetime) -> None:
    """Leave the game for good; the seat is offered to a substitute. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        seat_changes.runs(work.game)
        if seat.account_id is None:
            raise NotNow(say("Nobody has this seat."))
        audit_log.write(work, "resigned", seat=seat)
        leave(work, seat, "resigned")


def remove(office: Office, game_id: str, host_id: int, number: int, now: datetime) -> None:
    """The host removes a player who has vanished. Raises :class:`NotNow` with what is missing for it."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        if work.game.host_id != host_id:
            raise NotNow(say("Only the host can remove a player. You can ask the others to vote."))
        seat_changes.removable(work, seat)
        host = work.session.get_one(Account, host_id)
        audit_log.write(work, "removed", seat=work.seat_of(host_id), account=host, other=seat.name)
        leave(work, seat, "removed")


def leave(work: GameWork, seat: Seat, how: str) -> None:
    """Nobody holds the seat any more, and votes are counted without it. ``how``: resigned removed."""
    seat_changes.vacate(work, seat, how)
    votes.left(work, seat)
