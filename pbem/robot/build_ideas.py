"""Track as a robot plans it: ways over empty hexes on the printed board, and what could be delivered over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from pbem.rails.board import Label
from pbem.rails.hexes import opposite
from pbem.rails.scene import Scene

PLAN_TILES = 3
DOLLARS = re.compile(r"\$(\d+)")
TILE_PRICE = 2
"""Dollars for a tile where the picture does not say."""


@dataclass(frozen=True, slots=True)
class BuildIdea:
    """Steps of a build that make links between the nodes in their order. ``hexes``: one for each step."""

    steps: tuple[str, ...]
    nodes: tuple[Label, ...]

    @property
    def hexes(self) -> tuple[Label, ...]:
        return tuple(step.partition(" ")[0] for step in self.steps)


def ideas_on(scene: Scene, tiles: int = PLAN_TILES) -> Iterator[BuildIdea]:
    """Ways over empty hexes from a City to a City or town, as a person would find them with a finger."""
    nodes = {hex_: plate.label for plate in scene.cities for hex_ in plate.hexes}
    for label, city in nodes.items():
        for edge in scene.board.open_sides.get(label, ()):
            beyond = scene.board.neighbours[label][edge]
            if beyond is not None:
                yield from _ways(scene, nodes, tiles, (beyond, opposite(edge)), (), (city,), (label,))


def _ways(
    scene: Scene,
    nodes: Mapping[Label, Label],
    left: int,
    at: tuple[Label, int],
    steps: tuple[str, ...],
    passed: tuple[Label, ...],
    seen: tuple[Label, ...],
) -> Iterator[BuildIdea]:
    """The ways that go on into a hex over one of its edges, with so many tiles left."""
    (label, entry), board = at, scene.board
    if entry not in board.open_sides.get(label, ()):
        return
    if (node := nodes.get(label)) is not None:
        if steps and node not in passed:
            yield BuildIdea(steps, (*passed, node))
        return
    town, names = label in scene.towns, board.directions
    if label in seen or not left or _is_built(scene, label):
        return
    if town:
        passed = (*passed, label)
        yield BuildIdea((*steps, f"{label} @{names[entry]}"), passed)
    for edge in ((entry + turn) % 6 for turn in (2, 3, 4)):
        beyond = _beyond(scene, label, edge)
        if beyond is not None and (left > 1 or beyond in nodes):  # with the last tile a way has to end
            here = f"{label} @{names[entry]},{names[edge]}" if town else f"{label} {names[entry]}-{names[edge]}"
            yield from _ways(scene, nodes, left - 1, (beyond, opposite(edge)), (*steps, here), passed, (*seen, label))


def _is_built(scene: Scene, label: Label) -> bool:
    return label in scene.track and label not in scene.towns


def _beyond(scene: Scene, label: Label, edge: int) -> Label | None:
    """The hex over an edge, if track may cross it."""
    return scene.board.neighbours[label][edge] if edge in scene.board.open_sides[label] else None


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
