"""An email that answers one of our letters: what it answers decides how it is read.

Invitations, leagues and free seats are answered with yes or no, letters about a vote with the vote, letters that asked
back with yes. Letters that ask for orders, or tell what became of some, are answered with orders; what stands under
``say`` is talk. Letters that ask nothing are answered into the talk that they carried. To everything else one line
goes back.
"""

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import singledispatch

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, replace, say
from pbem.language import email_words, reading
from pbem.service.base import NewLetter, NoSuch, NotNow, Office, mailboxes, merged, queries, rate_limits
from pbem.service.base.tokens import InvitationClaim
from pbem.service.email_in import digest_replies, mail_acts, mail_words, replies
from pbem.service.email_in.replies import Sender
from pbem.service.games import open_tables, opening, seat_changes
from pbem.service.leagues import members
from pbem.service.letters import kinds, talk
from pbem.service.letters.kinds import LetterKind
from pbem.service.letters.kinds.answers import AskedBack, Done, FromElsewhere, NotTaken
from pbem.service.letters.kinds.games import Invitation
from pbem.service.letters.kinds.leagues import LeagueInvitation
from pbem.service.letters.kinds.questions import Digest
from pbem.service.letters.kinds.seats import SeatAtTable, SubstituteWanted
from pbem.service.letters.kinds.votes import VoteAsked
from pbem.service.people import accounts
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
NOTHING, ASKED_BACK, ASKED_AGAIN = "nothing could be done with it", "asked back", "asked again"
YES_OR_NO = say("Your reply said neither yes nor no, so nothing was changed. Reply to this email with one of the two.")
TOO_OLD = say("That question is older than two weeks, so nothing was done. Send the word again.")


class Mail(Value):
    """An email as it was read. ``sender``: the address in its header; ``message_id`` may be empty, ``key`` is not.

    ``unread``: why nothing could be read of it.
    """

    text: str
    sender: str
    message_id: str
    key: str
    unread: Say | None = None


class Reply(Value):
    """A reply, and the letter that it answers, which may be one that asked the same before. ``stranger``: where the
    email came from, if that is no address of the reader's; ``talked``: whether the letter carried what others said."""

    office: Office
    letter: Letter
    kind: LetterKind
    game: str
    stranger: str
    talked: bool
    mail: Mail
    now: datetime

    def nothing(self, why: Say) -> str:
        self.count()
        mail_acts.nothing(self.office, self.letter.id, self.letter.account_id, why, self.now)
        return NOTHING

    def count(self) -> None:
        """Count it among what the reader of the letter may send. Raises ``TooMuch``."""
        rate_limits.note(self.office, rate_limits.ORDERS, f"letter:{self.letter.id}", self.now)

    def write(self, told: LetterKind, key: str) -> None:
        with self.office.game(self.game, self.now) as work:
            mine = work.seat_of(self.letter.account_id)
            work.write(NewLetter(told, f"{told.kind}:{key}", self.letter.account_id, game=work.game, seat=mine))

    def accepted(self) -> None:
        """Tell the reader that the seat is taken, unless the game has begun, which tells it."""
        with self.office.read() as session:
            waits = queries.game(session, self.game).status == GameStatus.OPEN
        if waits:
            self.write(Done("accepted"), f"{self.letter.id}:accepted")


def take(office: Office, letter_id: int, mail: Mail, now: datetime) -> str:
    """Do what a reply says; returns what was done, for the logs. The reader is told of what came from elsewhere.

    Raises :class:`NoSuch` for a letter that is gone, and ``TooMuch``.
    """
    with office.read() as session:
        reply = _reply(office, session, letter_id, mail, now)
        account = session.get_one(Account, reply.letter.account_id)
        closed, language = account.own_mail and bool(reply.stranger), account.language
    if closed:
        return reply.nothing(Say(CLOSED.one, {"address": reply.stranger}))
    with reading(language):
        done = _take(reply.kind, replace(reply, mail=replace(mail, text=email_words.in_english(mail.text))))
    if reply.stranger and reply.game and done not in (NOTHING, ASKED_BACK):
        _tell_of_stranger(reply)
    return done


def _tell_of_stranger(reply: Reply) -> None:
    """Tell the reader that somebody has answered from another address: once for each."""
    named = hashlib.sha256(reply.stranger.encode("utf-8", "replace")).hexdigest()[:16]
    key = f"{reply.letter.account_id}:{named}"
    with reply.office.read() as session:
        known = session.scalar(select(Letter.id).where(Letter.key == f"{FromElsewhere.kind}:{key}"))
    if known is None:
        reply.write(FromElsewhere(reply.stranger), key)


