"""Accounts: an email address logs in by a link that is sent to it; a browser is remembered by a secret."""

import hashlib
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.language import current, languages
from pbem.service.base import (
    BadInput,
    NewLetter,
    NoSuch,
    NotNow,
    Office,
    Problem,
    Work,
    mailboxes,
    merged,
    queries,
    rate_limits,
    validation,
)
from pbem.service.base.tokens import BadToken, LoginClaim, SeatClaim, UnsubscribeClaim
from pbem.service.letters.kinds.accounts import LoginLink
from pbem.store.tables import Account, Letter, LoggedIn, Login, Stop
from pbem.store.time_controls import zone_named
from pbem.views.accounts import USUAL_LOOK, AccountView, BoardLook

Wish: TypeAlias = Literal["findable", "statistics", "reviewed", "substitute", "own_mail"]
"""What an account may allow or want: that search engines find its games, that everybody sees its results, that reviews
list its orders, to be asked when a seat is free, and answers from its own address alone."""
LINK_WORKS = timedelta(minutes=20)
STAYS = timedelta(days=90)
LINKS_AT_ONCE = 5
"""Log-in links that may be out to one mailbox; more are not sent, so that nobody can be flooded."""


def account(session: Session, address: str, name: str, now: datetime) -> Account:
    """The account to which a clean address leads; a new one is called ``name`` or by the left side of its address.

    It reads the language of whoever is served now: of a host who invites, or of the page where the address was typed.
    """
    known = merged.at(session, address)
    if known is None:
        name = validation.as_person(name) or called(address)
        known = Account(address=address, name=name, language=current().code, created_at=now)
        try:
            with session.begin_nested():
                session.add(known)
        except IntegrityError:  # somebody else made it between our look and our insert
            known = session.scalars(select(Account).where(Account.address == address)).one()
    return known


def introduced(office: Office, work: Work, address: str, name: str) -> Account | None:
    """The account of somebody who typed name and address on a page, and gets a letter now; ``None`` when enough letters
    have gone to the mailbox."""
    mailbox = mailboxes.mailbox(address)
    if rate_limits.reached(office, work.session, rate_limits.LOGIN_LETTERS_TO, mailbox, work.now):
        return None
    rate_limits.use(office, work.session, rate_limits.LOGIN_LETTERS_TO, mailbox, work.now)
    reader = account(work.session, address, validation.one_line(name), work.now)
    work.session.flush()
    return reader


def called(address: str) -> str:
    """The name of an account whose owner has not chosen one: the left side of its address."""
    return validation.one_line(address.partition("@")[0])[: validation.LONGEST_NAME].capitalize()


def ask_login(office: Office, address: str, now: datetime, client: str = "", then: str = "") -> None:
    """Email a log-in link. Raises :class:`BadInput` for what is no address; tells nothing else about it to the asker.

    ``then``: what the link leads to afterwards, in words of the pages. ``client``: who asks, for the limit of
    :class:`rate_limits.TooMuch`. When enough letters have gone to the address,
    no more is sent, and none to an account that is barred.
    """
    address = validation.address(address)
    with office.work(now) as work:
        if client:
            rate_limits.use(office, work.session, rate_limits.LOGIN_LETTERS, client, now)
        if _has_enough(office, work.session, address, now):
            return
        rate_limits.use(office, work.session, rate_limits.LOGIN_LETTERS_TO, mailboxes.mailbox(address), now)
        reader = account(work.session, address, "", now)
        if reader.barred_at is not None:
            return
        login = Login(id=office.secret(12), account_id=reader.id, created_at=now, expires_at=now + LINK_WORKS)
        work.session.add(login)
        work.write(NewLetter(LoginLink(login.id, then), f"login:{login.id}", reader.id))


def _has_enough(office: Office, session: Session, address: str, now: datetime) -> bool:
    """Whether log-in letters enough have gone to the mailbox of an address, however it was written."""
    if rate_limits.reached(office, session, rate_limits.LOGIN_LETTERS_TO, mailboxes.mailbox(address), now):
        return True
    readers = mailboxes.accounts_of(session, address)
    out = select(func.count()).where(Login.account_id.in_(readers), Login.expires_at > now, Login.used_at.is_(None))
    return (session.scalar(out) or 0) >= LINKS_AT_ONCE


