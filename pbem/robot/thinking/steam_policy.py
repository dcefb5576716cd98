"""What a company does next in Steam Power, by figures that take a ten-thousandth of a second.

With these habits a game is played on in thought to its end; they also say which actions are worth that.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from pbem.robot.thinking.steam_figures import FAR, FLIPPED, POINT, PURPLE, Link, Table, Tile

BANK = 5
"""Dollars for a cube that no factory in reach has."""
FULL, BONUS_FACTORY = 5, (4, 5, 6)
"""Cubes of a new factory; those that one by a bonus may have."""
MOST_DOLLARS = 200
PLENTY = 5
"""Cubes of a colour that are missed as much as any more."""
NEEDS, DRAWS = 0.67, 0.3
"""Cubes of a colour that a contract needs on average; contracts that are drawn for each action that is left."""
ENDING = 6
"""Actions before the end when only a factory that is emptied at once counts."""
REMOTE = 5
"""Connections of others beyond which it does not matter how many there are."""
PAIRED = 2
"""Connections of one tile for which a second one is looked for."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Weights, in points where nothing else is said; those ending in ``_late`` count the last actions, in which what
    comes late is worth ever less, and those ending in ``_min`` the actions at the end in which it is worth nothing.

    Money: what it is worth to have any (``money``), and the dollars by which most of that is reached (``need``);
    ``cash``: besides. Contracts: their bonuses, ``cube`` for each from a factory, less ``regret`` a dollar. ``draw``:
    with an empty hand; ``draw_hand``: less for each contract of it. ``factory``; ``want``: for each of its cubes that
    will be missed; ``own``: for the company's own; ``dist``: less for each connection of others. ``future``: how much
    contracts count that are not drawn yet; ``pace``: cubes that are used in an action. ``opened``: the part of what
    factories are worth that counts when a connection leads to their City; ``reach``: a dollar saved on each cube
    there; ``site``: cubes that a place for a factory counts like; ``first``: a company's first connection.
    """

    money: float = 3.4
    need: float = 16.0
    money_late: float = 29.0
    bonus_track: float = 0.54
    bonus_factory: float = 1.2
    bonus_draw: float = 0.1
    bonus_late: float = 12.0
    cube: float = 0.3
    draw: float = 3.6
    draw_hand: float = 0.059
    draw_late: float = 7.3
    draw_min: float = 0.82
    factory: float = 0.51
    want: float = 0.49
    own: float = 0.31
    dist: float = 0.43
    factory_late: float = 6.7
    factory_min: float = 2.2
    future: float = 0.92
    pace: float = 2.1
    opened: float = 0.57
    reach: float = 0.05
    site: float = 2.6
    first: float = 1.1
    track_late: float = 9.1
    track_min: float = 4.0
    cash: float = -0.15
    regret: float = 0.074


HABITS = Habits()


class Action(NamedTuple):
    """Something a company can do; ``score``: what it seems to be worth in points, beside other actions.

    ``kind``: contract, factory, track, draw, cash or skip. ``sources``: Cities with how many cubes come from there.
    """

    score: float
    kind: str
    tile: Tile | None = None
    price: int = 0
    sources: tuple[tuple[int, int], ...] = ()
    city: int = -1
    cubes: int = FULL
    links: tuple[Link, ...] = ()


@lru_cache(maxsize=256)
def _dollars(left: int) -> tuple[float, ...]:
    """What so many dollars are worth with so many actions left."""
    if left <= 1:
        return tuple(float(cash // POINT) for cash in range(MOST_DOLLARS))
    worth = min(1.0, left / HABITS.money_late) * HABITS.money
    return tuple(cash / POINT + worth * (1 - math.exp(-cash / HABITS.need)) for cash in range(MOST_DOLLARS))


def _late(left: int, last: float, none: float = 0.0) -> float:
    return min(1.0, max(0.0, left - none) / last)


class Prospect:
    """What a company has before it. ``left``: actions with the present one; ``offers``: by colour what a cube costs,
    how many there are, in which City; ``sites``: what factories would be worth by the group of their City."""

    __slots__ = ("cash", "company", "far", "left", "offers", "sites", "supply", "table", "worth")

    def __init__(self, table: Table, company: int, left: int) -> None:
        self.table, self.company, self.left = table, company, left
        self.far, self.cash, self.worth = table.distances(company), table.cash, _dollars(left)
        land, far = table.land, self.far
        self.supply = supply = [0, 0, 0, 0]
        self.offers: list[list[tuple[int, int, int]]] = [[], [], [], []]
        self.sites: list[float] = []
        for city in table.land.sites:
            there = table.cubes[city]
            if there:
                colour, steps = land.colour[city], far[land.group[city]]
                supply[colour] += there
                if steps < FAR:
                    self.offers[colour].append((steps + (table.owner[city] != company), there, city))
        for row in self.offers:
            row.sort()

    def spent(self, price: int) -> float:
        """What dollars that are spent were worth, below 0."""
        return self.worth[min(MOST_DOLLARS - 1, self.cash - price)] - self.worth[min(MOST_DOLLARS - 1, self.cash)]

    # contracts ----------------------------------------------------------------------------------------

    def contracts(self) -> Iterator[Action]:
        """Those that can be paid, with the cheapest cubes."""
        late = _late(self.left - 1, HABITS.bonus_late)
        bonus = {"": 0.0, "track": HABITS.bonus_track, "factory": HABITS.bonus_factory, "contracts": HABITS.bonus_draw}
        for number in self.table.hand:
            tile = self.table.land.tiles[number]
            price, got, flips, sources = self._cubes(tile)
            if price <= self.cash:
                score = tile.points + self.spent(price - tile.money) + HABITS.cube * got - HABITS.regret * price
                score += bonus[tile.bonus] * late
                if self.left < ENDING:
                    score += flips * (FLIPPED - HABITS.cube * FULL)
                yield Action(score, "contract", tile, price, sources)

    def _cubes(self, tile: Tile) -> tuple[int, int, int, tuple[tuple[int, int], ...]]:
        """Price, cubes from own factories, own factories emptied, sources."""
        price = got = flips = 0
        sources: list[tuple[int, int]] = []
        for colour, count in enumerate(tile.needs):
            if count:
                for each, there, city in self.offers[colour]:
                    taken = there if there < count else count
                    price += taken * each
                    if self.table.owns(city):
                        got += taken
                        flips += taken == there
                    sources.append((city, taken))
                    count -= taken
                    if not count:
                        break
                price += BANK * count
        return price, got, flips, tuple(sources)

    # factories ----------------------------------------------------------------------------------------

    def factories(self) -> Iterator[Action]:
        """Factories in Cities to which a connection leads; notes what those of all others would be worth."""
        table, far, group = self.table, self.far, self.table.land.group
        late = _late(self.left, HABITS.factory_late, HABITS.factory_min)
        each = self._colours(late)
        self.sites = [0.0] * len(table.near)
        for city in table.land.sites:
            if table.owner[city] < 0:
                colour = table.land.colour[city]
                value = each[colour]
                self.sites[group[city]] += value
                if table.open >> group[city] & 1 and table.stock[colour]:
                    value += late * (HABITS.own - HABITS.dist * min(far[group[city]], REMOTE))
                    yield Action(value, "factory", city=city)

    def _colours(self, late: float) -> list[float]:
        """What a factory of each colour is worth."""
        table, demand = self.table, [0, 0, 0, 0]
        for number in table.hand:
            for colour, count in enumerate(table.land.tiles[number].needs):
                demand[colour] += count
        more = NEEDS * HABITS.future * min(table.bag, self.left * DRAWS)
        late *= min(1.0, max(0.0, self.left * HABITS.pace - sum(self.supply)) / PLENTY)
        return [
            late * (HABITS.factory + HABITS.want * min(PLENTY, max(0.0, demand[colour] + more - there)))
            if table.stock[colour]
            else 0.0
            for colour, there in enumerate(self.supply)
        ]

    # track --------------------------------------------------------------------------------------------

    def tracks(self) -> Iterator[Action]:
        table = self.table
        links = [link for link in table.links(self.company) if link.price <= self.cash]
        ready = [0] * len(table.near)
        for city in table.land.sites:
            ready[table.land.group[city]] += table.cubes[city]
        net, single = table.nets[self.company], []
        for link in links:
            value = self._track(link, net, ready)
            if link.tiles == 1:
                single.append((value, link))
            yield Action(value + self.spent(link.price), "track", links=(link,))
        single.sort(key=itemgetter(0), reverse=True)
        for value, link in single[:PAIRED]:
            second = self._second(link, links, ready)
            if second is not None:
                more, other = second
                yield Action(value + more, "track", links=(link, other))

    def _track(self, link: Link, net: int, ready: Sequence[int]) -> float:
        """What a connection is worth to a company with this network."""
        table = self.table
        late = _late(self.left, HABITS.track_late, HABITS.track_min)
        value = 0.0 if net else late * HABITS.first
        for end in link.way.ends:
            if table.land.colour[end] == PURPLE and not table.joined[end] >> self.company & 1:
                joined = table.joined[end]
                value += table.purple(joined | 1 << self.company) - table.purple(joined)
            group = table.land.group[end]
            if not net >> group & 1:
                if not table.open >> group & 1:
                    value += HABITS.opened * self.sites[group]
                steps = self.far[group] if self.far[group] < FAR else 3
                value += late * HABITS.reach * steps * (ready[group] + (HABITS.site if self.sites[group] else 0.0))
        return value

    def _second(self, link: Link, links: Iterable[Link], ready: Sequence[int]) -> tuple[float, Link] | None:
        """The best connection of one tile besides another, with what it is worth with the price of both."""
        table, group = self.table, self.table.land.group
        net = table.nets[self.company]
        grown = net | 1 << group[link.way.start] | 1 << group[link.way.goal]
        best: tuple[float, Link] | None = None
        for other in (*links, *self._beyond(link, net)):
            way = other.way
            apart = way.ends != link.way.ends and way.tiles[0][0] != link.way.tiles[0][0]
            if other.tiles > 1 or not apart or not grown & (1 << group[way.start] | 1 << group[way.goal]):
                continue
            price = link.price + other.price
            if price <= self.cash:
                value = self._track(other, grown, ready) + self.spent(price)
                if best is None or value > best[0]:
                    best = value, other
        return best

    def _beyond(self, link: Link, net: int) -> Iterator[Link]:
        """Connections of one tile that can be laid once another is there."""
        table = self.table
        for end in link.way.ends:
            group = table.land.group[end]
            if not net >> group & 1:
                for way in table.land.ways[group]:
                    if len(way.tiles) == 1 and (price := table.price(way)) < FAR:
                        yield Link(way, price, 1)


def options_of(table: Table, company: int, left: int, bonus: str = "") -> list[Action]:
    """All that a company can do. ``left``: actions with the present one; ``bonus``: the kind that is to be taken."""
    look = Prospect(table, company, left)
    found: list[Action] = []
    if not bonus:
        found += look.contracts()
        found.append(Action(look.spent(-table.dollars) + HABITS.cash, "cash"))
    if table.bag and bonus in ("", "contracts"):
        value = _late(left, HABITS.draw_late, HABITS.draw_min) * (HABITS.draw - HABITS.draw_hand * len(table.hand))
        found.append(Action(value, "draw"))
    if bonus != "contracts":
        factories = list(look.factories())
        found += factories if bonus != "track" else ()
    if bonus in ("", "track"):
        found += look.tracks()
    if bonus:
        found.append(Action(0.0, "skip"))
    return found


def carry_out(table: Table, company: int, action: Action, left: int) -> None:
    """Change a position by an action, and by the bonus of its contract."""
    kind = action.kind
    if kind == "contract" and action.tile is not None:
        table.fulfil(action.tile, action.price, action.sources)
        if action.tile.bonus:
            found = options_of(table, company, left, action.tile.bonus)
            carry_out(table, company, max(found, key=itemgetter(0)), left)
    elif kind == "cash":
        table.cash += table.dollars
    elif kind == "draw":
        table.draw()
    elif kind == "factory":
        table.found(company, action.city, action.cubes)
    else:
        for link in action.links:
            table.build(company, link)


def play_on(table: Table, trains: Iterable[int], left: int, turn: int) -> int:
    """Play to the end; the points then.

    ``trains``: companies in turn; ``turn``: actions after which a contract is lost, 0 where none is.
    """
    for company in trains:
        if not left:
            break
        carry_out(table, company, max(options_of(table, company, left), key=itemgetter(0)), left)
        left -= 1
        if turn and not left % turn:
            table.lay_aside()
    return table.score()