def _reply(office: Office, session: Session, letter_id: int, mail: Mail, now: datetime) -> Reply:
    for _ in range(CHAIN):
        letter = session.get(Letter, letter_id)
        if letter is None or letter.kind != NotTaken.kind:
            break
        letter_id = NotTaken.read(letter.data).letter
    if letter is None:
        raise NoSuch(f"There is no letter {letter_id} that can be answered.")
    kind, talked = kinds.of(letter), talk.carried(session, letter)
    known = bool(mail.sender) and _is_readers(session, letter.account_id, mailboxes.mailbox(mail.sender))
    stranger = "" if known else mail.sender or "?"
    return Reply(office, letter, kind, letter.game_id or kind.about(), stranger, talked, mail, now)


def _is_readers(session: Session, account_id: int, mailbox: str) -> bool:
    """Whether it is where the reader gets mail, or did before accounts were merged."""
    if mailboxes.mailbox(session.get_one(Account, account_id).address) == mailbox:
        return True
    return mailbox in map(mailboxes.mailbox, merged.addresses(session, account_id))


@singledispatch
def _take(kind: LetterKind, reply: Reply) -> str:
    """Do what a reply to a letter of this kind says, whoever has sent it: below for each kind that is answered in its
    own way."""
    return _of_game(reply)


@_take.register
def _closed(_: FromElsewhere, reply: Reply) -> str:
    """From now on only the reader's own address may answer: said from there, in reply to the letter about another."""
    if reply.stranger or not mail_words.closes(reply.mail.text):
        return reply.nothing(NOTHING_ASKED)
    accounts.want(reply.office, reply.letter.account_id, "own_mail", True)
    reply.write(Done("closed"), f"{reply.letter.id}:closed")
    return "closed to others"


@_take.register
def _invitation(_: Invitation, reply: Reply) -> str:
    """Accept or decline, with the right of the link in the invitation."""
    said = mail_words.answer(reply.mail.text)
    if not said:
        return reply.nothing(YES_OR_NO)
    reply.count()
    with reply.office.read() as session:
        seat = queries.numbered(session, reply.game, reply.letter.seat_number or 0)
        claim = InvitationClaim(reply.game, seat.number, seat.holder)
        mine = seat.account_id == reply.letter.account_id
        fresh = mine and seat.status == SeatStatus.INVITED
    accepts = said == mail_words.YES
    try:
        if not mine:
            raise NotNow(
                say("This invitation is no longer valid: the host has withdrawn it, or the seat is open to others.")
            )
        opening.answer(reply.office, claim, accepts, reply.now)
    except NotNow as refused:
        return reply.nothing(refused.sentence)
    if fresh and accepts:
        reply.accepted()
    return "accepted" if accepts else "declined"


@_take.register
def _seat(wanted: SubstituteWanted, reply: Reply) -> str:
    """Take the seat that is offered, with the right of the link in the letter; the letter of a new player answers."""
    said = mail_words.answer(reply.mail.text)
    if said != mail_words.YES:
        return "not taken" if said else reply.nothing(YES_OR_NO)
    reply.count()
    try:
        seat_changes.take(reply.office, wanted.offer, reply.letter.account_id, reply.now)
    except NotNow as refused:
        with reply.office.look(reply.game, reply.now) as look:
            if look.seat_of(reply.letter.account_id) is not None:
                return "seat taken"  # the same email came before
        return reply.nothing(refused.sentence)
    return "seat taken"


@_take.register
def _table(offer: SeatAtTable, reply: Reply) -> str:
    """Sit down at an open table, with the right of the link in the letter; the start of the game may be the answer."""
    said = mail_words.answer(reply.mail.text)
    if said != mail_words.YES:
        return "not taken" if said else reply.nothing(YES_OR_NO)
    try:
        open_tables.join(reply.office, offer.game, reply.letter.account_id, reply.now, offer.key)
    except NotNow as refused:
        return reply.nothing(refused.sentence)
    reply.accepted()
    return "seat taken"


@_take.register
def _league(asked: LeagueInvitation, reply: Reply) -> str:
    """Take part in a league or not; what says neither is asked again."""
    rate_limits.note(reply.office, rate_limits.ORDERS, f"league:{asked.member}", reply.now)
    said = mail_words.answer(reply.mail.text)
    if said:
        members.answer(reply.office, asked.member, said == mail_words.YES, reply.now)
        return f"takes part: {said}"
    with reply.office.work(reply.now) as work:
        again, key = LeagueInvitation(asked.member, unread=True), f"unread:{reply.now:%Y%m%d}"
        work.write(NewLetter(again, f"league-invitation:{asked.member}:{key}", reply.letter.account_id))
    return ASKED_AGAIN


