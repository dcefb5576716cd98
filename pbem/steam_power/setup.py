"""Dealing a game (section 2), or laying out one that was dealt elsewhere."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine import Seat
from pbem.engine.chance import Chance
from pbem.engine.sheet import BadOpening
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import CityTile, Player, State
from pbem.steam_power.taking import draw_numbers


def deal(
    rules: Rules,
    seats: Sequence[Seat],
    chance: Chance,
    options: Mapping[str, str],
    opening: Mapping[str, Any] | None = None,
) -> State:
    """City tiles in the order of the board, then the seats, then a hand for each.

    ``opening`` may name ``order``, ``cities`` (label to colour) and ``hands`` (seat to contracts), as they were dealt
    elsewhere; what it lacks is drawn. Raises :class:`BadOpening`.
    """
    given = opening or {}
    cities = _cities(rules, chance, given)
    order = _order(seats, chance, given)
    hands, bag = _hands(rules, order, chance, given)
    state = State(
        seats=order,
        companies=rules.companies(order),
        options=dict(options),
        players={seat: Player(rules.start_cash, hands[seat]) for seat in order},
        cities=cities,
        left_over=_left_over(rules, cities),
        bag=bag,
        seat=order[0],
        company=order[0],
    )
    return rules.on_setup(state, chance)


def _cities(rules: Rules, chance: Chance, given: Mapping[str, Any]) -> dict[str, CityTile]:
    labels = tuple(rules.board.cities)
    if (named := given.get("cities")) is None:
        drawn = chance.draw("cities", rules.city_tiles, len(labels))
        return {label: CityTile(colour) for label, colour in zip(labels, drawn, strict=True)}
    try:
        colours = {
            str(label): str(tile["colour"] if isinstance(tile, Mapping) else tile) for label, tile in named.items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise BadOpening("The Cities of the opening cannot be read; expected label and colour of each.") from error
    if set(colours) != set(labels):
        raise BadOpening("The opening does not name the City tile of every City of the map.")
    if any(list(colours.values()).count(colour) > rules.city_tiles.get(colour, 0) for colour in colours.values()):
        raise BadOpening("The opening has more City tiles of a colour than there are.")
    return {label: CityTile(colours[label]) for label in labels}


def _left_over(rules: Rules, cities: Mapping[str, CityTile]) -> tuple[str, ...]:
    used = [tile.colour for tile in cities.values()]
    return tuple(colour for colour, count in rules.city_tiles.items() for _ in range(count - used.count(colour)))


def _order(seats: Sequence[Seat], chance: Chance, given: Mapping[str, Any]) -> tuple[Seat, ...]:
    """SP-R3: a random order, unless it is fixed."""
    if "order" in given:
        order = tuple(map(str, given["order"])) if isinstance(given["order"], Sequence) else ()
        if sorted(order) != sorted(seats):
            raise BadOpening("The order of the opening does not name every player once.")
        return order
    return chance.order("order", seats) if len(seats) > 1 else tuple(seats)


def _hands(
    rules: Rules, seats: Sequence[Seat], chance: Chance, given: Mapping[str, Any]
) -> tuple[dict[Seat, tuple[int, ...]], tuple[int, ...]]:
    bag = tuple(sorted(rules.contracts))
    if "hands" in given:
        return _given_hands(seats, bag, given["hands"])
    hands = {}
    for seat in seats:
        hands[seat] = tuple(sorted(draw_numbers(chance, "hand", bag, rules.start_hand)))
        bag = tuple(number for number in bag if number not in hands[seat])
    return hands, bag


def _given_hands(
    seats: Sequence[Seat], bag: tuple[int, ...], given: Any
) -> tuple[dict[Seat, tuple[int, ...]], tuple[int, ...]]:
    try:
        hands = {seat: tuple(sorted(map(int, given[seat]))) for seat in seats}
    except (KeyError, TypeError, ValueError) as error:
        raise BadOpening("The hands of the opening cannot be read; expected contracts for each player.") from error
    dealt = [number for hand in hands.values() for number in hand]
    if len(set(dealt)) < len(dealt) or not set(dealt) <= set(bag):
        raise BadOpening("The opening deals a contract twice, or one that there is not.")
    return hands, tuple(number for number in bag if number not in dealt)
