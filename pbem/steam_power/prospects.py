"""What would help, for pages: how a contract could become cheaper, which connections a track action completes."""

from collections.abc import Iterator
from itertools import islice

from pbem.engine import Place as At
from pbem.engine import Say, Value, count_say, replace, say
from pbem.rails.board import Label
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.laying import Laid, Site, offers
from pbem.steam_power.moves import Place, Track
from pbem.steam_power.payments import Market
from pbem.steam_power.railways import Group
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import cube_choices, factory_sites

SHOWN = 3
TRIED = 12
"""First tiles of a new connection that are followed to a second one, unless all are."""


def helps(market: Market, tile: ContractTile, price: int, cash: int) -> tuple[Say, ...]:
    """What would make a contract payable or cheaper: money first, the best factory, the best connection."""
    rules, found = market.rules, list[Say]()
    amount = rules.cash_action(market.state)
    if cash < price <= cash + amount:
        found.append(say("Take ${amount} first, and you can pay it.", amount=amount))
    factory = min(_factories(market, tile), default=None)
    if factory is not None and factory[0] < price:
        found.append(say("With a factory of yours in {city} it costs ${price}.", city=At(factory[1]), price=factory[0]))
    link = min(_links(market, tile), default=None)
    if link is not None and link[0] < price:
        found.append(say("With a connection to {city} it costs ${price}.", city=At(link[1]), price=link[0]))
    return tuple(found)


def _factories(market: Market, tile: ContractTile) -> Iterator[tuple[int, Label]]:
    """The price with each factory that could be built now."""
    rules, state = market.rules, market.state
    for label in factory_sites(rules, state, market.railways):
        city = state.cities[label]
        if city.colour in tile.needs:
            cubes = cube_choices(rules, state, city.colour, bonus=False)[0]
            built = state.with_city(label, replace(city, factory=market.company, cubes=cubes))
            yield _price(_like(market, built, market.network), tile), label


def _links(market: Market, tile: ContractTile) -> Iterator[tuple[int, Label]]:
    """The price with one more City in the network, for each that has cubes the contract needs."""
    groups = market.rules.groups
    if not market.network:
        return
    for label, city in market.state.cities.items():
        if city.cubes and city.colour in tile.needs and groups[label] not in market.network:
            yield _price(_like(market, market.state, market.network | {groups[label]}), tile), label


def _like(market: Market, state: State, network: frozenset[Group]) -> Market:
    """A market for a state with the same track, and a network that may be larger."""
    other = Market(market.rules, state, market.company)
    other.railways, other.foreign, other.network = market.railways, market.foreign, network
    if network == market.network:
        other.cheapest = market.cheapest
    return other


def _price(market: Market, tile: ContractTile) -> int:
    return next(market.ways(tile, 1)).price


class Connection(Value):
    """A connection that one track action would complete: the operations, and the sentence that says so."""

    operations: tuple[Place, ...]
    said: Say


def prospects(rules: Rules, state: State) -> dict[str, tuple[Say, ...]]:
    """What the connections are that one track action would complete."""
    return {Track.keyword: tuple(one.said for one in completed(rules, state)[:SHOWN])}


def suggestions(rules: Rules, state: State, *, thorough: bool = False) -> tuple[str, ...]:
    """The orders that complete a connection."""
    prefix = "bonus " if state.phase == "bonus" else ""
    return tuple(f"{prefix}{Track(one.operations)}" for one in completed(rules, state, None if thorough else TRIED))


def completed(rules: Rules, state: State, tried: int | None = TRIED) -> tuple[Connection, ...]:
    """The connections that one track action would complete, those to new Cities first, then the cheapest.

    ``tried``: first tiles that are followed to a second one, ``None`` for all.
    """
    network = rules.railways(state).network(state.company)
    found: dict[tuple[Label, Label], tuple[bool, int, Connection]] = {}
    for laid, operations in _actions(rules, state, tried):
        if laid.price > state.cash:
            continue
        hexes = tuple(operation.hex for operation in operations)
        for event in laid.completed:
            a, b = event.ends
            known = rules.groups[a] in network and rules.groups[b] in network
            said = count_say(
                "{n} tile for ${price} ({hexes}) completes {a}–{b}.",
                "{n} tiles for ${price} ({hexes}) complete {a}–{b}.",
                len(hexes),
                price=laid.price,
                hexes=tuple(map(At, hexes)),
                a=At(a),
                b=At(b),
            )
            key = (min(a, b), max(a, b))
            if key not in found or (known, laid.price) < found[key][:2]:
                found[key] = (known, laid.price, Connection(operations, said))
    best = sorted(found.values(), key=lambda one: one[:2])
    return tuple(one for _, _, one in best)


def _actions(rules: Rules, state: State, tried: int | None) -> Iterator[tuple[Laid, tuple[Place, ...]]]:
    """Track actions of one tile, and of two where the first one is among the cheapest."""
    first = [(laid, operation) for operation, laid in offers(Site(rules, state)) if isinstance(operation, Place)]
    for laid, operation in first:
        yield laid, (operation,)
    unfinished = sorted((one for one in first if not one[0].completed), key=lambda one: one[0].price)
    for laid, before in islice(unfinished, tried):
        for second, then in offers(Site(rules, laid.state), besides=before.hex):
            if isinstance(second, Place):
                yield replace(then, price=laid.price + then.price), (before, second)
