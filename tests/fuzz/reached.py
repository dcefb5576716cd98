"""Positions of every sheet in which something is asked, each with orders that are legal there."""

from dataclasses import dataclass
from functools import cache
from itertools import islice

from pbem.engine.sheet import Sheet, State
from tests.every_map.games import deal, players_of, seed_of
from tests.every_map.random_player import RandomPlayer

OF_A_PHASE = 2
MOST_ORDERS = 150


@dataclass(frozen=True)
class Reached:
    """A position, who is asked, what could be answered, and what was."""

    state: State
    seat: str
    orders: tuple[str, ...]


@cache
def positions(sheet: Sheet) -> tuple[Reached, ...]:
    """Two of every phase of a game that is played in haste: an early one and a late one."""
    found: dict[str, list[Reached]] = {}
    for place in _game(sheet):
        kept = found.setdefault(sheet.phase(place.state), [])
        if len(kept) == OF_A_PHASE:
            kept.pop()
        kept.append(place)
    return tuple(place for kept in found.values() for place in kept)


def _game(sheet: Sheet) -> list[Reached]:
    number = 3
    state, player, places = deal(sheet, number), RandomPlayer(sheet, seed_of(number), rash=False), list[Reached]()
    while not sheet.over(state) and len(places) < MOST_ORDERS:
        order, step = player.play(state)
        places.append(Reached(state, sheet.to_act(state) or "", (order,)))
        state = step.state
    return places


@cache
def orders(sheet: Sheet, number: int) -> tuple[str, ...]:
    """Orders for one of the positions: what was answered, what else is legal, what can be planned."""
    place = positions(sheet)[number]
    question, plan = sheet.question(place.state), sheet.turn_plan(place.state, place.seat)
    more = islice((*(sheet.legal(place.state) or ()), *sheet.placements(place.state)), 40)
    choices = [choice.order for choice in question.choices[:20]]
    planned = [f"{part.word} {choice.value}" for part in (plan.parts if plan else ()) for choice in part.choices[:5]]
    return tuple(dict.fromkeys((*place.orders, str(sheet.default(place.state)), *choices, *more, *planned)))


def seats(sheet: Sheet) -> tuple[str, ...]:
    """Who plays in the positions."""
    return players_of(sheet, 3)
