"""Links as a graph, and how far each cube could go over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.engine.moves import Seat
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.robot.thinking.table import CLOSED, Cubes

Owner = Seat | None
Graph = Mapping[Label, tuple[tuple[Label, Owner], ...]]
LONGEST = 6
"""Links that the largest engine pulls."""
BONUS = {"white": 1}
"""Colours whose delivery brings the mover more than the links do."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a cube could bring its mover, by the engine: ``best[e]`` with an engine of ``e`` links."""

    node: Label
    colour: str
    ready: int
    count: int
    best: tuple[float, ...]


@dataclass(frozen=True)
class Land:
    """The nodes of a position: the colours each takes as bits, those that nothing passes, and the links."""

    bits: Mapping[str, int]
    takes: Mapping[Label, int]
    closed: frozenset[Label]
    graph: Graph
    cubes: tuple[Cubes, ...]

    def joined(
        self, links: Iterable[tuple[Label, Label]], owner: Seat, over: Iterable[tuple[Label, Label]] = ()
    ) -> Land:
        """With new links of one owner. ``over``: hexes of new track, each with a node that the track leads to."""
        graph = dict(self.graph)
        for a, b in links:
            for here, there in ((a, b), (b, a)):
                known = graph.get(here, ())
                if (there, owner) not in known:
                    graph[here] = ((there, owner), *known)
        for hex_, node in over:
            graph[hex_] = (*graph.get(hex_, ()), (node, owner))
        return Land(self.bits, self.takes, self.closed, graph, self.cubes)

    def with_city(self, node: Label, colours: Iterable[str], cubes: tuple[Cubes, ...]) -> Land:
        """With a New City on a town, and the cubes that it will get."""
        taken = sum(self.bits.get(colour, 0) for colour in colours)
        return Land(self.bits, {**self.takes, node: taken}, self.closed, self.graph, (*self.cubes, *cubes))

    def reaches(self, seat: Seat, longest: int, strangers: int, cost: float) -> list[Reach]:
        """Every cube that the seat could deliver to its gain, now or with a larger engine.

        ``strangers``: links of others at the most on the way; ``cost``: what each of them takes from the worth.
        """
        by_node: dict[Label, list[Cubes]] = {}
        for cubes in self.cubes:
            if cubes.node in self.graph:
                by_node.setdefault(cubes.node, []).append(cubes)
        found = []
        for node, lying in by_node.items():
            alive = 0
            for cubes in lying:
                alive |= self.bits[cubes.colour]
            best = self._ways(seat, node, alive, min(longest, LONGEST), strangers, cost)
            for cubes in lying:
                ways = best.get(self.bits[cubes.colour])
                if ways is not None:
                    found.append(Reach(node, cubes.colour, cubes.ready, cubes.count, _rising(ways, cubes.colour)))
        return found

    def _ways(
        self, seat: Seat, start: Label, alive: int, longest: int, strangers: int, cost: float
    ) -> dict[int, list[float]]:
        graph, takes, closed = self.graph, self.takes, self.closed
        best: dict[int, list[float]] = {}
        visited = {start}

        def go(node: Label, depth: int, own: int, paid: int, alive: int) -> None:
            depth += 1
            for beyond, owner in graph[node]:
                if beyond in visited:
                    continue
                if owner == seat:
                    own_now, paid_now = own + 1, paid
                else:
                    own_now, paid_now = own, paid + (owner is not None)
                    if depth - own > strangers:
                        continue
                taken = takes.get(beyond, 0)
                hit = taken & alive
                if hit and own_now:
                    worth = own_now - cost * paid_now
                    while hit:
                        bit = hit & -hit
                        hit ^= bit
                        ways = best.get(bit)
                        if ways is None:
                            ways = best[bit] = [0.0] * (LONGEST + 1)
                        if worth > ways[depth]:
                            ways[depth] = worth
                rest = alive & ~taken
                if rest and depth < longest and beyond not in closed:
                    visited.add(beyond)
                    go(beyond, depth, own_now, paid_now, rest)
                    visited.discard(beyond)

        go(start, 0, 0, 0, alive)
        return best


def _rising(ways: list[float], colour: str) -> tuple[float, ...]:
    """The best for each engine, a larger one never worse."""
    most, rising = 0.0, []
    bonus = BONUS.get(colour, 0)
    for worth in ways:
        if worth > 0:
            most = max(most, worth + bonus)
        rising.append(most)
    return tuple(rising)


def read_land(scene: Scene, cubes: tuple[Cubes, ...]) -> Land:
    """The links and Cities of a position."""
    graph: dict[Label, tuple[tuple[Label, Owner], ...]] = {}

    def join(a: Label, b: Label, owner: Owner) -> None:
        for here, there in ((a, b), (b, a)):
            known = graph.get(here, ())
            if (there, owner) not in known:
                graph[here] = (*known, (there, owner))

    for chain in scene.chains:
        first, second = chain.ends
        if chain.complete and first is not None and second is not None:
            join(first, second, chain.owner)
        for piece in chain.pieces if scene.cubes else ():
            if piece.hex in scene.cubes and piece.hex not in scene.towns:
                for node in chain.ends:
                    if node is not None:
                        graph[piece.hex] = (*graph.get(piece.hex, ()), (node, chain.owner))
    for link in scene.links:
        if link.owner is not None or link.public:
            join(*link.joins, link.owner)
    colours = {colour for plate in scene.cities for colour in plate.colours} | {entry.colour for entry in cubes}
    colours |= {colour for new in scene.board.new_cities.values() for colour in new.colours}
    bits = {colour: 1 << number for number, colour in enumerate(sorted(colours))}
    takes = {plate.label: sum(bits[colour] for colour in plate.colours) for plate in scene.cities}
    closed = frozenset(plate.label for plate in scene.cities if plate.kind in CLOSED)
    return Land(bits, takes, closed, graph, cubes)
