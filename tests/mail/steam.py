"""Some rounds of Steam Power by three players: the second game, for letters to tell of."""

from functools import cache

from pbem.engine import Question, State, catalog
from tests.mail.game import Moment, play

SHEET = catalog.sheet("steam-power", "ireland")
SEATS = ("red", "blue", "green")
KINDS = ("track", "track", "factory", "track", "contract", "track", "draw")
"""What is preferred, in turns; ``cash`` is always possible."""
LAST_TURN = 7


@cache
def moments() -> tuple[Moment, ...]:
    """Every position of some rounds, from the deal on."""
    return tuple(play(SHEET, SEATS, LAST_TURN, _orders))


def _orders(state: State, question: Question, number: int) -> str:
    """Of the choices, and of the single tiles that could be laid, the first that is preferred."""
    wanted = (KINDS[number % len(KINDS)], "cash", "bonus")
    tracks = SHEET.placements(state) if question.phase == "actions" else ()
    orders = [*(choice.order for choice in question.choices), *tracks]
    return next((order for kind in wanted for order in orders if order.startswith(kind)), orders[0])
