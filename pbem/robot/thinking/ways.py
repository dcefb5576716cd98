"""Ways on which new track could make links: over empty land, through towns, across the track of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from pbem.engine import Seat, replace
from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN, opposite
from pbem.rails.scene import CityPlate, Scene
from pbem.rails.tiles import TOWN_TILE_OF, Ends, ends
from pbem.robot.walks import TURNS, Part, Step, Way, beside, part_of, walks

Price = Callable[[Label, tuple[Ends, ...]], int]
"""Dollars for new track on a hex."""
KEPT = 2
"""Ways that are kept between the same nodes, the cheapest first."""


class Open(NamedTuple):
    """New track from a City that ends at a side of a hex."""

    city: Label
    parts: tuple[Part, ...]
    cost: int
    side: tuple[Label, int]


class Begun(NamedTuple):
    """A link that takes two turns: what is laid first with its cost, and the rest between the nodes of the whole."""

    first: tuple[Part, ...]
    price: int
    rest: Way

    @property
    def cost(self) -> int:
        return self.price + self.rest.cost


class Finder:
    """Finds ways for a seat; the judge has the last word on them."""

    def __init__(self, scene: Scene, seat: Seat, tiles: int, price_of: Price) -> None:
        self.scene, self.seat, self.tiles, self.price_of = scene, seat, tiles, price_of
        self.prices: dict[Part, int] = {}
        self.board: Board = scene.board
        self.city = {hex_: plate.label for plate in scene.cities for hex_ in plate.hexes}
        self.found: dict[tuple[Label, ...], list[Way]] = {}
        self.with_cities: dict[Label, Finder] = {}
        self.mine = {
            frozenset((a, b))
            for chain in scene.chains
            if chain.complete and chain.owner == seat
            for a, b in [chain.ends]
        }
        self.sections: dict[tuple[Label, int], Label] = {
            (hex_, edge): chain.anchor
            for chain in scene.chains
            if chain.owner in (None, seat) and chain.anchor is not None and not chain.complete
            for hex_, edge in chain.open
        }
        """The anchors of unfinished sections that the seat may go on with, by their free ends."""

    @cached_property
    def ways(self) -> list[Way]:
        """The cheapest ways between every two nodes, and special links."""
        for hex_, city in self.city.items():
            self._leave(hex_, city)
        for label in self.scene.towns:
            self._leave_town(label)
        for (hex_, edge), anchor in self.sections.items():
            self._walk(anchor, hex_, edge)
        return [way for kept in self.found.values() for way in kept] + list(self._special())

    @cached_property
    def begun(self) -> list[Begun]:
        """The cheapest links between every two Cities that take the tiles of this turn and some of the next."""
        linked = self.mine.union(frozenset(way.nodes) for way in self.ways)
        firsts, seconds = list[Open](), dict[tuple[Label, int], list[Open]]()
        for hex_, city in self.city.items():
            for edge in sorted(self.board.open_sides.get(hex_, ())):
                for way in self._open(city, hex_, edge):
                    if len(way.parts) == self.tiles:
                        firsts.append(way)
                    seconds.setdefault(way.side, []).append(way)
        cheapest: dict[tuple[Label, Label], Begun] = {}
        for first in firsts:
            hex_, edge = first.side
            beyond = self.board.neighbours[hex_][edge]
            for second in seconds.get((beyond, opposite(edge)), ()) if beyond is not None else ():
                ends = first.city, second.city
                if ends[0] == ends[1] or frozenset(ends) in linked:
                    continue
                known = cheapest.get(ends)
                if known is not None and known.cost <= first.cost + second.cost:
                    continue
                if {part.hex for part in first.parts}.isdisjoint(part.hex for part in second.parts):
                    cheapest[ends] = Begun(first.parts, first.cost, Way(ends, second.parts, second.cost))
        return sorted(cheapest.values(), key=lambda begun: (begun.cost, begun.rest.nodes))

    def _open(self, city: Label, hex_: Label, edge: int, laid: tuple[Part, ...] = (), cost: int = 0) -> Iterator[Open]:
        """New track over a side of a hex that ends open, on land without a node."""
        beyond, entry = self.board.neighbours[hex_][edge], opposite(edge)
        if beyond is None or beyond in self.city or beyond in self.scene.towns:
            return
        if any(part.hex == beyond for part in laid):
            return
        for out in self._outs(beyond, entry):
            if out is not None:
                part = Part(beyond, (min(entry, out), max(entry, out)), town=False)
                parts, price = (*laid, part), cost + self.price(part)
                yield Open(city, parts, price, (beyond, out))
                if len(parts) < self.tiles:
                    yield from self._open(city, beyond, out, parts, price)

    def with_city(self, town: Label) -> Finder:
        """The same with a New City on a town: only the ways that touch it are looked for anew, and once."""
        if town not in self.with_cities:
            self.with_cities[town] = self._with_city(town)
        return self.with_cities[town]

    def _with_city(self, town: Label) -> Finder:
        scene = self.scene
        towns = {label: name for label, name in scene.towns.items() if label != town}
        cities = (*scene.cities, CityPlate(town, (town,), "", ()))
        other = Finder(replace(scene, cities=cities, towns=towns), self.seat, self.tiles, self.price_of)
        for way in self.ways:
            if town not in way.nodes and not way.link and all(part.hex != town for part in way.parts):
                other.found.setdefault(min(way.nodes, way.nodes[::-1]), []).append(way)
        other._leave(town, town)
        other.ways = [way for kept in other.found.values() for way in kept] + [way for way in self.ways if way.link]
        return other

    def _leave(self, hex_: Label, city: Label) -> None:
        for edge in sorted(self.board.open_sides.get(hex_, ())):
            self._walk(city, hex_, edge)

    def _leave_town(self, label: Label) -> None:
        """All ways out of a town that own track leads to."""
        track = self.scene.track.get(label, ())
        if any(segment.owner == self.seat for segment in track):
            for edge in self.board.open_sides.get(label, frozenset()) - {segment.b for segment in track}:
                if self._free(label, edge):
                    self._walk(label, label, edge, ((label, edge, None),))

    def _special(self) -> Iterator[Way]:
        connections = self.board.connections
        for link in self.scene.links:
            if link.owner is None and not link.public and link.price is not None and link.id in connections:
                name = connections[link.id].name
                twins = sum(1 for other in connections.values() if other.name == name)
                order = f"link {name} {link.price}" if twins > 1 else f"link {name}"
                yield Way(link.joins, (), link.price, order)

    def _walk(self, start: Label, hex_: Label, edge: int, begun: tuple[Step, ...] = ()) -> None:
        """Keep the ways from a node over a side of a hex."""
        towns = self.scene.towns
        for steps, end in walks(self.board, self.city, (hex_, edge), self.tiles, self._outs, begun):
            nodes = (start, *(label for label, _, _ in steps[len(begun) :] if label in towns))
            if end in self.city:
                self._arrive((*nodes, self.city[end]), steps)
            elif end in towns:
                self._arrive(nodes, steps)
            elif len(steps) > 1:
                *laid, (_, entry, _) = steps
                self._arrive((*nodes, self.sections[end, entry]), laid)

    def _outs(self, hex_: Label, entry: int) -> Iterator[int | None]:
        """The sides to which new track from ``entry`` can go; round a curve only near a node. It can end in a town, and
        where it meets an unfinished section of its own or of nobody."""
        sides = self.board.open_sides.get(hex_, frozenset())
        if entry not in sides:
            return
        if hex_ in self.scene.towns:
            before = frozenset(segment.b for segment in self.scene.track.get(hex_, ()))
            if entry in before or before | {entry} not in TOWN_TILE_OF:
                return
            yield None
            for out in ((entry + turn) % 6 for turn in TURNS):
                fits = out in sides and out not in before and before | {entry, out} in TOWN_TILE_OF
                if fits and self._free(hex_, out):
                    yield out
            return
        if (hex_, entry) in self.sections:
            yield None
        for out in beside(self.scene, hex_, entry):
            if self._free(hex_, out) and ((out - entry) % 6 in (2, 3, 4) or self._near_node(hex_, out)):
                yield out

    def _free(self, hex_: Label, edge: int) -> bool:
        """Whether no track of somebody else comes to this side from beyond."""
        beyond = self.board.neighbours[hex_][edge]
        if beyond is None:
            return False
        for segment in self.scene.track.get(beyond, ()) if beyond not in self.city else ():
            if opposite(edge) in segment.ends and segment.owner not in (None, self.seat):
                return False
        return True

    def _near_node(self, hex_: Label, edge: int) -> bool:
        beyond = self.board.neighbours[hex_][edge]
        return beyond in self.city or beyond in self.scene.towns

    def _arrive(self, nodes: tuple[Label, ...], steps: Iterable[Step]) -> None:
        if len(set(nodes)) < len(nodes) or all(frozenset(pair) in self.mine for pair in pairwise(nodes)):
            return
        found = [part_of(step, self.scene.towns) for step in steps]
        parts = tuple(Part(part.hex, tuple(sorted(part.edges)), part.town) for part in found)
        way = Way(nodes, parts, sum(map(self.price, parts)))
        key = min(nodes, nodes[::-1])
        kept = self.found.setdefault(key, [])
        if len(kept) == KEPT and way.cost >= kept[-1].cost:
            return
        if any(
            {part.hex for part in other.parts} == {part.hex for part in parts} and other.cost <= way.cost
            for other in kept
        ):
            return
        kept.append(way)
        kept.sort(key=attrgetter("cost"))
        del kept[KEPT:]

    def price(self, part: Part) -> int:
        """Dollars for a part, not yet taking off what a whole build has taken off."""
        price = self.prices.get(part)
        if price is None:
            added = tuple((TOWN, edge) for edge in part.edges) if part.town else (ends(*part.edges),)
            price = self.prices[part] = self.price_of(part.hex, added)
        return price


def merged(ways: tuple[Way, ...]) -> tuple[Part, ...] | None:
    """The parts of several ways as placements, towns with all their exits; ``None`` when they want the same hex."""
    parts: dict[Label, Part] = {}
    for way in ways:
        for part in way.parts:
            known = parts.get(part.hex)
            if known is None:
                parts[part.hex] = part
            elif known.town and part.town:
                parts[part.hex] = Part(part.hex, tuple(sorted({*known.edges, *part.edges})), town=True)
            else:
                return None
    return tuple(parts.values())


def hung(
    ways: tuple[Way, ...], barred: frozenset[Label], owned: frozenset[Label], *, together: bool
) -> tuple[Way, ...] | None:
    """The ways in an order, and each from the end, in which they may be laid; ``None`` when they hang on nothing.

    ``barred``: where new track may not begin. ``owned``: nodes at which the builder has track. ``together``: as long as
    it has none, all its track must hang together.
    """
    if not barred:
        return ways
    reached, rest, laid = set(owned), list(ways), list[Way]()

    def begins(node: Label) -> bool:
        first = together and reached and not owned
        return node in reached or (node not in barred and not first)

    while rest:
        for way in rest:
            if way.link or begins(way.nodes[0]):
                laid.append(way)
            elif begins(way.nodes[-1]):
                laid.append(way.turned())
            else:
                continue
            reached.update(way.nodes)
            rest.remove(way)
            break
        else:
            return None
    return tuple(laid)
