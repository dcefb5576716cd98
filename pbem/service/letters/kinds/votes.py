"""Letters about votes."""

from typing import Any

from typing_extensions import override

from pbem.engine import say
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind
from pbem.store.statuses import VoteStatus
from pbem.store.tables import Ballot, Vote


class VoteAsked(LetterKind):
    """The reader is asked to agree to something."""

    kind, title = "vote-asked", say("asks for your vote")
    survives_restore = True
    vote: int

    @override
    def unwanted(self, case: Case) -> str:
        return "" if self._open(case) else str(say("the vote has been decided"))

    def _open(self, case: Case) -> bool:
        """Whether the vote is open and this seat has not voted."""
        vote = case.session.get(Vote, self.vote)
        if case.game is None or vote is None or vote.status != VoteStatus.OPEN:
            return False
        return case.session.get(Ballot, (vote.id, case.letter.seat_number)) is None

    @override
    def values(self, context: Context) -> dict[str, Any]:
        number, holder = (context.seat.number, context.seat.holder) if context.seat else (0, 0)
        agree, refuse = (context.addresses.vote(self.vote, number, holder, answer) for answer in ("agree", "refuse"))
        return {"vote": context.vote(self.vote), "agree": agree, "refuse": refuse}


class ConsentAsked(VoteAsked):
    kind, title = "consent-asked", say("asks to take back")
    carries_talk = True

    @override
    def _open(self, case: Case) -> bool:
        """Also whether the game has not gone on."""
        gone_on = case.game is not None and case.game.version != case.letter.version
        return not gone_on and super()._open(case)


class EndAsked(VoteAsked):
    kind, title = "end-asked", say("asks to end the game")


class RemoveAsked(VoteAsked):
    kind, title = "remove-asked", say("asks to remove a player")


class PauseAsked(VoteAsked):
    kind, title = "pause-asked", say("asks for a pause")


class NotAgreed(LetterKind):
    """What the reader asked for was refused, by ``person`` at last."""

    kind, title = "not-agreed", say("not agreed")
    vote: int
    person: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"vote": context.vote(self.vote)}