def login_works(office: Office, claim: LoginClaim, now: datetime) -> bool:
    """Whether the link would log in now; changes nothing, for the page with the button."""
    with office.read() as session:
        login = session.get(Login, claim.login)
        return login is not None and login.used_at is None and login.expires_at > now


def log_in(office: Office, claim: LoginClaim, now: datetime) -> str:
    """Use up the link and return the secret the browser keeps. Raises :class:`NotNow` when used or too old."""
    with office.work(now) as work:
        login = work.session.get(Login, claim.login, with_for_update=True)
        if login is None:
            raise BadToken
        if login.used_at is not None:
            raise NotNow(say("This link has been used."))
        if login.expires_at <= now:
            raise NotNow(say("This link worked for 20 minutes and has expired."))
        login.used_at = now
        reader = queries.account(work.session, login.account_id)
        reader.language = reader.language or current().code
        return remember(office, work.session, login.account_id, now)


def log_in_seat(office: Office, claim: SeatClaim, now: datetime) -> str:
    """Log the player of a seat in by the private link of the seat; returns the secret the browser keeps."""
    with office.work(now) as work:
        seat = queries.numbered(work.session, claim.game, claim.number)
        if seat.account_id is None or seat.holder != claim.holder:
            raise BadToken
        return remember(office, work.session, seat.account_id, now)


def of_seat(office: Office, game_id: str, number: int) -> int:
    """The account that has a seat. Raises ``BadToken`` when nobody has, ``NoSuch`` for no such seat."""
    with office.read() as session:
        seat = queries.numbered(session, game_id, number)
        if seat.account_id is None:
            raise BadToken
        return seat.account_id


def logged_in(office: Office, secret: str, now: datetime) -> AccountView | None:
    """Whose browser this is, if it is logged in."""
    with office.read() as session:
        owner = select(Account).join(LoggedIn, LoggedIn.account_id == Account.id)
        row = session.scalar(owner.where(LoggedIn.hash == hashed(secret), LoggedIn.expires_at > now))
        return None if row is None else shown(row)


def log_out(office: Office, secret: str) -> None:
    with office.write() as session:
        session.execute(delete(LoggedIn).where(LoggedIn.hash == hashed(secret)))


def how_a_seat_reads(office: Office, game_id: str, number: int) -> tuple[ZoneInfo, str, BoardLook]:
    """By which clock, in which language and with which boards whoever has a seat reads.

    UTC, no language and the usual for a seat that nobody has. Raises :class:`NoSuch`.
    """
    with office.read() as session:
        seat = queries.numbered(session, game_id, number)
        owner = None if seat.account_id is None else session.get(Account, seat.account_id)
        if owner is None:
            return zone_named("UTC"), "", USUAL_LOOK
        return zone_named(owner.zone), owner.language, look_of(owner)


def how_an_account_reads(office: Office, account_id: int) -> tuple[ZoneInfo, str, BoardLook] | None:
    """The same of the owner of an account; nothing where there is none any more."""
    with office.read() as session:
        owner = session.get(Account, account_id)
        return (zone_named(owner.zone), owner.language, look_of(owner)) if owner else None


def look_of(account: Account) -> BoardLook:
    """How an account has chosen to see boards: on pages of its own, and in its emails."""
    return BoardLook(account.clear_colours, account.hex_labels)


def choose_look(office: Office, account_id: int, look: BoardLook) -> None:
    with office.write() as session:
        account = queries.account(session, account_id)
        account.clear_colours, account.hex_labels = look.clear, look.labels


def speak(office: Office, account_id: int, language: str) -> None:
    """Change the language of pages and emails. Raises :class:`BadInput` for one that we do not have."""
    if language not in [known.code for known in languages()]:
        raise BadInput(Problem("language", say("Choose one of the languages.")))
    with office.write() as session:
        queries.account(session, account_id).language = language


