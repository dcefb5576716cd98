"""Is a player who does not answer to lose the seat?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from typing_extensions import override

from pbem.engine import Say, say, to_reader
from pbem.service.base import GameWork, NotNow, queries
from pbem.service.games import ballots, seat_changes, votes
from pbem.service.games.proposals.declaration import Proposal, VoteContext
from pbem.service.letters.kinds.votes import RemoveAsked
from pbem.service.turns import audit_log
from pbem.store.tables import Seat, Vote


@dataclass(frozen=True)
class Removal(Proposal):
    """``seat``: the number of the seat. All others decide, by more than half."""

    kind = "remove"
    letter = RemoveAsked
    noted = "asks-remove"
    seat: int

    @override
    def checked(self, work: GameWork, asker: Seat) -> Self:
        seat_changes.removable(work, work.numbered(self.seat))
        playing = [other.number for other in ballots.people(work)]
        if asker.number == self.seat or asker.number not in playing:
            raise NotNow(say("Only the other players can decide this."))
        return self

    @override
    def voters(self, playing: Sequence[Seat], asked_by: int) -> list[Seat]:
        return [seat for seat in playing if seat.number != self.seat]

    @override
    def carry_out(self, work: GameWork, vote: Vote) -> None:
        """Raises :class:`NotNow` when the player is back."""
        seat = work.numbered(self.seat)
        seat_changes.removable(work, seat)
        audit_log.write(work, "voted-out", other=seat.name)
        seat_changes.vacate(work, seat, "removed")
        votes.left(work, seat)

    @override
    def no_longer_wanted(self, work: GameWork, vote: Vote, left: Seat) -> bool:
        gone = queries.numbered(work.session, work.game.id, self.seat)
        return not seat_changes.has_vanished(work, gone)

    @override
    def details(self, asked: VoteContext) -> dict[str, Any]:
        return {"other": asked.seats[self.seat].name}

    @override
    def words(self, asked: VoteContext) -> Say:
        return say("{player} asks to remove {other}", player=asked.player, other=asked.who(self.seat))

    @override
    def terms(self, asked: VoteContext) -> tuple[Say, ...]:
        return (
            say("{other} has not answered for a week or more.", other=asked.who(self.seat)),
            say("If enough players agree, the seat is free, and a caretaker plays it until somebody takes it."),
            say("If {other} sends orders, this vote is closed.", other=asked.who(self.seat)),
        )

    @override
    def if_refused(self, asked: VoteContext) -> Say:
        return say("{other} keeps the seat.", other=asked.who(self.seat))


to_reader("{player} asks to remove {other}", player="You ask to remove {other}", other="{player} asks to remove you")
to_reader("{other} has not answered for a week or more.", other="You have not answered for a week or more.")
to_reader("If {other} sends orders, this vote is closed.", other="If you send orders, this vote is closed.")
to_reader("{other} keeps the seat.", other="You keep the seat.")
