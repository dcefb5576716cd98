"""What is due now: the rows the clock works off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import BindParameter, Select, bindparam, func, select

from pbem.service.base.office import Office
from pbem.service.letters import outbox, providers
from pbem.store.statuses import GameStatus, Sending, SubmissionStatus
from pbem.store.tables import Account, Game, Letter, Submission

One = TypeVar("One", str, int)
AT_ONCE = 200
"""How many rows of a kind are taken in one round, so that a backlog does not keep the clock from the rest."""
LOOKED_AT = 2_000
"""Of how many letters those of one round are chosen."""


NOW: BindParameter[datetime] = bindparam("now")
UNTIL: BindParameter[datetime] = bindparam("until")
WAITING = (
    select(Submission.game_id)
    .where(Submission.status == SubmissionStatus.WAITING, Submission.received_at <= UNTIL)
    .group_by(Submission.game_id)
    .order_by(func.min(Submission.received_at))
    .limit(AT_ONCE)
)
STANDING_ORDERS = (
    select(Game.id)
    .where(Game.status == GameStatus.RUNNING, Game.standing_order_at <= NOW)
    .order_by(Game.standing_order_at)
    .limit(AT_ONCE)
)
DEADLINES = (
    select(Game.id)
    .where(Game.status == GameStatus.RUNNING, Game.deadline_at <= NOW)
    .order_by(Game.deadline_at)
    .limit(AT_ONCE)
)
REMINDERS = (
    select(Game.id)
    .where(Game.status == GameStatus.RUNNING, Game.remind_at <= NOW, Game.deadline_at > NOW)
    .order_by(Game.remind_at)
    .limit(AT_ONCE)
)
ROBOTS = (
    select(Game.id)
    .where(Game.status == GameStatus.RUNNING, Game.robot_at <= NOW)
    .order_by(Game.robot_at)
    .limit(AT_ONCE)
)
TURN = outbox.QUEUE.turn()
UNSENT = (
    select(Letter.id, Account.address, TURN)
    .join(Account)
    .where(outbox.QUEUE.free(UNTIL, NOW), ~outbox.in_front(NOW).exists())
    .order_by(TURN, *outbox.QUEUE.order())
    .limit(LOOKED_AT)
)
DIGESTS = (
    select(Letter.account_id)
    .where(Letter.held.is_(True), Letter.status == Sending.WAITING, Letter.next_try_at <= NOW)
    .distinct()
    .limit(AT_ONCE)
)
"""The clock asks these every few seconds: a statement is made once, and what is bound to it changes."""


def waiting(office: Office, until: datetime) -> Sequence[str]:
    """Games with orders that came in before ``until`` and wait to be played, longest first."""
    return _found(office, WAITING, until=until)


def standing_orders(office: Office, now: datetime) -> Sequence[str]:
    """Games in which standing orders have waited for the end of the grace time, longest ago first."""
    return _found(office, STANDING_ORDERS, now=now)


def robots(office: Office, now: datetime) -> Sequence[str]:
    """Games in which it is time for a robot to answer, longest ago first."""
    return _found(office, ROBOTS, now=now)


def deadlines(office: Office, now: datetime) -> Sequence[str]:
    """Games whose time is over, longest ago first."""
    return _found(office, DEADLINES, now=now)


def reminders(office: Office, now: datetime) -> Sequence[str]:
    """Games in which it is time to remind who is asked."""
    return _found(office, REMINDERS, now=now)


def unsent(office: Office, until: datetime, now: datetime) -> Sequence[int]:
    """Letters that could have been sent before ``until`` and can be claimed ``now``, fairly by reader and provider.

    One letter to every reader comes before the second to any; the same then holds for mail providers. Among equals the
    one goes first that has been due the longest; a failed try sends a letter back to the end.
    """
    with office.read() as session:
        found = session.execute(UNSENT, {"until": until, "now": now}).all()
    return _by_provider([(number, address) for number, address, _ in found])[:AT_ONCE]


def digests(office: Office, now: datetime) -> Sequence[int]:
    """Accounts with questions that were held back until now."""
    return _found(office, DIGESTS, now=now)


def _found(office: Office, query: Select[One], **moments: datetime) -> Sequence[One]:
    with office.read() as session:
        return session.scalars(query, moments).all()


def _by_provider(found: Sequence[tuple[int, str]]) -> list[int]:
    """Letters, with the first of every provider before the second of any."""
    seen: Counter[str] = Counter()
    placed: list[tuple[int, int]] = []
    for number, address in found:
        host = providers.host(address)
        placed.append((seen[host], number))
        seen[host] += 1
    placed.sort(key=lambda place: place[0])
    return [number for _, number in placed]
