"""Replies: emails that answer a letter. Whoever has its reply address may answer for its reader, as with its links."""

import hashlib
import re
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, say
from pbem.language import orders, reading
from pbem.service.base import NoSuch, NotNow, Office, queries, rate_limits, validation
from pbem.service.letters import refusals
from pbem.service.letters.kinds.orders import Refused, Tried
from pbem.service.letters.kinds.questions import Planning
from pbem.service.orders import submissions
from pbem.service.turns.closings import without_greeting
from pbem.store.tables import Account, Letter, Move, Seat, Submission

UNREADABLE = say("Your email could not be read, so nothing was played. Send your orders again, as plain text.")
TOO_LONG = say(
    "Your email has too much text above the quotation to be orders, so nothing was played. Send only orders."
)

FORM = ("issue", "bid max", "action", "build", "move")
"""How the lines begin that plan a turn."""
TRY = re.compile(r"\s*try(?![\w-])[ \t]*:?", re.IGNORECASE)
"""What orders begin with that are only to be tried."""


class Sender(Value):
    """Who answers a letter: the seat with its player's account. ``version``: the position that orders are for, ``None``
    for whatever is asked when they are played; ``source``: tells this mail from all others; ``submission``: the same
    for orders, empty where the orders themselves tell."""

    letter: int
    game: str
    colour: str
    number: int
    account: int
    version: int | None
    source: str
    submission: str


def sender(office: Office, letter_id: int, message_id: str, key: str) -> Sender:
    """Whose mail it is. ``message_id`` may be empty: then the ``key`` tells the mail from others.

    Raises :class:`NoSuch` for a letter that is gone or about no seat, :class:`NotNow` for one to whom had the seat
    before.
    """
    with office.read() as session:
        letter = session.get(Letter, letter_id)
        if letter is None or session.get_one(Account, letter.account_id).deleted_at is not None:
            raise NoSuch(f"There is no letter {letter_id} that can be answered.")
        if letter.game_id is None or letter.seat_number is None:
            raise NoSuch(f"Letter {letter_id} is about no seat.")
        seat = queries.numbered(session, letter.game_id, letter.seat_number)
        if seat.account_id != letter.account_id or not seat.colour:
            raise NotNow(say("The seat has changed hands."))
        return of_seat(letter_id, seat, _answered(session, letter), message_id, key)


def of_seat(letter_id: int, seat: Seat, version: int | None, message_id: str, key: str) -> Sender:
    source, submission = _source(letter_id, key), _source(letter_id, message_id) if message_id else ""
    account = seat.account_id or 0
    return Sender(letter_id, seat.game_id, seat.colour, seat.number, account, version, source, submission)


def _answered(session: Session, letter: Letter) -> int | None:
    """Orders for a whole turn, in answer to a planning letter or to one that refused such orders, are for whatever is
    asked when they are played, while that turn lasts; all others are for the position the letter is about."""
    planned = _planned(session, letter)
    for_turn = planned is not None and planned == queries.game(session, letter.game_id or "").turn
    return None if for_turn else letter.version


def _planned(session: Session, letter: Letter) -> int | None:
    """The turn that a letter has asked to plan, ``None`` where it has asked something else."""
    if letter.kind == Planning.kind:
        return Planning.read(letter.data).turn
    if letter.kind != Refused.kind or letter.version is None:
        return None
    if session.get_one(Submission, Refused.read(letter.data).submission).version is not None:
        return None
    return session.scalar(select(Move.turn).where(Move.game_id == letter.game_id, Move.number == letter.version))


def take(office: Office, sender: Sender, text: str, now: datetime) -> str:
    """Submit what was written, or email what it leads to; returns what was done, for the logs.

    For a mail that comes twice it is done once. Raises ``BadInput`` and ``TooMuch``.
    """
    if (tried := to_try(text)) is not None:
        _try_out(office, sender, tried, now)
        return "tried"
    new = submissions.NewSubmission(sender.colour, text, sender.version, "mail", source=sender.submission)
    return f"submission {submissions.submit(office, sender.game, new, now)}"


def to_try(text: str) -> str | None:
    """The orders of a mail that are only to be tried: those under the word ``try``; ``None`` for all others."""
    text = without_greeting(text)
    found = TRY.match(text)
    return text[found.end() :].strip() if found else None


def _try_out(office: Office, sender: Sender, text: str, now: datetime) -> None:
    text = validation.orders(text)
    rate_limits.note(office, rate_limits.ORDERS, f"{sender.game}:{sender.colour}", now)
    with office.game(sender.game, now) as work:
        tried = Tried(text, office.entropy(4).hex())
        refusals.tell_asked(work, work.seat(sender.colour), tried, f"tried:{sender.source}")


def refuse(office: Office, sender: Sender, why: Say, now: datetime) -> str:
    """Tell the writer of a mail that nothing could be made of it: a mail that comes twice is refused once."""
    rate_limits.note(office, rate_limits.ORDERS, f"{sender.game}:{sender.colour}", now)
    new = submissions.NewSubmission(sender.colour, "", sender.version, "mail", source=sender.source)
    return f"submission {submissions.not_read(office, sender.game, new, why, now)}"


class Expected(Value):
    """What is known of a mail before it is read: how the lines begin that its letter has to be filled in (``form``),
    and the account for which it is read, ``None`` where the letter is gone, or its reader is."""

    form: tuple[str, ...]
    account: int | None


def expected(office: Office, letter_id: int, now: datetime) -> Expected:
    """Raises ``TooMuch`` when reading mails to letters of this account has taken too long lately."""
    with office.database.read() as asked:
        letter = asked.execute(_EXPECTED, {"letter": letter_id}).one_or_none()
        if letter is None:
            return Expected(form=(), account=None)
        if rate_limits.reached(office, asked, rate_limits.READING, letter.account_id, now):
            raise rate_limits.TooMuch(rate_limits.READING, rate_limits.READING.within)
        return Expected(form_of(letter.language) if letter.kind == Planning.kind else (), letter.account_id)


def form_of(language: str) -> tuple[str, ...]:
    with reading(language):
        return tuple(dict.fromkeys((*FORM, *map(orders.spoken, FORM))))


_EXPECTED = (
    select(Letter.kind, Letter.account_id, Account.language)
    .join(Account, Account.id == Letter.account_id)
    .where(Letter.id == bindparam("letter"), Account.deleted_at.is_(None))
)


def was_read(office: Office, account: int, milliseconds: int, now: datetime) -> None:
    """Count the processor time that reading mails for an account has taken."""
    with office.work(now) as work:
        rate_limits.spend(office, work.session, rate_limits.READING, account, now, amount=milliseconds)


def _source(letter_id: int, key: str) -> str:
    return "mail:" + hashlib.sha256(f"{letter_id}|{key}".encode("utf-8", "replace")).hexdigest()
