"""Letters about open tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from typing_extensions import override

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind, Timing
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Game


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
    def values(self, context: Context) -> dict[str, Any]:
        game = queries.game(context.session, self.game)
        link = context.addresses.sit(self.game, context.account.id, self.key)
        turn_time = game.time_control.turn
        return {"title": game.title, "map": queries.sheet(game).name, "turn_time": turn_time, "link": link}


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
    def values(self, context: Context) -> dict[str, Any]:
        free = sum(seat.status != SeatStatus.ACCEPTED for seat in context.seats)
        return {"free": free, "tables": context.addresses.tables()}


@dataclass(frozen=True)
class CalledOff(LetterKind):
    """So many seats were ``free`` on the date of the reader's table, and the game does not take place."""

    kind, title = "called-off", say("a table was called off")
    free: int

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"tables": context.addresses.tables()}
