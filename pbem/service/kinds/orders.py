"""Letters that tell what became of orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.service.kinds.declaration import Case, LetterKind, Timing
from pbem.statuses import SubmissionStatus
from pbem.store.tables import Submission

NOT_PLAYED = (SubmissionStatus.REFUSED, SubmissionStatus.STUCK)
"""What became of orders that a letter about refused ones tells of."""


@dataclass(frozen=True)
class Played(LetterKind):
    """Orders that came by mail were played."""

    kind, title = "played", "your orders were played"
    timing, pictured = Timing.ANY_HOUR, True
    submission: int


@dataclass(frozen=True)
class Refused(LetterKind):
    """Orders were not played: the latest is ``submission``, ``all`` those that the letter remembers of ``number``.

    ``last``: further mails that cannot be played are not answered for a while.
    """

    kind, title = "refused", "orders not played"
    timing = Timing.ANY_HOUR
    submission: int
    all: tuple[int, ...] = ()
    number: int = 1
    last: bool = False

    @override
    def unwanted(self, case: Case) -> str:
        return "" if self.untold(case.session) else "a page has shown it, or the orders were played after all"

    @property
    def remembered(self) -> tuple[int, ...]:
        """The submissions that the letter names; the first letters knew of one alone."""
        return self.all or (self.submission,)

    def untold(self, session: Session) -> Sequence[Submission]:
        """The orders it still has to tell of, latest first: no page has shown them, and they were not played."""
        open_ones = select(Submission).where(
            Submission.id.in_(self.remembered), Submission.status.in_(NOT_PLAYED), Submission.seen_at.is_(None)
        )
        return session.scalars(open_ones.order_by(Submission.id.desc())).all()


@dataclass(frozen=True)
class DefaultPlayed(LetterKind):
    """The time was over, and the default was played."""

    kind, title = "default-played", "played for you"
    pictured, carries_talk = True, True


@dataclass(frozen=True)
class Caretaker(LetterKind):
    """A caretaker plays until the player is back."""

    kind, title = "caretaker", "a caretaker plays for you"
    pictured = True


@dataclass(frozen=True)
class TakenBack(LetterKind):
    """The orders before the question were taken back. ``asked_at``: when the question was sent that is withdrawn."""

    kind, title = "taken-back", "orders taken back"
    carries_talk = True
    person: str
    orders: str
    asked_at: datetime


@dataclass(frozen=True)
class SubmissionStuck(LetterKind):
    """An error of ours keeps orders from being played; to ``how``: host or operator.

    ``what``: submission or order, ``number``: its row; ``person``: whose it is.
    """

    kind, title = "submission-stuck", "orders could not be played"
    person: str
    how: str
    what: str
    number: int
