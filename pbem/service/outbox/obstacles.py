"""What may keep a letter back: one statement tells which of it there is, and nearly always there is nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Integer, Select, bindparam, literal, or_, select
from sqlalchemy.orm import Session, aliased

from pbem.service.base.rarities import Rarities
from pbem.statuses import Sending
from pbem.store.tables import Allowance, Letter, Post, Seat, Stop, Unreachable

OF_LETTERS = Rarities()
NEWEST = 2**31 - 1
"""The id of a letter that has none yet: all others are older."""


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


def _parameter(name: str, **kind: Any) -> BindParameter[Any]:
    return bindparam(name, **kind)


_GAME, _ACCOUNT = _parameter("game"), _parameter("account")
_SEAT = _parameter("seat", type_=Integer)
_HOLDS_SEAT = select(Seat.id).where(Seat.game_id == _GAME, Seat.number == _SEAT, Seat.account_id == _ACCOUNT)

OLDER = OF_LETTERS.add(older(_ACCOUNT, _GAME, _parameter("letter"), _parameter("now")))
STOPPED = OF_LETTERS.add(
    select(Stop.id).where(
        Stop.account_id == _ACCOUNT, or_(Stop.game_id == "", Stop.game_id == _GAME),
        or_(Stop.kind == "", Stop.kind == _parameter("kind")),
    )
)  # fmt: skip
UNREACHABLE = OF_LETTERS.add(select(Unreachable.account_id).where(Unreachable.account_id == _ACCOUNT))
CHANGED_HANDS = OF_LETTERS.add(select(literal(1)).where(_SEAT.is_not(None), ~_HOLDS_SEAT.exists()))
SLOW = OF_LETTERS.add(select(literal(1)).where(Allowance.key == _parameter("slow")))
TALK = OF_LETTERS.add(select(Post.id).where(Post.game_id == _GAME))
"""Keeps nothing back: there may be something to carry."""
REAL = (OLDER, STOPPED, UNREACHABLE, CHANGED_HANDS, SLOW)


def look(session: Session, letter: Letter, slow: str, now: datetime) -> bool:
    """Find out what there may be for the rest of the transaction; returns whether anything may keep the letter back.

    ``slow``: where it is written that the host of its reader was slow.
    """
    values = {
        "account": letter.account_id,
        "game": letter.game_id or "",
        "seat": letter.seat_number,
        "letter": letter.id,
        "kind": letter.kind,
        "slow": slow,
        "now": now,
    }
    OF_LETTERS.look(session, letter.id, values)
    return any(obstacle.possible(session, letter.id) for obstacle in REAL)
