"""A pause by agreement: no clock of the game runs until a day, or until somebody ends it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import select

from pbem.engine.text import say
from pbem.service.base.errors import BadInput, NotNow, Problem
from pbem.service.base.office import Office
from pbem.service.base.work import GameWork, NewLetter
from pbem.service.clocks import game_clock
from pbem.service.kinds.clocks import Paused, Resumed
from pbem.service.turns import audit_log, ballots
from pbem.statuses import GameStatus, VoteStatus
from pbem.store.tables import Game, Vote

LONGEST = timedelta(days=180)


def ask(office: Office, game_id: str, number: int, until: date | None, now: datetime) -> int:
    """Ask all others for a pause until a day (``None``: until somebody ends it); returns the vote.

    Raises :class:`NotNow` and, for a day that is past or too far, :class:`BadInput`.
    """
    if until is not None and not now.date() < until <= (now + LONGEST).date():
        raise BadInput(Problem("until", say("A pause must end on a later day, within half a year.")))
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        if work.game.status != GameStatus.RUNNING:
            raise NotNow(say("You can do this only while the game is running."))
        if work.game.paused_at is not None:
            raise NotNow(say("The game is already paused."))
        about = None if until is None else until.toordinal()
        vote = ballots.open_vote(work, "pause", seat, about=about)
        if ballots.outcome(work.session, work.game, vote) == VoteStatus.PASSED:
            vote.status, vote.closed_at = VoteStatus.PASSED, now
            begin(work, vote)
        else:
            audit_log.write(work, "asks-pause", seat=seat)
        return vote.id


def begin(work: GameWork, vote: Vote) -> None:
    """All have agreed: stop the clock, whoever's it is."""
    if work.game.paused_at is not None:
        return
    asker = work.numbered(vote.asked_by)
    work.game.spent_seconds = game_clock.seconds_spent(work.session, work.game, work.now)
    work.game.paused_at = work.game.counted_from = work.now
    work.game.paused_until = None if vote.about is None else _morning(date.fromordinal(vote.about))
    game_clock.set_anew(work.session, work.game)
    audit_log.write(work, "paused")
    _tell(work, Paused(asker.name, work.game.paused_until))


def end(office: Office, game_id: str, number: int, now: datetime) -> None:
    """A player ends the pause; a game that is not paused stays as it is."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        if work.game.paused_at is not None:
            audit_log.write(work, "ends-pause", seat=seat)
            _resume(work, seat.name)


def due(office: Office, now: datetime) -> Sequence[str]:
    """Games whose pause is over."""
    query = select(Game.id).where(Game.status == GameStatus.RUNNING, Game.paused_until <= now)
    with office.read() as session:
        return session.scalars(query.order_by(Game.paused_until).limit(200)).all()


def finish(office: Office, game_id: str, now: datetime) -> bool:
    """Let the clock run again after the last day of a pause; returns whether it was so."""
    with office.game(game_id, now) as work:
        if work.game.status != GameStatus.RUNNING or work.game.paused_until is None or work.game.paused_until > now:
            return False
        audit_log.write(work, "pause-over")
        _resume(work, "")
        return True


def _resume(work: GameWork, person: str) -> None:
    work.game.paused_at = work.game.paused_until = None
    work.game.counted_from = work.now
    game_clock.set_anew(work.session, work.game)
    _tell(work, Resumed(person))


def _tell(work: GameWork, news: Paused | Resumed) -> None:
    for seat in work.seats:
        if seat.account_id is not None:
            key = f"{news.kind}:{work.game.id}:{seat.number}:{work.now:%Y%m%d%H%M%S}"
            work.write(NewLetter(news, key, seat.account_id, game=work.game, seat=seat))


def _morning(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
