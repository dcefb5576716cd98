"""Players who leave a game: who resigns, who is removed because no answers came, and what is decided without them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.errors import NotNow
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.table import seat_changes, votes
from pbem.service.turns import audit_log, ballots
from pbem.store.tables import Account, Game, Seat


def resign(office: Office, game_id: str, number: int, now: datetime) -> None:
    """Leave the game for good; the seat is offered to a substitute. Raises :class:`NotNow`."""
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        seat_changes.runs(game)
        if seat.account_id is None:
            raise NotNow(say("Nobody has this seat."))
        audit_log.write(session, game, "resigned", now, seat=seat)
        leave(session, hints, game, seat, "resigned", now)


def remove(office: Office, game_id: str, host_id: int, number: int, now: datetime) -> None:
    """The host removes a player who has vanished. Raises :class:`NotNow` with what is missing for it."""
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        if game.host_id != host_id:
            raise NotNow(say("Only the host can remove a player. You can ask the others to vote."))
        seat_changes.removable(session, game, seat, now)
        host = session.get_one(Account, host_id)
        audit_log.write(
            session, game, "removed", now, seat=audit_log.seat_of(session, game, host_id), account=host, other=seat.name
        )
        leave(session, hints, game, seat, "removed", now)


def ask_remove(office: Office, game_id: str, asker: int, number: int, now: datetime) -> int:
    """Ask the others to remove a player who has vanished; returns the vote. Raises :class:`NotNow`."""
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        asking = queries.numbered(session, game_id, asker)
        seat_changes.removable(session, game, seat, now)
        if asker == number or asker not in [other.number for other in ballots.people(session, game)]:
            raise NotNow(say("This is for others to decide."))
        vote = ballots.open_vote(session, hints, game, "remove", asking, now, about=number)
        audit_log.write(session, game, "asks-remove", now, seat=asking, other=seat.name)
        votes.settle(session, hints, game, vote, now)
        return vote.id


def leave(session: Session, hints: list[Hint], game: Game, seat: Seat, how: str, now: datetime) -> None:
    """Nobody holds the seat any more, and votes are counted without it. ``how``: resigned removed."""
    seat_changes.vacate(session, hints, game, seat, how, now)
    votes.left(session, hints, game, seat, now)
