"""An email that answers one of our letters: what it answers decides how it is read.

Invitations and free seats are answered with yes or no, letters about a vote with the vote, letters that asked back
with yes. Letters that ask for orders, or tell what became of some, are answered with orders; what stands under ``say``
is talk. Letters that ask nothing are answered into the talk that they carried. To everything else one line goes back.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.text import Say, say
from pbem.language import email_words, reading
from pbem.service.base import mailboxes, merged, queries, rate_limits
from pbem.service.base.errors import NoSuch, NotNow
from pbem.service.base.office import Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.base.work import NewLetter
from pbem.service.email_in import digest_replies, mail_acts, mail_words, replies
from pbem.service.email_in.replies import Sender
from pbem.service.games import open_tables, opening, seat_changes
from pbem.service.letters import kinds, refusals, talk
from pbem.service.letters.kinds import LetterKind
from pbem.service.letters.kinds.games import Invitation
from pbem.service.letters.kinds.mail_answers import AskedBack, Done, FromElsewhere, NotTaken
from pbem.service.letters.kinds.questions import Digest
from pbem.service.letters.kinds.seats import SubstituteWanted
from pbem.service.letters.kinds.tables import SeatAtTable
from pbem.service.letters.kinds.votes import VoteAsked
from pbem.service.people import notifications
from pbem.service.turns.plain_orders import PlainReader
from pbem.store.statuses import PLAYING, GameStatus, SeatStatus
from pbem.store.tables import Account, Letter

CHAIN = 5
"""How many letters that asked again are followed back to the one that is meant."""
STANDS = timedelta(days=14)
"""How long a letter that has asked back is answered with yes."""
NOTHING_ASKED = say("Replies to that email are not read, so nothing was done with yours.")
ORDERS_ELSEWHERE = say(
    "The email you replied to asks nothing, so no orders were played. Reply to the email that asks you, or to the one"
    " you get when you send the word help."
)
OTHERS_SEAT = say("Somebody else has the seat that email was about, so nothing was done with your reply.")
CLOSED = say("We ignored an email from {address}: you accept answers from your own address only.", address="")
NOTHING, ASKED_BACK = "nothing could be done with it", "asked back"
YES_OR_NO = say("Your reply said neither yes nor no, so nothing was changed. Reply to this email with one of the two.")
TOO_OLD = say("That question is older than two weeks, so nothing was done. Send the word again.")


@dataclass(frozen=True, slots=True)
class Mail:
    """An email as it was read. ``sender``: the address in its header; ``message_id`` may be empty, ``key`` is not.

    ``unread``: why nothing could be read of it.
    """

    text: str
    sender: str
    message_id: str
    key: str
    unread: Say | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The letter that is answered, which may be one that asked the same before. ``stranger``: where the email came
    from, if that is no address of the reader's; ``talked``: whether the letter carried what others have said."""

    letter: int
    kind: LetterKind
    game: str
    seat: int | None
    account: int
    stranger: str
    talked: bool


def take(office: Office, letter_id: int, mail: Mail, now: datetime) -> str:
    """Do what a reply says; returns what was done, for the logs. The reader is told of what came from elsewhere.

    Raises :class:`NoSuch` for a letter that is gone, and ``TooMuch``.
    """
    with office.read() as session:
        answered = _answered(session, letter_id, mail)
        account = session.get_one(Account, answered.account)
        closed, language = account.own_mail and bool(answered.stranger), account.language
    if closed:
        return _nothing(office, answered, mail, Say(CLOSED.one, {"address": answered.stranger}), now)
    with reading(language):
        done = _taken(office, answered, replace(mail, text=email_words.in_english(mail.text)), now)
    if answered.stranger and done not in (NOTHING, ASKED_BACK):
        _tell_of_stranger(office, answered, now)
    return done


def _tell_of_stranger(office: Office, answered: Answered, now: datetime) -> None:
    """Tell the reader that somebody has answered from another address: once for each."""
    named = hashlib.sha256(answered.stranger.encode("utf-8", "replace")).hexdigest()[:16]
    key = f"{answered.account}:{named}"
    with office.read() as session:
        known = session.scalar(select(Letter.id).where(Letter.key == f"{FromElsewhere.kind}:{key}"))
    if known is None:
        _write(office, answered, FromElsewhere(answered.stranger), key, now)


def _write(office: Office, answered: Answered, told: LetterKind, key: str, now: datetime) -> None:
    """Write to the reader, about the game of the letter that was answered."""
    with office.game(answered.game, now) as work:
        mine = work.seat_of(answered.account)
        work.write(NewLetter(told, f"{told.kind}:{key}", answered.account, game=work.game, seat=mine))


