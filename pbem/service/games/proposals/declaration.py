"""What a proposal says of itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Self

import msgspec
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Say, Value, Who, say, say_to_json
from pbem.service.base import GameWork, declared
from pbem.service.letters.kinds.votes import VoteAsked
from pbem.store.statuses import VoteStatus
from pbem.store.tables import Game, Seat, Vote

AGAIN = timedelta(days=3)
"""How long after a refusal the same is not asked again."""
GOES_ON = say("The game continues meanwhile.")


class VoteContext(Value):
    """A vote that is put into words. ``seats``: by number."""

    session: Session
    vote: Vote
    seats: Mapping[int, Seat]
    now: datetime

    @property
    def player(self) -> Who:
        return self.who(self.vote.asked_by)

    def who(self, number: int) -> Who:
        return Who(self.seats[number].colour)


@dataclass(frozen=True)
class Proposal(ABC):
    """Something that needs others to agree. The fields of a subclass are what its votes store.

    Rows of all releases are read: a field that came later has a default.
    """

    kind: ClassVar[str]
    """Its name in the database, of at most twelve characters."""
    button: ClassVar[Say | None] = None
    """What the button says with which a player asks on the page of a game's people. A proposal that has one needs no
    fields; others have a form of their own."""
    letter: ClassVar[type[VoteAsked]] = VoteAsked
    """By which the others are asked."""
    noted: ClassVar[str] = "asks"
    """The kind of entry of the audit log that says who asked; this one quotes :meth:`words`."""
    dies_with_orders: ClassVar[bool] = False
    """Whether nothing is left to decide as soon as anybody has sent orders."""

    @abstractmethod
    def checked(self, work: GameWork, asker: Seat) -> Self:
        """The same, with what is not known before the game is looked at. Raises :class:`NotNow` when it may not be
        asked by this seat or now."""

    def voters(self, playing: Sequence[Seat], asked_by: int) -> list[Seat]:
        return list(playing)

    def needed(self, voters: int) -> int:
        return voters // 2 + 1

    @abstractmethod
    def carry_out(self, work: GameWork, vote: Vote) -> None:
        """Enough have agreed. Raises :class:`NotNow` when it can no longer be done."""

    def no_longer_wanted(self, work: GameWork, vote: Vote, left: Seat) -> bool:
        """Whether nothing is left to decide, now that somebody has left this seat."""
        return False

    def can_be_thought_over(self, game: Game) -> bool:
        """Whether its people may still change their minds after it was carried out."""
        return False

    def call_off(self, work: GameWork) -> None:
        """Somebody has changed his mind in time."""
        raise AssertionError(f"{self.kind} cannot be thought over")

    def refused_for_now(self, before: Vote, game: Game, now: datetime) -> Say | None:
        """Why the same cannot be asked again; ``before``: the vote in which it was asked last."""
        if now >= (before.closed_at or now) + AGAIN:
            return None
        if before.status == VoteStatus.REFUSED:
            return say("The others have refused this. You can ask again after three days.")
        if before.status == VoteStatus.WITHDRAWN:
            return say("This was asked and withdrawn. It can be asked again after three days.")
        return None

    def details(self, asked: VoteContext) -> dict[str, Any]:
        """What the entry of the audit log says beside who asked."""
        return {"asks": say_to_json(self.words(asked))} if self.noted == Proposal.noted else {}

    @abstractmethod
    def words(self, asked: VoteContext) -> Say:
        """What is asked, as a sentence without its full stop: on pages, on the ballot, in letters."""

    def title(self, asked: VoteContext) -> Say:
        """The same for a subject, which is short."""
        return self.words(asked)

    @abstractmethod
    def terms(self, asked: VoteContext) -> tuple[Say, ...]:
        """What those who decide have to know, a sentence each."""

    def if_refused(self, asked: VoteContext) -> Say:
        """What remains as it is when the others refuse, for whoever has asked."""
        return say("The game goes on.")

    def stored(self) -> dict[str, Any]:
        return {key: value for key, value in msgspec.to_builtins(self).items() if value is not None}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """What a row of such a vote holds. Raises ``ValueError`` when it is no such row."""
        return msgspec.convert(stored, cls)


@dataclass(frozen=True)
class Consent(Proposal):
    @override
    def voters(self, playing: Sequence[Seat], asked_by: int) -> list[Seat]:
        return [seat for seat in playing if seat.number != asked_by]

    @override
    def needed(self, voters: int) -> int:
        return voters


@cache
def every() -> Mapping[str, type[Proposal]]:
    return declared.classes("pbem.service.games.proposals", Proposal)


def of(vote: Vote) -> Proposal:
    return every()[vote.kind].read(vote.proposal)


def offered() -> tuple[type[Proposal], ...]:
    """Those that the page of a game's people has a button for, by name."""
    return tuple(kind for _, kind in sorted(every().items()) if kind.button is not None)
