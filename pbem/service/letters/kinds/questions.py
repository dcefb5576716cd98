"""Letters that ask players for orders."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Refusal, field, replace, say, say_from_json, sheet
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind, Timing
from pbem.store.statuses import GameStatus, StandingOrderStatus, SubmissionStatus
from pbem.store.tables import Game, Letter, Seat, StandingOrderRow, Submission
from pbem.views.games import VoidView


class Question(LetterKind):
    """The question of a position, which is open as long as the game stands there."""

    asks, pictured, carries_talk, takes_orders, tells_log = True, True, True, True, True

    @override
    def unwanted(self, case: Case) -> str:
        game = case.game
        open_still = game is not None and game.status == GameStatus.RUNNING and game.version == case.letter.version
        return "" if open_still else str(say("the question has been answered"))

    @override
    def question(self, context: Context) -> sheet.Question | None:
        return context.question()


class YourTurn(Question):
    """It is the reader's turn. ``void``: the row of a standing order that could not be played."""

    kind, title = "your-turn", say("your turn")
    timing = Timing.MERGED
    void: int | None = None

    @override
    def values(self, context: Context) -> dict[str, Any]:
        if self.void is None:
            return {}
        row = context.session.get_one(StandingOrderRow, self.void)
        why = Refusal(say_from_json(row.reason), row.rule).sentence(context.view.voice) if row.reason else ""
        return {"void": VoidView(row.orders, why)}


class Reminder(Question):
    kind, title = "reminder", say("reminder")


class Planning(LetterKind):
    """A turn has begun, and all that can be planned in it is asked at once.

    ``phases``: what is asked for; ``open_in``: the phases of the game in which it still is; ``after``: the last
    submission before it; ``answered``: the reader wants to be asked step by step.
    """

    kind, title = "planning", say("plan your turn")
    timing = Timing.QUESTION
    asks, pictured, carries_talk, takes_orders, tells_log = True, True, True, True, True
    turn: int
    after: int
    phases: tuple[str, ...]
    open_in: tuple[str, ...]
    answered: bool = False

    @override
    def unwanted(self, case: Case) -> str:
        game = case.game
        wanted = (
            game is not None and game.status == GameStatus.RUNNING and self.still_asks(case.session, game, case.letter)
        )
        return "" if wanted else str(say("the turn has been planned, or it is too late to plan it"))

    def still_asks(self, session: Session, game: Game, letter: Letter) -> bool:
        """Whether its turn is not past planning and its reader has submitted nothing since."""
        if game.turn != self.turn or game.phase not in self.open_in or self.answered:
            return False
        seat = select(Seat.colour).where(Seat.game_id == game.id, Seat.number == letter.seat_number).scalar_subquery()
        since = select(Submission.id).where(
            Submission.game_id == game.id,
            Submission.seat == seat,
            Submission.id > self.after,
            Submission.status != SubmissionStatus.REFUSED,
        )
        return not session.scalar(select(since.exists()))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``plan``: what the reader can order in this turn, without what was ordered already."""
        plan = context.view.sheet.turn_plan(context.view.state, context.colour)
        if plan is None:
            return {"plan": None}
        parts = tuple(part for part in plan.parts if part.moment in self.phases)
        given = select(StandingOrderRow.orders).where(
            StandingOrderRow.game_id == context.game.id, StandingOrderRow.seat == context.colour,
            StandingOrderRow.status == StandingOrderStatus.WAITING, StandingOrderRow.turn == 0,
        )  # fmt: skip
        known = set(context.session.scalars(given))
        always = tuple(choice for choice in plan.always if choice.value not in known)
        return {"plan": replace(plan, parts=parts, always=always)}

    @override
    def page(self, context: Context, question: sheet.Question | None) -> str:
        seat = context.seat
        return context.addresses.plan(context.game.id, seat.colour, self.turn, seat.holder) if seat else ""


class Digest(LetterKind):
    """The questions of several games, told together. ``asked``: the games, with the position of each."""

    kind, title = "digest", say("digest")
    asks, carries_talk = True, True
    asked: dict[str, int] = field(default_factory=dict)

    @override
    def about(self) -> str:
        return next(iter(self.asked), "")

    @override
    def unwanted(self, case: Case) -> str:
        asked = (
            (Seat.colour == Game.to_act)
            & (Seat.account_id == case.letter.account_id)
            & (Game.status == GameStatus.RUNNING)
        )
        open_still = case.session.scalar(select(select(Game.id).join(Seat).where(asked).exists()))
        return "" if open_still else str(say("every question has been answered"))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"games": tuple(line for line in context.running_games() if line.turn_page)}
