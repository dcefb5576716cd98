"""A pause by agreement: no clock of the game runs until a day, or until somebody ends it."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

from pbem.service.base import GameWork, NewLetter, Office
from pbem.service.clocks import game_clock
from pbem.service.letters.kinds.clocks import Paused, Resumed
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus
from pbem.store.tables import Seat


def begin(work: GameWork, asker: Seat, until: date | None) -> None:
    """All have agreed: stop the clock, whoever's it is, until a day or (``None``) until somebody ends the pause."""
    if work.game.paused_at is not None:
        return
    spent = game_clock.seconds_spent(work)
    work.game.clock = replace(work.game.clock, spent_seconds=spent, paused_at=work.now, counted_from=work.now)
    work.game.paused_until = None if until is None else datetime.combine(until, time(), UTC)
    game_clock.set_anew(work)
    audit_log.write(work, "paused")
    _tell(work, Paused(asker.name, work.game.paused_until))


def end(office: Office, game_id: str, number: int, now: datetime) -> None:
    """A player ends the pause; a game that is not paused stays as it is."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        if work.game.paused_at is not None:
            audit_log.write(work, "ends-pause", seat=seat)
            _resume(work, seat.name)


def finish(office: Office, game_id: str, now: datetime) -> bool:
    """Let the clock run again after the last day of a pause; returns whether it was so."""
    with office.game(game_id, now) as work:
        if work.game.status != GameStatus.RUNNING or work.game.paused_until is None or work.game.paused_until > now:
            return False
        audit_log.write(work, "pause-over")
        _resume(work, "")
        return True


def _resume(work: GameWork, person: str) -> None:
    work.game.clock, work.game.paused_until = replace(work.game.clock, paused_at=None), None
    game_clock.run(work, work.game.spent_seconds)
    _tell(work, Resumed(person))


def _tell(work: GameWork, news: Paused | Resumed) -> None:
    for seat in work.seats:
        if seat.account_id is not None:
            key = f"{news.kind}:{work.game.id}:{seat.number}:{work.now:%Y%m%d%H%M%S}"
            work.write(NewLetter(news, key, seat.account_id, game=work.game, seat=seat))
