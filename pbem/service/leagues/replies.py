"""Invitations to leagues that are answered by email: with the word yes, or no."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.service.base import queries, rate_limits
from pbem.service.base.errors import NoSuch
from pbem.service.base.office import Office
from pbem.service.base.work import NewLetter
from pbem.service.email_in import mail_words
from pbem.service.leagues import members
from pbem.service.letters.kinds.leagues import LeagueInvitation
from pbem.store.tables import Letter


def answers(office: Office, letter_id: int) -> bool:
    """Whether this letter is an invitation to a league."""
    with office.read() as session:
        return _member(session, letter_id) is not None


def take(office: Office, letter_id: int, text: str, now: datetime) -> bool | None:
    """Do what a reply says: yes or no. What says neither is asked again, and ``None`` is returned.

    Raises :class:`NoSuch` for another letter, ``NotNow`` when the league is over, and ``TooMuch``.
    """
    with office.read() as session:
        member = _member(session, letter_id)
    if member is None:
        raise NoSuch(f"Letter {letter_id} is no invitation to a league.")
    rate_limits.note(office, rate_limits.ORDERS, f"league:{member}", now)
    if said := mail_words.answer(text):
        accepts = said == mail_words.YES
        members.answer(office, member, accepts, now)
        return accepts
    with office.work(now) as work:
        account = work.session.get_one(Letter, letter_id).account_id
        asked = LeagueInvitation(member, unread=True)
        work.write(NewLetter(asked, f"league-invitation:{member}:unread:{now:%Y%m%d}", account))
    return None


def _member(session: Session, letter_id: int) -> int | None:
    letter = queries.letter(session, letter_id)
    if letter is None or letter.kind != LeagueInvitation.kind:
        return None
    return LeagueInvitation.read(letter.data).member
