"""A pause by agreement: no clock of the game runs until a day, or until somebody ends it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.errors import BadInput, NotNow, Problem
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.clocks import game_clock
from pbem.service.outbox import letters
from pbem.service.turns import audit_log, ballots
from pbem.store.tables import Game, Vote

LONGEST = timedelta(days=180)


def ask(office: Office, game_id: str, number: int, until: date | None, now: datetime) -> int:
    """Ask all others for a pause until a day (``None``: until somebody ends it); returns the vote.

    Raises :class:`NotNow` and, for a day that is past or too far, :class:`BadInput`.
    """
    if until is not None and not now.date() < until <= (now + LONGEST).date():
        raise BadInput(Problem("until", say("A pause ends on a later day, within half a year.")))
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        if game.status != "running":
            raise NotNow(say("This can be done only while the game runs."))
        if game.paused_at is not None:
            raise NotNow(say("The game is paused already."))
        about = None if until is None else until.toordinal()
        vote = ballots.open_vote(session, hints, game, "pause", seat, now, about=about)
        if ballots.outcome(session, game, vote) == "passed":
            vote.status, vote.closed_at = "passed", now
            begin(session, hints, game, vote, now)
        else:
            audit_log.write(session, game, "asks-pause", now, seat=seat)
        return vote.id


def begin(session: Session, hints: list[Hint], game: Game, vote: Vote, now: datetime) -> None:
    """All have agreed: stop the clock, whoever's it is."""
    if game.paused_at is not None:
        return
    asker = queries.numbered(session, game.id, vote.asked_by)
    game.spent_seconds = game_clock.seconds_spent(session, game, now)
    game.paused_at = game.counted_from = now
    game.paused_until = None if vote.about is None else _morning(date.fromordinal(vote.about))
    game_clock.set_anew(session, game)
    audit_log.write(session, game, "paused", now)
    until = {"until": game.paused_until.isoformat()} if game.paused_until else {}
    _tell(session, hints, game, "paused", {"person": asker.name, **until}, now)


def end(office: Office, game_id: str, number: int, now: datetime) -> None:
    """A player ends the pause; a game that is not paused stays as it is."""
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        if game.paused_at is not None:
            audit_log.write(session, game, "ends-pause", now, seat=seat)
            _resume(session, hints, game, seat.name, now)


def due(office: Office, now: datetime) -> Sequence[str]:
    """Games whose pause is over."""
    query = select(Game.id).where(Game.status == "running", Game.paused_until <= now)
    with office.read() as session:
        return session.scalars(query.order_by(Game.paused_until).limit(200)).all()


def finish(office: Office, game_id: str, now: datetime) -> bool:
    """Let the clock run again after the last day of a pause; returns whether it was so."""
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        if game.status != "running" or game.paused_until is None or game.paused_until > now:
            return False
        audit_log.write(session, game, "pause-over", now)
        _resume(session, hints, game, "", now)
        return True


def _resume(session: Session, hints: list[Hint], game: Game, person: str, now: datetime) -> None:
    game.paused_at = game.paused_until = None
    game.counted_from = now
    game_clock.set_anew(session, game)
    _tell(session, hints, game, "resumed", {"person": person}, now)


def _tell(session: Session, hints: list[Hint], game: Game, kind: str, data: dict[str, str], now: datetime) -> None:
    for seat in queries.seats(session, game.id):
        if seat.account_id is not None:
            key = f"{kind}:{game.id}:{seat.number}:{now:%Y%m%d%H%M%S}"
            letters.write(session, hints, kind, key, seat.account_id, now, game=game, seat=seat, data=data)


def _morning(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
