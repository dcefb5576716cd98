"""What is due now: the rows the clock works off."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import InstrumentedAttribute

from pbem.service.base import Office
from pbem.service.letters import outbox, providers
from pbem.store.statuses import GameStatus, Sending, SubmissionStatus
from pbem.store.tables import Account, Game, Letter, Submission

One = TypeVar("One", str, int)
AT_ONCE = 200
"""How many rows of a kind are taken in one round, so that a backlog does not keep the clock from the rest."""
LOOKED_AT = 2_000
"""Of how many letters those of one round are chosen."""


def waiting(office: Office, until: datetime) -> Sequence[str]:
    """Games with orders that came in before ``until`` and wait to be played, longest first."""
    query = (
        select(Submission.game_id)
        .where(Submission.status == SubmissionStatus.WAITING, Submission.received_at <= until)
        .group_by(Submission.game_id)
        .order_by(func.min(Submission.received_at))
    )
    return _found(office, query)


def _games(
    at: InstrumentedAttribute[datetime | None], status: GameStatus = GameStatus.RUNNING
) -> Callable[[Office, datetime], Sequence[str]]:
    def found(office: Office, now: datetime) -> Sequence[str]:
        """Games with this status for which this moment has come, longest ago first."""
        return _found(office, select(Game.id).where(Game.status == status, at <= now).order_by(at))

    return found


standing_orders = _games(Game.standing_order_at)
"""Those have waited for the end of the grace time."""
robots, deadlines, pauses = _games(Game.robot_at), _games(Game.deadline_at), _games(Game.paused_until)
endings = _games(Game.stops_at, GameStatus.STOPPING)
"""Games that were ended by vote, whose day to think is over."""


def reminders(office: Office, now: datetime) -> Sequence[str]:
    due = (Game.status == GameStatus.RUNNING, Game.remind_at <= now, Game.deadline_at > now)
    return _found(office, select(Game.id).where(*due).order_by(Game.remind_at))


def digests(office: Office, now: datetime) -> Sequence[int]:
    """Accounts with questions that were held back until now."""
    held = (Letter.held.is_(True), Letter.status == Sending.WAITING, Letter.next_try_at <= now)
    return _found(office, select(Letter.account_id).where(*held).distinct())


def unsent(office: Office, until: datetime, now: datetime) -> Sequence[int]:
    """Letters that could have been sent before ``until`` and can be claimed ``now``, fairly by reader and provider.

    One letter to every reader comes before the second to any; the same then holds for mail providers. Among equals the
    one goes first that has been due the longest; a failed try sends a letter back to the end.
    """
    turn = outbox.QUEUE.turn()
    query = (
        select(Letter.id, Account.address, turn)
        .join(Account)
        .where(outbox.QUEUE.free(until, now), ~outbox.in_front(now).exists())
        .order_by(turn, *outbox.QUEUE.order())
        .limit(LOOKED_AT)
    )
    with office.read() as session:
        found = session.execute(query).all()
    return _by_provider([(number, address) for number, address, _ in found])[:AT_ONCE]


def _found(office: Office, query: Select[One]) -> Sequence[One]:
    with office.read() as session:
        return session.scalars(query.limit(AT_ONCE)).all()


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
