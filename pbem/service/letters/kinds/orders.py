"""Letters that tell what became of orders."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Question, Refusal, Say, say, say_from_json
from pbem.service.base.queries import LogPart
from pbem.service.letters.kinds import lessons, similar
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LAST, Case, LetterKind, Timing
from pbem.store.statuses import GameStatus, MoveCause, Sending, StandingOrderStatus, SubmissionStatus
from pbem.store.tables import Letter, Move, StandingOrderRow, Submission
from pbem.views.games import MoveView

NOT_PLAYED = (SubmissionStatus.REFUSED, SubmissionStatus.STUCK)
"""What became of orders that a letter about refused ones tells of."""
GONE_ON = say("The game has moved on since, so you can no longer take this back.")
QUESTIONS = ("your-turn", "planning")
"""Kinds of letters that ask, and tell what has happened since the reader's last orders."""
FOR_THE_PLAYER = (MoveCause.DEADLINE, MoveCause.CARETAKER, MoveCause.STANDING_ORDER)
"""Causes of orders that were played without the player."""


class Played(LetterKind):
    """Orders that came by mail were played. The next question tells it too, so that one of the two is enough.

    ``clashes``: they leave orders that wait nothing to do, which no question tells before it is too late."""

    kind, title = "played", say("your orders were played")
    timing, takes_orders = Timing.ANY_HOUR, True
    submission: int
    clashes: bool = False

    @override
    def unwanted(self, case: Case) -> str:
        game, letter, row = case.game, case.letter, case.session.get(Submission, self.submission)
        if game is None or row is None or row.move_number is None or self.clashes:
            return ""  # no question tells what waits, was cancelled, or clashes
        asked = select(Letter.id).where(
            Letter.account_id == letter.account_id, Letter.game_id == game.id, Letter.kind.in_(QUESTIONS),
            Letter.version >= row.move_number, Letter.status != Sending.WITHDRAWN,
        )  # fmt: skip
        told = case.session.scalar(asked.limit(1)) is not None
        return str(say("the next question tells it")) if told else ""

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``kept``: what of the orders waits for its moment; ``cancelled``: orders that wait no more; ``clashes``: what
        the reader's own orders leave nothing to do."""
        row = context.session.get_one(Submission, self.submission)
        cancelled = select(StandingOrderRow.orders).where(
            StandingOrderRow.game_id == row.game_id, StandingOrderRow.seat == row.seat,
            StandingOrderRow.status == StandingOrderStatus.CANCELLED, StandingOrderRow.done_at == row.done_at,
        )  # fmt: skip
        waited = context.session.scalars(cancelled.order_by(StandingOrderRow.id)).all()
        clashes = context.clashes(self.submission) if self.clashes else ()
        return {"kept": context.kept(self.submission), "cancelled": tuple(waited), "clashes": clashes}

    @override
    def log(self, context: Context) -> LogPart:
        move = context.session.get_one(Submission, self.submission).move_number
        return LAST if move is None else LogPart(first=move)

    @override
    def moves(self, context: Context) -> tuple[MoveView, ...]:
        """What these orders brought about, and what happened after them."""
        first = self.log(context).first
        return tuple(move for move in context.view.log if move.number >= first)


def unread_part(why: Say | None) -> tuple[int, str]:
    """The column, from 1, of what could not be read, and what is written there: where something is missing, the word
    before that. The column is 0 for what was read."""
    where = {} if why is None else why.values
    if "column" not in where or "line" not in where:
        return 0, ""
    column, found, after = int(str(where["column"])), str(where.get("found", "")), str(where.get("after", ""))
    return (column, found) if found else (max(column - len(after), 0), after)


