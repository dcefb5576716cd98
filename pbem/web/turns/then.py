"""Orders that follow the answer: rounds of moving goods to come, chosen from what the board of today allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.engine import Place, Question, Say, Word, say
from pbem.engine.standing_orders import phase_of
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
class Then:
    """The fields for orders that follow the answer: how many rounds, what waits for them, what can be chosen."""

    title: Say
    rounds: int
    text: str
    lines: tuple[tuple[str, Say], ...] = ()

    @classmethod
    def of(cls, game: GameView, seat: str) -> Then:
        later = [moment for moment in game.sheet.moments(game.state, seat)[1:] if phase_of(moment) == "move_goods"]
        given = standing_orders.of_seat(office(), game.id, seat) if later else ()
        waiting = [order for order in given if order.moment in later and order.turn]
        several, one = say("And then move (optional)"), say("Order the next round as well (optional)")
        title = several if len(later) > 1 else one
        imagined = asked_ahead(game, seat, later[0]) if later else None
        most = SHOWN // (len(later) or 1)
        lines = _lines(imagined.sheet.question(imagined.state), most) if imagined else ()
        return cls(title, len(later), "\n".join(order.orders for order in waiting), tuple(lines))


def wished() -> str:
    """What the fields say: the text, or the lists where there is none. What waits already goes on waiting."""
    if text := field("then", longest=ORDERS, default="").strip():
        return text
    chosen = [_chosen(number) for number in range(1, MOST_ROUNDS + 1)]
    given = [line for line in chosen if line]
    if not all(chosen[: len(given)]):
        raise BadForm(
            say("You chose a delivery for a later round and none for the one before: choose that one as well.")
        )
    return "\n".join(given)


def _chosen(number: int) -> str:
    named = [field(f"then.{number}.{choice}", longest=ORDERS, default="") for choice in CHOICES]
    return " | ".join(dict.fromkeys(order for order in named if order))


def _lines(question: Question, most: int) -> Iterator[tuple[str, Say]]:
    """Orders and what they are: the best deliveries, then whatever else can be done."""
    deliveries = [choice for choice in question.choices if isinstance(choice, RouteChoice) and len(choice.route) > 1]
    for choice in deliveries[:most]:
        start, goal, own = Place(choice.route[0]), Place(choice.route[-1]), choice.gains.get(question.seat, 0)
        words = say("{cube}, {start} to {goal}: +{own}", cube=Word(choice.cube), start=start, goal=goal, own=own)
        yield choice.order, words
    yield from ((other.order, other.title) for other in question.choices if not isinstance(other, RouteChoice))
