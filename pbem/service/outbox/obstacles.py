"""What may keep a letter back: one statement tells which of it there is, and nearly always there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Integer, Select, String, bindparam, literal, literal_column, or_, select
from sqlalchemy.orm import Session, aliased

from pbem.service.base.rarities import Rarities
from pbem.statuses import Sending
from pbem.store.returning import Besides
from pbem.store.tables import Allowance, Letter, Post, Seat, Stop, Unreachable

OF_LETTERS = Rarities()


def older(account: Any, game: Any, number: Any, now: Any) -> Select[int]:
    """Letters to a reader about a game before the one with this number that are still to be sent (not those that wait
    on purpose)."""
    other = aliased(Letter)
    return select(other.id).where(
        other.account_id == account,
        other.game_id == game,
        other.id < number,
        other.status == Sending.WAITING,
        other.held.is_(False),
        or_(other.next_try_at <= now, other.attempts > 0),
    )


def behind(account: Any, game: Any, number: Any, now: Any) -> Select[int]:
    """What can go to a reader about a game after the letter with this number, the next one first."""
    other = aliased(Letter)
    mine = (other.account_id == account, other.game_id == game, other.id > number)
    waits = (other.status == Sending.WAITING, other.held.is_(False), other.next_try_at <= now)
    return select(other.id).where(*mine, *waits).order_by(other.id)


class About(NamedTuple):
    """What there is to know of a letter to find out what keeps it back: values, parameters or columns of its row.

    ``slow``: where it is written that the host of its reader was slow.
    """

    account: Any
    game: Any
    seat: Any
    letter: Any
    kind: Any
    slow: Any
    now: Any


def _queries(about: About) -> tuple[Select[Any], ...]:
    """What finds each of the obstacles, and what was said in the game; in the order in which they are added below."""
    holds_seat = select(Seat.id).where(
        Seat.game_id == about.game, Seat.number == about.seat, Seat.account_id == about.account
    )
    return (
        older(about.account, about.game, about.letter, about.now),
        select(Stop.id).where(
            Stop.account_id == about.account, or_(Stop.game_id == "", Stop.game_id == about.game),
            or_(Stop.kind == "", Stop.kind == about.kind),
        ),
        select(Unreachable.account_id).where(Unreachable.account_id == about.account),
        select(literal(1)).where(about.seat.is_not(None), ~holds_seat.exists()),
        select(literal(1)).where(Allowance.key == about.slow),
        select(Post.id).where(Post.game_id == about.game),
    )  # fmt: skip


def _parameter(name: str, **kind: Any) -> BindParameter[Any]:
    return bindparam(name, **kind)


_GIVEN = About(**{name: _parameter(name, type_=Integer if name == "seat" else None) for name in About._fields})
OLDER, STOPPED, UNREACHABLE, CHANGED_HANDS, SLOW, TALK = map(OF_LETTERS.add, _queries(_GIVEN))
"""The last keeps nothing back: there may be something to carry."""
REAL = (OLDER, STOPPED, UNREACHABLE, CHANGED_HANDS, SLOW)

ROW = About(
    account=literal_column("letters.account_id", Integer),
    game=literal_column("letters.game_id", String),
    seat=literal_column("letters.seat_number", Integer),
    letter=literal_column("letters.id", Integer),
    kind=literal_column("letters.kind", String),
    slow=_parameter("slow"),
    now=_parameter("now"),
)
"""A letter that is being inserted."""
OF_NEW = tuple(Besides(select(query.exists())) for query in _queries(ROW))
"""The same among what an INSERT of a letter returns, with the parameters ``slow`` and ``now``."""


def note_new(session: Session, number: int, found: Sequence[bool]) -> bool:
    """What :data:`OF_NEW` found of a letter; returns whether anything may keep it back."""
    OF_LETTERS.note(session, number, found)
    return _real(session, number)


def look(session: Session, letter: Letter, slow: str, now: datetime) -> bool:
    """Find out what there may be for the rest of the transaction; returns whether anything may keep the letter back.

    ``slow``: where it is written that the host of its reader was slow.
    """
    about = About(
        letter.account_id, letter.game_id or "", letter.seat_number, letter.id, letter.kind, slow=slow, now=now
    )
    OF_LETTERS.look(session, letter.id, about._asdict())
    return _real(session, letter.id)


def _real(session: Session, number: int) -> bool:
    return any(obstacle.possible(session, number) for obstacle in REAL)
