"""Letters about open tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from typing_extensions import override

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind, Timing
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Game


@dataclass(frozen=True, slots=True)
class SeatAtTableValues:
    """The game, its map and pace, and the link with which the reader takes a seat."""

    title: str
    map: str
    turn_time: timedelta
    link: str


@dataclass(frozen=True)
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
    def values(self, context: Context) -> SeatAtTableValues:
        game = queries.game(context.session, self.game)
        link = context.addresses.sit(self.game, context.account.id, self.key)
        return SeatAtTableValues(game.title, queries.sheet(game).name, game.time_control.turn, link)


@dataclass(frozen=True, slots=True)
class PutOffValues:
    """``free``: how many seats are free; ``until``: when it is decided again; ``tables``: the page to leave."""

    free: int
    until: datetime
    tables: str


@dataclass(frozen=True)
class PutOff(LetterKind):
    """Seats are still free at the reader's table, and it waits ``until`` then."""

    kind, title = "put-off", say("a table waits another week")
    until: datetime

    @override
    def unwanted(self, case: Case) -> str:
        open_still = case.game is not None and case.game.status == GameStatus.OPEN
        return "" if open_still else str(say("the game has started or was called off"))

    @override
    def values(self, context: Context) -> PutOffValues:
        free = sum(seat.status != SeatStatus.ACCEPTED for seat in context.seats)
        return PutOffValues(free, self.until, context.addresses.tables())


@dataclass(frozen=True, slots=True)
class CalledOffValues:
    """``free``: how many seats nobody had taken; ``tables``: where other tables are."""

    free: int
    tables: str


@dataclass(frozen=True)
class CalledOff(LetterKind):
    """Seats were free on the date of the reader's table, and the game does not take place."""

    kind, title = "called-off", say("a table was called off")
    free: int

    @override
    def values(self, context: Context) -> CalledOffValues:
        return CalledOffValues(self.free, context.addresses.tables())
