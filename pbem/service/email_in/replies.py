"""Replies: emails that answer a letter. Whoever has its reply address may answer for its reader, as with its links."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.engine.text import Say, say
from pbem.language import orders, reading
from pbem.service.base import queries, rate_limits, validation
from pbem.service.base.errors import NoSuch, NotNow
from pbem.service.base.office import Office
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


@dataclass(frozen=True, slots=True)
class Sender:
    """Who answers a letter: the seat with its player's account, and what tells this mail from all others."""

    letter: int
    game: str
    colour: str
    number: int
    account: int
    source: str


def sender(office: Office, letter_id: int, message_id: str) -> Sender:
    """Whose mail it is. ``message_id`` may be empty: then every mail counts as the first. Raises as :func:`take`."""
    with office.read() as session:
        letter, seat = _seat(session, letter_id)
        source = _source(letter_id, message_id or office.entropy(8).hex())
        return Sender(letter_id, seat.game_id, seat.colour, seat.number, letter.account_id, source)


def take(office: Office, letter_id: int, text: str, message_id: str, now: datetime) -> int:
    """Submit what was written; returns the number of the submission, the same for a mail that comes twice.

    Orders for a whole turn, in answer to a planning letter or to one that refused such orders, are for whatever is
    asked when they are played, while that turn lasts; all others are for the position the letter is about. Raises
    :class:`NoSuch` for a letter that is gone or about no seat, :class:`NotNow` for one to whom had the seat before,
    ``BadInput`` and ``TooMuch``.
    """
    with office.read() as session:
        letter, seat = _seat(session, letter_id)
        game, colour = seat.game_id, seat.colour
        planned = _planned(session, letter)
        for_turn = planned is not None and planned == queries.game(session, game).turn
        version = None if for_turn else letter.version
    return submissions.submit(
        office,
        game,
        submissions.NewSubmission(colour, text, version, "mail", source=_source(letter_id, message_id)),
        now,
    )


def _planned(session: Session, letter: Letter) -> int | None:
    """The turn that a letter has asked to plan, ``None`` where it has asked something else."""
    if letter.kind == Planning.kind:
        return Planning.read(letter.data).turn
    if letter.kind != Refused.kind or letter.version is None:
        return None
    if session.get_one(Submission, Refused.read(letter.data).submission).version is not None:
        return None
    return session.scalar(select(Move.turn).where(Move.game_id == letter.game_id, Move.number == letter.version))


def to_try(text: str) -> str | None:
    """The orders of a mail that are only to be tried: those under the word ``try``; ``None`` for all others."""
    text = without_greeting(text)
    found = TRY.match(text)
    return text[found.end() :].strip() if found else None


def try_out(office: Office, letter_id: int, text: str, message_id: str, now: datetime) -> None:
    """Email what orders lead to that were written under the word ``try``, played on from the present position.

    Nothing is played, and for a mail that comes twice one email is written. Raises what :func:`take` does.
    """
    with office.read() as session:
        letter, seat = _seat(session, letter_id)
        version = queries.game(session, seat.game_id).version
        source = _source(letter_id, message_id or f"{version}:{text}")
        answers = Sender(letter_id, seat.game_id, seat.colour, seat.number, letter.account_id, source)
    try_for(office, answers, text, now)


def try_for(office: Office, sender: Sender, text: str, now: datetime) -> None:
    """The same when it is known whose mail it is. Raises ``BadInput`` and ``TooMuch``."""
    text = validation.orders(text)
    rate_limits.note(office, rate_limits.ORDERS, f"{sender.game}:{sender.colour}", now)
    with office.game(sender.game, now) as work:
        tried = Tried(text, office.entropy(4).hex())
        refusals.tell_asked(work, work.seat(sender.colour), tried, f"tried:{sender.source}")


def refuse(office: Office, letter_id: int, why: Say, message_id: str, now: datetime) -> int:
    """Tell the writer of a mail that nothing could be made of it: a mail that comes twice is refused once.

    ``message_id`` is not empty: what else tells the mail from others will do. Raises what :func:`take` does. Returns
    the number of the submission.
    """
    with office.read() as session:
        letter, seat = _seat(session, letter_id)
        game, colour = seat.game_id, seat.colour
    rate_limits.note(office, rate_limits.ORDERS, f"{game}:{colour}", now)
    return submissions.not_read(
        office,
        game,
        submissions.NewSubmission(colour, "", letter.version, "mail", source=_source(letter_id, message_id)),
        why,
        now,
    )


@dataclass(frozen=True, slots=True)
class Expected:
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
    """How lines of a form begin, in English and in a language."""
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


def _source(letter_id: int, message_id: str) -> str:
    """The same for a mail that comes twice; without a Message-ID the orders themselves tell."""
    if not message_id:
        return ""
    return "mail:" + hashlib.sha256(f"{letter_id}|{message_id}".encode("utf-8", "replace")).hexdigest()


def source_of(letter_id: int, message_id: str, game: str) -> str:
    """The same for what a mail that may say something to several games says to one of them."""
    return _source(letter_id, f"{message_id}|{game}") if message_id else ""


def _letter(session: Session, letter_id: int) -> Letter:
    letter = queries.letter(session, letter_id)
    if letter is None or session.get_one(Account, letter.account_id).deleted_at is not None:
        raise NoSuch(f"There is no letter {letter_id} that can be answered.")
    return letter


def _seat(session: Session, letter_id: int) -> tuple[Letter, Seat]:
    letter = _letter(session, letter_id)
    if letter.game_id is None or letter.seat_number is None:
        raise NoSuch(f"Letter {letter_id} is about no seat.")
    seat = queries.numbered(session, letter.game_id, letter.seat_number)
    if seat.account_id != letter.account_id or not seat.colour:
        raise NotNow(say("The seat has changed hands."))
    return letter, seat
