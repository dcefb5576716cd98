"""Dealing a game (section 2), or laying out one that was dealt elsewhere."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import Player, State, take_cubes
from pbem.engine import Seat, replace
from pbem.engine.chance import Chance
from pbem.engine.reading import shown
from pbem.engine.sheet import BadOpening
from pbem.rails.board import Label

Cube = Literal["red", "blue", "purple", "yellow", "black", "white"]
Number = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
MOST_CUBES = 1000
"""On a whole board; every position of a game that is stored holds them all."""


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


class Figures(msgspec.Struct):
    """What a player of an opening begins with, in dollars, shares and links."""

    cash: Number
    income: Number
    shares: Number
    engine: Number


class Opening(msgspec.Struct):
    """The opening of a record; what is missing is as the map says."""

    order: tuple[Seat, ...] | None = None
    players: dict[Seat, Figures] = {}
    cubes: dict[Label, tuple[Cube, ...]] | None = None
    display: dict[str, tuple[Cube | None, ...]] | None = None
    bag: dict[Cube, Count] | None = None
    accepts: dict[Label, tuple[Cube, ...]] | None = None


def lay_out(
    rules: Rules, seats: Sequence[Seat], chance: Chance, options: Mapping[str, str], raw: Mapping[str, Any]
) -> State:
    """A game dealt elsewhere; keys the opening lacks are as the map says. Raises :class:`BadOpening`."""
    try:
        opening = msgspec.convert(raw, Opening)
    except msgspec.ValidationError as error:
        raise BadOpening(f"The opening cannot be read: {error}.") from error
    state = deal(rules, seats, chance, options)
    if stray := sorted(set(opening.players) - set(seats)):
        raise BadOpening(f"The opening names {shown(stray[0])}, who does not play.")
    for seat, figures in opening.players.items():
        state = state.with_player(seat, **msgspec.structs.asdict(figures))
    state = replace(
        state,
        order=state.order if opening.order is None else opening.order,
        cubes=state.cubes if opening.cubes is None else {k: v for k, v in opening.cubes.items() if v},
        display=state.display if opening.display is None else opening.display,
        bag=state.bag if opening.bag is None else {k: v for k, v in opening.bag.items() if v},
        accepts=opening.accepts or state.accepts,
    )
    _check(rules, state)
    return rules.on_opening(state)


def _check(rules: Rules, state: State) -> None:
    if sorted(state.order) != sorted(state.seats):
        raise BadOpening("The order of the opening does not name every player once.")
    if stray := sorted((set(state.cubes) | set(state.accepts)) - set(rules.board.hexes)):
        raise BadOpening(f"The opening puts cubes on {shown(stray[0])}, which is not on this map.")
    if sum(map(len, (*state.cubes.values(), *state.accepts.values()))) > MOST_CUBES:
        raise BadOpening(f"The opening puts more than {MOST_CUBES:,} cubes on the board.")
    columns = rules.display_boxes()
    if set(state.display) != set(columns):
        raise BadOpening(f"The opening does not fill the columns of the display, which are {', '.join(columns)}.")
    for column, boxes in state.display.items():
        if len(boxes) != columns[column]:
            raise BadOpening(f"The opening fills column {column} with {len(boxes)} boxes instead of {columns[column]}.")
