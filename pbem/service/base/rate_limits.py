"""How much of something one may do within a time; the only place that writes ``allowances``.

A use is counted in the transaction that does what is limited, so that several web processes count together and what
fails is not counted. Time runs from the first use on; when it is over, the count begins anew.
"""

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import bindparam, case, delete, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, say
from pbem.service.base.office import Office
from pbem.store.tables import Allowance
from pbem.store.upserts import insert_into, upsert

KEY = 32
"""Hexadecimal digits of a key of the table."""
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class Limit(Value):
    """``most`` of something ``within`` a time. ``name`` stands in the keys of the table; ``words`` are for people.

    Of one account, where nothing else is said.
    """

    name: str
    most: int
    within: timedelta
    words: Say


ORDERS = Limit(
    "orders",
    600,
    MINUTE,
    say("Your seat has sent more than 600 orders within a minute. These were not accepted; send them again later."),
)
"""Of one seat: robots may be quick, and people send twice."""
READING = Limit(
    "reading",
    20_000,
    HOUR,
    say("Your emails took too long to read. Nothing was taken; send this one again in an hour."),
)
"""Milliseconds of the processor, for mails to the letters of one account: an ordinary one takes one or two."""
LOGIN_LETTERS = Limit(
    "login-letters", 20, HOUR, say("Your network has requested more than 20 log-in emails within an hour.")
)
"""Of one client, to whatever addresses."""
LOGIN_LETTERS_TO = Limit("login-letters-to", 20, DAY, say("We have sent 20 log-in emails to this address today."))
"""To one mailbox, however its address is written, from whatever clients; nobody is told."""
GUEST_GAMES = Limit(
    "guest-games", 12, HOUR, say("Your network has started more than 12 games within an hour. Log in, or try later.")
)
"""Of one client, from the start page without an account."""
JOINS = Limit("joins", 60, DAY, say("You have joined 60 tables within a day. Try again later."))
GUEST_JOINS = Limit(
    "guest-joins", 12, HOUR, say("Your network has asked for more than 12 seats within an hour. Log in, or try later.")
)
"""Of one client, at open tables without an account."""
INVITATIONS = Limit(
    "invitations",
    60,
    DAY,
    say("You have invited 60 people within a day. No more invitations were sent; try again later."),
)
"""Of one account: to known and unknown addresses alike, so that the count tells nothing about them."""
REMINDED_INVITATION = Limit(
    "reminded-invitation", 1, DAY, say("This invitation was sent again less than a day ago; try again later.")
)
"""Of one invitation."""
GAMES = Limit("games", 30, DAY, say("You have opened 30 games within a day. This one was not opened; try again later."))
MAP_CHECKS = Limit(
    "map-checks", 600, MINUTE, say("You have changed your map more than 600 times within a minute. Wait a moment.")
)
"""Of one account: every stroke of the painter is checked."""
LEAGUES = Limit("leagues", 3, DAY, say("You have opened 3 leagues within a day. This one was not opened."))
MAP_VERSIONS = Limit(
    "map-versions", 30, DAY, say("You have made 30 versions of your maps within a day. Try again tomorrow.")
)
MAP_REPORTS = Limit(
    "map-reports", 3, DAY, say("You have asked for 3 balance reports within a day. Try again tomorrow.")
)
REQUESTS = Limit(
    "requests", 3000, MINUTE, say("This link or token was used for more than 3,000 requests within a minute.")
)
"""To the API, of one link, or with one token of a program."""
REMARKS = Limit("remarks", 60, HOUR, say("You have written 60 remarks within an hour. Try again later."))
"""Of one account, bookmarks included."""
COPIES = Limit("copies", 60, HOUR, say("Your network has asked for more than 60 files within an hour."))
"""Of one client: files that have to be made."""
PICTURES = Limit("pictures", 1500, MINUTE, say("You have requested more than 1,500 pictures within a minute."))
"""Of one client; those that are kept already do not count."""
REVIEWS = Limit("reviews", 3, DAY, say("You have asked for 3 reviews within a day. Try again later."))
TRIALS = Limit(
    "trials", 30, MINUTE, say("Robots have played on 30 times for your network within a minute. Wait a moment.")
)
"""Of one client: robots that play on in trials, for seconds each time."""
DOWNLOADS = Limit(
    "downloads", 20, HOUR, say("Your network has begun more than 20 downloads of statistics within an hour.")
)
"""Of one client: each reads all finished games."""
WRONG_LINKS = Limit(
    "wrong-links", 60, timedelta(minutes=10), say("Your network has opened more than 60 links that do not exist.")
)
"""Of one client. Links that are good are answered all the same: others may be where the client is."""


