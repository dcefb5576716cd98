"""Orders ahead of time, chosen as those of now are: the page of a question to come, asked of the board of today."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import url_for

from pbem.engine import Question, Say
from pbem.engine.standing_orders import phase_of
from pbem.service.turns import standing_orders
from pbem.views.games import GameView, StandingOrderView
from pbem.web.base.context import office
from pbem.web.base.forms import ORDERS, argument, field
from pbem.web.boards.drafts import MOMENT, asked_ahead
from pbem.web.boards.pictures import in_game
from pbem.web.turns import questions
from pbem.web.turns.addresses import Addresses, turn_page
from pbem.web.turns.opened import OpenedPage

FORMS = ("deliver", "build", "kinds")
"""Questions whose pages are worth while ahead of time; the others are fields of the planning page."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A question to come, in ``turn`` if that is not the one of now.

    ``ordered``: what waits for it already; ``before``, ``after``: what waits for other rounds of its phase, which is
    given again with it; ``example``: an order as it is typed.
    """

    name: str
    words: Say
    turn: int
    form: str
    url: str
    ordered: str
    before: str
    after: str
    example: str


@dataclass(frozen=True, slots=True)
class Ahead:
    """Whose question to come it is; its pages are those of questions of now."""

    asked: OpenedPage
    moment: Moment
    game: GameView

    @property
    def addresses(self) -> Addresses:
        moment, game = self.moment.name, self.game

        def picture(kind: str, **query: str | None) -> str:
            draft = f"{self.asked.claim.seat}:{moment}" if query.get("steps") else None
            return in_game(game.id, game.version)(kind, ahead=draft, **query)

        return Addresses(turn_page(self.asked.token, ahead=moment), picture)

    def besides(self) -> dict[str, Any]:
        return {"then": None}

    def page(self, template: str, **values: Any) -> str:
        plan = url_for("turns.turn", token=self.asked.token)
        ahead = {"ahead": self.moment, "plan_at": plan, "try_at": "", "words_at": "", "since": (), "fresh": ()}
        return self.asked.page(template, self.game, answer_at=self.addresses.page, **ahead, **values)


def moments(asked: OpenedPage) -> tuple[Moment, ...]:
    """The questions to come in this turn that are chosen on a page of their own, the next first.

    Orders for a phase whose question is asked now would answer that question; its own page takes those that follow.
    """
    return tuple(moment for moment, _ in _found(asked))


def page(asked: OpenedPage) -> str | None:
    """The page of the moment in the address; ``None`` where it is none of those to come."""
    wanted = argument("ahead", longest=MOMENT)
    for moment, game in _found(asked):
        if moment.name == wanted:
            return questions.ask(Ahead(asked, moment, game), game.sheet.question(game.state))
    return None


def wished() -> str:
    """The orders that such a page sends: those for all rounds of the phase, the one of its moment changed."""
    new, old = questions.wished(), field("ordered", longest=ORDERS, default="")
    if old and field("also", default="") == "1":
        new = f"{old} | {new}"
    rounds = (field("before", longest=ORDERS, default=""), new, field("after", longest=ORDERS, default=""))
    return "\n".join(line for line in rounds if line)


def _found(asked: OpenedPage) -> Iterator[tuple[Moment, GameView]]:
    game, seat = asked.game, asked.claim.seat
    turn, to_come = game.sheet.moments_ahead(game.state, seat)
    this_turn = turn == game.sheet.turn(game.state)
    waiting = {o.moment: o for o in standing_orders.of_seat(office(), game.id, seat) if o.turn == turn}
    now = game.sheet.phase(game.state) if game.waiting_for == seat and this_turn else ""
    names = [name for name in to_come if phase_of(name) != now]
    for name in names:
        if (asked_then := _question_ahead(game, seat, name)) is None:
            continue
        shown, question, form = asked_then
        same = [other for other in names if phase_of(other) == phase_of(name)]
        earlier, later = same[: same.index(name)], same[same.index(name) + 1 :]
        if waiting.keys() >= set(earlier):
            url, words = url_for("turns.turn", token=asked.token, ahead=name), game.sheet.moment_said(name)
            before, after = (_lines(waiting, rounds) for rounds in (earlier, later))
            ordered = _lines(waiting, [name])
            moment = Moment(name, words, 0 if this_turn else turn, form, url, ordered, before, after, question.example)
            yield moment, shown


def _question_ahead(game: GameView, seat: str, name: str) -> tuple[GameView, Question, str] | None:
    """The position in which a moment asks, its question and the form for it, where there is one."""
    shown = asked_ahead(game, seat, name)
    question = shown.sheet.question(shown.state) if shown is not None else None
    if shown is None or question is None:
        return None
    form = "kinds" if question.kinds else question.form
    return (shown, question, form) if form in FORMS else None


def _lines(waiting: dict[str, StandingOrderView], names: list[str]) -> str:
    return "\n".join(waiting[name].orders for name in names if name in waiting)
