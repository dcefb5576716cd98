"""Ending a game before its last turn: by vote, with a day to think better of it, or because nobody is left.

The seed of the dice is shown only when the day is over: a game that can go on must not show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.errors import NotNow
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.clocks import game_clock
from pbem.service.outbox import letters, webhook_messages
from pbem.service.turns import audit_log, ballots
from pbem.store.tables import Game, Offer, Vote

THINK = timedelta(days=1)
"""How long a game that was voted to end can still go on."""
AT_ONCE = 200


def ask_end(office: Office, game_id: str, number: int, now: datetime) -> int:
    """Ask everybody to end the game now; returns the vote. Raises :class:`NotNow`."""
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        if game.status != "running":
            raise NotNow(say("Only a running game can be ended."))
        if number not in [other.number for other in ballots.people(session, game)]:
            raise NotNow(say("Only those who still play can ask to end the game."))
        vote = ballots.open_vote(session, hints, game, "end", seat, now)
        audit_log.write(session, game, "asks-end", now, seat=seat)
        if ballots.outcome(session, game, vote) == "passed":
            vote.status, vote.closed_at = "passed", now
            stop(session, hints, game, now)
        return vote.id


def stop(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    """The game is to end: no clock runs, and in a day it is over."""
    game.status, game.stops_at, game.grace_until = "stopping", now + THINK, None
    _halt(session, game, now)
    audit_log.write(session, game, "ends", now)
    for seat in queries.seats(session, game.id):
        if seat.account_id is not None:
            key = f"game-ending:{game.id}:{seat.number}:{now:%Y%m%d%H%M%S}"
            letters.write(
                session, hints, "game-ending", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )


def go_on(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    """Somebody has thought better of it: the clock goes on where it stood, and who is asked is asked again."""
    game.status, game.stops_at = "running", None
    audit_log.write(session, game, "goes-on", now)
    game.counted_from = now
    game_clock.set_anew(session, game)
    if game.ahead_at is not None:
        game.ahead_at = now  # an order of who is asked waits: the clock plays it, and whoever comes next is asked
        return
    seat = queries.seat(session, game.id, game.to_act)
    webhook_messages.turn(session, hints, game, seat, now, again=True)
    if seat.account_id is not None:
        key = f"your-turn:{game.id}:{game.version}:{now:%Y%m%d%H%M%S}"
        letters.write(
            session, hints, "your-turn", key, seat.account_id, now, game=game, seat=seat, version=game.version
        )


def due(office: Office, now: datetime) -> Sequence[str]:
    """Games whose day to think is over."""
    query = select(Game.id).where(Game.status == "stopping", Game.stops_at <= now)
    with office.read() as session:
        return session.scalars(query.order_by(Game.stops_at).limit(AT_ONCE)).all()


def finish(office: Office, game_id: str, now: datetime) -> bool:
    """Put a game whose day is over into the archive, with the standings so far; returns whether it was so."""
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        if game.status != "stopping" or game.stops_at is None or game.stops_at > now:
            return False
        audit_log.write(session, game, "ended", now)
        close(session, hints, game, now)
        return True


def close(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    """The game is over before its last turn."""
    game.status, game.ended_at, game.to_act, game.ended_early = "over", now, "", True
    game.stops_at = game.grace_until = game.ahead_at = None
    game_clock.stop(game)
    webhook_messages.over(session, hints, game, now)
    for offer in session.scalars(select(Offer).where(Offer.game_id == game.id, Offer.closed_at.is_(None))):
        offer.closed_at = now
    for vote in session.scalars(select(Vote).where(Vote.game_id == game.id, Vote.status == "open")):
        vote.status, vote.closed_at = "lapsed", now
    for seat in queries.seats(session, game.id):
        if seat.account_id is not None:
            key = f"game-over:{game.id}:{seat.number}"
            letters.write(
                session, hints, "game-over", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )


def _halt(session: Session, game: Game, now: datetime) -> None:
    """What has run of the time of the open question is kept; nothing more runs."""
    stand = game_clock.stand(session, game, now)
    game.spent_seconds, game.counted_from = stand[0] if stand else 0, None
    game_clock.set_anew(session, game)
