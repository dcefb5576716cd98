"""Mail providers, and hosts of webhooks, that answer slowly: each gets a small share of the time of our workers.

After a slow conversation the host rests, for all processes, and then gets one letter at a time, a probe, until it is
quick again. One that refuses quickly does not rest: it takes nobody's time, and a refusal may be about one mailbox
alone.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from pbem.engine import Value
from pbem.service.base import Office, rate_limits
from pbem.store.statuses import Sending
from pbem.store.tables import Account, Allowance, Letter, Outgoing, PushMessage, WebhookMessage

SLOW = timedelta(seconds=10)
"""A conversation that takes so long is slow."""
SHARE = 4
"""A host that took a letter slowly rests this many times as long as the conversation took, if that is shorter."""
FIRST_REST, LONGEST_REST = timedelta(seconds=30), timedelta(minutes=5)
"""From the second probe in a row that failed on a rest is twice as long as the one before: a mail server that hung for
some seconds is no provider that is slow for hours."""
AWAITED_REST = timedelta(minutes=1)
"""How long a letter waits at the most that somebody waits for on a page; it is a probe then."""
AT_ONCE = 1_000
"""How many of the letters that waited for a host are told that it is quick again; the others find out later."""
REMEMBERED = timedelta(hours=1)
"""How long after its rest a host is still met with care."""
PROBE = timedelta(minutes=1)
"""How long a probe has to find out whether a host is quick again: as long as a conversation lasts at the most."""


def host(address: str) -> str:
    """The part of a mail address by which providers are told apart; empty where there is none."""
    return address.rpartition("@")[2].casefold()


def resting(office: Office, session: Session, name: str, now: datetime, *, awaited: bool = False) -> datetime | None:
    """Until when a host rests; ``None`` when the caller may talk to it now. ``awaited``: somebody waits on a page.

    Of a host that was slow the caller is then the only one who may, until :func:`talked`.
    """
    if not was_slow(office, session, name):
        return None
    row = session.get(Allowance, key_of(office, name), with_for_update=True, populate_existing=True)
    if row is None or row.until <= now:
        return None
    until = row.until - REMEMBERED
    if awaited:
        until -= max(timedelta(0), _rest(row.used) - AWAITED_REST)
    if until > now:
        return until
    probe = session.get(Allowance, _probe_of(office, name), populate_existing=True)
    if probe is not None and probe.until > now:
        return probe.until
    rate_limits.row(session, _probe_of(office, name), now).until = now + PROBE
    return None


def was_slow(office: Office, session: Session, name: str) -> bool:
    """Whether a host was slow when it was last spoken to; nothing is kept of those that were never slow."""
    return bool(name) and session.get(Allowance, key_of(office, name)) is not None


def _rest(times: int) -> timedelta:
    """How long a host rests that was slow so many times in a row."""
    return min(FIRST_REST * int(2 ** min(max(times - 2, 0), 10)), LONGEST_REST)


def was_quick(office: Office, session: Session, name: str, now: datetime) -> None:
    """A host that was slow has answered quickly: what has waited for the end of its rest, or of a probe, can leave."""
    keys = (key_of(office, name), _probe_of(office, name))
    rows = session.scalars(select(Allowance).where(Allowance.key.in_(keys))).all()
    ends = [row.until - REMEMBERED if row.key == keys[0] else row.until for row in rows]
    tables: tuple[type[Outgoing], ...] = (Letter, WebhookMessage, PushMessage)
    for table in tables:
        waiting = select(table.id).where(table.status == Sending.WAITING, table.next_try_at.in_(ends))
        free = session.scalars(waiting.limit(AT_ONCE).with_for_update(skip_locked=True)).all()  # never wait for a claim
        if free:
            session.execute(update(table).where(table.id.in_(free)).values(next_try_at=now))
    session.execute(delete(Allowance).where(Allowance.key.in_(keys)))


def not_asked(office: Office, name: str, now: datetime) -> None:
    """A letter came to nothing before its host was asked: if it was a probe, another one may be made."""
    with office.work(now) as work:
        _end_probe(office, work.session, name)


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
                was_quick(office, work.session, name, now)
        return
    with office.work(now) as work:
        times = _times(office, work.session, name, now)
        if times:
            rest = min(took * SHARE, _rest(times)) if done else _rest(times)
            row = work.session.get_one(Allowance, key, populate_existing=True)
            row.used, row.until = times, now + rest + REMEMBERED


def _times(office: Office, session: Session, name: str, now: datetime) -> int:
    """How many times in a row a host has been slow, with this one; 0 when this one began before it rested: several
    processes that meet the same are one."""
    row = rate_limits.row(session, key_of(office, name), now)
    probed = _end_probe(office, session, name)
    if row.until <= now:
        return 1
    return row.used + 1 if probed or row.until - REMEMBERED <= now else 0


def _end_probe(office: Office, session: Session, name: str) -> bool:
    ended: Any = session.execute(delete(Allowance).where(Allowance.key == _probe_of(office, name)))
    return bool(ended.rowcount)


class Resting(Value):
    """A mail provider that is left alone until then, and how many letters wait for it."""

    host: str
    until: datetime
    letters: int


def all_resting(office: Office, now: datetime) -> Sequence[Resting]:
    """The mail providers of those whom letters wait for that are left alone now, by name."""
    with office.read() as session:
        to = select(Account.address, func.count()).join(Letter, Letter.account_id == Account.id)
        found = session.execute(to.where(Letter.status == Sending.WAITING).group_by(Account.address)).all()
        waiting: Counter[str] = Counter()
        for address, number in found:
            waiting[host(address)] += number
        rests = []
        for name in sorted(waiting):
            row, probe = (session.get(Allowance, key) for key in (key_of(office, name), _probe_of(office, name)))
            until = max([row.until - REMEMBERED if row else now, probe.until if probe else now])
            rests += [Resting(name, until, waiting[name])] if until > now else []
        return rests


def _probe_of(office: Office, name: str) -> str:
    """Under which key it is written that somebody finds out whether a host is quick again."""
    return office.tokens.seal("probe", name, shown=rate_limits.KEY)


def key_of(office: Office, name: str) -> str:
    """Under which key of the table it is written that a host was slow."""
    return office.tokens.seal("slow", name, shown=rate_limits.KEY)
