"""Explain this decision: what a turn page shows of a question that is explained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import url_for

from pbem.engine import Choice, Question, Say, say
from pbem.robot.tutor import Compared
from pbem.service.turns import explanations
from pbem.service.turns.explanations import Explained
from pbem.store.statuses import GameStatus
from pbem.views.games import GameView
from pbem.views.lessons import WORDS, topic_of
from pbem.web.base.context import office
from pbem.web.base.forms import argument

WIDTH = 120
"""Of the line on which means and ranges of all answers are drawn."""


@dataclass(frozen=True, slots=True)
class Row:
    """An answer that can be sent. ``choice``: what the question says of it, where it is a button there.

    ``best``: no other one brings more points; ``left``, ``right``, ``middle``: its range and mean on a line.
    """

    compared: Compared
    choice: Choice | None
    why: Say | None
    best: bool
    left: int
    right: int
    middle: int


@dataclass(frozen=True, slots=True)
class Explain:
    """A question that can be explained.

    ``url``: where that is asked for; a GET of it says ``stand`` again. ``open``: whether it is shown; ``close``: the
    page without it. ``asked``: whether answers are or will be played on, ``waiting``: whether some still are.
    ``number``: how often each of the ``answers``, the best first, was played on.
    """

    url: str
    close: str
    open: bool
    asked: bool
    waiting: bool
    head: Say
    sentences: tuple[Say, ...]
    number: int
    answers: tuple[Row, ...]
    stand: str


def of(game: GameView, seat: str, token: str) -> Explain | None:
    """``None`` where decisions are not explained: where another person plays, or nothing is asked."""
    if not is_explained(game) or game.waiting_for != seat:
        return None
    known = explanations.of_position(office(), game.id, game.version)
    compared = known.compared if known else ()
    words = WORDS.get(topic_of(game.sheet, game.state, seat))
    wanted = argument("explain")
    return Explain(
        url=url_for("turns.explain", token=token),
        close=url_for("turns.turn", token=token, explain=0),
        open=wanted == "1" or (wanted != "0" and bool(game.lesson) and bool(compared)),
        asked=known is not None,
        waiting=known is not None and not known.done,
        head=words.head if words else say("This decision"),
        sentences=(words.what, words.cost) if words else (),
        number=known.number if known else 0,
        answers=_rows(game.sheet.question(game.state), compared, known.reasons if known else {}),
        stand=stand(known),
    )


def is_explained(game: GameView) -> bool:
    return game.status == GameStatus.RUNNING and explanations.may_be([bool(seat.robot) for seat in game.seats])


def stand(known: Explained | None) -> str:
    """A word that is another one when there is more to show: at first, and when all is done."""
    if known is None:
        return "not-asked"
    if known.done:
        return "done"
    return "some" if known.compared else "none"


def _rows(question: Question, compared: Sequence[Compared], reasons: Mapping[str, Say | None]) -> tuple[Row, ...]:
    choices = {choice.order: choice for choice in question.choices}
    low, high = min((one.lowest for one in compared), default=0), max((one.highest for one in compared), default=0)
    rows = []
    for number, one in enumerate(compared):
        on_line = [round(WIDTH * (at - low) / max(high - low, 1)) for at in (one.lowest, one.highest, one.points)]
        rows.append(Row(one, choices.get(one.order), reasons.get(one.order), number == 0, *on_line))
    return tuple(rows)
