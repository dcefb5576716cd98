"""Blocking: two people of whom one blocked the other are in no new game together."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import and_, delete, or_, select
from sqlalchemy.orm import Session

from pbem.engine import Say, say
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, queries, validation
from pbem.service.people.accounts import account
from pbem.store.tables import Account, Block
from pbem.views.people import Blocked

MOST = 500
"""Accounts that one account can block."""


def block(office: Office, account_id: int, game_id: str, number: int, now: datetime) -> None:
    """Block whoever has this seat; games that are open or running stay. Raises :class:`NoSuch`, :class:`NotNow`."""
    with office.work(now) as work:
        seat = queries.numbered(work.session, game_id, number)
        if seat.account_id is None:
            raise NoSuch(f"Nobody has seat {number} of game {game_id}.")
        if seat.account_id == account_id:
            raise NotNow(say("This is you."))
        if account_id not in [other.account_id for other in queries.seats(work.session, game_id)]:
            raise NotNow(say("You can block people you play or have played with."))
        queries.account(work.session, account_id)
        if len(_blocked(work.session, account_id)) >= MOST:
            raise NotNow(say("You have already blocked {n} people and cannot block more.", n=MOST))
        if work.session.get(Block, (account_id, seat.account_id)) is None:
            work.session.add(Block(account_id=account_id, blocked_id=seat.account_id, name=seat.name, since=now))


def unblock(office: Office, account_id: int, blocked_id: int) -> None:
    """Take a block back; nothing happens when there is none."""
    with office.write() as session:
        session.execute(delete(Block).where(Block.account_id == account_id, Block.blocked_id == blocked_id))


def blocked(office: Office, account_id: int) -> tuple[Blocked, ...]:
    """Whom somebody has blocked, latest first, by the name they had then."""
    with office.read() as session:
        return tuple(Blocked(row.blocked_id, row.name, row.since) for row in _blocked(session, account_id))


def between(session: Session, account_id: int, others: Iterable[int | None]) -> bool:
    """Whether one of the two has blocked the other, for any of the others."""
    numbers = [number for number in others if number is not None and number != account_id]
    if not numbers:
        return False
    found = select(Block.account_id).where(
        or_(
            and_(Block.account_id == account_id, Block.blocked_id.in_(numbers)),
            and_(Block.blocked_id == account_id, Block.account_id.in_(numbers)),
        )
    )
    return session.scalar(found.limit(1)) is not None


def cannot_invite(address: str) -> Say:
    """Does not tell who has blocked whom."""
    return say("{address} cannot be invited to this game.", address=address)


def account_to_invite(session: Session, host_id: int, address: str, now: datetime) -> Account:
    """The account of an address that may be asked by this account. Raises :class:`BadInput`."""
    address = validation.address(address)
    guest = account(session, address, "", now)
    if between(session, guest.id, [host_id]):
        raise BadInput(Problem("address", cannot_invite(address)))
    return guest


def _blocked(session: Session, account_id: int) -> list[Block]:
    return list(session.scalars(select(Block).where(Block.account_id == account_id).order_by(Block.since.desc())))