def rename(office: Office, account_id: int, name: str) -> None:
    """Change the name of an account for games opened from now on. Raises :class:`BadInput`."""
    name = validation.one_line(name)
    with office.write() as session:
        account = queries.account(session, account_id)
        if account.program:
            problem = validation.name_problem(
                validation.as_person(name), validation.LONGEST_NAME - len(validation.PROGRAM)
            )
            name = validation.as_program(name)
        else:
            problem = validation.own_name_problem(name)
        if problem is not None:
            raise BadInput(Problem("name", problem))
        account.name = name


def wants(office: Office, account_id: int, what: Wish) -> bool:
    with office.read() as session:
        chosen: bool = getattr(session.get_one(Account, account_id), what)
        return chosen


def want(office: Office, account_id: int, what: Wish, yes: bool) -> None:
    with office.write() as session:
        setattr(queries.account(session, account_id), what, yes)


def stop_mail(office: Office, claim: UnsubscribeClaim, scope: str, now: datetime) -> None:
    """Stop letters: ``game`` all of this game, ``kind`` this kind in every game, ``all``. Links stay as they are."""
    game, kind = _scope(claim, scope)
    with office.work(now) as work:
        reader = merged.number_now(work.session, claim.account)
        if work.session.get(Account, reader, with_for_update={"key_share": True}) is None:
            raise BadToken
        stopped = select(Stop.id).where(Stop.account_id == reader, Stop.game_id == game, Stop.kind == kind)
        if work.session.scalar(stopped) is None:
            work.session.add(Stop(account_id=reader, game_id=game, kind=kind, since=now))


def stop_at_once(office: Office, claim: UnsubscribeClaim, now: datetime) -> None:
    """What somebody stops whose mail program offers one button for it: letters of this game, or of this kind where
    they are about none."""
    stop_mail(office, claim, "game" if claim.game else "kind", now)


def stop_by_mail(office: Office, letter_id: int, now: datetime) -> None:
    """The same for letters like this one, by a mail. Raises :class:`NoSuch` for a letter that is gone."""
    with office.read() as session:
        letter = session.get(Letter, letter_id)
        if letter is None:
            raise NoSuch(f"There is no letter {letter_id}.")
        claim = UnsubscribeClaim(letter.account_id, letter.game_id or "", letter.kind)
    stop_at_once(office, claim, now)


def resume_mail(office: Office, claim: UnsubscribeClaim) -> None:
    """Send everything again that was stopped and concerns letters like the one the link came in."""
    with office.write() as session:
        session.execute(delete(Stop).where(*_about(session, claim)))


def mail_stopped(office: Office, claim: UnsubscribeClaim) -> bool:
    """Whether letters like the one the link came in are stopped."""
    with office.read() as session:
        return session.scalar(select(Stop.id).where(*_about(session, claim)).limit(1)) is not None


def _about(session: Session, claim: UnsubscribeClaim) -> tuple[ColumnElement[bool], ...]:
    """What the rows say that stop letters like the one the link came in."""
    reader = merged.number_now(session, claim.account)
    return Stop.account_id == reader, Stop.game_id.in_(["", claim.game]), Stop.kind.in_(["", claim.kind])


def shown(row: Account) -> AccountView:
    return AccountView(row.id, row.address, row.name, row.zone, row.language, look_of(row), row.program)


def _scope(claim: UnsubscribeClaim, scope: str) -> tuple[str, str]:
    match scope:
        case "game" if claim.game:
            return claim.game, ""
        case "game" | "kind":
            return "", claim.kind
        case "all":
            return "", ""
    raise BadInput(Problem("scope", say("Choose what to stop: this game, emails of this kind, or all.")))


def remember(office: Office, session: Session, account_id: int, now: datetime) -> str:
    """Log a browser in as this account; returns the secret it is to keep. Raises :class:`NotNow` when it is barred."""
    if queries.account(session, account_id).barred_at is not None:
        raise NotNow(say("The operator of this server has blocked this account. You cannot log in."))
    secret = office.secret(32)
    session.add(LoggedIn(hash=hashed(secret), account_id=account_id, created_at=now, expires_at=now + STAYS))
    return secret


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