@_take.register
def _digest(digest: Digest, reply: Reply) -> str:
    mail = reply.mail
    if mail.unread is not None:
        return reply.nothing(mail.unread)
    with reply.office.read() as session:
        games = digest_replies.listed(session, reply.letter, digest, mail.message_id, mail.key)
    meant = digest_replies.parts(games, len(digest.asked), mail.text)
    if isinstance(meant, Say):
        return reply.nothing(meant)
    return ", ".join([_words(reply, sender, text) or _orders(reply, sender, text) for sender, text in meant])


@_take.register
def _confirmation(asked: AskedBack, reply: Reply) -> str:
    def confirm(sender: Sender, yes: bool) -> str:
        if reply.letter.created_at + STANDS <= reply.now:
            mail_acts.nothing(reply.office, reply.letter.id, reply.letter.account_id, TOO_OLD, reply.now)
            return "too late to confirm"
        mail_acts.confirm(reply.office, sender, asked, yes, reply.now)
        return "confirmed" if yes else "not confirmed"

    return _of_game(reply, confirm)


@_take.register
def _vote(asked: VoteAsked, reply: Reply) -> str:
    def vote(sender: Sender, yes: bool) -> str:
        mail_acts.vote(reply.office, sender, asked.vote, yes, reply.stranger, reply.now)
        return ASKED_BACK if reply.stranger else f"voted {mail_words.YES if yes else mail_words.NO}"

    return _of_game(reply, vote)


def _of_game(reply: Reply, answer: Callable[[Sender, bool], str] | None = None) -> str:
    """Words, talk, and orders for the game that the letter is about. ``answer``: what yes and no do, where it asks."""
    office, mail, now = reply.office, reply.mail, reply.now
    try:
        sender = replies.sender(office, reply.letter.id, mail.message_id, mail.key)
    except NotNow:
        return reply.nothing(OTHERS_SEAT)
    except NoSuch:
        return reply.nothing(NOTHING_ASKED)
    if answer and (yes_or_no := mail_words.answer(mail.text)):
        return answer(sender, yes_or_no == mail_words.YES)
    if mail.unread is not None:
        return (
            replies.refuse(office, sender, mail.unread, now) if reply.kind.takes_orders else reply.nothing(mail.unread)
        )
    if done := _words(reply, sender, mail.text):
        return done
    if reply.kind.takes_orders:
        return _orders(reply, sender, mail.text)
    return reply.nothing(YES_OR_NO) if answer else _asks_nothing(reply, sender, mail_words.parts(mail.text).orders)


def _words(reply: Reply, sender: Sender, text: str) -> str:
    """Do what is said beside orders; returns what was done, ``""`` where there are orders too, or nothing was said."""
    said = mail_words.parts(text)
    if said.word or said.explain or said.talk or said.note:
        mail_acts.act(reply.office, sender, said, reply.stranger, reply.now)
        if not said.orders:
            changes = bool(said.word) and said.word not in mail_words.ASKED
            return ASKED_BACK if changes and reply.stranger else said.word or ("explained" if said.explain else "said")
    return ""


def _orders(reply: Reply, sender: Sender, text: str) -> str:
    return replies.take(reply.office, sender, mail_words.parts(text).orders, reply.now)


def _asks_nothing(reply: Reply, sender: Sender, text: str) -> str:
    """What is written in reply to a letter that asks nothing goes to the talk that it carried, unless it is orders."""
    if _are_orders(reply.office, sender, text, reply.now):
        return reply.nothing(ORDERS_ELSEWHERE)
    if not (reply.talked and text):
        return reply.nothing(NOTHING_ASKED)
    mail_acts.act(reply.office, sender, mail_words.Parts("", talk=text), reply.stranger, reply.now)
    return "said"


def _are_orders(office: Office, sender: Sender, text: str, now: datetime) -> bool:
    """Whether a line of it can be read as an order, whatever is asked now."""
    with office.look(sender.game, now) as look:
        if not text or look.game.status not in PLAYING:
            return False
        names = {seat.colour: seat.name for seat in look.seats}
        return PlainReader(look.sheet, look.state, names).holds_orders(text)
