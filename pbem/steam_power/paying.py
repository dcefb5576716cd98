"""Judges how an order pays for the cubes of a contract (section 6).

Every function raises :class:`Refused` or returns a refusal when the order is not legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pbem.engine.moves import Refusal, Refused, Seat, refuse
from pbem.engine.text import Place as At
from pbem.engine.text import Say, Typed, Who, Word, say
from pbem.rails.board import Label
from pbem.rails.track import Link
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.moves import Contract, Item
from pbem.steam_power.payments import Market, Owners, Way, amounts_said
from pbem.steam_power.railways import Group

MOST_STEPS = 20_000
"""Steps of the search for a way that an order names and that is not a cheapest one."""
LISTED = 8
"""Ways that a refusal lists."""


def ordered(market: Market, tile: ContractTile, order: Contract, cash: int) -> Way:
    """The way an order names or leaves to the server. Raises :class:`Refused`."""
    if order.items:
        way = _typed(market, tile, order.items)
    elif order.option is not None:
        way = _option(market, tile, order.option, cash)
    else:
        way = _only_cheapest(market, tile, cash)
    if way.price > cash:
        raise Refused(
            refuse(
                "SP-R31",
                "Contract {number} costs ${price} this way, and you have ${cash}; its own money comes afterwards.",
                number=tile.number,
                price=way.price,
                cash=cash,
            )
        )
    return way


def _option(market: Market, tile: ContractTile, option: int, cash: int) -> Way:
    payable = market.payable(tile, cash)
    if not 1 <= option <= len(payable):
        raise Refused(refuse("", "There is no option {n}; there are {ways}.", n=option, ways=len(payable)))
    return payable[option - 1]


def _only_cheapest(market: Market, tile: ContractTile, cash: int) -> Way:
    found = market.cheapest_ways(tile)
    first, *others = found
    if not others or first.price > cash:
        return first
    listed = tuple(
        say("“{order}” ({amounts})", order=Typed(str(Contract(tile.number, way.items))), amounts=amounts_said(way))
        for way in found[:LISTED]
    )
    why = say(
        "Contract {n} can be fulfilled for ${price} in {count} ways; name one, for example {ways}."
        if len(found) > LISTED
        else "Contract {n} can be fulfilled for ${price} in several ways; choose one: {ways}.",
        n=tile.number,
        price=first.price,
        ways=listed,
        count=len(found),
    )
    raise Refused(_asking(why))


def _typed(market: Market, tile: ContractTile, items: Sequence[Item]) -> Way:
    """Judge items in their order, each on what the ones before it left (SP-R33)."""
    if Counter(item.colour for item in items) != Counter(tile.needs):
        raise Refused(
            refuse(
                "Fulfil a Contract",
                "Contract {n} needs {needs}; the order names {named}.",
                n=tile.number,
                needs=tuple(map(Word, tile.needs)),
                named=tuple(Word(item.colour) for item in items),
            )
        )
    left = {label: city.cubes for label, city in market.state.cities.items()}
    for item in items:
        if (refusal := _refuse_item(market, item, left)) is not None:
            raise Refused(refusal)
        if item.source is not None:
            left[item.source] -= 1
    return market.way([Item(item.colour, item.source, market.sorted(item.over)) for item in items])


def _refuse_item(market: Market, item: Item, left: Mapping[Label, int]) -> Refusal | None:
    sources = [source for source in market.sources(item.colour) if left[source]]
    if item.source is None:
        if not sources:
            return None
        return refuse(
            "SP-R36",
            "A {colour} cube can be had from {cities}; the bank sells only what cannot be reached.",
            colour=Word(item.colour),
            cities=tuple(map(At, sources)),
        )
    if item.source not in sources:
        return _no_source(market, item, left)
    if _leads(market, market.rules.groups[item.source], item.over):
        return None
    cheapest = market.cheapest[market.rules.groups[item.source]]
    return refuse(
        "SP-R28",
        "No way from {city} to your network pays {owners}; the cheapest: {ways}.",
        city=At(item.source),
        owners=_owners_said(item.over),
        ways=tuple(_owners_said(owners) for owners in cheapest),
    )


def _no_source(market: Market, item: Item, left: Mapping[Label, int]) -> Refusal:
    city = market.state.cities.get(item.source or "")
    values = {"city": At(item.source or ""), "colour": Word(item.colour)}
    if city is None:
        return refuse("Fulfil a Contract", "{city} is not a City.", **values)
    if city.colour != item.colour or not left[item.source or ""]:
        return refuse("Fulfil a Contract", "{city} has no {colour} cube left for this.", **values)
    return refuse("Fulfil a Contract", "No complete connections lead from {city} to your network.", **values)


def _leads(market: Market, start: Group, owners: Owners) -> bool:
    """Whether some way without repeated connection to the network pays exactly these owners."""
    if market.sorted(owners) in market.cheapest[start]:
        return True
    steps = MOST_STEPS
    open_: list[tuple[Group, Counter[Seat], frozenset[Link]]] = [(start, Counter(owners), frozenset())]
    while open_ and steps:
        group, left, used = open_.pop()
        steps -= 1
        if not left.total():
            if group in market.network:
                return True
            continue
        groups = market.network if group in market.network else (group,)  # inside the network ways are free
        for place in groups:
            for beyond, link in market.foreign.get(place, ()):
                if link not in used and left[link.owner or ""]:
                    open_.append((beyond, left - Counter((link.owner or "",)), used | {link}))
    return False


def _asking(why: Say) -> Refusal:
    return Refusal(why, "SP-R28", asks=True)


def _owners_said(owners: Owners) -> Say:
    return say("{owners}", owners=tuple(map(Who, owners))) if owners else say("nobody")
