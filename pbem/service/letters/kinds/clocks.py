"""Letters about the clocks of one game or of all."""

from datetime import date, datetime
from typing import Any

from typing_extensions import override

from pbem.engine import say
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind


class Absent(LetterKind):
    """Days on which ``person`` is away, both included. ``before``: the deadline as it was, if it has moved."""

    concerns_asked = True
    person: str
    first: date
    last: date
    before: datetime | None = None


class Away(Absent):
    kind, title = "away", say("a player is away")


class Back(Absent):
    kind, title = "back", say("a player is back")


class Paused(LetterKind):
    """All have agreed to a pause that ``person`` asked for, ``until`` then or until somebody ends it."""

    kind, title = "paused", say("the game is paused")
    concerns_asked = True
    person: str
    until: datetime | None = None

    @override
    def unwanted(self, case: Case) -> str:
        over = case.game is not None and case.game.paused_at is None
        return str(say("the pause is over")) if over else ""


class Resumed(LetterKind):
    """The pause is over; ``person`` has ended it, or nobody."""

    kind, title = "resumed", say("the game goes on")
    concerns_asked = True
    person: str

    @override
    def unwanted(self, case: Case) -> str:
        again = case.game is not None and case.game.paused_at is not None
        return str(say("the game is paused again")) if again else ""


class Gap(LetterKind):
    """Between two moments nothing was done in the games of the reader; all their deadlines moved."""

    since: datetime
    until: datetime

    @override
    def values(self, context: Context) -> dict[str, Any]:
        length, backwards = abs(self.until - self.since), self.until < self.since
        return {"games": context.running_games(), "length": length, "backwards": backwards}


class ClocksMoved(Gap):
    """The server was away from ``since`` to ``until``, and all clocks moved by that."""

    kind, title = "clocks-moved", say("all clocks moved")


class SetBack(Gap):
    """A backup was restored: what happened between ``since`` and ``until`` is gone."""

    kind, title = "set-back", say("the server was restored")
