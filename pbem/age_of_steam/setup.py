"""Dealing a game (section 2), or laying out one that was dealt elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import Player, State, take_cubes
from pbem.engine.chance import Chance
from pbem.engine.moves import Seat
from pbem.engine.sheet import BadOpening


def deal(rules: Rules, seats: Sequence[Seat], chance: Chance, options: Mapping[str, str]) -> State:
    """A fresh game: display, Cities, other hexes, extras of the map, then the order of players (R6 to R8)."""
    player = Player(rules.start_cash, 0, rules.start_shares, rules.start_engine)
    state = State(
        seats=tuple(seats),
        options=dict(options),
        order=tuple(seats),
        players=dict.fromkeys(seats, player),
        bag=rules.bag(),
    )
    state = rules.fill_display(state, chance)
    state = _fill_cities(rules, state, chance)
    state = rules.on_setup(state, chance)
    order = chance.order("order", seats) if len(seats) > 1 else tuple(seats)
    return replace(state, order=order)


def _fill_cities(rules: Rules, state: State, chance: Chance) -> State:
    """The starting cubes of the Cities in the order of the map file."""
    wanted = [(city.label, city.cubes) for city in rules.board.cities.values() if city.cubes]
    drawn = list(chance.draw("cities", state.bag, sum(count for _, count in wanted)))
    bag = take_cubes(state.bag, tuple(drawn))
    cubes = dict(state.cubes)
    for label, count in wanted:
        cubes[label] = tuple(drawn[:count])
        del drawn[:count]
    return replace(state, cubes=cubes, bag=bag)


def lay_out(
    rules: Rules, seats: Sequence[Seat], chance: Chance, options: Mapping[str, str], opening: Mapping[str, Any]
) -> State:
    """A game dealt elsewhere; keys the opening lacks are as the map says. Raises :class:`BadOpening`."""
    state = deal(rules, seats, chance, options)
    try:
        if "order" in opening:
            state = replace(state, order=tuple(map(str, opening["order"])))
        for seat, figures in opening.get("players", {}).items():
            state = state.with_player(
                seat, **{key: int(figures[key]) for key in ("cash", "income", "shares", "engine")}
            )
        if "cubes" in opening:
            state = replace(state, cubes={str(k): tuple(map(str, v)) for k, v in opening["cubes"].items() if v})
        if "display" in opening:
            state = replace(state, display={str(k): tuple(v) for k, v in opening["display"].items()})
        if "bag" in opening:
            state = replace(state, bag={str(k): int(v) for k, v in opening["bag"].items() if int(v)})
        if opening.get("accepts"):
            state = replace(state, accepts={str(k): tuple(map(str, v)) for k, v in opening["accepts"].items()})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadOpening(f"The opening cannot be read: {error!r}.") from error
    _check(rules, state)
    return state


def _check(rules: Rules, state: State) -> None:
    if sorted(state.order) != sorted(state.seats):
        raise BadOpening("The order of the opening does not name every player once.")
    if stray := sorted(set(state.cubes) - set(rules.board.hexes)):
        raise BadOpening(f"The opening puts cubes on {stray[0]}, which is not on this map.")
    columns = rules.display_boxes()
    for column, boxes in state.display.items():
        if len(boxes) != columns.get(column):
            raise BadOpening(f"The opening fills column {column} with {len(boxes)} boxes.")
