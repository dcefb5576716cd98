"""The clocks of a game as everybody sees them."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from pbem.service.base import queries
from pbem.service.clocks import game_clock
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Seat
from pbem.store.time_controls import Calendar, Span
from pbem.views.games import ClockView


def clock_views(session: Session, game: Game) -> tuple[ClockView, ...]:
    """One clock for every seat of a running game that somebody plays or could take; robots have none."""
    if game.status != GameStatus.RUNNING:
        return ()
    players = queries.players(session, game.id)
    return tuple(
        _clock(game, seat, players.accounts.get(seat.account_id or 0), players.away(seat.account_id))
        for seat in players.seats
        if not seat.robot
    )


def _clock(game: Game, seat: Seat, account: Account | None, away: tuple[Span, ...]) -> ClockView:
    time_control, calendar = game.time_control, game_clock.calendar(game, account, away)
    asked = seat.colour == game.to_act and seat.caretaker_since is None
    reserve = timedelta(seconds=seat.reserve_seconds)
    return ClockView(
        seat=seat.colour,
        time=time_control.allowance(reserve) if time_control.keeps else time_control.turn,
        bank=reserve,
        bank_from=_bank_from(game, calendar, time_control.turn) if asked and not time_control.keeps else None,
        asked=asked,
        absences=tuple((span.first, span.last) for span in away),
        zone=calendar.zone.key,
        caretaker_since=seat.caretaker_since,
    )


def _bank_from(game: Game, calendar: Calendar, turn: timedelta) -> datetime | None:
    """When the time for the answer is over and the bank begins to be used."""
    if game.counted_from is None or game.paused_at is not None:
        return None
    return calendar.after(game.counted_from, turn - timedelta(seconds=game.spent_seconds))
