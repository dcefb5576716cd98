"""Letters about seats that change hands, and about open tables."""

from datetime import datetime
from typing import Any

from sqlalchemy import select
from typing_extensions import override

from pbem.engine import say
from pbem.service.base import queries
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind, Timing
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import AuditEntry, Game, Offer

TOLD_HOSTS = ("joined", "accepted", "left-table", "asks-seat")
"""What of the audit log hosts of open tables are told by email."""


class Resigned(LetterKind):
    """Another player (``person``) has left. ``how``: resigned or removed."""

    kind, title = "resigned", say("a player has left")
    person: str
    how: str


class Removed(LetterKind):
    """The reader, who was called ``person``, has the seat no more. ``how``: removed or replaced."""

    kind, title = "removed", say("your seat is free")
    person: str
    how: str


class SubstituteWanted(LetterKind):
    """A seat is free; the reader may take it."""

    kind, title = "substitute-wanted", say("a seat is free")
    pictured, to_strangers, survives_restore = True, True, True
    offer: int

    @override
    def unwanted(self, case: Case) -> str:
        offer = case.session.get(Offer, self.offer)
        return "" if offer is not None and offer.closed_at is None else str(say("the seat has been taken"))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``take``: the link to the seat of ``person``; the host, who plays on, can pass it on."""
        number = context.session.get_one(Offer, self.offer).seat_number
        person = queries.numbered(context.session, context.game.id, number).name
        turn_time, to_host = context.game.time_control.turn, context.account.id == context.game.host_id
        return {"person": person, "turn_time": turn_time, "take": _take(context, self.offer), "to_host": to_host}


class SeatTaken(LetterKind):
    """The reader has taken the seat of ``person``."""

    kind, title = "seat-taken", say("you have a seat")
    pictured, carries_talk = True, True
    person: str


class SeatOffered(LetterKind):
    """The game waits ``until`` then for a substitute of ``person``; the host can take the ``offer`` back."""

    kind, title = "seat-offered", say("a substitute is wanted")
    concerns_asked = True
    person: str
    until: datetime
    offer: int | None = None

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"take": "" if self.offer is None else _take(context, self.offer)}


class SeatAtTable(LetterKind):
    """Somebody wants to join an open table with this address; who reads this sits down. ``key``: of the link used."""

    kind, title = "seat-at-table", say("your seat at a table")
    timing, to_strangers, awaited = Timing.ANY_HOUR, True, True
    game: str
    key: str

    @override
    def about(self) -> str:
        return self.game

    @override
    def unwanted(self, case: Case) -> str:
        game = case.session.get(Game, self.game)
        open_still = game is not None and game.status == GameStatus.OPEN
        return "" if open_still else str(say("the game has started or was called off"))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        game = queries.game(context.session, self.game)
        link = context.addresses.sit(self.game, context.account.id, self.key)
        turn_time = game.time_control.turn
        return {"title": game.title, "map": queries.sheet(game).name, "turn_time": turn_time, "link": link}


class TableNews(LetterKind):
    """What happened at the open table of the reader from ``since`` on, before ``until``."""

    kind, title = "table-news", say("news of your table")
    since: datetime
    until: datetime

    @override
    def unwanted(self, case: Case) -> str:
        """A host who plays learns from the start of the game who sits there."""
        game = case.game
        told = game is None or game.status == GameStatus.CANCELLED or (game.status != GameStatus.OPEN and _plays(case))
        return str(say("the game has started or was called off")) if told else ""

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``news``: who did what, each by its kind in the audit log and a name; without who asked and then joined."""
        told = select(AuditEntry).where(
            AuditEntry.game_id == context.game.id,
            AuditEntry.at >= self.since,
            AuditEntry.at < self.until,
            AuditEntry.kind.in_(TOLD_HOSTS),
            AuditEntry.account_id.is_distinct_from(context.account.id),
        )
        entries = context.session.scalars(told.order_by(AuditEntry.id)).all()
        joined = {entry.account_id for entry in entries if entry.kind == "joined"}
        news = tuple(
            (entry.kind, entry.data.get("visitor", entry.name))
            for entry in entries
            if entry.kind != "asks-seat" or entry.account_id not in joined
        )
        free = sum(seat.status == SeatStatus.VACANT for seat in context.seats)
        return {"news": news, "free": free, "tables": context.addresses.tables()}


class PutOff(LetterKind):
    """Seats are still free at the reader's table, and it waits ``until`` then."""

    kind, title = "put-off", say("a table waits another week")
    until: datetime

    @override
    def unwanted(self, case: Case) -> str:
        open_still = case.game is not None and case.game.status == GameStatus.OPEN
        return "" if open_still else str(say("the game has started or was called off"))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        free = sum(seat.status != SeatStatus.ACCEPTED for seat in context.seats)
        return {"free": free, "tables": context.addresses.tables()}


class CalledOff(LetterKind):
    """So many seats were ``free`` on the date of the reader's table, and the game does not take place."""

    kind, title = "called-off", say("a table was called off")
    free: int

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"tables": context.addresses.tables()}


def _plays(case: Case) -> bool:
    return case.letter.seat_number is not None


def _take(context: Context, offer: int) -> str:
    """The link to a free seat: the reader's own, or for the host one that anybody can use."""
    host = context.account.id == context.game.host_id
    return context.addresses.offer(offer, 0 if host else context.account.id)
