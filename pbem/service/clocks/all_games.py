"""The clocks of all games, for what moves them at once: rows without objects of the session, however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, cast

from sqlalchemy import Select, Table, and_, exists, select
from sqlalchemy.orm import Session

from pbem.service.clocks import game_clock
from pbem.store import many
from pbem.store.statuses import PLAYING, GameStatus
from pbem.store.tables import Absence, Account, Game, Seat
from pbem.store.time_controls import Calendar, Span, TimeControl

AT_ONCE = 2_000
"""How many games are held in memory at the same time."""
TIME_CONTROL = attrgetter("turn_seconds", "bank_seconds", "cap_seconds", "weekends", "holidays", "at_zero")
GAMES, SEATS, ACCOUNTS = (cast("Table", each.__table__) for each in (Game, Seat, Account))


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

    @property
    def time_control(self) -> TimeControl:
        """What the game was opened with."""
        return TimeControl.of_columns(*TIME_CONTROL(self))


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


OF_GAME = len(NAMES)
OF_SEAT = OF_GAME + len(AskedSeat._fields)
FROM_SEAT, FROM_PLAYER = attrgetter(*AskedSeat._fields), attrgetter(*Player._fields)


class Clocks(NamedTuple):
    """A game with who is asked in it: no seat where nobody is, no reminders where nobody holds it."""

    game: ClockRow
    seat: AskedSeat | None
    calendar: Calendar
    steps: tuple[str, ...]


_LIVING = select(GAMES.c.id).where(GAMES.c.status.in_(PLAYING)).order_by(GAMES.c.id).with_for_update(key_share=True)
_AWAY = (
    select(Absence.account_id, Absence.first, Absence.last)
    .where(exists().where(Seat.account_id == Absence.account_id, Seat.game_id == Game.id, Game.status.in_(PLAYING)))
    .order_by(Absence.first)
)


def lock_living(session: Session) -> list[str]:
    """The ids of the games with something that runs, locked by id as everybody locks several.

    An ``UPDATE`` of many rows takes them as they lie on the disk, and so may meet who holds one of them in a ring.
    """
    return list(session.scalars(_LIVING))


def living(session: Session, ids: Sequence[str]) -> Iterator[Sequence[Clocks]]:
    """Those of the games that :func:`lock_living` locked, in batches; what was changed of a batch is written before
    the next."""
    away: defaultdict[int, tuple[Span, ...]] = defaultdict(tuple)
    for account_id, first, last in session.execute(_AWAY):
        away[account_id] += (Span(first, last),)
    known: dict[tuple[object, ...], tuple[Calendar, tuple[str, ...]]] = {}
    found = _found(many.dialect_of(session))
    for start in range(0, len(ids), AT_ONCE):
        rows = session.execute(found, {"given": many.as_parameter(ids[start : start + AT_ONCE])}).all()
        all_clocks = [_clocks(row, away, known) for row in rows]
        yield all_clocks
        _write(session, rows, [clocks.game for clocks in all_clocks])


@cache
def _found(dialect: str) -> Select[Any]:
    """The games with the ids that are given, and who is asked in them."""
    of_row, of_seat, of_player = VALUES(GAMES.c), FROM_SEAT(SEATS.c), FROM_PLAYER(ACCOUNTS.c)
    given = many.given(dialect)
    asked = and_(SEATS.c.game_id == GAMES.c.id, SEATS.c.colour == GAMES.c.to_act, SEATS.c.colour != "")
    return (
        select(*of_row, *of_seat, *of_player)
        .select_from(given)
        .join(GAMES, GAMES.c.id == given.c.value)
        .outerjoin(SEATS, asked)
        .outerjoin(ACCOUNTS, ACCOUNTS.c.id == SEATS.c.account_id)
        .order_by(GAMES.c.id)
    )


def _clocks(
    row: Sequence[Any],
    away: Mapping[int, tuple[Span, ...]],
    known: dict[tuple[object, ...], tuple[Calendar, tuple[str, ...]]],
) -> Clocks:
    """``known``: calendars and reminders, which are the same in most games of a player."""
    game = ClockRow(*row[:OF_GAME])
    seat = AskedSeat(*row[OF_GAME:OF_SEAT]) if row[OF_GAME] is not None else None
    player = Player(*row[OF_SEAT:]) if row[OF_SEAT] is not None else None
    days = (player, game.weekends, *game.holidays)
    found = known.get(days)
    if found is None:
        calendar = game_clock.calendar(game, player, away.get(player.id, ()) if player else ())
        found = known[days] = calendar, game_clock.steps_of(player)
    return Clocks(game, seat, *found)


def _write(session: Session, before: Sequence[Sequence[Any]], games: Sequence[ClockRow]) -> None:
    """Write the columns that were changed, all games with the same ones in one statement."""
    changes: defaultdict[tuple[str, ...], list[list[Any]]] = defaultdict(list)
    for row, game in zip(before, games, strict=True):
        new = [(name, new) for name, old, new in zip(NAMES, row[:OF_GAME], VALUES(game), strict=True) if new != old]
        if new:
            changes[tuple(name for name, _ in new)].append([game.id, *(value for _, value in new)])
    for names, rows in changes.items():
        many.update_many(session, GAMES, names, rows)
