"""Links as a graph, and how far each cube could go over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.engine.moves import Seat
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.robot.thinking.table import CLOSED, Cubes
from pbem.robot.thinking.weights import Weights

Owner = Seat | None
Graph = Mapping[Label, tuple[tuple[Label, Owner], ...]]
Pair = tuple[Label, Label]
STRANGERS = 1
"""Links of others on a way that is thought of."""
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


Found = tuple[tuple[Reach, ...], frozenset[Label]]
"""What the cubes of a node could bring, and the nodes that they could come to."""


@dataclass(frozen=True)
class Land:
    """The nodes of a position: the colours each takes as bits, those that nothing passes, and the links.

    ``parent``, ``changed``: the land that this one has grown from, and the nodes at which they differ; what cannot come
    to any of them is not looked at again.
    """

    bits: Mapping[str, int]
    takes: Mapping[Label, int]
    closed: frozenset[Label]
    graph: Graph
    cubes: Mapping[Label, tuple[Cubes, ...]]
    parent: Land | None = None
    changed: frozenset[Label] = frozenset()
    known: dict[tuple[Seat, int], dict[Label, Found]] = field(default_factory=dict)

    def joined(self, links: Iterable[Pair], owner: Seat, over: Iterable[Pair] = ()) -> Land:
        """With new links of one owner. ``over``: hexes of new track, each with a node that the track leads to."""
        graph = dict(self.graph)
        changed = set()
        for a, b in links:
            for here, there in ((a, b), (b, a)):
                known = graph.get(here, ())
                changed.add(here)
                if (there, owner) not in known:
                    graph[here] = ((there, owner), *known)
        for hex_, node in over:
            changed.add(hex_)
            graph[hex_] = (*graph.get(hex_, ()), (node, owner))
        return Land(self.bits, self.takes, self.closed, graph, self.cubes, self, frozenset(changed))

    def with_city(self, node: Label, colours: Iterable[str], cubes: tuple[Cubes, ...]) -> Land:
        """With a New City on a town, and the cubes that it will get."""
        taken = sum(self.bits.get(colour, 0) for colour in colours)
        lying = {**self.cubes, node: (*self.cubes.get(node, ()), *cubes)}
        return Land(self.bits, {**self.takes, node: taken}, self.closed, self.graph, lying, self, frozenset({node}))

    def with_cubes(self, cubes: Cubes) -> Land:
        """With cubes more in one place; those of a colour that no City takes make no difference."""
        if cubes.colour not in self.bits:
            return self
        lying = {**self.cubes, cubes.node: (*self.cubes.get(cubes.node, ()), cubes)}
        return Land(self.bits, self.takes, self.closed, self.graph, lying, self, frozenset({cubes.node}))

    def reaches(self, seat: Seat, longest: int, weights: Weights) -> list[Reach]:
        """Every cube that the seat could deliver to its gain, now or with a larger engine."""
        return [reach for found, _ in self._found(seat, min(longest, LONGEST), weights).values() for reach in found]

    def _found(self, seat: Seat, longest: int, weights: Weights) -> dict[Label, Found]:
        found = self.known.get((seat, longest))
        if found is None:
            before = {} if self.parent is None else self.parent._found(seat, longest, weights)
            found = self.known[seat, longest] = {}
            for node, lying in self.cubes.items():
                if node not in self.graph:
                    continue
                old = before.get(node)
                if old is None or node in self.changed or not self.changed.isdisjoint(old[1]):
                    old = self._look(seat, node, lying, longest, weights.foreign)
                found[node] = old
        return found

    def _look(self, seat: Seat, node: Label, lying: Sequence[Cubes], longest: int, cost: float) -> Found:
        alive = 0
        for cubes in lying:
            alive |= self.bits[cubes.colour]
        best, touched = self._ways(seat, node, alive, longest, cost)
        found = []
        for cubes in lying:
            ways = best.get(self.bits[cubes.colour])
            if ways is not None:
                found.append(Reach(node, cubes.colour, cubes.ready, cubes.count, _rising(ways, cubes.colour)))
        return tuple(found), frozenset(touched)

    def _ways(
        self, seat: Seat, start: Label, alive: int, longest: int, cost: float
    ) -> tuple[dict[int, list[float]], set[Label]]:
        """Per colour the most by number of links, and all nodes looked at."""
        graph, takes, closed = self.graph, self.takes, self.closed
        best: dict[int, list[float]] = {}
        visited, touched = {start}, set[Label]()

        def go(node: Label, depth: int, own: int, paid: int, alive: int) -> None:
            depth += 1
            for beyond, owner in graph[node]:
                if beyond in visited:
                    continue
                if owner == seat:
                    own_now, paid_now = own + 1, paid
                else:
                    if depth - own > STRANGERS:
                        continue
                    own_now, paid_now = own, paid + (owner is not None)
                touched.add(beyond)
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
        return best, touched


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
    lying: dict[Label, tuple[Cubes, ...]] = {}
    for entry in cubes:
        lying[entry.node] = (*lying.get(entry.node, ()), entry)
    return Land(bits, takes, closed, graph, lying)
