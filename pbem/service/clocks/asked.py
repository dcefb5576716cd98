"""Who is asked in many games at once, with everything their clocks run by: a few queries for any number of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.clocks import game_clock
from pbem.service.clocks.clock_views import absences
from pbem.store.tables import Account, Game, Seat
from pbem.store.time_controls import Calendar


@dataclass(frozen=True, slots=True)
class AskedSeat:
    """``seat`` is ``None`` where nobody is asked, ``account`` where nobody holds the seat."""

    seat: Seat | None
    account: Account | None
    calendar: Calendar

    @property
    def steps(self) -> tuple[str, ...]:
        return game_clock.steps_of(self.account)


def in_games(session: Session, games: Sequence[Game]) -> Mapping[str, AskedSeat]:
    there = select(Seat).join(Game).where(Game.id.in_([game.id for game in games]), Seat.colour == Game.to_act)
    seats = {seat.game_id: seat for seat in session.scalars(there) if seat.colour}
    numbers = sorted({seat.account_id for seat in seats.values() if seat.account_id is not None})
    accounts = {row.id: row for row in session.scalars(select(Account).where(Account.id.in_(numbers)))}
    away = absences(session, numbers)
    found = {}
    for game in games:
        seat = seats.get(game.id)
        account = accounts.get(seat.account_id or 0) if seat else None
        spans = away.get(account.id, ()) if account else ()
        found[game.id] = AskedSeat(seat, account, game_clock.calendar(game, account, spans))
    return found
