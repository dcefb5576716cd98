"""Links as a graph, and how far each cube could go over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.engine.moves import Seat
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.robot.thinking.table import CLOSED, Cubes
from pbem.robot.thinking.weights import Weights

Owner = Seat | None
Graph = Mapping[Label, tuple[tuple[Label, Owner], ...]]
Pair = tuple[Label, Label]
STRANGERS = 1
"""Links of others, or of nobody, on a way that is thought of, besides those that a delivery must use."""
LONGEST = 6
"""Links that the largest engine pulls."""
NOWHERE = (0.0,) * (LONGEST + 1)
BONUS = {"white": 1}
"""Colours whose delivery brings the mover more than the links do."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a cube could bring its mover, by the engine: ``best[e]`` with an engine of ``e`` links.

    ``now``: the same over links as they are. It differs where a delivery must use links of others, on which ``best``
    counts for the turns to come.
    """

    node: Label
    colour: str
    ready: int
    count: int
    best: tuple[float, ...]
    now: tuple[float, ...]


Found = tuple[tuple[Reach, ...], frozenset[Label]]
"""What the cubes of a node could bring, and the nodes that they could come to."""


@dataclass(frozen=True)
class Land:
    """The nodes of a position: the colours each takes as bits, those that nothing passes, and the links.

    ``parent``, ``changed``: the land that this one has grown from, and the nodes at which they differ; what cannot come
    to any of them is not looked at again. ``needed``: links of others that a delivery must use. ``strangers``: links
    that are not the mover's own on a way that is thought of.
    """

    bits: Mapping[str, int]
    takes: Mapping[Label, int]
    closed: frozenset[Label]
    graph: Graph
    cubes: Mapping[Label, tuple[Cubes, ...]]
    needed: int = 0
    strangers: int = STRANGERS
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
        return replace(self, graph=graph, parent=self, changed=frozenset(changed), known={})

    def with_city(self, node: Label, colours: Iterable[str], cubes: tuple[Cubes, ...]) -> Land:
        """With a New City on a town, and the cubes that it will get."""
        taken = sum(self.bits.get(colour, 0) for colour in colours)
        lying = {**self.cubes, node: (*self.cubes.get(node, ()), *cubes)}
        takes = {**self.takes, node: taken}
        return replace(self, takes=takes, cubes=lying, parent=self, changed=frozenset({node}), known={})

    def with_cubes(self, cubes: Cubes) -> Land:
        """With cubes more in one place; those of a colour that no City takes make no difference."""
        if cubes.colour not in self.bits:
            return self
        lying = {**self.cubes, cubes.node: (*self.cubes.get(cubes.node, ()), cubes)}
        return replace(self, cubes=lying, parent=self, changed=frozenset({cubes.node}), known={})

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
            bit = self.bits[cubes.colour]
            ways = best.get(bit)
            if ways is not None:
                most = now = _rising(ways, cubes.colour)
                if self.needed:
                    now = _rising(best.get(-bit, ()), cubes.colour)
                found.append(Reach(node, cubes.colour, cubes.ready, cubes.count, most, now))
        return tuple(found), frozenset(touched)

    def _on_track(self, start: Label) -> bool:
        """Whether cubes lie on the track itself: they leave by one of its ends and do not come back over it."""
        return all(there != start for node, _ in self.graph[start] for there, _ in self.graph.get(node, ()))

    def _ways(
        self, seat: Seat, start: Label, alive: int, longest: int, cost: float
    ) -> tuple[dict[int, list[float]], set[Label]]:
        """Per colour the most by number of links, under its bit made negative with the links of others that a delivery
        must use; and all nodes looked at."""
        graph, takes, closed, needed = self.graph, self.takes, self.closed, self.needed
        strangers = self.strangers
        first = {node for node, _ in graph[start]} if self._on_track(start) else frozenset[Label]()
        best: dict[int, list[float]] = {}
        visited, touched = {start}, set[Label]()

        def go(node: Label, depth: int, own: int, paid: int, alive: int) -> None:
            depth += 1
            for beyond, owner in graph[node]:
                if beyond in visited or (depth == 2 and beyond in first):
                    continue
                if owner == seat:
                    own_now, paid_now = own + 1, paid
                else:
                    if depth - own > strangers:
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
                        for key in (bit, -bit) if 0 < needed <= paid_now else (bit,):
                            ways = best.get(key)
                            if ways is None:
                                ways = best[key] = [0.0] * (LONGEST + 1)
                            if worth > ways[depth]:
                                ways[depth] = worth
                rest = alive & ~taken
                if rest and depth < longest and beyond not in closed:
                    visited.add(beyond)
                    go(beyond, depth, own_now, paid_now, rest)
                    visited.discard(beyond)

        go(start, 0, 0, 0, alive)
        return best, touched


def _rising(ways: Sequence[float], colour: str) -> tuple[float, ...]:
    """The best for each engine, a larger one never worse."""
    most, rising = 0.0, []
    bonus = BONUS.get(colour, 0)
    for worth in ways or NOWHERE:
        if worth > 0:
            most = max(most, worth + bonus)
        rising.append(most)
    return tuple(rising)


def read_land(scene: Scene, cubes: tuple[Cubes, ...], needed: int = 0, strangers: int = STRANGERS) -> Land:
    """The links and Cities of a position.

    ``needed``: links of others that a delivery must use. ``strangers``: of how many more it is thought.
    """
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
    return Land(bits, takes, closed, graph, lying, needed, strangers + needed)
