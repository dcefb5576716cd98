"""Bounces. An address that does not work gets no more letters, its owner sees a note, the host gets a letter.

One letter that comes back for good may be bad luck, so it takes two; but one is enough when the mail server said at
once that there is no such mailbox, and for an invitation, because no second letter follows it.
"""

import re
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from pbem.engine import Say, Value
from pbem.service.base import NewLetter, Office, Work, queries, validation
from pbem.service.letters import kinds, outbox
from pbem.service.letters.kinds.accounts import DeliveryTest, MailReturned, meaning
from pbem.store.statuses import LIVING
from pbem.store.tables import Account, Game, Letter, Returned, Seat, Unreachable

ENOUGH, WITHIN = 2, timedelta(days=30)
"""How many letters must come back for good within a time before no more are sent."""
LONGEST_ANSWER = 1000
UNKNOWN = "5.0.0"

_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_NO_MAILBOX = re.compile(r"5\.(1\.\d+|2\.1)")


class UnreachableView(Value):
    """Why and since when an account gets no letters. ``answer``: what the mail server said."""

    since: datetime
    meaning: Say
    answer: str


class Unreached(Value):
    """An account that gets no letters, for who runs the server."""

    account: int
    address: str
    why: UnreachableView


def returned(office: Office, letter_id: int, status: str, answer: str, now: datetime) -> None:
    """A letter came back. ``status`` is a code of RFC 3463: 5.x.x for good; 4.x.x for now, so it is sent again.

    A letter that is not there, or that came back before, changes nothing.
    """
    with office.work(now) as work:
        letter = _locked(work.session, letter_id)
        if letter is None or kinds.named(letter.kind).to_deleted:
            return
        answer = validation.one_line(answer)[:LONGEST_ANSWER]
        outbox.came_back(work.session, letter, f"{status} {answer}".strip(), now, for_good=status.startswith("5"))
        if status.startswith("5"):
            _count(work, letter, status, answer, decisive=kinds.named(letter.kind).decisive)


def refused(office: Office, letter_id: int, answer: str, now: datetime) -> None:
    """The mail server said at once that it will never take letters to this address."""
    found = _STATUS.search(answer)
    status = found.group() if found and found.group().startswith("5") else UNKNOWN
    with office.work(now) as work:
        letter = _locked(work.session, letter_id)
        if letter is None or kinds.named(letter.kind).to_deleted:
            return
        # A refusal that names another reason than the mailbox may be about us, or about this one letter.
        decisive = found is None or _NO_MAILBOX.fullmatch(status) is not None or kinds.named(letter.kind).decisive
        _count(work, letter, status, validation.one_line(answer)[:LONGEST_ANSWER], decisive=decisive)


def unreachable(office: Office, account_id: int) -> UnreachableView | None:
    with office.read() as session:
        row = session.get(Unreachable, account_id)
        return None if row is None else UnreachableView(row.since, meaning(row.status), row.answer)


def all_unreachable(office: Office, most: int) -> tuple[Unreached, ...]:
    """Whose letters came back, latest first, at most so many."""
    query = select(Unreachable, Account.address).join(Account, Account.id == Unreachable.account_id)
    with office.read() as session:
        found = session.execute(query.order_by(Unreachable.since.desc()).limit(most))
        return tuple(
            Unreached(row.account_id, address, UnreachableView(row.since, meaning(row.status), row.answer))
            for row, address in found
        )


def switch_on(office: Office, account_id: int, now: datetime) -> bool:
    """The owner, or who runs the server, says that the address works: send letters again, a test and what was
    withdrawn; returns whether they were off."""
    with office.work(now) as work:
        queries.account(work.session, account_id)
        row = work.session.get(Unreachable, account_id)
        if row is None:
            return False
        work.session.delete(row)
        open_ones = update(Returned).where(Returned.account_id == account_id, Returned.cleared_at.is_(None))
        work.session.execute(open_ones.values(cleared_at=now))
        work.session.flush()
        work.write(NewLetter(DeliveryTest(), f"test-again:{account_id}:{now:%Y%m%d%H%M%S}", account_id))
        outbox.reachable_again(work, account_id)
        return True


def _locked(session: Session, letter_id: int) -> Letter | None:
    """The letter and the account it went to, both locked, the account first as by all who lock them."""
    account_id = session.scalar(select(Letter.account_id).where(Letter.id == letter_id))
    if account_id is None:
        return None
    queries.account(session, account_id)
    return session.scalar(select(Letter).where(Letter.id == letter_id).with_for_update())


def _count(work: Work, letter: Letter, status: str, answer: str, *, decisive: bool) -> None:
    account = work.session.get_one(Account, letter.account_id)
    if not _noted(work.session, letter, status, answer, work.now):
        return
    lately = select(func.count()).where(
        Returned.account_id == account.id, Returned.cleared_at.is_(None), Returned.at > work.now - WITHIN
    )
    number = work.session.scalars(lately).one()
    if (decisive or number >= ENOUGH) and work.session.get(Unreachable, account.id) is None:
        work.session.add(Unreachable(account_id=account.id, status=status, answer=answer, since=work.now))
        work.session.flush()
        _tell_hosts(work, account, status)


def _noted(session: Session, letter: Letter, status: str, answer: str, now: datetime) -> bool:
    """Write down that the letter came back; ``False`` when that stands there already."""
    row = session.get(Returned, letter.id)
    if row is not None and row.cleared_at is None:
        return False
    if row is None:
        row = Returned(letter_id=letter.id, account_id=letter.account_id)
        session.add(row)
    row.status, row.answer, row.at, row.cleared_at = status, answer, now, None
    session.flush()
    return True


def _tell_hosts(work: Work, account: Account, status: str) -> None:
    """A letter to the host of each game the account is in, unless it hosts the game itself."""
    query = (
        select(Game, Seat)
        .join(Seat, Seat.game_id == Game.id)
        .where(
            Seat.account_id == account.id,
            Game.status.in_(LIVING),
            Game.host_id.is_not(None),
            Game.host_id != account.id,
        )
    )
    for game, seat in work.session.execute(query).all():
        assert game.host_id is not None
        own = work.session.scalar(select(Seat).where(Seat.game_id == game.id, Seat.account_id == game.host_id))
        key = f"mail-returned:{game.id}:{seat.number}:{work.now:%Y%m%d%H%M%S}"
        told = MailReturned(seat.name, seat.colour, status)
        work.write(NewLetter(told, key, game.host_id, game=game, seat=own))
