"""The clocks of all games, for what moves them at once: rows without objects of the session, however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple, cast

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from pbem.service.clocks import game_clock
from pbem.service.clocks.clock_views import absences
from pbem.statuses import PLAYING, GameStatus
from pbem.store.tables import Account, Game, Seat
from pbem.time_controls import Calendar

AT_ONCE = 2_000
"""How many games are held in memory at the same time."""
GAMES = cast("Table", Game.__table__)


@dataclass(slots=True)
class ClockRow:
    """What the clocks of a game run by, in the columns of its row; what is changed here is written by the caller."""

    id: str
    status: GameStatus
    version: int
    turn_seconds: int
    bank_seconds: int
    cap_seconds: int
    weekends: bool
    holidays: list[Any]
    at_zero: str
    paused_at: datetime | None
    waiting_since: datetime | None
    counted_from: datetime | None
    spent_seconds: int
    deadline_at: datetime | None
    remind_at: datetime | None
    reminded_at: datetime | None
    grace_until: datetime | None
    standing_order_at: datetime | None
    stops_at: datetime | None
    robot_at: datetime | None
    robot_seconds: int
    robot_zone: str
    seed: bytes


NAMES = tuple(field.name for field in fields(ClockRow))
VALUES = attrgetter(*NAMES)


class Player(NamedTuple):
    """The account of who is asked."""

    id: int
    zone: str
    quiet_from: int | None
    quiet_to: int | None
    reminders: str


class AskedSeat(NamedTuple):
    """The seat that is asked in a game."""

    game_id: str
    account_id: int | None
    reserve_seconds: int
    caretaker_since: datetime | None
    robot: str


class Clocks(NamedTuple):
    """A game with who is asked in it: no seat where nobody is, no reminders where nobody holds it."""

    game: ClockRow
    seat: AskedSeat | None
    calendar: Calendar
    steps: tuple[str, ...]


def living(session: Session) -> Iterator[Sequence[Clocks]]:
    """Games with something that runs, in batches, locked; what was changed of a batch is written before the next."""
    found = select(*VALUES(Game)).where(Game.status.in_(PLAYING))
    found = found.order_by(Game.id).limit(AT_ONCE).with_for_update(key_share=True)
    after = ""
    while rows := session.execute(found.where(Game.id > after)).all():
        games = [ClockRow(*row) for row in rows]
        yield _clocks(session, games)
        _write(session, rows, games)
        after = games[-1].id


def _clocks(session: Session, games: Sequence[ClockRow]) -> Sequence[Clocks]:
    here = Seat.game_id.between(games[0].id, games[-1].id)
    asked = (
        select(Seat.game_id, Seat.account_id, Seat.reserve_seconds, Seat.caretaker_since, Seat.robot)
        .join(Game)
        .where(here, Game.status.in_(PLAYING), Seat.colour == Game.to_act, Seat.colour != "")
    )
    seats = {row.game_id: AskedSeat(*row) for row in session.execute(asked)}
    numbers = sorted({seat.account_id for seat in seats.values() if seat.account_id is not None})
    wanted = select(Account.id, Account.zone, Account.quiet_from, Account.quiet_to, Account.reminders)
    players = {row.id: Player(*row) for row in session.execute(wanted.where(Account.id.in_(numbers)))}
    away = absences(session, numbers)
    all_clocks = []
    for game in games:
        seat = seats.get(game.id)
        player = players.get(seat.account_id or 0) if seat else None
        calendar = game_clock.calendar(game, player, away.get(player.id, ()) if player else ())
        all_clocks.append(Clocks(game, seat, calendar, game_clock.steps_of(player)))
    return all_clocks


def _write(session: Session, before: Sequence[Sequence[Any]], games: Sequence[ClockRow]) -> None:
    """Write the columns that were changed, all games with the same ones in one go."""
    changes: defaultdict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row, game in zip(before, games, strict=True):
        changed = {name: new for name, old, new in zip(NAMES, row, VALUES(game), strict=True) if new != old}
        if changed:
            changes[tuple(changed)].append({"this": game.id, **changed})
    for names, rows in changes.items():
        values: dict[str, Any] = {name: bindparam(name) for name in names}
        session.execute(update(GAMES).where(GAMES.c.id == bindparam("this")).values(values), rows)
