"""Letters about a game from its invitation to its end."""

from typing import Any

from sqlalchemy import select
from typing_extensions import override

from pbem.engine import say
from pbem.service.base.queries import WHOLE_LOG, LogPart
from pbem.service.base.tokens import InvitationClaim
from pbem.service.letters.kinds import lessons
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind
from pbem.store.statuses import GameStatus, SeatStatus, Sending
from pbem.store.tables import Account, GameNotification, Letter, Seat
from pbem.views.games import MoveView
from pbem.views.log import from_own_orders


class Invitation(LetterKind):
    """The reader is invited to a game."""

    kind, title = "invitation", say("invitation")
    to_strangers, decisive, survives_restore = True, True, True

    @override
    def unwanted(self, case: Case) -> str:
        letter = case.letter
        seat = select(Seat.status).where(
            Seat.game_id == letter.game_id, Seat.number == letter.seat_number, Seat.account_id == letter.account_id
        )
        open_still = (
            case.game is not None
            and case.game.status == GameStatus.OPEN
            and case.session.scalar(seat) == SeatStatus.INVITED
        )
        return "" if open_still else str(say("the invitation has been answered"))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """The ``first_game`` is for somebody who has never played."""
        number, holder = (context.seat.number, context.seat.holder) if context.seat else (0, 0)
        accept, decline = (
            context.addresses.invitation(context.game.id, number, yes, holder) for yes in ("accept", "decline")
        )
        first_game = context.addresses.first_game(
            context.office.tokens.make(InvitationClaim(context.game.id, number, holder))
        )
        return {"host": context.host, "accept": accept, "decline": decline, "first_game": first_game}


class Declined(LetterKind):
    """Somebody (``name``) has declined an invitation."""

    kind, title = "declined", say("invitation declined")
    name: str


class Cancelled(LetterKind):
    """The host, or the operator of the server, has cancelled a game that had not started."""

    kind, title = "cancelled", say("game cancelled")
    by_operator: bool = False

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"host": "" if self.by_operator else context.host}


class GameStarted(LetterKind):
    kind, title = "game-started", say("the game starts")
    pictured, carries_talk = True, True

    @override
    def unwanted(self, case: Case) -> str:
        """The first question, or the email to plan the first turn, tells it all to who gets one at once."""
        letter, game = case.letter, case.game
        if game is None or game.version != 0:
            return ""
        keys = f"your-turn:{game.id}:0", f"planning:{game.id}:{game.turn}:{letter.seat_number}"
        own = select(GameNotification.account_id).where(
            GameNotification.account_id == letter.account_id,
            GameNotification.game_id == game.id,
            GameNotification.mails != "",
        )
        asks = (
            select(Letter.id)
            .join(Account, Account.id == Letter.account_id)
            .where(
                Letter.account_id == letter.account_id,
                Letter.key.in_(keys),
                Letter.status.in_((Sending.WAITING, Sending.SENT)),
                Account.mails == "turn",
                ~own.exists(),
            )
        )
        return str(say("the first question tells it")) if case.session.scalar(asks.limit(1)) is not None else ""


class GameEnding(LetterKind):
    """A vote has ended the game, unless somebody changes their mind within a day."""

    kind, title = "game-ending", say("the game is about to end")
    pictured, carries_talk = True, True

    @override
    def unwanted(self, case: Case) -> str:
        stopping = case.game is not None and case.game.status == GameStatus.STOPPING
        return "" if stopping else str(say("the game goes on or is over"))


class GameOver(LetterKind):
    """The game is over. ``by_operator``: the operator of the server has ended it."""

    kind, title = "game-over", say("game over")
    pictured, carries_talk = True, True
    by_operator: bool = False

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """Where the game can be found from now on; of a lesson also what came of the last decision, and what its
        reader can do ``next``."""
        to, game = context.addresses, context.game
        learnt = bool(game.lesson) and not self.by_operator
        following = {"new_game": to.new_game(), "tables": to.tables(), "guide": to.guide(game.game)}
        return {
            "archive": to.archive(),
            "record": to.record(game.id),
            "file": to.game_file(game.id),
            "back": lessons.look_back(context) if learnt else None,
            "next": following if learnt else None,
        }

    @override
    def log(self, context: Context) -> LogPart:
        return WHOLE_LOG if context.game.lesson else LogPart(since_orders_of=context.colour)

    @override
    def moves(self, context: Context) -> tuple[MoveView, ...]:
        return from_own_orders(context.view.log, context.colour)[0] if context.colour else ()