class TooMuch(Exception):
    """A limit is reached; nothing was changed. ``again``: how long until it can be tried again."""

    def __init__(self, limit: Limit, again: timedelta) -> None:
        super().__init__(f"{limit.name}: {limit.most} within {limit.within}")
        self.sentence, self.again = limit.words, again


def use(office: Office, session: Session, limit: Limit, whom: str | int, now: datetime, amount: int = 1) -> None:
    """Count a use in the transaction of what is done. Raises :class:`TooMuch`, after which it must not be committed."""
    if office.settings.rate_limits:
        used, until = _counted(session, _key(office, limit, whom), now, limit.within, amount)
        if used > limit.most:
            raise TooMuch(limit, until - now)


def note(office: Office, limit: Limit, whom: str | int, now: datetime, amount: int = 1) -> None:
    """Count a use that changes nothing else. Raises :class:`TooMuch`."""
    if office.settings.rate_limits:
        with office.work(now) as work:
            used, until = _counted(work.session, _key(office, limit, whom), now, limit.within, amount)
        if used > limit.most:
            raise TooMuch(limit, until - now)


def spend(office: Office, session: Session, limit: Limit, whom: str | int, now: datetime, amount: int) -> None:
    """Count what has been used already, which may be more than the limit; :func:`reached` tells before the next use."""
    if office.settings.rate_limits:
        _counted(session, _key(office, limit, whom), now, limit.within, amount)


def reached(office: Office, session: Session, limit: Limit, whom: str | int, now: datetime) -> bool:
    """Whether one more use would be too much; counts nothing."""
    if not office.settings.rate_limits:
        return False
    row = session.execute(_USED, {"whose": _key(office, limit, whom)}).one_or_none()
    return row is not None and row.until > now and row.used >= limit.most


_USED = select(Allowance.used, Allowance.until).where(Allowance.key == bindparam("whose"))


def row(session: Session, key: str, now: datetime) -> Allowance:
    """The row of a key of no limit, locked; where there was none a new one, which does not count yet."""
    new = upsert(session, Allowance).values(key=key, used=0, until=now)
    session.execute(new.on_conflict_do_nothing())
    return session.get_one(Allowance, key, with_for_update=True, populate_existing=True)


def forget(office: Office, now: datetime) -> None:
    """Delete what no longer counts (the clock)."""
    with office.read() as session:
        if not session.scalar(select(select(Allowance.key).where(Allowance.until <= now).exists())):
            return
    with office.work(now) as work:
        work.session.execute(delete(Allowance).where(Allowance.until <= now))


def _key(office: Office, limit: Limit, whom: str | int) -> str:
    return office.tokens.seal("limit", limit.name, str(whom), shown=KEY)


def _counted(session: Session, key: str, now: datetime, within: timedelta, amount: int) -> tuple[int, datetime]:
    """What has been used with this, and until when it counts: one statement, so that no use of others is lost."""
    values = {"whose": key, "amount": amount, "now": now, "ends": now + within}
    counting = _counting(session.get_bind().dialect.name)
    used, until = session.connection().execute(counting, values).one()
    return int(used), until


@cache
def _counting(dialect: str) -> Any:
    """Made once: every email with orders needs it."""
    rows: Any = Allowance.__table__
    over = rows.c.until <= bindparam("now", type_=rows.c.until.type)
    given: Any = {name: bindparam(said) for name, said in (("key", "whose"), ("used", "amount"), ("until", "ends"))}
    begun = insert_into(dialect, Allowance).values(given)
    return begun.on_conflict_do_update(
        index_elements=[rows.c.key],
        set_={
            "used": case((over, begun.excluded.used), else_=rows.c.used + begun.excluded.used),
            "until": case((over, begun.excluded.until), else_=rows.c.until),
        },
    ).returning(rows.c.used, rows.c.until)
