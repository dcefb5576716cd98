"""May somebody take orders back of which the next player has been told?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from typing_extensions import override

from pbem.engine import Say, say, to_reader
from pbem.service.base import GameWork
from pbem.service.games import ballots, takeback
from pbem.service.games.proposals.declaration import Consent, VoteContext
from pbem.service.letters.kinds.votes import ConsentAsked
from pbem.store.statuses import NOTES, VoteStatus
from pbem.store.tables import Game, Move, Seat, Vote


@dataclass(frozen=True)
class TakingBack(Consent):
    """``move``: the first move of the orders; ``None`` for the last orders of the game, while it is not asked."""

    kind = "take-back"
    letter = ConsentAsked
    noted = "asks-take-back"
    dies_with_orders = True
    move: int | None = None

    @override
    def checked(self, work: GameWork, asker: Seat) -> TakingBack:
        return TakingBack(takeback.takeable(work, asker, only=self.move).first.number)

    @override
    def carry_out(self, work: GameWork, vote: Vote) -> None:
        asker = work.numbered(vote.asked_by)
        agreed = len(ballots.voters(work, vote))
        takeback.undo(work, asker, takeback.takeable(work, asker), agreed=agreed)

    @override
    def no_longer_wanted(self, work: GameWork, vote: Vote, left: Seat) -> bool:
        return vote.asked_by == left.number

    @override
    def refused_for_now(self, before: Vote, game: Game, now: datetime) -> Say | None:
        if before.version != game.version:
            return None
        if before.status == VoteStatus.REFUSED:
            return say("The others have refused this.")
        return say("You withdrew this question.") if before.status == VoteStatus.WITHDRAWN else None

    @override
    def details(self, asked: VoteContext) -> dict[str, Any]:
        return {"orders": self._orders(asked)}

    @override
    def words(self, asked: VoteContext) -> Say:
        if asked.vote.status == VoteStatus.PASSED:
            return self.title(asked)
        return say("{player} asks to take back “{orders}”", player=asked.player, orders=self._orders(asked))

    @override
    def title(self, asked: VoteContext) -> Say:
        return say("{player} asks to take back the last orders", player=asked.player)

    @override
    def terms(self, asked: VoteContext) -> tuple[Say, ...]:
        return (
            say("No die has been rolled and nothing hidden was shown."),
            say("The game continues meanwhile; the next orders of any player close this vote."),
        )

    @override
    def if_refused(self, asked: VoteContext) -> Say:
        return say("Your orders “{orders}” stand.", orders=self._orders(asked))

    def _orders(self, asked: VoteContext) -> str:
        first = asked.vote.version if self.move is None else self.move
        moves = select(Move.orders).where(
            Move.game_id == asked.vote.game_id, Move.number.between(first, asked.vote.version), Move.cause.not_in(NOTES)
        )
        return takeback.short("\n".join(asked.session.scalars(moves.order_by(Move.number))))


to_reader("{player} asks to take back “{orders}”", player="You ask to take back “{orders}”")
to_reader("{player} asks to take back the last orders", player="You ask to take back your last orders")
