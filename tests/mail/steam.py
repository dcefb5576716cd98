"""Some rounds of Steam Power by three players: the second game, for letters to tell of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.events import tell, told
from pbem.engine.sheet import State
from pbem.store.statuses import MoveCause
from pbem.views.games import MoveView
from tests.mail.game import APART, SEED, START, Moment

SHEET = catalog.sheet("steam-power", "ireland")
SEATS = ("red", "blue", "green")
KINDS = ("track", "track", "factory", "track", "contract", "track", "draw")
"""What is preferred, in turns; ``cash`` is always possible."""
LAST_TURN = 7


@cache
def moments() -> tuple[Moment, ...]:
    """Every position of some rounds, from the deal on."""
    return tuple(_play())


def _tracks(state: State, phase: str) -> tuple[str, ...]:
    """Single tiles that could be laid, as orders."""
    return SHEET.placements(state) if phase == "actions" else ()


def _play() -> Iterator[Moment]:
    state = SHEET.start(SEATS, SeededChance(SEED, "deal"), {}).state
    log: tuple[MoveView, ...] = ()
    while SHEET.turn(state) <= LAST_TURN:
        question, turn, number = SHEET.question(state), SHEET.turn(state), len(log) + 1
        yield Moment(state, log, question)
        wanted = (KINDS[number % len(KINDS)], "cash", "bonus")
        orders = [choice.order for choice in question.choices] + list(_tracks(state, question.phase))
        played = next((order for kind in wanted for order in orders if order.startswith(kind)), orders[0])
        step = SHEET.play(state, question.seat, SHEET.parse(state, played, {}), SeededChance(SEED, SHEET.place(state)))
        events = tuple(told(tell(event)) for event in step.events)
        at = START + number * APART
        move = MoveView(number, question.seat, turn, question.phase, played, MoveCause.PLAYER, events, at)
        log, state = (*log, move), step.state
