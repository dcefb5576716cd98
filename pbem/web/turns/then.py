"""Orders that follow the answer: rounds of moving goods to come, chosen from what the board of today allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.engine.sheet import Choice, Question
from pbem.engine.standing_orders import phase_of
from pbem.engine.text import Say, say
from pbem.rails.track import RouteChoice
from pbem.service.turns import standing_orders
from pbem.views.games import GameView
from pbem.web.base.context import office
from pbem.web.base.forms import ORDERS, BadForm, field
from pbem.web.boards.drafts import asked_ahead

SHOWN = 6
"""Deliveries in all lists for one choice together, so that pages stay light; the page for orders ahead has them all."""
CHOICES = (1, 2)
MOST_ROUNDS = 9


@dataclass(frozen=True, slots=True)
class Following:
    """One line of a list. ``cube``: of a delivery, empty for what is none and is named by ``choice``."""

    order: str
    choice: Choice
    cube: str = ""
    start: str = ""
    goal: str = ""
    own: int = 0


@dataclass(frozen=True, slots=True)
class Then:
    """The fields for orders that follow the answer: how many rounds, what waits for them, what can be chosen."""

    title: Say
    rounds: int
    text: str
    lines: tuple[Following, ...] = ()

    @classmethod
    def of(cls, game: GameView, seat: str) -> Then:
        later = [moment for moment in game.sheet.moments(game.state, seat)[1:] if phase_of(moment) == "move_goods"]
        given = standing_orders.of_seat(office(), game.id, seat) if later else ()
        waiting = [order for order in given if order.moment in later and order.turn]
        several, one = say("And then move (optional)"), say("Order the next round as well (optional)")
        title = several if len(later) > 1 else one
        imagined = asked_ahead(game, seat, later[0]) if later else None
        most = SHOWN // (len(later) or 1)
        lines = _lines(imagined, imagined.sheet.question(imagined.state), most) if imagined else ()
        return cls(title, len(later), "\n".join(order.orders for order in waiting), tuple(lines))


def wished() -> str:
    """What the fields say: the text where that was changed, else the lists, else the text as it was."""
    text, shown = (field(name, longest=ORDERS, default="").strip() for name in ("then", "then.shown"))
    chosen = [_chosen(number) for number in range(1, MOST_ROUNDS + 1)]
    given = [line for line in chosen if line]
    if not given or text.split() != shown.split():
        return text
    if not all(chosen[: len(given)]):
        raise BadForm(
            say("You chose a delivery for a later round and none for the one before: choose that one as well.")
        )
    return "\n".join(given)


def _chosen(number: int) -> str:
    named = [field(f"then.{number}.{choice}", longest=ORDERS, default="") for choice in CHOICES]
    return " | ".join(dict.fromkeys(order for order in named if order))


def _lines(game: GameView, question: Question, most: int) -> Iterator[Following]:
    place = game.sheet.place_name
    deliveries = [choice for choice in question.choices if isinstance(choice, RouteChoice) and len(choice.route) > 1]
    for choice in deliveries[:most]:
        start, goal = (place(game.state, label) for label in (choice.route[0], choice.route[-1]))
        yield Following(choice.order, choice, choice.cube, start, goal, choice.gains.get(question.seat, 0))
    for other in question.choices:
        if not isinstance(other, RouteChoice):
            yield Following(other.order, other)