def _taken(office: Office, answered: Answered, mail: Mail, now: datetime) -> str:
    """Do what it says, whoever has sent it."""
    if isinstance(answered.kind, FromElsewhere):
        return _closed(office, answered, mail, now)
    if isinstance(answered.kind, Invitation):
        return _invitation(office, answered, mail, now)
    if isinstance(answered.kind, SeatAtTable):
        return _table(office, answered, answered.kind, mail, now)
    if isinstance(answered.kind, Digest):
        return _digest(office, answered, answered.kind, mail, now)
    if isinstance(answered.kind, SubstituteWanted):
        return _seat(office, answered, answered.kind.offer, mail, now)
    try:
        sender = replies.sender(office, answered.letter, mail.message_id)
    except NotNow:
        return _nothing(office, answered, mail, OTHERS_SEAT, now)
    except NoSuch:
        return _nothing(office, answered, mail, NOTHING_ASKED, now)
    if isinstance(answered.kind, AskedBack) and (said := mail_words.answer(mail.text)):
        return _confirmed(office, sender, answered, said == mail_words.YES, now)
    if isinstance(answered.kind, VoteAsked) and (said := mail_words.answer(mail.text)):
        mail_acts.vote(office, sender, answered.kind.vote, said == mail_words.YES, answered.stranger, now)
        return ASKED_BACK if answered.stranger else f"voted {said}"
    return _of_game(office, sender, answered, mail, now)


def _answered(session: Session, letter_id: int, mail: Mail) -> Answered:
    """The letter that is meant. Raises :class:`NoSuch`."""
    for _ in range(CHAIN):
        letter = queries.letter(session, letter_id)
        if letter is None or letter.kind != NotTaken.kind:
            break
        letter_id = NotTaken.read(letter.data).letter
    if letter is None:
        raise NoSuch(f"There is no letter {letter_id} that can be answered.")
    known = bool(mail.sender) and _is_readers(session, letter.account_id, mailboxes.mailbox(mail.sender))
    return Answered(
        letter_id,
        kinds.of(letter),
        letter.game_id or _about(kinds.of(letter)),
        letter.seat_number,
        letter.account_id,
        "" if known else mail.sender or "?",
        talk.carried(session, letter),
    )


def _is_readers(session: Session, account_id: int, mailbox: str) -> bool:
    """Whether it is where the reader gets mail, or did before accounts were merged."""
    if mailboxes.mailbox(session.get_one(Account, account_id).address) == mailbox:
        return True
    return mailbox in map(mailboxes.mailbox, merged.addresses(session, account_id))


def _about(kind: LetterKind) -> str:
    """The game of a letter whose row names none."""
    if isinstance(kind, SeatAtTable):
        return kind.game
    return next(iter(kind.asked), "") if isinstance(kind, Digest) else ""


def _nothing(office: Office, answered: Answered, mail: Mail, why: Say, now: datetime) -> str:
    rate_limits.note(office, rate_limits.ORDERS, f"letter:{answered.letter}", now)
    mail_acts.nothing(office, answered.letter, answered.account, why, now)
    return NOTHING


def _closed(office: Office, answered: Answered, mail: Mail, now: datetime) -> str:
    """From now on only the reader's own address may answer: said from there, in reply to the letter about another."""
    if answered.stranger or not mail_words.closes(mail.text):
        return _nothing(office, answered, mail, NOTHING_ASKED, now)
    notifications.answer_from_own_address(office, answered.account, True)
    _write(office, answered, Done("closed"), f"{answered.letter}:closed", now)
    return "closed to others"


def _invitation(office: Office, answered: Answered, mail: Mail, now: datetime) -> str:
    """Accept or decline, with the right of the link in the invitation."""
    said = mail_words.answer(mail.text)
    if not said:
        return _nothing(office, answered, mail, YES_OR_NO, now)
    rate_limits.note(office, rate_limits.ORDERS, f"letter:{answered.letter}", now)
    with office.read() as session:
        seat = queries.numbered(session, answered.game, answered.seat or 0)
        claim = InvitationClaim(answered.game, seat.number, seat.holder)
        mine = seat.account_id == answered.account
        fresh = mine and seat.status == SeatStatus.INVITED
    accepts = said == mail_words.YES
    try:
        if not mine:
            raise NotNow(
                say("This invitation is no longer valid: the host has withdrawn it, or the seat is open to others.")
            )
        opening.answer(office, claim, accepts, now)
    except NotNow as refused:
        return _nothing(office, answered, mail, refused.sentence, now)
    with office.read() as session:
        waits = queries.game(session, answered.game).status == GameStatus.OPEN
    if fresh and accepts and waits:
        _write(office, answered, Done("accepted"), f"{answered.letter}:accepted", now)
    return "accepted" if accepts else "declined"


