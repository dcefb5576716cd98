"""Steam Power in figures that are quick to change: a position that is played on in thought.

Cities, groups and companies are numbers; a set of them is a number whose bits say who is in it. What is left out:
connections of more than two tiles, and the supply of tiles and pieces, which no game has used up.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

from pbem.rails.board import Board, Label
from pbem.rails.tiles import TILE_OF, Ends, ends
from pbem.robot.walks import TURNS, Step, part_of, walks

COLOURS = ("black", "white", "orange", "gray")
PURPLE = 4
"""The colour of victory Cities, after those of the others."""
A_TURN, CROSSING_PRICE = 2, 2
"""Tiles of an action; dollars for one that crosses track."""
POINT = 5
"""Dollars of a point in the end."""
FLIPPED, VICTORY_POINTS = 2, 4
"""Points of an emptied factory; those that all share whose track leads to a purple City."""
FAR = 99
"""Further than any way, and dearer."""
STOCK = 30
"""Cubes of each colour."""
DRAWN = 2
"""Contracts that a draw takes."""
CROSSINGS = frozenset(both for both, name in TILE_OF.items() if name.startswith("cross_"))
"""Segments of the tiles with which track crosses track."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A contract: its cubes by colour and in all, what it brings; ``bonus``: track, factory, contracts or nothing."""

    number: int
    needs: tuple[int, ...]
    cubes: int
    money: int
    points: int
    bonus: str


@dataclass(frozen=True, slots=True)
class Way:
    """One or two tiles that join two Cities.

    ``prices``: of the tiles on empty hexes; ``least``: the least it can cost; ``orders``: the tiles as they are named.
    """

    start: int
    goal: int
    ends: tuple[int, int]
    tiles: tuple[tuple[Label, Ends], ...]
    prices: tuple[int, ...]
    least: int
    orders: tuple[str, ...]


class Link(NamedTuple):
    """A way with its price as the track lies."""

    way: Way
    price: int
    tiles: int


@dataclass(frozen=True, slots=True)
class Land:
    """What no action changes: labels, colours and groups of the Cities, the contracts, and how many companies play.

    ``ways``: by the group in which they begin, the shortest and cheapest first. ``own``: the companies whose points
    count: all in the game for one.
    """

    labels: tuple[Label, ...]
    colour: tuple[int, ...]
    group: tuple[int, ...]
    ways: tuple[tuple[Way, ...], ...]
    tiles: Mapping[int, Tile]
    companies: int
    own: int
    sites: tuple[int, ...]
    purple: tuple[int, ...]

    @property
    def alone(self) -> bool:
        return self.own == (1 << self.companies) - 1