class Refused(LetterKind):
    """Orders were not played: the latest is ``submission``, ``all`` those that the letter remembers of ``number``.

    ``last``: further mails that cannot be played are not answered for a while.
    """

    kind, title = "refused", say("orders not played")
    timing, pictured, takes_orders, asks_again = Timing.ANY_HOUR, True, True, True
    submission: int
    all: tuple[int, ...] = ()
    number: int = 1
    last: bool = False

    @override
    def unwanted(self, case: Case) -> str:
        return "" if self.untold(case.session) else str(say("a page has shown it, or the orders were played after all"))

    @property
    def remembered(self) -> tuple[int, ...]:
        """The submissions that the letter names; the first letters knew of one alone."""
        return self.all or (self.submission,)

    def untold(self, session: Session) -> Sequence[Submission]:
        """The orders it still has to tell of, latest first: no page has shown them, and they were not played."""
        open_ones = select(Submission).where(
            Submission.id.in_(self.remembered), Submission.status.in_(NOT_PLAYED), Submission.seen_at.is_(None)
        )
        return session.scalars(open_ones.order_by(Submission.id.desc())).all()

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """The latest orders that were not played: their ``text``, and why in a ``sentence``.

        ``line`` and ``step``: where that failed, from 1 (0 = unknown, or the only one); ``whole``: the sentence says
        so; ``part``: see :func:`unread_part`. ``more``: how many others were not played, of which no letter of their
        own tells. ``examples``: orders that could be played now, for somebody who learns; ``similar``: those that are
        like what was written; ``words``: what an email can hold now beside orders. ``answered``: orders of the reader
        that have answered that question before, ``back``: how they are taken back, ``stands``: why they cannot be.
        """
        told = self.untold(context.session) or [context.session.get_one(Submission, self.submission)]
        latest, forgotten = told[0], self.number - len(self.remembered)
        question, view = self.question(context), context.view
        sentence = similar.narrowed(say_from_json(latest.sentence), question) if latest.sentence else None
        refusal = None if sentence is None else Refusal(sentence, latest.rule)
        values: dict[str, Any] = {
            "text": latest.text,
            "sentence": refusal.sentence(view.voice) if refusal else "",
            "line": latest.line,
            "step": latest.step,
            "more": len(told) - 1 + forgotten,
            "whole": refusal is not None and refusal.whole,
            "words": context.words() if latest.via == "mail" else (),
            "part": unread_part(sentence),
            "examples": (),
            "similar": (),
            "answered": "",
            "back": None,
            "stands": None,
        }
        if latest.version is not None and latest.version != view.version:
            return values | self._answer(context, latest)
        if question is not None and context.game.lesson:
            return values | {"examples": lessons.examples(context)}
        if question is not None and latest.text:
            place = (latest.line, latest.step)
            values["similar"] = similar.like(view.sheet, view.state, view.names, latest.text, place)
        return values

    def _answer(self, context: Context, latest: Submission) -> dict[str, Any]:
        """What the reader has played in place of these orders, and how that is taken back."""
        move = context.session.get(Move, (latest.game_id, (latest.version or 0) + 1))
        if move is None or move.seat != latest.seat or move.taken_back_by is not None or move.cause != MoveCause.PLAYER:
            return {}
        back = context.back()
        if back is None or back.number != move.number:
            return {"answered": move.orders, "stands": GONE_ON}
        return {"answered": move.orders, "back": back, "stands": back.no}

    @override
    def page(self, context: Context, question: Question | None) -> str:
        """The page of the question, or that of orders ahead while the turn can be planned."""
        seat = context.seat
        if question is not None or seat is None or not self._planned(context):
            return super().page(context, question)
        return context.addresses.plan(context.game.id, seat.colour, context.game.turn, seat.holder)

    def _planned(self, context: Context) -> bool:
        """Whether they were orders for a whole turn that the reader can still plan."""
        latest = context.session.get_one(Submission, self.submission)
        view = context.view
        if latest.version is not None or context.game.status != GameStatus.RUNNING:
            return False
        return view.sheet.turn_plan(view.state, context.colour) is not None


class Tried(LetterKind):
    """Orders that came by mail under the word ``try``: what they would lead to. Nothing was played."""

    kind, title = "tried", say("what orders would lead to")
    timing, pictured, takes_orders = Timing.ANY_HOUR, True, True
    text: str
    seed: str

    @override
    def tries(self) -> tuple[str, str]:
        return self.text, self.seed

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """Why not all of them could be tried, in a ``sentence``, and where that failed, as for :class:`Refused`.

        ``start``: the order after which the trial begins; ``hides``: whether hidden things were dealt anew for it.
        """
        attempt, view = context.attempt, context.view
        assert attempt is not None, "it tries something"
        refusal = attempt.refusal
        return {
            "sentence": refusal.sentence(view.voice) if refusal else "",
            "line": attempt.line,
            "step": refusal.step if refusal else 0,
            "whole": refusal is not None and refusal.whole,
            "part": unread_part(refusal.why if refusal else None),
            "start": context.letter.version or 0,
            "hides": view.trial is not None and bool(view.sheet.secret_draws),
        }

    @override
    def moves(self, context: Context) -> tuple[MoveView, ...]:
        return context.view.tried

    @override
    def page(self, context: Context, question: Question | None) -> str:
        """The question that is open in the game, if it is still the one that the trial answers."""
        game = context.game
        asked = game.version == context.letter.version and bool(game.to_act) and game.to_act == context.colour
        return context.addresses.turn(game.id, context.colour, game.version) if asked else ""


class PlayedFor(LetterKind):
    """The last orders were played for the reader."""

    pictured, takes_orders, tells_log = True, True, True

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """The ``orders`` that were played for the reader, whose time was over ``at`` some moment."""
        own = (move for move in reversed(self.moves(context)) if move.seat == context.colour)
        at = next((move.at for move in own if move.cause in FOR_THE_PLAYER), None)
        return {"orders": context.view.log[-1].orders, "at": at}


class DefaultPlayed(PlayedFor):
    kind, title = "default-played", say("played for you")
    carries_talk = True


class Caretaker(PlayedFor):
    kind, title = "caretaker", say("a caretaker plays for you")


class TakenBack(LetterKind):
    """The orders before the question were taken back. ``asked_at``: when the question was sent that is withdrawn."""

    kind, title = "taken-back", say("orders taken back")
    carries_talk = True
    person: str
    asked_at: datetime


class SubmissionStuck(LetterKind):
    """An error of ours keeps orders from being played; to ``how``: host or operator.

    ``what``: submission or order, ``number``: its row; ``person``: whose it is.
    """

    kind, title = "submission-stuck", say("orders could not be played")
    person: str
    how: str
    what: str
    number: int
