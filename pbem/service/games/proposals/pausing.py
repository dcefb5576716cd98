"""Are the clocks of the game to stand still for a while?"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

from typing_extensions import override

from pbem.engine import Say, say, to_reader
from pbem.language.times import Calendar
from pbem.service.base import BadInput, GameWork, NotNow, Problem
from pbem.service.games import pauses
from pbem.service.games.proposals.declaration import Consent, VoteContext
from pbem.service.letters.kinds.votes import PauseAsked
from pbem.store.statuses import GameStatus
from pbem.store.tables import Seat, Vote

LONGEST = timedelta(days=180)


@dataclass(frozen=True)
class Pausing(Consent):
    """``until``: the day on which the clocks run again; ``None``: until somebody ends the pause."""

    kind = "pause"
    letter = PauseAsked
    noted = "asks-pause"
    until: date | None = None

    @override
    def checked(self, work: GameWork, asker: Seat) -> Self:
        """Also raises :class:`BadInput`, for a day that is past or too far."""
        today = work.now.date()
        if self.until is not None and not today < self.until <= today + LONGEST:
            raise BadInput(Problem("until", say("A pause must end on a later day, within half a year.")))
        if work.game.status != GameStatus.RUNNING:
            raise NotNow(say("You can do this only while the game is running."))
        if work.game.paused_at is not None:
            raise NotNow(say("The game is already paused."))
        return self

    @override
    def carry_out(self, work: GameWork, vote: Vote) -> None:
        pauses.begin(work, work.numbered(vote.asked_by), self.until)

    @override
    def words(self, asked: VoteContext) -> Say:
        if self.until is None:
            return say("{player} asks for a pause", player=asked.player)
        day = Calendar("UTC", asked.now).limit_day(self.until)
        return say("{player} asks for a pause until {day}", player=asked.player, day=day)

    @override
    def terms(self, asked: VoteContext) -> tuple[Say, ...]:
        if self.until is None:
            return (say("No clock runs until somebody ends the pause on the game’s page."),)
        return (say("Until then no clock runs, and anybody can end the pause earlier."),)

    @override
    def if_refused(self, asked: VoteContext) -> Say:
        return say("The game goes on without a pause.")


to_reader("{player} asks for a pause", player="You ask for a pause")
to_reader("{player} asks for a pause until {day}", player="You ask for a pause until {day}")