class Table:
    """A position, changed by what is done.

    ``points``: of contracts; ``flipped``: emptied own factories; ``dollars``: what a cash action takes;
    ``waiting``: the contracts in the order in which they will be drawn, of which the bag still holds ``bag``;
    ``nets``: the groups of each company; ``open``: of all; ``near``: the groups next to each group; ``joined``: the
    companies at every City; ``unfinished``: companies with an incomplete connection, and all ways to complete it in an
    action.
    """

    def __init__(self, land: Land) -> None:
        count = len(land.labels)
        self.land = land
        self.cash = self.dollars = self.points = self.flipped = self.open = self.bag = 0
        self.hand: list[int] = []
        self.waiting: list[int] = []
        self.cubes = [0] * count
        self.owner = [-1] * count
        self.joined = [0] * count
        self.nets = [0] * land.companies
        self.near = [0] * len(land.ways)
        self.stock = [STOCK] * len(COLOURS)
        self.track: dict[Label, tuple[Ends, ...]] = {}
        self.unfinished: dict[int, tuple[Way, ...]] = {}
        self._far: list[list[int] | None] = [None] * land.companies
        self._links: list[list[Link] | None] = [None] * land.companies

    def copy(self) -> Self:
        """A position of its own that begins like this one."""
        new = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(new, name, value.copy())
        return new

    def score(self) -> int:
        cities = sum(self.purple(self.joined[city]) for city in self.land.purple)
        return self.points + FLIPPED * self.flipped + cities + self.cash // POINT

    def purple(self, joined: int) -> int:
        """Points of a purple City to which these companies lead."""
        if self.land.alone:
            return joined.bit_count()
        return VICTORY_POINTS // joined.bit_count() if joined & self.land.own else 0

    def owns(self, city: int) -> bool:
        """Whether an own factory is there."""
        return self.owner[city] >= 0 and bool(self.land.own >> self.owner[city] & 1)

    def distances(self, company: int) -> list[int]:
        """How many connections of others lie between the network of a company and every group."""
        known = self._far[company]
        if known is not None:
            return known
        far = self._far[company] = [FAR] * len(self.near)
        seen = ring = self.nets[company]
        steps = 0
        while ring:
            beyond = 0
            while ring:
                group = (ring & -ring).bit_length() - 1
                far[group] = steps
                beyond |= self.near[group]
                ring &= ring - 1
            ring = beyond & ~seen
            seen |= ring
            steps += 1
        return far

    # track --------------------------------------------------------------------------------------------

    def links(self, company: int) -> list[Link]:
        """The connections that a company can lay in an action, the best one between each two Cities."""
        known = self._links[company]
        if known is not None:
            return known
        best: dict[tuple[int, int], Link] = {}
        if company in self.unfinished:
            for way in self.unfinished[company]:
                self._offer(best, way)
        else:
            net = self.nets[company]
            for group, ways in enumerate(self.land.ways):
                if not net or net >> group & 1:
                    for way in ways:
                        self._offer(best, way)
        found = self._links[company] = list(best.values())
        return found

    def _offer(self, best: dict[tuple[int, int], Link], way: Way) -> None:
        known, tiles = best.get(way.ends), len(way.tiles)
        if known is not None and (known.tiles, known.price) <= (tiles, way.least):
            return
        price = self.price(way)
        if price < FAR and (known is None or (tiles, price) < (known.tiles, known.price)):
            best[way.ends] = Link(way, price, tiles)

    def price(self, way: Way) -> int:
        """Dollars for a way as the track lies, ``FAR`` where it cannot be laid."""
        total = 0
        for number, (hex_, new) in enumerate(way.tiles):
            old = self.track.get(hex_)
            if old is None:
                total += way.prices[number]
            elif len(old) == 1 and frozenset((old[0], new)) in CROSSINGS:
                total += CROSSING_PRICE
            else:
                return FAR
        return total

    def build(self, company: int, link: Link) -> None:
        for hex_, new in link.way.tiles:
            self.track[hex_] = (*self.track.get(hex_, ()), new)
        self.cash -= link.price
        self.unfinished.pop(company, None)
        self.join(company, link.way.start, link.way.goal)

    def join(self, company: int, start: int, goal: int) -> None:
        """A connection of two Cities is complete."""
        a, b = self.land.group[start], self.land.group[goal]
        both = 1 << a | 1 << b
        self.nets[company] |= both
        self.open |= both
        self.near[a] |= 1 << b
        self.near[b] |= 1 << a
        self.joined[start] |= 1 << company
        self.joined[goal] |= 1 << company
        self._far = [None] * len(self.nets)
        self._links = [None] * len(self.nets)

    # other actions ------------------------------------------------------------------------------------

    def found(self, company: int, city: int, cubes: int) -> None:
        """Place a factory, with as many cubes as there are."""
        colour = self.land.colour[city]
        cubes = min(cubes, self.stock[colour])
        self.owner[city], self.cubes[city] = company, cubes
        self.stock[colour] -= cubes

    def draw(self) -> None:
        count = min(DRAWN, self.bag)
        self.hand += self.waiting[:count]
        del self.waiting[:count]
        self.bag -= count

    def lay_aside(self) -> None:
        """A turn ends: a contract is lost unseen."""
        if self.bag:
            self.bag -= 1
            del self.waiting[:1]

    def fulfil(self, tile: Tile, price: int, sources: Sequence[tuple[int, int]]) -> None:
        """Fulfil a contract; ``sources``: Cities with how many cubes come from there."""
        self.cash += tile.money - price
        self.points += tile.points
        self.hand.remove(tile.number)
        for city, count in sources:
            self.cubes[city] -= count
            self.stock[self.land.colour[city]] += count
            self.flipped += not self.cubes[city] and self.owns(city)


# the board ----------------------------------------------------------------------------------------------


def ways_of(board: Board, cities: Mapping[Label, int], prices: Mapping[Label, int]) -> tuple[Way, ...]:
    """All ways of one or two tiles between two Cities, the shortest and cheapest first.

    ``cities``: their numbers, of every City hex; ``prices``: of every hex.
    """
    found: list[Way] = []
    for hex_, start in cities.items():
        for edge in sorted(board.open_sides.get(hex_, ())):
            found += ways_from(board, cities, prices, start, (hex_, edge))
    return tuple(sorted(found, key=lambda way: (len(way.tiles), way.least, sum(way.prices))))


def ways_from(
    board: Board, cities: Mapping[Label, int], prices: Mapping[Label, int], start: int, side: tuple[Label, int]
) -> Iterator[Way]:
    """The ways from a City over one side of a hex, to which track from that City leads."""
    for steps, end in walks(board, cities, side, A_TURN, partial(_outs, board)):
        if cities[end] != start:
            yield _way(board, prices, start, cities[end], steps)


def _way(board: Board, prices: Mapping[Label, int], start: int, goal: int, steps: Sequence[Step]) -> Way:
    each = tuple(prices[label] for label, _, _ in steps)
    return Way(
        start,
        goal,
        (min(start, goal), max(start, goal)),
        tuple((label, ends(entry, out)) for label, entry, out in steps if out is not None),
        each,
        sum(min(CROSSING_PRICE, price) for price in each),
        tuple(part_of(step).typed(board) for step in steps),
    )


def _outs(board: Board, hex_: Label, entry: int) -> Iterator[int]:
    for out in ((entry + turn) % 6 for turn in TURNS):
        if out in board.open_sides.get(hex_, ()):
            yield out
