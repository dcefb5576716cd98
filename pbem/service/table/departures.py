"""Players who leave a game: who resigns, who is removed because no answers came, and what is decided without them."""

from __future__ import annotations

from datetime import datetime

from pbem.engine.text import say
from pbem.service.base.errors import NotNow
from pbem.service.base.office import Office
from pbem.service.base.work import GameWork
from pbem.service.table import seat_changes, votes
from pbem.service.turns import audit_log, ballots
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
        seat_changes.removable(work.session, work.game, seat, now)
        host = work.session.get_one(Account, host_id)
        audit_log.write(work, "removed", seat=work.seat_of(host_id), account=host, other=seat.name)
        leave(work, seat, "removed")


def ask_remove(office: Office, game_id: str, asker: int, number: int, now: datetime) -> int:
    """Ask the others to remove a player who has vanished; returns the vote. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        asking = work.numbered(asker)
        seat_changes.removable(work.session, work.game, seat, now)
        if asker == number or asker not in [other.number for other in ballots.people(work.session, work.game)]:
            raise NotNow(say("Only the other players can decide this."))
        vote = ballots.open_vote(work, "remove", asking, about=number)
        audit_log.write(work, "asks-remove", seat=asking, other=seat.name)
        votes.settle(work, vote)
        return vote.id


def leave(work: GameWork, seat: Seat, how: str) -> None:
    """Nobody holds the seat any more, and votes are counted without it. ``how``: resigned removed."""
    seat_changes.vacate(work, seat, how)
    votes.left(work, seat)
