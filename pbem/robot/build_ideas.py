"""Track as a robot plans it: ways over empty hexes on the printed board, and what could be delivered over them."""

import dataclasses
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise

from pbem.engine import Seat, replace
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.robot.thinking.characters import STANDARD
from pbem.robot.thinking.network import BONUS, LONGEST, Land, read_land
from pbem.robot.thinking.table import lying
from pbem.robot.walks import Part, Way, part_of, tile_price, walks

PLAN_TILES = 3


def ideas_on(scene: Scene, tiles: int = PLAN_TILES) -> Iterator[Way]:
    """Ways over empty hexes from a City to a City or town, as a person would find them with a finger."""
    cities = {hex_: plate.label for plate in scene.cities for hex_ in plate.hexes}
    for label, city in cities.items():
        for edge in scene.board.open_sides.get(label, ()):
            for steps, end in walks(scene.board, cities, (label, edge), tiles, partial(_outs, scene)):
                nodes = (city, *(hex_ for hex_, _, _ in steps if hex_ in scene.towns))
                if cities.get(end) != city:
                    parts = tuple(part_of(step, scene.towns) for step in steps)
                    yield Way((*nodes, cities[end]) if end in cities else nodes, parts, _price(scene, parts))


def _outs(scene: Scene, hex_: Label, entry: int) -> Iterator[int | None]:
    """The sides to which a way goes on in a hex that it enters over an edge; it can end in a town."""
    sides, town = scene.board.open_sides.get(hex_, ()), hex_ in scene.towns
    if entry not in sides or (hex_ in scene.track and not town):
        return
    if town:
        yield None
    yield from (out for turn in (2, 3, 4) if (out := (entry + turn) % 6) in sides)


def _price(scene: Scene, parts: Iterable[Part]) -> int:
    """Dollars that track will cost about, from the prices beside the picture."""
    return sum(tile_price(scene, scene.board.hexes[part.hex].terrain) + part.town for part in parts)


def links_of(scene: Scene, seat: Seat) -> Land:
    """The cubes on the board and the links of a seat; the plain robot takes no notice of Cities that nothing passes."""
    own = tuple(chain for chain in scene.chains if chain.complete and chain.owner == seat)
    land = read_land(replace(scene, chains=own), tuple(lying(scene)), strangers=0)
    return dataclasses.replace(land, closed=frozenset())


def gains(land: Land, seat: Seat, engine: int) -> list[int]:
    """Income steps of the best delivery of every cube over the seat's own links, the best first."""
    reaches = land.reaches(seat, min(engine, LONGEST), STANDARD)
    found = [int(reach.best[engine]) - BONUS.get(reach.colour, 0) for reach in reaches for _ in range(reach.count)]
    return sorted((steps for steps in found if steps > 0), reverse=True)


class Promises:
    """What the best deliveries would be with each of the plans of a seat; ways between the same nodes are alike."""

    def __init__(self, scene: Scene, seat: Seat, engine: int) -> None:
        self.land, self.seat, self.engine = links_of(scene, seat), seat, engine
        self.known: dict[tuple[object, ...], list[int]] = {}

    def of(self, plan: Way) -> list[int]:
        over = tuple(lead for lead in plan.leads() if lead[0] in self.land.cubes)
        key = plan.nodes, over
        if key not in self.known:
            self.known[key] = gains(self.land.joined(pairwise(plan.nodes), self.seat, over), self.seat, self.engine)
        return self.known[key]
