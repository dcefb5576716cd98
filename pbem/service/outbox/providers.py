"""Mail providers, and hosts of webhooks, that answer slowly: each gets a small share of the time of our workers.

After a slow conversation the host rests, for all processes, and then gets one letter at a time until it is quick
again. One that refuses quickly does not rest: it takes nobody's time, and a refusal may be about one mailbox alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.orm import Session

from pbem.service.base import rate_limits
from pbem.service.base.office import Office
from pbem.store.tables import Allowance

SLOW = timedelta(seconds=10)
"""A conversation that takes so long is slow."""
SHARE = 4
"""A host that took a letter slowly rests this many times as long as the conversation took."""
FIRST_REST, LONGEST_REST = timedelta(seconds=30), timedelta(minutes=5)
"""After a conversation that came to nothing: twice as long each time."""
REMEMBERED = timedelta(hours=1)
"""How long after its rest a host is still met with care."""
PROBE = timedelta(minutes=2)
"""How long the one letter has that is to find out whether a host is quick again: as long as it is in its sender's
hands."""


def host(address: str) -> str:
    """The part of a mail address by which providers are told apart; empty where there is none."""
    return address.rpartition("@")[2].casefold()


def resting(office: Office, session: Session, name: str, now: datetime) -> datetime | None:
    """Until when a host rests; ``None`` when the caller may talk to it now.

    Of a host that was slow the caller is then the only one who may, until :func:`talked`.
    """
    if not was_slow(office, session, name):
        return None
    row = session.get(Allowance, key_of(office, name), with_for_update=True, populate_existing=True)
    if row is None or row.until <= now:
        return None
    until = row.until - REMEMBERED
    if until > now:
        return until
    row.until = now + PROBE + REMEMBERED
    return None


def was_slow(office: Office, session: Session, name: str) -> bool:
    """Whether a host was slow when it was last spoken to; nothing is kept of those that were never slow."""
    return bool(name) and session.get(Allowance, key_of(office, name)) is not None


def was_quick(session: Session, key: str) -> None:
    """A host that was slow has answered quickly."""
    session.execute(delete(Allowance).where(Allowance.key == key))


def talked(
    office: Office, name: str, took: timedelta, now: datetime, *, done: bool, slow: timedelta | None = None
) -> None:
    """A conversation with a host is over. ``done``: it came to an answer, whatever the answer was.

    ``slow``: how long a conversation may take, if it is not :data:`SLOW`.
    """
    if not name:
        return
    key = key_of(office, name)
    with office.read() as session:
        known = session.get(Allowance, key) is not None
    if took < (slow or SLOW):
        if known:
            with office.work(now) as work:
                was_quick(work.session, key)
        return
    with office.work(now) as work:
        times = rate_limits.count(work.session, key, now, REMEMBERED)
        rest = took * SHARE if done else min(FIRST_REST * 2 ** (min(times, 10) - 1), LONGEST_REST)
        work.session.get_one(Allowance, key, populate_existing=True).until = now + rest + REMEMBERED


def key_of(office: Office, name: str) -> str:
    """Under which key of the table it is written that a host was slow."""
    return office.tokens.seal("slow", name, shown=rate_limits.KEY)
