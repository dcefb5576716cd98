"""What is due now: the rows the clock works off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select

from pbem.service.office import Office
from pbem.store.tables import Game, Letter, Submission

AT_ONCE = 200
"""How many rows of a kind are taken in one round, so that a backlog does not keep the clock from the rest."""


def waiting(office: Office, until: datetime) -> Sequence[str]:
    """Games with orders that came in before ``until`` and wait to be played."""
    query = select(Submission.game_id).where(Submission.status == "waiting", Submission.received_at <= until)
    with office.read() as session:
        return session.scalars(query.distinct().limit(AT_ONCE)).all()


def ahead(office: Office, now: datetime) -> Sequence[str]:
    """Games in which orders ahead have waited for the end of the grace time, longest ago first."""
    query = select(Game.id).where(Game.status == "running", Game.ahead_at <= now)
    with office.read() as session:
        return session.scalars(query.order_by(Game.ahead_at).limit(AT_ONCE)).all()


def deadlines(office: Office, now: datetime) -> Sequence[str]:
    """Games whose time is over, longest ago first."""
    query = select(Game.id).where(Game.status == "running", Game.deadline_at <= now)
    with office.read() as session:
        return session.scalars(query.order_by(Game.deadline_at).limit(AT_ONCE)).all()


def reminders(office: Office, now: datetime) -> Sequence[str]:
    """Games in which it is time to remind who is asked."""
    query = select(Game.id).where(Game.status == "running", Game.remind_at <= now, Game.deadline_at > now)
    with office.read() as session:
        return session.scalars(query.order_by(Game.remind_at).limit(AT_ONCE)).all()


def unsent(office: Office, until: datetime, now: datetime) -> Sequence[int]:
    """Letters that could have been sent before ``until`` and are in nobody's hands, oldest first."""
    query = select(Letter.id).where(
        Letter.status == "waiting",
        Letter.held.is_(False),
        Letter.next_try_at <= until,
        or_(Letter.claimed_until.is_(None), Letter.claimed_until <= now),
    )
    with office.read() as session:
        return session.scalars(query.order_by(Letter.id).limit(AT_ONCE)).all()


def digests(office: Office, now: datetime) -> Sequence[int]:
    """Accounts with questions that were held back until now."""
    held = Letter.held.is_(True) & (Letter.status == "waiting")
    query = select(Letter.account_id).where(held, Letter.next_try_at <= now)
    with office.read() as session:
        return session.scalars(query.distinct().limit(AT_ONCE)).all()
