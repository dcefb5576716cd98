"""Track as a robot plans it: ways over empty hexes on the printed board, and what could be delivered over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.robot.walks import Step, named, walks

PLAN_TILES = 3
DOLLARS = re.compile(r"\$(\d+)")
TILE_PRICE = 2
"""Dollars for a tile where the picture does not say."""


@dataclass(frozen=True, slots=True)
class BuildIdea:
    """Tiles of a build that make links between the nodes in their order."""

    steps: tuple[Step, ...]
    nodes: tuple[Label, ...]

    @property
    def hexes(self) -> tuple[Label, ...]:
        return tuple(label for label, _, _ in self.steps)

    def order(self, scene: Scene, word: str = "build") -> str:
        return f"{word} {'; '.join(named(scene.board, self.steps, scene.towns))}"


def ideas_on(scene: Scene, tiles: int = PLAN_TILES) -> Iterator[BuildIdea]:
    """Ways over empty hexes from a City to a City or town, as a person would find them with a finger."""
    cities = {hex_: plate.label for plate in scene.cities for hex_ in plate.hexes}
    for label, city in cities.items():
        for edge in scene.board.open_sides.get(label, ()):
            for steps, end in walks(scene.board, cities, (label, edge), tiles, partial(_outs, scene)):
                passed = (city, *(hex_ for hex_, _, _ in steps if hex_ in scene.towns))
                if end not in cities:
                    yield BuildIdea(steps, passed)
                elif cities[end] != city:
                    yield BuildIdea(steps, (*passed, cities[end]))


def _outs(scene: Scene, hex_: Label, entry: int) -> Iterator[int | None]:
    """The sides to which a way goes on in a hex that it enters over an edge; it can end in a town."""
    sides, town = scene.board.open_sides.get(hex_, ()), hex_ in scene.towns
    if entry not in sides or (hex_ in scene.track and not town):
        return
    if town:
        yield None
    yield from (out for turn in (2, 3, 4) if (out := (entry + turn) % 6) in sides)


@dataclass(frozen=True, slots=True)
class Network:
    """The links of a player: per node the nodes they lead to, and the hexes of each link (with both its nodes)."""

    beyond: Mapping[Label, frozenset[Label]]
    stretches: tuple[tuple[Label, Label, tuple[Label, ...]], ...] = ()

    def joined(self, plan: BuildIdea) -> Network:
        """The links with those that a plan makes."""
        beyond = dict(self.beyond)
        for a, b in pairwise(plan.nodes):
            beyond[a] = beyond.get(a, frozenset()) | {b}
            beyond[b] = beyond.get(b, frozenset()) | {a}
        stretches = (*self.stretches, *_stretches(plan))
        return Network(beyond, stretches)


def _stretches(plan: BuildIdea) -> Iterator[tuple[Label, Label, tuple[Label, ...]]]:
    """The hexes of a plan between two nodes that follow each other."""
    nodes, hexes = list(plan.nodes[1:]), list[Label]()
    at = plan.nodes[0]
    for hex_ in plan.hexes:
        if nodes and hex_ == nodes[0]:
            yield at, hex_, tuple(hexes)
            at, hexes = nodes.pop(0), []
        else:
            hexes.append(hex_)
    if nodes and hexes:
        yield at, nodes[0], tuple(hexes)


def network(scene: Scene, seat: str) -> Network:
    """The links of a seat, special ones too."""
    found = Network({})
    for chain in scene.chains:
        first, second = chain.ends
        if chain.complete and chain.owner == seat and first is not None and second is not None:
            hexes = tuple(piece.hex for piece in chain.pieces if piece.hex not in chain.ends)
            joined = found.joined(BuildIdea((), (first, second)))
            found = Network(joined.beyond, (*found.stretches, (first, second, hexes)))
    for link in scene.links:
        if link.owner == seat:
            found = found.joined(BuildIdea((), link.joins))
    return found


@dataclass(frozen=True, slots=True)
class Goods:
    """What lies on the board. ``nodes``: cubes on Cities and towns; ``hexes``: on other hexes; ``takes`` per City."""

    nodes: Mapping[Label, tuple[str, ...]]
    hexes: Mapping[Label, tuple[str, ...]]
    takes: Mapping[Label, tuple[str, ...]]


def goods(scene: Scene) -> Goods:
    nodes = {plate.label: plate.cubes for plate in scene.cities if plate.cubes}
    nodes |= {label: cubes for label, cubes in scene.cubes.items() if label in scene.towns}
    hexes = {label: cubes for label, cubes in scene.cubes.items() if label not in nodes}
    return Goods(nodes, hexes, {plate.label: plate.colours for plate in scene.cities})


def gains(there: Goods, links: Network, engine: int) -> list[int]:
    """Income steps of the best delivery of every cube that can be delivered over these links, the best first."""
    best = [
        max(_lengths(links, there.takes, (label,), cube, engine), default=0)
        for label, cubes in there.nodes.items()
        if label in links.beyond
        for cube in cubes
    ]
    for first, second, hexes in links.stretches if there.hexes else ():
        for cube in (cube for hex_ in hexes for cube in there.hexes.get(hex_, ())):
            best.append(max(_from_track(links, there, first, second, cube, engine), default=0))
    return sorted(filter(None, best), reverse=True)


def _from_track(links: Network, there: Goods, first: Label, second: Label, cube: str, engine: int) -> Iterator[int]:
    """Lengths of the ways of a cube that lies on the track between two nodes; the stretch to a node is one link."""
    for away, node in ((first, second), (second, first)):
        if cube in there.takes.get(node, ()):
            yield 1
        elif engine > 1:
            yield from _lengths(links, there.takes, (away, node), cube, engine)


def _lengths(
    links: Network, takes: Mapping[Label, tuple[str, ...]], start: tuple[Label, ...], cube: str, engine: int
) -> Iterator[int]:
    """Lengths of the ways a cube could go on over these links; it stops at the first City that takes it."""
    ways = [start]
    while ways:
        way = ways.pop()
        for node in links.beyond[way[-1]]:
            if node in way:
                continue
            if cube in takes.get(node, ()):
                yield len(way)
            elif len(way) < engine:
                ways.append((*way, node))


def price(scene: Scene, plan: BuildIdea) -> int:
    """Dollars a plan will cost about, from the prices beside the picture."""
    terrain = scene.board.hexes
    return sum(tile_price(scene, terrain[hex_].terrain) + (hex_ in scene.towns) for hex_ in plan.hexes)


def tile_price(scene: Scene, terrain: str = "plain") -> int:
    """Dollars for a tile on this terrain as the picture says."""
    found = DOLLARS.search(scene.prices.get(terrain) or scene.prices.get("plain", ""))
    return int(found[1]) if found else TILE_PRICE