def _seat(office: Office, answered: Answered, offer: int, mail: Mail, now: datetime) -> str:
    """Take the seat that is offered, with the right of the link in the letter; the letter of a new player answers."""
    said = mail_words.answer(mail.text)
    if said != mail_words.YES:
        return "not taken" if said else _nothing(office, answered, mail, YES_OR_NO, now)
    rate_limits.note(office, rate_limits.ORDERS, f"letter:{answered.letter}", now)
    try:
        seat_changes.take(office, offer, answered.account, now)
    except NotNow as refused:
        with office.look(answered.game, now) as look:
            if look.seat_of(answered.account) is not None:
                return "seat taken"  # the same email came before
        return _nothing(office, answered, mail, refused.sentence, now)
    return "seat taken"


def _table(office: Office, answered: Answered, offer: SeatAtTable, mail: Mail, now: datetime) -> str:
    """Sit down at an open table, with the right of the link in the letter; the start of the game may be the answer."""
    said = mail_words.answer(mail.text)
    if said != mail_words.YES:
        return "not taken" if said else _nothing(office, answered, mail, YES_OR_NO, now)
    try:
        open_tables.join(office, offer.game, answered.account, now, offer.key)
    except NotNow as refused:
        return _nothing(office, answered, mail, refused.sentence, now)
    with office.read() as session:
        waits = queries.game(session, offer.game).status == GameStatus.OPEN
    if waits:
        _write(office, answered, Done("accepted"), f"{answered.letter}:accepted", now)
    return "seat taken"


def _digest(office: Office, answered: Answered, digest: Digest, mail: Mail, now: datetime) -> str:
    """Orders and words for the games that a digest has told of."""
    if mail.unread is not None:
        return _nothing(office, answered, mail, mail.unread, now)
    games = digest_replies.listed(office, answered.letter, answered.account, digest, mail.message_id)
    meant = digest_replies.parts(games, len(digest.asked), mail.text)
    if isinstance(meant, Say):
        return _nothing(office, answered, mail, meant, now)
    return ", ".join([digest_replies.take(office, part, answered.stranger, now) for part in meant])


def _confirmed(office: Office, sender: Sender, answered: Answered, yes: bool, now: datetime) -> str:
    assert isinstance(answered.kind, AskedBack)
    with office.read() as session:
        old = session.get_one(Letter, answered.letter).created_at + STANDS <= now
    if old:
        mail_acts.nothing(office, answered.letter, answered.account, TOO_OLD, now)
        return "too late to confirm"
    mail_acts.confirm(office, sender, answered.kind, yes, now)
    return "confirmed" if yes else "not confirmed"


def _of_game(office: Office, sender: Sender, answered: Answered, mail: Mail, now: datetime) -> str:
    """Words, talk, and orders for the game that the letter is about."""
    if mail.unread is not None:
        if not answered.kind.takes_orders:
            return _nothing(office, answered, mail, mail.unread, now)
        return f"submission {replies.refuse(office, sender.letter, mail.unread, mail.key, now)}"
    said = mail_words.parts(mail.text)
    if said.word or said.talk or said.note:
        mail_acts.act(office, sender, said, answered.stranger, now)
        if said.word in mail_words.ASKED:
            with office.game(sender.game, now) as work:
                asked = mail_words.ASKED[said.word]
                refusals.tell_asked(work, work.numbered(sender.number), asked, f"{said.word}:{sender.source}")
        if not said.orders:
            changes = bool(said.word) and said.word not in mail_words.ASKED
            return ASKED_BACK if changes and answered.stranger else said.word or "said"
    if not answered.kind.takes_orders:
        return _asks_nothing(office, sender, answered, replace(mail, text=said.orders), now)
    if (orders := replies.to_try(said.orders)) is not None:
        replies.try_out(office, sender.letter, orders, mail.message_id, now)
        return "tried"
    return f"submission {replies.take(office, sender.letter, said.orders, mail.message_id, now)}"


def _asks_nothing(office: Office, sender: Sender, answered: Answered, mail: Mail, now: datetime) -> str:
    """What is written in reply to a letter that asks nothing goes to the talk that it carried, unless it is orders."""
    if isinstance(answered.kind, (VoteAsked, AskedBack)):
        return _nothing(office, answered, mail, YES_OR_NO, now)
    if _are_orders(office, sender, mail.text, now):
        return _nothing(office, answered, mail, ORDERS_ELSEWHERE, now)
    if not (answered.talked and mail.text):
        return _nothing(office, answered, mail, NOTHING_ASKED, now)
    mail_acts.act(office, sender, mail_words.Parts("", talk=mail.text), answered.stranger, now)
    return "said"


def _are_orders(office: Office, sender: Sender, text: str, now: datetime) -> bool:
    """Whether a line of it can be read as an order, whatever is asked now."""
    with office.look(sender.game, now) as look:
        if not text or look.game.status not in PLAYING:
            return False
        names = {seat.colour: seat.name for seat in look.seats}
        return PlainReader(look.sheet, look.state, names).holds_orders(text)
