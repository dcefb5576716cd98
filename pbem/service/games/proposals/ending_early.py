"""Is the game to end before its last turn?"""

from dataclasses import dataclass
from typing import Self

from typing_extensions import override

from pbem.engine import Say, say, to_reader
from pbem.service.base import GameWork, NotNow
from pbem.service.games import ballots, ending
from pbem.service.games.proposals.declaration import GOES_ON, Proposal, VoteContext
from pbem.service.letters.kinds.votes import EndAsked
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, Seat, Vote


@dataclass(frozen=True)
class EndingEarly(Proposal):
    """Everybody decides by two thirds, and can think better of it for a day."""

    kind = "end"
    letter = EndAsked
    noted = "asks-end"

    @override
    def checked(self, work: GameWork, asker: Seat) -> Self:
        if work.game.status != GameStatus.RUNNING:
            raise NotNow(say("Only a running game can be ended."))
        if asker.number not in [other.number for other in ballots.people(work)]:
            raise NotNow(say("Only active players can ask to end the game."))
        return self

    @override
    def needed(self, voters: int) -> int:
        return -(-2 * voters // 3)

    @override
    def carry_out(self, work: GameWork, vote: Vote) -> None:
        ending.stop(work)

    @override
    def can_be_thought_over(self, game: Game) -> bool:
        return game.status == GameStatus.STOPPING

    @override
    def call_off(self, work: GameWork) -> None:
        ending.go_on(work)

    @override
    def words(self, asked: VoteContext) -> Say:
        return say("{player} asks to end the game", player=asked.player)

    @override
    def terms(self, asked: VoteContext) -> tuple[Say, ...]:
        return (
            say(
                "If enough players agree, the game goes to the archive with the standings as they are,"
                " marked as ended early."
            ),
            say("For a day after that everybody can change their mind."),
            GOES_ON,
        )


to_reader("{player} asks to end the game", player="You ask to end the game")
