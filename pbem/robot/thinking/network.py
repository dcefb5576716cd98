"""Links as a graph, and how far each cube could go over them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from pbem.engine import Seat
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.rails.track import Chain
from pbem.robot.thinking.characters import Weights
from pbem.robot.thinking.table import CLOSED, Cubes

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


Step = tuple[Label, bool, bool, int, bool]
"""A link as a seat sees it: where it leads, whether it is its own, whether somebody else is paid for it, the colours
taken there as bits, and whether cubes pass on from there."""
Steps = Mapping[Label, tuple[Step, ...]]
"""All links as a seat sees them, by where they begin."""


@dataclass(frozen=True, eq=False)
class Land:
    """The nodes of a position: the colours each takes as bits, those that nothing passes, and the links.

    ``needed``: links of others that a delivery must use. ``strangers``: links that are not the mover's own on a way
    that is thought of; with ``public`` those of nobody do not count.
    """

    bits: Mapping[str, int]
    takes: Mapping[Label, int]
    closed: frozenset[Label]
    graph: Graph
    cubes: Mapping[Label, tuple[Cubes, ...]]
    needed: int = 0
    strangers: int = STRANGERS
    public: bool = False

    def joined(self, links: Iterable[Pair], owner: Owner, over: Iterable[Pair] = ()) -> Self:
        """With new links of one owner. ``over``: hexes of new track, each with a node that the track leads to."""
        graph = dict(self.graph)
        for a, b in links:
            for here, there in ((a, b), (b, a)):
                known = graph.get(here, ())
                if (there, owner) not in known:
                    graph[here] = ((there, owner), *known)
        for hex_, node in over:
            graph[hex_] = (*graph.get(hex_, ()), (node, owner))
        return replace(self, graph=graph)

    def with_city(self, node: Label, colours: Iterable[str], cubes: tuple[Cubes, ...]) -> Self:
        """With a New City on a town, and the cubes that it will get."""
        taken = sum(self.bits.get(colour, 0) for colour in colours)
        lying = {**self.cubes, node: (*self.cubes.get(node, ()), *cubes)}
        return replace(self, takes={**self.takes, node: taken}, cubes=lying)

    def with_cubes(self, cubes: Cubes) -> Self:
        """With cubes more in one place; those of a colour that no City takes make no difference."""
        if cubes.colour not in self.bits:
            return self
        return replace(self, cubes={**self.cubes, cubes.node: (*self.cubes.get(cubes.node, ()), cubes)})

    def reaches(self, seat: Seat, longest: int, weights: Weights) -> list[Reach]:
        """Every cube that the seat could deliver to its gain, now or with a larger engine."""
        steps = {node: self._steps_from(seat, node) for node in self.graph}
        longest = min(longest, LONGEST)
        found: list[Reach] = []
        for node, lying in self.cubes.items():
            if node in self.graph:
                found += self._look(steps, node, lying, longest, weights.foreign)
        return found

    def _steps_from(self, seat: Seat, node: Label) -> tuple[Step, ...]:
        takes, closed = self.takes, self.closed
        return tuple(
            (there, owner == seat, owner is not None, takes.get(there, 0), there not in closed)
            for there, owner in self.graph.get(node, ())
        )

    def _look(self, steps: Steps, node: Label, lying: Sequence[Cubes], longest: int, cost: float) -> Iterator[Reach]:
        bits, needed = self.bits, self.needed
        alive = 0
        for cubes in lying:
            alive |= bits[cubes.colour]
        best = self._ways(steps, node, alive, longest, cost)
        for cubes in lying if best else ():
            bit = bits[cubes.colour]
            ways = best.get(bit)
            if ways is not None:
                most = now = _rising(ways, cubes.colour)
                if needed:
                    now = _rising(best.get(-bit, ()), cubes.colour)
                yield Reach(node, cubes.colour, cubes.ready, cubes.count, most, now)

    def _ends_of(self, start: Label) -> frozenset[Label]:
        """The ends of the track on which cubes lie, none where they lie at a node: they do not come back over it."""
        ends = frozenset(node for node, _ in self.graph[start])
        back = any(there == start for node in ends for there, _ in self.graph.get(node, ()))
        return frozenset() if back else ends

    def _ways(self, steps: Steps, start: Label, alive: int, longest: int, cost: float) -> dict[int, list[float]]:
        """Per colour the most by number of links, under its bit made negative with the links of others that a delivery
        must use."""
        needed, strangers, public = self.needed, self.strangers, self.public
        first = self._ends_of(start)
        best: dict[int, list[float]] = {}
        visited = {start}
        trail = [(start, iter(steps[start]), 0, 0, alive)]
        while trail:
            depth = len(trail)
            node, onward, own, paid, alive = trail[-1]
            for beyond, mine, others, taken, passes in onward:
                if beyond in visited or (depth == 2 and beyond in first):
                    continue
                if not mine and (paid + others if public else depth - own) > strangers:
                    continue
                own_now, paid_now = own + mine, paid if mine else paid + others
                hit = taken & alive
                if hit and own_now:
                    _keep(best, hit, depth, own_now - cost * paid_now, apart=0 < needed <= paid_now)
                if passes and depth < longest and alive != hit:
                    visited.add(beyond)
                    trail.append((beyond, iter(steps.get(beyond, ())), own_now, paid_now, alive ^ hit))
                    break
            else:
                trail.pop()
                visited.discard(node)
        return best


def _keep(best: dict[int, list[float]], colours: int, links: int, worth: float, *, apart: bool) -> None:
    """Keep what a way of so many links is worth for each of its colours; ``apart``: under the negative bit as well."""
    while colours:
        bit = colours & -colours
        colours ^= bit
        for key in (bit, -bit) if apart else (bit,):
            ways = best.get(key)
            if ways is None:
                ways = best[key] = [0.0] * (LONGEST + 1)
            if worth > ways[links]:
                ways[links] = worth


def _rising(ways: Sequence[float], colour: str) -> tuple[float, ...]:
    """The best for each engine, a larger one never worse."""
    most, rising = 0.0, []
    bonus = BONUS.get(colour, 0)
    for worth in ways or NOWHERE:
        if worth > 0 and worth + bonus > most:
            most = worth + bonus
        rising.append(most)
    return tuple(rising)


def read_land(
    scene: Scene, cubes: tuple[Cubes, ...], needed: int = 0, strangers: int = STRANGERS, *, public: bool = False
) -> Land:
    """The links and Cities of a position.

    ``needed``: links of others that a delivery must use. ``strangers``: of how many more it is thought; with ``public``
    those of nobody do not count.
    """
    colours = {colour for plate in scene.cities for colour in plate.colours} | {entry.colour for entry in cubes}
    colours |= {colour for new in scene.board.new_cities.values() for colour in new.colours}
    bits = {colour: 1 << number for number, colour in enumerate(sorted(colours))}
    takes = {plate.label: sum(bits[colour] for colour in plate.colours) for plate in scene.cities}
    closed = frozenset(plate.label for plate in scene.cities if plate.kind in CLOSED)
    lying: dict[Label, tuple[Cubes, ...]] = {}
    for entry in cubes:
        lying[entry.node] = (*lying.get(entry.node, ()), entry)
    return Land(bits, takes, closed, _graph(scene), lying, needed, strangers + needed, public)


def _graph(scene: Scene) -> dict[Label, tuple[tuple[Label, Owner], ...]]:
    """Where links lead from every node, and from cubes that lie on track."""
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
        for hex_ in _under_cubes(scene, chain):
            ends = ((node, chain.owner) for node in chain.ends if node is not None)
            graph[hex_] = (*graph.get(hex_, ()), *ends)
    for link in scene.links:
        if link.owner is not None or link.public:
            join(*link.joins, link.owner)
    return graph


def _under_cubes(scene: Scene, chain: Chain) -> Iterator[Label]:
    """The hexes of a section on whose track cubes lie."""
    for piece in chain.pieces if scene.cubes else ():
        if piece.hex in scene.cubes and piece.hex not in scene.towns:
            yield piece.hex
