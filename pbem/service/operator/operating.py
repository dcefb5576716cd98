"""What the operator of the server does on its page: a notice to everybody, and accounts that are found and blocked.

Everything that is done there is a row of ``operator_actions``, written in the same transaction where it changes rows
here.
"""

from datetime import datetime

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from pbem.engine import Value, count_say, say
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, merged, queries, validation
from pbem.store.tables import Account, LoggedIn, MergedAccount, OperatorAction, ServerNotice

LONGEST_NOTICE = 400
_ONLY = 1
"""The number of the one notice."""


class Person(Value):
    """An account as the operator sees it. ``barred``: since when it cannot log in; ``former``: addresses of accounts
    that were merged into it."""

    id: int
    address: str
    name: str
    since: datetime
    barred: datetime | None
    former: tuple[str, ...]


class Action(Value):
    """What was done. ``about``: the number of an account or of a submission, or 0."""

    at: datetime
    what: str
    about: int


def notice(office: Office) -> str:
    """What is told to everybody at the head of every page; empty for nothing."""
    with office.read() as session:
        row = session.get(ServerNotice, _ONLY)
        return "" if row is None else row.text


def tell_all(office: Office, operator_id: int, text: str, now: datetime) -> None:
    """Replace the notice; an empty one takes it away. Raises :class:`BadInput` for field ``text``."""
    text = validation.one_line(text)
    if len(text) > LONGEST_NOTICE:
        sentence = count_say("At most {n} character.", "At most {n} characters.", LONGEST_NOTICE)
        raise BadInput(Problem("text", sentence))
    with office.write() as session:
        session.execute(delete(ServerNotice))
        if text:
            session.add(ServerNotice(id=_ONLY, text=text, since=now))
        write_down(session, operator_id, "tells" if text else "ends-notice", 0, now)


def find(office: Office, words: str, most: int) -> tuple[Person, ...]:
    """Accounts with this text in their address or name, by address, at most so many; none for an empty text."""
    wanted = validation.one_line(words).lower()
    if not wanted:
        return ()
    former = select(MergedAccount.account_id).where(MergedAccount.address.contains(wanted, autoescape=True))
    there = or_(
        Account.id.in_(former),
        func.lower(Account.address).contains(wanted, autoescape=True),
        func.lower(Account.name).contains(wanted, autoescape=True),
    )
    query = select(Account).where(there, Account.deleted_at.is_(None)).order_by(Account.address).limit(most)
    with office.read() as session:
        return tuple(person(session, row) for row in session.scalars(query).all())


def of(office: Office, account_id: int) -> Person:
    """The account with this number. Raises :class:`NoSuch`."""
    with office.read() as session:
        return person(session, known(session, account_id))


def person(session: Session, row: Account) -> Person:
    former = merged.addresses(session, row.id)
    return Person(row.id, row.address, row.name, row.created_at, row.barred_at, former)


def at(office: Office, address: str) -> Person:
    """The account to which an address leads. Raises :class:`NoSuch`, and :class:`BadInput` for what is no address."""
    address = validation.address(address)
    with office.read() as session:
        row = merged.at(session, address)
        if row is None:
            raise NoSuch(f"There is no account with the address {address}.")
        return person(session, row)


def exists(office: Office, account_id: int) -> None:
    """Raises :class:`NoSuch` unless there is such an account."""
    with office.read() as session:
        known(session, account_id)


def bar(office: Office, operator_id: int, account_id: int, now: datetime) -> None:
    """Keep an account from logging in, and log all its browsers out. Raises :class:`NoSuch`, :class:`NotNow`.

    Links to its seats work on, so that games with others go on.
    """
    if account_id == operator_id:
        raise NotNow(say("This is you."))
    with office.write() as session:
        account = _account(session, account_id)
        account.barred_at = account.barred_at or now
        session.execute(delete(LoggedIn).where(LoggedIn.account_id == account_id))
        write_down(session, operator_id, "blocks", account_id, now)


def unbar(office: Office, operator_id: int, account_id: int, now: datetime) -> None:
    """Let an account log in again. Raises :class:`NoSuch`."""
    with office.write() as session:
        _account(session, account_id).barred_at = None
        write_down(session, operator_id, "unblocks", account_id, now)


def note(office: Office, operator_id: int, what: str, about: int, now: datetime) -> None:
    """Write down what was done by another service."""
    with office.write() as session:
        write_down(session, operator_id, what, about, now)


def actions(office: Office, most: int) -> tuple[Action, ...]:
    """What was done, latest first, at most so much."""
    query = select(OperatorAction).order_by(OperatorAction.id.desc()).limit(most)
    with office.read() as session:
        return tuple(Action(row.at, row.what, row.about) for row in session.scalars(query))


def known(session: Session, account_id: int) -> Account:
    """The account with this number. Raises :class:`NoSuch`."""
    row = session.get(Account, account_id)
    if row is None or row.deleted_at is not None:
        raise NoSuch(f"There is no account {account_id}.")
    return row


def _account(session: Session, account_id: int) -> Account:
    known(session, account_id)
    return queries.account(session, account_id)


def write_down_if_known(session: Session, operator: str, what: str, about: int, now: datetime) -> None:
    """The same for what commands of the machine do, too: by the account of the operator's address, if there is one."""
    operator_id = session.scalar(select(Account.id).where(Account.address == operator)) if operator else None
    if operator_id is not None:
        write_down(session, operator_id, what, about, now)


def write_down(session: Session, operator_id: int, what: str, about: int, now: datetime) -> None:
    """The same in a transaction that does it."""
    session.add(OperatorAction(at=now, operator_id=operator_id, what=what, about=about))
