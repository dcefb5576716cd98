"""Letters about seats that change hands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from typing_extensions import override

from pbem.service.kinds.declaration import Case, LetterKind
from pbem.store.tables import Offer


@dataclass(frozen=True)
class Resigned(LetterKind):
    """Another player (``person``) has left. ``how``: resigned or removed."""

    kind, title = "resigned", "a player has left"
    person: str
    how: str


@dataclass(frozen=True)
class Removed(LetterKind):
    """The reader, who was called ``person``, has the seat no more. ``how``: removed or replaced."""

    kind, title = "removed", "your seat is free"
    person: str
    how: str


@dataclass(frozen=True)
class SubstituteWanted(LetterKind):
    """A seat is free; the reader may take it."""

    kind, title = "substitute-wanted", "a seat is free"
    pictured, to_strangers, survives_restore = True, True, True
    offer: int

    @override
    def unwanted(self, case: Case) -> str:
        offer = case.session.get(Offer, self.offer)
        return "" if offer is not None and offer.closed_at is None else "the seat has been taken"


@dataclass(frozen=True)
class SeatTaken(LetterKind):
    """The reader has taken the seat of ``person``."""

    kind, title = "seat-taken", "you have a seat"
    pictured, carries_talk = True, True
    person: str


@dataclass(frozen=True)
class SeatOffered(LetterKind):
    """The game waits ``until`` then for a substitute of ``person``; the host can take the ``offer`` back."""

    kind, title = "seat-offered", "a substitute is wanted"
    person: str
    until: datetime
    offer: int | None = None
