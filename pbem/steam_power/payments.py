"""Where the cubes of a contract can come from, who is paid for them, and how an order pays (section 6)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations_with_replacement

from pbem.engine import Place as At
from pbem.engine import Refusal, Refused, Say, Seat, Typed, Value, Who, Word, refuse, say
from pbem.engine.moves import no, raise_for
from pbem.rails.board import Label
from pbem.rails.track import Link
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.events import ToldItem, cubes_said
from pbem.steam_power.moves import Contract, Item
from pbem.steam_power.railways import Group, Railways
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import COLOURS, State

Owners = tuple[Seat, ...]
"""Owners of the connections on a way, one entry a connection, in the order of the companies."""
MOST_WAYS = 200
"""Ways of one contract that are listed; the cheapest come first."""


class Way(Value):
    """A way to get all cubes of a contract: the items, what they cost in all, dollars by receiver."""

    items: tuple[Item, ...]
    price: int
    payees: tuple[tuple[Seat, int], ...]


class Market:
    """The cubes that one company can get in one position."""

    def __init__(self, rules: Rules, state: State, company: Seat) -> None:
        self.rules, self.state, self.company = rules, state, company

    @cached_property
    def railways(self) -> Railways:
        return self.rules.railways(self.state)

    @cached_property
    def network(self) -> frozenset[Group]:
        """The groups at which cubes may end (SP-R27)."""
        return self.railways.network(self.company)

    @cached_property
    def foreign(self) -> Mapping[Group, Sequence[tuple[Group, Link]]]:
        """Connections of others between groups; own ones all lie inside the network (SP-R49)."""
        found: dict[Group, list[tuple[Group, Link]]] = {}
        for link in self.railways.connections:
            a, b = (self.rules.groups[end] for end in link.ends)
            if link.owner != self.company and a != b:
                found.setdefault(a, []).append((b, link))
                found.setdefault(b, []).append((a, link))
        return found

    @cached_property
    def cheapest(self) -> Mapping[Group, tuple[Owners, ...]]:
        """The cheapest payee sets from every group that can be reached; each connection of another costs $1."""
        found: dict[Group, frozenset[Owners]] = dict.fromkeys(self.network, frozenset({()}))
        ring = set(self.network)
        while ring:
            beyond: dict[Group, set[Owners]] = {}
            for group in ring:
                for neighbour, link in self.foreign.get(group, ()):
                    if neighbour not in found:
                        sets = beyond.setdefault(neighbour, set())
                        sets.update(self.sorted((*owners, link.owner or "")) for owners in found[group])
            found.update({group: frozenset(sets) for group, sets in beyond.items()})
            ring = set(beyond)
        rank = self.state.companies.index
        return {g: tuple(sorted(sets, key=lambda owners: [*map(rank, owners)])) for g, sets in found.items()}

    def sorted(self, owners: Iterable[Seat]) -> Owners:
        return tuple(sorted(owners, key=self.state.companies.index))

    @cached_property
    def sources(self) -> Mapping[str, Sequence[Label]]:
        """The Cities with cubes of each colour that can be reached, nearest first."""
        found: dict[str, list[Label]] = {colour: [] for colour in COLOURS}
        for label, tile in self.state.cities.items():
            if tile.cubes and self.rules.groups[label] in self.cheapest:
                found[tile.colour].append(label)
        for labels in found.values():
            labels.sort(key=lambda label: self.fee(label) + len(self.cheapest[self.rules.groups[label]][0]))
        return found

    def fee(self, city: Label) -> int:
        """$1 for the owner of the factory unless it is the company."""
        return 0 if self.state.cities[city].factory == self.company else 1

    def price(self, item: Item) -> int:
        """Dollars for one cube."""
        return self.rules.bank_price if item.source is None else self.fee(item.source) + len(item.over)

    def way(self, items: Sequence[Item]) -> Way:
        paid: Counter[Seat] = Counter()
        for item in items:
            paid.update(item.over)
            if item.source is not None and self.fee(item.source):
                paid[self.state.cities[item.source].factory or ""] += 1
        owners = tuple((seat, paid[seat]) for seat in self.state.companies if paid[seat])
        return Way(tuple(items), sum(map(self.price, items)), owners)

    # lists --------------------------------------------------------------------------------------------

    def _colour_ways(self, colour: str, count: int) -> list[tuple[int, tuple[Item, ...]]]:
        """The ways to get so many cubes of one colour over cheapest payee sets, the cheapest first (SP-R33)."""
        items = [
            Item(colour, source, owners)
            for source in self.sources[colour]
            for owners in self.cheapest[self.rules.groups[source]]
        ]
        there = {source: self.state.cities[source].cubes for source in self.sources[colour]}
        taken = min(count, sum(there.values()))
        bank = (Item(colour, None),) * (count - taken)
        found = []
        for chosen in combinations_with_replacement(items, taken):
            if taken < 2 or all(n <= there[source or ""] for source, n in Counter(i.source for i in chosen).items()):
                found.append((sum(map(self.price, (*chosen, *bank))), (*chosen, *bank)))
        return sorted(found, key=lambda pair: pair[0])

    def ways(self, tile: ContractTile, most: int = MOST_WAYS) -> Iterator[Way]:
        """The ways to get all cubes, the cheapest first; whether they can be paid is not asked."""
        needs = Counter(tile.needs)
        lists = [self._colour_ways(colour, count) for colour, count in needs.items()]
        heap = [(sum(ways[0][0] for ways in lists), (0,) * len(lists))]
        seen = {heap[0][1]}
        for _ in range(most):
            if not heap:
                return
            _, at = heappop(heap)
            yield self.way([item for ways, place in zip(lists, at, strict=True) for item in ways[place][1]])
            for place, ways in enumerate(lists):
                after = (*at[:place], at[place] + 1, *at[place + 1 :])
                if after[place] < len(ways) and after not in seen:
                    seen.add(after)
                    heappush(heap, (sum(w[p][0] for w, p in zip(lists, after, strict=True)), after))

    def cheapest_ways(self, tile: ContractTile) -> list[Way]:
        """All ways that cost least (SP-R28)."""
        found: list[Way] = []
        for way in self.ways(tile):
            if found and way.price > found[0].price:
                break
            found.append(way)
        return found

    def payable(self, tile: ContractTile, cash: int) -> list[Way]:
        found = []
        for way in self.ways(tile):
            if way.price > cash:
                break
            found.append(way)
        return found


def amounts_said(way: Way) -> Say:
    shares = [say("${n} to {player}", n=n, player=Who(seat)) for seat, n in way.payees]
    bank = way.price - sum(n for _, n in way.payees)
    if bank:
        shares.append(say("${n} to the bank", n=bank))
    return say("{shares}", shares=tuple(shares)) if shares else say("free")


def items_said(market: Market, way: Way) -> tuple[Say, ...]:
    """Every cube with where it comes from and who is paid."""
    return cubes_said((told(market, item) for item in way.items), market.rules.bank_price)


def told(market: Market, item: Item) -> ToldItem:
    """An item as events tell it: with the owner of the factory where that costs something."""
    if item.source is None:
        return item.colour, None, (), None
    owner = market.state.cities[item.source].factory if market.fee(item.source) else None
    return item.colour, item.source, item.over, owner


# how an order pays; every function raises Refused or returns a refusal -----------------------------------------------


MOST_STEPS = 20_000
"""Steps of the search for a way that an order names and that is not a cheapest one."""
LISTED = 8


def ordered(market: Market, tile: ContractTile, order: Contract, cash: int) -> Way:
    """The way an order names or leaves to the server. Raises :class:`Refused`."""
    if order.items:
        way = _typed(market, tile, order.items)
    elif order.option is not None:
        way = _option(market, tile, order.option, cash)
    else:
        way = _only_cheapest(market, tile, cash)
    if way.price > cash:
        raise no(
            "SP-R31",
            "Contract {number} costs ${price} this way, and you have ${cash}; its own money comes afterwards.",
            number=tile.number,
            price=way.price,
            cash=cash,
        )
    return way


def _option(market: Market, tile: ContractTile, option: int, cash: int) -> Way:
    payable = market.payable(tile, cash)
    if not 1 <= option <= len(payable):
        raise no("", "There is no option {n}; there are {ways}.", n=option, ways=len(payable))
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
    raise Refused(Refusal(why, "SP-R28", asks=True))


def _typed(market: Market, tile: ContractTile, items: Sequence[Item]) -> Way:
    """Judge items in their order, each on what the ones before it left (SP-R33)."""
    if Counter(item.colour for item in items) != Counter(tile.needs):
        raise no(
            "Fulfil a Contract",
            "Contract {n} needs {needs}; the order names {named}.",
            n=tile.number,
            needs=tuple(map(Word, tile.needs)),
            named=tuple(Word(item.colour) for item in items),
        )
    left = {label: city.cubes for label, city in market.state.cities.items()}
    for item in items:
        raise_for(_refuse_item(market, item, left))
        if item.source is not None:
            left[item.source] -= 1
    return market.way([Item(item.colour, item.source, market.sorted(item.over)) for item in items])


def _refuse_item(market: Market, item: Item, left: Mapping[Label, int]) -> Refusal | None:
    sources = [source for source in market.sources[item.colour] if left[source]]
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


def _owners_said(owners: Owners) -> Say:
    return say("{owners}", owners=tuple(map(Who, owners))) if owners else say("nobody")
